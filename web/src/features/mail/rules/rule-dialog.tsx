import { useState } from 'react'
import { ApiError } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { compose, type Part, partsOf } from './condition.ts'
import type { MailRule, RuleActions } from './rule-words.ts'
import { useMatchCount, useRuleActions } from './use-rules.ts'
import './rules.css'

/** Initial values of a new rule. */
export interface RuleSeed {
  /** Name under which unsent input is saved. */
  key: string
  name: string
  q: string
}

export type MailRuleInput = MailRule | RuleSeed

const isRule = (ruleInput: MailRuleInput): ruleInput is MailRule => 'id' in ruleInput

const FIELDS: readonly (readonly [Part, label: string, placeholder: string])[] = [
  ['from', 'From', 'ana@example.org'],
  ['to', 'To', ''],
  ['subject', 'Subject', 'invoice'],
  ['words', 'Words', 'anywhere in it'],
]

/** The fields and the query show the same condition. Editing one updates the other. */
const ConditionFields = ({ q: first }: { q: string }) => {
  const [{ q, parts }, setCondition] = useState({ q: first, parts: partsOf(first) })
  const matchCount = useMatchCount(q.trim())
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
        {q.trim() !== '' && matchCount}
      </p>
    </fieldset>
  )
}

const ActionFields = ({ does }: { does: RuleActions | null }) => (
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

const readRuleActions = (values: FormData): RuleActions => {
  const folder = String(values.get('folder'))
  const tags = String(values.get('tags'))
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '')
  const does: RuleActions = {
    folder: folder === 'archive' || folder === 'trash' ? folder : null,
    tags,
    read: values.has('read'),
    starred: values.has('starred'),
    task: values.has('task'),
  }
  if (does.folder !== null || tags.length > 0 || does.read || does.starred || does.task) return does
  const message = 'Choose at least one thing that is done.'
  throw new ApiError({
    status: 400,
    code: 'validation_failed',
    message,
    fields: [{ path: 'folder', message }],
  })
}

/** Creates or edits a rule. A null `ruleInput` closes the dialog. */
export const RuleDialog = ({
  ruleInput,
  onClose,
}: {
  ruleInput: MailRuleInput | null
  onClose: () => void
}) => {
  const ruleActions = useRuleActions()
  const displayed = useLastValue(ruleInput)
  const rule = displayed && isRule(displayed) ? displayed : null
  const save = async (values: FormData) => {
    await ruleActions.save(rule, {
      name: String(values.get('name')).trim(),
      q: String(values.get('q')).trim(),
      does: readRuleActions(values),
    })
    onClose()
  }
  return (
    <FormDialog
      open={ruleInput !== null}
      onClose={onClose}
      title={rule ? 'Change the rule' : 'New rule'}
      size="large"
      action={rule ? 'Save' : 'Make the rule'}
      savedAs={displayed && (isRule(displayed) ? `mail rule ${displayed.id}` : displayed.key)}
      onSubmit={save}
    >
      {displayed && (
        <div className="stack" key={isRule(displayed) ? displayed.id : displayed.key}>
          <ConditionFields q={displayed.q} />
          <ActionFields does={rule?.does ?? null} />
          <TextField
            name="name"
            label="Name of the rule"
            defaultValue={displayed.name}
            maxLength={100}
            autoComplete="off"
            required
          />
        </div>
      )}
    </FormDialog>
  )
}
