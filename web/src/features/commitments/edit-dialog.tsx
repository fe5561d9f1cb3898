import * as t from '#locale/commitments'
import type { Commitment } from '../../api/commitments.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { AreaField } from '../../ui/field.tsx'
import { OptionalDateField, OptionalTimeField } from '../../ui/optional-date-time.tsx'
import { splitDue, useDueFields } from '../tasks/due-fields.ts'
import { useCommitmentActions } from './use-commitment-actions.ts'

interface EditDialogProps {
  commitment: Commitment
  open: boolean
  onClose: () => void
}

/** Edits the text and the due date of a commitment. The quote of the email stays as it is. */
export const EditDialog = ({ commitment, open, onClose }: EditDialogProps) => {
  const { edit } = useCommitmentActions()
  const { readDue, split } = useDueFields()
  const { dueAt, dueDay, text, quote } = commitment
  const due = splitDue({ dueAt, dueDay }, split)
  const save = async (values: FormData) => {
    const words = String(values.get('text') ?? '').replaceAll('\r\n', '\n')
    await edit(commitment, { text: words.trim(), ...readDue(values) })
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.editCommitment}
      about={<q>{quote}</q>}
      savedAs={`commitment-${commitment.id}`}
      onSubmit={save}
    >
      <AreaField name="text" label={t.text} rows={3} required maxLength={500} defaultValue={text} />
      <div className="commitment-due">
        <OptionalDateField name="dueDay" label={t.dueDay} defaultValue={due.day} />
        <OptionalTimeField name="dueTime" label={t.dueTime} hint={t.dueTimeHint} defaultValue={due.time} />
      </div>
    </FormDialog>
  )
}
