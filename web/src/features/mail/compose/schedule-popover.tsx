import { type RefObject, useState } from 'react'
import * as t from '#locale/mail-compose'
import { Button } from '../../../ui/button.tsx'
import { DateField, TimeField } from '../../../ui/date-time-input.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { useDates } from '../../../ui/time.tsx'
import { addDays, dayOf, instantOf, toLocalTime } from '../../tasks/local-time.ts'

const MORNING = '08:00'
const AFTERNOON = '13:00'
const WEEK = 7
const MONDAY = 1

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

interface Preset {
  label: string
  day: string
  time: string
}

/** Usual times from now on. Monday is missing on Sunday, because tomorrow is Monday. */
const listPresets = (now: Date, timeZone: string): Preset[] => {
  const today = dayOf(now, timeZone)
  const hour = toLocalTime(now, timeZone).slice(11)
  const tomorrow = addDays(today, 1)
  const untilMonday = (WEEK + MONDAY - weekdayOf(today)) % WEEK || WEEK
  return [
    ...(hour < AFTERNOON ? [{ label: t.thisAfternoon, day: today, time: AFTERNOON }] : []),
    { label: t.tomorrowMorning, day: tomorrow, time: MORNING },
    ...(untilMonday > 1 ? [{ label: t.mondayMorning, day: addDays(today, untilMonday), time: MORNING }] : []),
  ]
}

interface SchedulePopoverProps {
  open: boolean
  anchor: RefObject<Element | null>
  onClose: () => void
  onSchedule: (sendAt: string) => Promise<void>
}

/** Asks for the time of sending, in the format and the time zone of the account. */
export const SchedulePopover = ({ open, anchor, onClose, onSchedule }: SchedulePopoverProps) => {
  const { timeZone, dateTime } = useDates()
  const now = new Date()
  const today = dayOf(now, timeZone)
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
      <ul className="schedule-presets" aria-label={t.suggestedTimes}>
        {listPresets(now, timeZone).map((preset) => (
          <li key={preset.label}>
            <Button
              wide
              aria-pressed={preset.day === day && preset.time === time}
              onClick={() => {
                setChosenDay(preset.day)
                setTime(preset.time)
              }}
            >
              <span>{preset.label}</span>
              <span className="quiet small">
                {dateTime(instantOf(`${preset.day}T${preset.time}`, timeZone))}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="schedule-fields">
        <DateField name="day" label={t.date} value={day} min={today} onChange={setChosenDay} />
        <TimeField name="time" label={t.time} value={time} onChange={setTime} />
      </div>
      <p className="field-hint">{t.timeZone(timeZone.replaceAll('_', ' '))}</p>
    </FormPopover>
  )
}
