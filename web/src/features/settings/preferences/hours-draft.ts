import { type Hours, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'

/** Working hours under edit, with a stable React key. */
export interface DraftHours extends Hours {
  key: number
}

const WORKDAYS = WEEKDAYS.slice(1, 5)
const LAST_MINUTE = 23 * 60 + 59

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const timeOf = (minutes: number): string => {
  const within = Math.min(minutes, LAST_MINUTE)
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

const nextKey = (draft: readonly DraftHours[]): number => Math.max(0, ...draft.map(({ key }) => key)) + 1

export const draftOf = (hours: readonly Hours[]): DraftHours[] =>
  [...hours]
    .sort((one, other) => one.start.localeCompare(other.start))
    .map((entry, index) => ({ ...entry, key: index + 1 }))

/** The first interval of a day is 9 to 17. Further ones start one hour after the last. */
export const addHours = (draft: readonly DraftHours[], day: Weekday): DraftHours[] => {
  const last = draft.filter((entry) => entry.day === day).at(-1)
  const key = nextKey(draft)
  if (!last) return [...draft, { key, day, start: '09:00', end: '17:00' }]
  const start = minutesOf(last.end || '17:00') + 60
  return [...draft, { key, day, start: timeOf(start), end: timeOf(start + 4 * 60) }]
}

/** Copies Monday's hours to Tuesday through Friday. */
export const copyMonday = (draft: readonly DraftHours[]): DraftHours[] => {
  const rest = draft.filter(({ day }) => !WORKDAYS.includes(day))
  const monday = draft.filter(({ day }) => day === 'monday')
  const first = nextKey(draft)
  const copies = WORKDAYS.flatMap((day, index) =>
    monday.map((entry, at) => ({ ...entry, day, key: first + index * monday.length + at })),
  )
  return [...rest, ...copies]
}
