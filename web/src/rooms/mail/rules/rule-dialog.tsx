import { useState } from 'react'
import { ApiError } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useLast } from '../../../ui/use-last.ts'
import { compose, type Part, partsOf } from './condition.ts'
import type { Deeds, MailRule } from './rule-words.ts'
import { useFitting, useRuleDeeds } from './use-rules.ts'
import './rules.css'

/** What a new rule begins with. */
export interface RuleSeed {
  /** Under which what is written waits. */
  key: string
  name: string
  q: string
}

export type RuleWish = MailRule | RuleSeed

const isRule = (wish: RuleWish): wish is MailRule => 'id' in wish

const FIELDS: readonly (readonly [Part, label: string, placeholder: string])[] = [
  ['from', 'From', 'ana@example.org'],
  ['to', 'To', ''],
  ['subject', 'Subject', 'invoice'],
  ['words', 'Words', 'anywhere in it'],
]

/** The plain fields and the search say the same: whichever is typed into, the other follows. */
const ConditionFields = ({ q: first }: { q: string }) => {
  const [{ q, parts }, setCondition] = useState({ q: first, parts: partsOf(first) })
  const fitting = useFitting(q.trim())
  return (
    <fieldset className="rule-part">
      <legend>E-mails that arrive with</legend>
      <div className="rule-fields">
        {FIELDS.map(([part, label, placeholder]) => (
          <TextField
            key={part}
            name={part}
            label={label}
            placeholder={placeholder}
            maxLength={500}
            autoComplete="off"
            value={parts[part]}
            onChange={({ target: { value } }) =>
              setCondition(({ parts: before }) => {
                const after = { ...before, [part]: value }
                return { parts: after, q: compose(after) }
              })
            }
          />
        ))}
      </div>
      <TextField
        name="q"
        label="The same as a search"
        hint="All that the search of your mail understands, but in:, is:, before: and after:"
        maxLength={1000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={q}
        onChange={({ target: { value } }) => setCondition({ q: value, parts: partsOf(value) })}
      />
      <p className="rule-fitting" role="status">
        {q.trim() !== '' && fitting}
      </p>
    </fieldset>
  )
}

const DeedFields = ({ does }: { does: Deeds | null }) => (
  <fieldset className="rule-part">
    <legend>What is done with them</legend>
    <div className="rule-fields">
      <SelectField name="folder" label="Move" defaultValue={does?.folder ?? ''}>
        <option value="">Leave in the inbox</option>
        <option value="archive">To the archive</option>
        <option value="trash">To the trash</option>
      </SelectField>
      <TextField
        name="tags"
        label="Tags"
        placeholder="news, weekly"
        maxLength={500}
        autoComplete="off"
        defaultValue={does?.tags.join(', ')}
      />
    </div>
    <label className="check">
      <input type="checkbox" name="read" defaultChecked={does?.read} />
      <span>Mark as read</span>
    </label>
    <label className="check">
      <input type="checkbox" name="starred" defaultChecked={does?.starred} />
      <span>Star</span>
    </label>
    <label className="check">
      <input type="checkbox" name="task" defaultChecked={does?.task} />
      <span>Make a task</span>
    </label>
  </fieldset>
)

const readDeeds = (values: FormData): Deeds => {
  const folder = String(values.get('folder'))
  const tags = String(values.get('tags'))
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '')
  const does: Deeds = {
    folder: folder === 'archive' || folder === 'trash' ? folder : null,
    ...{ tags, read: values.has('read'), starred: values.has('starred'), task: values.has('task') },
  }
  if (does.folder !== null || tags.length > 0 || does.read || does.starred || does.task) return does
  const message = 'Choose at least one thing that is done.'
  throw new ApiError({
    ...{ status: 400, code: 'validation_failed', message, fields: [{ path: 'folder', message }] },
  })
}

/** Makes a rule or changes one; null: closed. */
export const RuleDialog = ({ wish, onClose }: { wish: RuleWish | null; onClose: () => void }) => {
  const deeds = useRuleDeeds()
  const shown = useLast(wish)
  const rule = shown && isRule(shown) ? shown : null
  const save = async (values: FormData) => {
    await deeds.save(rule, {
      ...{ name: String(values.get('name')).trim(), q: String(values.get('q')).trim() },
      does: readDeeds(values),
    })
    onClose()
  }
  return (
    <FormDialog
      open={wish !== null}
      onClose={onClose}
      title={rule ? 'Change the rule' : 'New rule'}
      size="large"
      action={rule ? 'Save' : 'Make the rule'}
      keeps={shown && (isRule(shown) ? `mail rule ${shown.id}` : shown.key)}
      onSubmit={save}
    >
      {shown && (
        <div className="stack" key={isRule(shown) ? shown.id : shown.key}>
          <ConditionFields q={shown.q} />
          <DeedFields does={rule?.does ?? null} />
          <TextField
            name="name"
            label="Name of the rule"
            defaultValue={shown.name}
            maxLength={100}
            autoComplete="off"
            required
          />
        </div>
      )}
    </FormDialog>
  )
}
