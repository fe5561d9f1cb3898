import * as t from '#locale/promises'
import type { Commitment } from '../../api/commitments.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { AreaField } from '../../ui/field.tsx'
import { OptionalDateField, OptionalTimeField } from '../../ui/optional-date-time.tsx'
import { splitDue, useDueFields } from '../tasks/due-fields.ts'
import { usePromiseActions } from './use-promise-actions.ts'

interface EditDialogProps {
  promise: Commitment
  open: boolean
  onClose: () => void
}

/** Edits the text and the due date of a promise. The quote of the email stays as it is. */
export const EditDialog = ({ promise, open, onClose }: EditDialogProps) => {
  const { edit } = usePromiseActions()
  const { readDue, split } = useDueFields()
  const { dueAt, dueDay, text, quote } = promise
  const due = splitDue({ dueAt, dueDay }, split)
  const save = async (values: FormData) => {
    const words = String(values.get('text') ?? '').replaceAll('\r\n', '\n')
    await edit(promise, { text: words.trim(), ...readDue(values) })
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.editPromise}
      about={<q>{quote}</q>}
      savedAs={`promise-${promise.id}`}
      onSubmit={save}
    >
      <AreaField name="text" label={t.text} rows={3} required maxLength={500} defaultValue={text} />
      <div className="promise-due">
        <OptionalDateField name="dueDay" label={t.dueDay} defaultValue={due.day} />
        <OptionalTimeField name="dueTime" label={t.dueTime} hint={t.dueTimeHint} defaultValue={due.time} />
      </div>
    </FormDialog>
  )
}
