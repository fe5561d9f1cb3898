import { readText } from '../../ui/form-values.ts'
import { useDateTimeText } from '../../ui/optional-date-time.tsx'
import { useDates } from '../../ui/time.tsx'
import type { Task } from './groups.ts'
import { instantOf, toLocalTime } from './local-time.ts'
import type { Due } from './reschedule.ts'

/** Converts between instants and the date and time fields of a form, in the time zone of the account. */
export const useDueFields = () => {
  const { parseDay, parseTime } = useDateTimeText()
  const { timeZone } = useDates()
  return {
    /** Splits an instant into YYYY-MM-DD and HH:MM. */
    split(at: string | null | undefined): { day: string | null; time: string | null } {
      if (!at) return { day: null, time: null }
      const [day = null, time = null] = toLocalTime(at, timeZone).split('T')
      return { day, time }
    },
    /** Reads the due date. A date without a time means the whole day. */
    readDue(values: FormData): Due {
      const [day, time] = [parseDay(readText(values, 'dueDay')), parseTime(readText(values, 'dueTime'))]
      if (day === null) return { dueDay: null, dueAt: null }
      return time === null
        ? { dueDay: day, dueAt: null }
        : { dueDay: null, dueAt: instantOf(`${day}T${time}`, timeZone) }
    },
    /** Reads an instant from a date field and a time field. */
    readInstant(values: FormData, names: { day: string; time: string; defaultTime: string }): string | null {
      const day = parseDay(readText(values, names.day))
      const time = parseTime(readText(values, names.time)) ?? names.defaultTime
      return day === null ? null : instantOf(`${day}T${time}`, timeZone)
    },
  }
}

/** Splits the due date of a task; a whole day has no time. */
export const splitDue = (
  { dueAt = null, dueDay = null }: Partial<Task>,
  split: ReturnType<typeof useDueFields>['split'],
) => (dueDay === null ? split(dueAt) : { day: dueDay, time: null })
