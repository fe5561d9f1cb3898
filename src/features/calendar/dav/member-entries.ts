import type { Db } from '../../../database/db.ts'
import { forbidden } from '../../../platform/errors.ts'
import type { DavCollection } from '../../dav/backend.ts'
import { type EventRecord, fieldsOf, type Reminder } from '../event.ts'
import { entryOf } from '../export.ts'
import { type Entry, readExtra, writeExtra } from '../ical/entry.ts'
import { isPrivateEvent, toMemberRow } from '../members/redaction.ts'
import { readMemberReminders } from '../members/repository.ts'

/** The reminders of a member by event. */
export type MemberReminders = ReadonlyMap<number, readonly Reminder[]>

/** Reads the reminders of a member; undefined for the owner, who sees events as they are. */
export const readMemberEntries = (
  view: Db,
  account: number,
  { ownerId }: DavCollection,
  rows: readonly EventRecord[],
): Promise<MemberReminders | undefined> =>
  account === ownerId
    ? Promise.resolve(undefined)
    : readMemberReminders(
        view,
        account,
        rows.map(({ id, seriesId }) => seriesId ?? id),
      )

const isAlarm = ([first]: readonly string[]): boolean => first === 'BEGIN:VALARM'

const withoutAlarms = (extra: string | null): string | null => {
  const { alarms: _, components = [], ...rest } = readExtra(extra)
  return writeExtra({ ...rest, components: components.filter((lines) => !isAlarm(lines)) })
}

/** Returns the entries of one UID as an account may read them. `own` are the reminders of a member. */
export const toVisibleEntries = (
  family: readonly EventRecord[],
  own: MemberReminders | undefined,
  toUid: (uid: string) => string,
): Entry[] => {
  const series = family.find(({ recurrenceId }) => recurrenceId === '')
  return family.map((row) => {
    if (!own) return { ...entryOf(row), uid: toUid(row.uid) }
    const visible = toMemberRow(row, row === series ? undefined : series)
    const entry = entryOf(visible)
    const isHidden = visible.uid !== row.uid
    return {
      ...entry,
      uid: isHidden ? visible.uid : toUid(row.uid),
      reminders: [...(own.get(row.seriesId ?? row.id) ?? [])],
      extra: withoutAlarms(entry.extra),
    }
  })
}

/** A member could not read a private event, so they cannot store one. */
export const requireSharable = (entries: readonly Entry[]): void => {
  if (entries.some(({ tags, extra }) => isPrivateEvent(tags, extra)))
    throw forbidden('An event in a shared calendar cannot be private, because you could not read it.')
}

/** The alarms in the resource of a member are the member's own. The owner keeps theirs. */
export const toOwnerEntries = (entries: readonly Entry[], before: readonly EventRecord[]): Entry[] => {
  const known = new Map(before.map((row) => [row.recurrenceId, row]))
  return entries.map((entry) => {
    const row = known.get(entry.recurrenceId ?? '')
    const { alarms, components = [] } = readExtra(row?.extra ?? null)
    const kept = readExtra(withoutAlarms(entry.extra))
    return {
      ...entry,
      reminders: row ? fieldsOf(row).reminders : [],
      extra: writeExtra({
        ...kept,
        alarms,
        components: [...(kept.components ?? []), ...components.filter(isAlarm)],
      }),
    }
  })
}
