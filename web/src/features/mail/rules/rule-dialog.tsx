import { useState } from 'react'
import * as mailTexts from '#locale/mail'
import * as later from '#locale/mail-later'
import * as t from '#locale/mail-rules'
import * as common from '#locale/shared-texts'
import { toFieldError } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { CheckField, Options, SelectField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { useFolders } from '../folder-list.ts'
import { compose, PARTS, partsOf } from './condition.ts'
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

/** The fields and the query show the same condition. Editing one updates the other. */
const ConditionFields = ({ q: first }: { q: string }) => {
  const [{ q, parts }, setCondition] = useState({ q: first, parts: partsOf(first) })
  const matchCount = useMatchCount(q.trim())
  return (
    <fieldset className="rule-part">
      <legend>{t.conditions}</legend>
      <div className="rule-fields">
        {PARTS.map((part) => (
          <TextField
            key={part}
            name={part}
            label={t.fields[part].label}
            placeholder={t.fields[part].placeholder}
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
        label={t.query}
        hint={t.queryHint}
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

const SNOOZE_PRESETS = ['later-today', 'tomorrow', 'weekend', 'next-week'] as const

const ActionFields = ({ does }: { does: RuleActions | null }) => {
  const folders = useFolders().filter(({ specialUse, selectable }) => specialUse === null && selectable)
  const move = typeof does?.folderId === 'number' ? String(does.folderId) : (does?.folder ?? '')
  return (
    <fieldset className="rule-part">
      <legend>{t.actions}</legend>
      <div className="rule-fields">
        {/* The folders arrive after the first render, and the default value needs its option. */}
        <SelectField key={folders.length} name="folder" label={t.move} defaultValue={move}>
          <option value="">{t.keepInInbox}</option>
          <option value="archive">{t.moveToArchive}</option>
          <option value="trash">{t.moveToTrash}</option>
          <Options entries={folders.map(({ id, path }) => [id, path])} />
        </SelectField>
        <TextField
          name="tags"
          label={mailTexts.tags}
          hint={t.tagsHint}
          placeholder={t.tagsPlaceholder}
          maxLength={500}
          autoComplete="off"
          defaultValue={does?.tags.join(', ')}
        />
      </div>
      <SelectField name="snooze" label={later.snooze} defaultValue={does?.snooze ?? ''}>
        <option value="">{t.noSnooze}</option>
        <Options entries={SNOOZE_PRESETS.map((preset) => [preset, t.snoozePresets[preset]])} />
      </SelectField>
      <CheckField name="read" defaultChecked={does?.read} label={mailTexts.markRead} />
      <CheckField name="starred" defaultChecked={does?.starred} label={mailTexts.star} />
      <CheckField name="pinned" defaultChecked={does?.pinned} label={later.pin} />
      <CheckField name="task" defaultChecked={does?.task} label={t.createTask} />
    </fieldset>
  )
}

const readRuleActions = (values: FormData): RuleActions => {
  const folder = String(values.get('folder'))
  const tags = String(values.get('tags'))
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '')
  const does: RuleActions = {
    folder: folder === 'archive' || folder === 'trash' ? folder : null,
    folderId: /^\d+$/.test(folder) ? Number(folder) : null,
    tags,
    read: values.has('read'),
    starred: values.has('starred'),
    task: values.has('task'),
    snooze: SNOOZE_PRESETS.find((preset) => preset === values.get('snooze')) ?? null,
    pinned: values.has('pinned'),
  }
  if (
    does.folder !== null ||
    does.folderId !== null ||
    tags.length > 0 ||
    does.read ||
    does.starred ||
    does.task ||
    does.snooze !== null ||
    does.pinned
  )
    return does
  throw toFieldError('folder', t.actionRequired)
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
      name: readText(values, 'name'),
      q: readText(values, 'q'),
      does: readRuleActions(values),
    })
    onClose()
  }
  return (
    <FormDialog
      open={ruleInput !== null}
      onClose={onClose}
      title={rule ? t.editRule : t.newRule}
      size="large"
      action={rule ? common.save : t.createRule}
      savedAs={displayed && (isRule(displayed) ? `mail-rule-${displayed.id}` : displayed.key)}
      onSubmit={save}
    >
      {displayed && (
        <div className="stack" key={isRule(displayed) ? displayed.id : displayed.key}>
          <ConditionFields q={displayed.q} />
          <ActionFields does={rule?.does ?? null} />
          <TextField
            name="name"
            label={t.name}
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
