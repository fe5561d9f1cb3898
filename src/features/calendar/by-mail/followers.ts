import type { EventRecord } from '../event.ts'
import { entryOf } from '../exports/told-event.ts'
import type { Entry, Told } from '../icalendar/entry.ts'
import { readExtra } from '../icalendar/extra.ts'
import { isRanged, toldOfEach } from '../icalendar/following-occurrences.ts'
import { cancels } from '../imports/batch.ts'
import { isSeries } from '../series.ts'

/**
 * What a mail says, and of which occurrences it says so without naming them, because it changes one and those after it.
 * What was changed by itself stays so: the organizer may have called it off.
 */
export const withFollowers = (
  told: readonly Told[],
  rows: readonly EventRecord[],
): { named: Told[]; following: Told[] } => {
  const following: Told[] = []
  const said = told.flatMap((each) => (each.kind === 'entry' ? [each.entry] : []))
  const named = told.map((each): Told => {
    if (each.kind !== 'entry' || !isRanged(each.entry) || cancels(each)) return each
    const { uid } = each.entry
    const isWhole = (entry: Entry): boolean =>
      entry.uid === uid && entry.recurrenceId === null && isSeries(entry)
    const series = said.find(isWhole) ?? rows.map(entryOf).find(isWhole)
    if (!series) return each
    const isAlone = (row: EventRecord): boolean =>
      row.uid === uid && row.recurrenceId !== '' && !readExtra(row.extra).follows
    const others = [...said.filter((entry) => entry.uid === uid), ...rows.filter(isAlone)].flatMap(
      ({ recurrenceId }) => recurrenceId || [],
    )
    const [, own = each.entry, ...rest] = toldOfEach([series, each.entry], others)
    following.push(...rest.map((entry): Told => ({ ...each, entry })))
    return { ...each, entry: own }
  })
  return { named, following }
}
