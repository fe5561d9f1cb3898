import { type RefObject, useState } from 'react'
import * as t from '#locale/mail-compose'
import { DateField, TimeField } from '../../../ui/date-time-input.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { useDates } from '../../../ui/time.tsx'
import { addDays, dayOf, instantOf } from '../../tasks/local-time.ts'

const MORNING = '08:00'

interface SchedulePopoverProps {
  open: boolean
  anchor: RefObject<Element | null>
  onClose: () => void
  onSchedule: (sendAt: string) => Promise<void>
}

/** Asks for the time of sending, in the format and the time zone of the account. */
export const SchedulePopover = ({ open, anchor, onClose, onSchedule }: SchedulePopoverProps) => {
  const { timeZone } = useDates()
  const today = dayOf(new Date(), timeZone)
  const [chosenDay, setChosenDay] = useState<string | null>(null)
  const [time, setTime] = useState(MORNING)
  const day = chosenDay ?? addDays(today, 1)
  return (
    <FormPopover
      open={open}
      anchor={anchor}
      onClose={onClose}
      title={t.sendLater}
      about={t.scheduleAbout}
      action={t.schedule}
      onSubmit={() => onSchedule(instantOf(`${day}T${time}`, timeZone))}
    >
      <div className="schedule-fields">
        <DateField name="day" label={t.date} value={day} min={today} onChange={setChosenDay} />
        <TimeField name="time" label={t.time} value={time} onChange={setTime} />
      </div>
      <p className="field-hint">{t.timeZone(timeZone.replaceAll('_', ' '))}</p>
    </FormPopover>
  )
}
