import { toWall } from '../../../engine/time-zones.ts'
import { readExtra, writeExtra } from './extra.ts'
import { DAY, writeDate } from './times.ts'

/** RFC 5545, 3.8.4.4: an occurrence of a series of whole days is named by its day, whatever it has become itself. */
export const namedIn = (
  extra: string | null,
  { allDay, timezone }: { allDay: boolean; timezone: string },
  start: string,
  range: string | null = readExtra(extra).recurrenceId?.range ?? null,
): string | null => {
  const { recurrenceId: _, ...rest } = readExtra(extra)
  const wall = toWall(Date.parse(start), timezone)
  const day = allDay ? writeDate(wall) : null
  // A moment that could be taken for a day is said to be none.
  const isSaid = day !== null || range !== null || wall % DAY === 0
  return writeExtra({ ...rest, ...(isSaid && { recurrenceId: { day, range } }) })
}
