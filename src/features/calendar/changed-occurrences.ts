import type { Db } from '../../database/db.ts'
import { occursAt } from '../../engine/recurrence/series.ts'
import { createBreather } from '../../platform/breather.ts'
import { type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { deleteEvent } from './event-store.ts'
import { namedIn } from './icalendar/recurrence-id.ts'
import type { Saving } from './saving.ts'
import { endOf, seriesOf } from './series.ts'
import { isoOf, shiftBy, wallDistance } from './times.ts'

/** What a changed occurrence goes on sharing with its series as long as it says the same. */
const SHARED = [
  ...['title', 'description', 'location', 'meetingUrl', 'timezone', 'status', 'organizer', 'attendees'],
  ...['reminders', 'notes', 'tags', 'busy', 'emailId'],
] as (keyof EventFields)[]

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

interface Move {
  row: EventRecord
  /** When it starts by the rule of its series, from now on. */
  start: string
}

/** Two may not be at one place even for a moment: who goes back goes first, and who goes on makes room from the end. */
const inTurn = (moves: readonly Move[]): Move[] => {
  const ordered = moves.toSorted((a, b) => (a.row.recurrenceId < b.row.recurrenceId ? -1 : 1))
  const [later, others] = [true, false].map((isLater) =>
    ordered.filter(({ row, start }) => start > row.recurrenceId === isLater),
  ) as [Move[], Move[]]
  return [...others, ...later.reverse()]
}

const carried = (row: EventRecord, start: string, before: EventFields, after: EventFields): EventFields => {
  const fields = fieldsOf(row)
  const shared = SHARED.filter((name) => same(fields[name], before[name])).map((name) => [name, after[name]])
  const isInPlace = same(
    [fields.start, fields.end],
    [row.recurrenceId, isoOf(endOf(before, Date.parse(row.recurrenceId)))],
  )
  const inPlace = isInPlace && { start, end: isoOf(endOf(after, Date.parse(start))), allDay: after.allDay }
  return { ...fields, ...Object.fromEntries(shared), ...inPlace, uid: after.uid }
}

/** Changed occurrences follow their series where they still say the same, and when it is moved. */
export const createCarryOver =
  (saving: Saving) =>
  async (
    tx: Db,
    overrides: readonly EventRecord[],
    before: EventFields,
    after: EventFields,
    seriesId: number,
  ): Promise<void> => {
    const distance = wallDistance(before, after)
    const series = seriesOf(after)
    const moves = new Map<string, Move>()
    const breathe = createBreather()
    for (const row of overrides) {
      await breathe()
      const start = shiftBy(row.recurrenceId, distance, before.timezone, after.timezone)
      // Where clocks are set forward two may come to be the same.
      if (moves.has(start) || !occursAt(series, Date.parse(start))) await deleteEvent(tx, row.id)
      else moves.set(start, { row, start })
    }
    for (const { row, start } of inTurn([...moves.values()])) {
      const extra = namedIn(row.extra, after, start)
      const isElsewhere =
        row.seriesId !== seriesId || row.recurrenceId !== start || before.allDay !== after.allDay
      await saving.update(
        tx,
        row,
        carried(row, start, before, after),
        isElsewhere ? { seriesId, recurrenceId: start, extra } : {},
      )
    }
  }
