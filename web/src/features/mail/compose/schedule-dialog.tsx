import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useDates } from '../../../ui/time.tsx'
import { addDays, dayOf, instantOf, toLocalTime } from '../../tasks/local-time.ts'

interface ScheduleDialogProps {
  open: boolean
  onClose: () => void
  onSchedule: (sendAt: string) => Promise<void>
}

export const ScheduleDialog = ({ open, onClose, onSchedule }: ScheduleDialogProps) => {
  const { timeZone } = useDates()
  const now = new Date()
  const tomorrow = `${addDays(dayOf(now, timeZone), 1)}T08:00`
  const schedule = async (values: FormData) => {
    await onSchedule(instantOf(String(values.get('sendAt')).slice(0, 16), timeZone))
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Send later"
      about="It waits under Drafts until then, and can be taken back."
      action="Schedule"
      onSubmit={schedule}
    >
      <TextField
        name="sendAt"
        label="When"
        hint={`By the clocks of ${timeZone.replaceAll('_', ' ')}.`}
        type="datetime-local"
        min={toLocalTime(now, timeZone)}
        defaultValue={tomorrow}
        required
      />
    </FormDialog>
  )
}
