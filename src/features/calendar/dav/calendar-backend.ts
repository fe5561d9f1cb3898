import type { Db } from '../../../database/db.ts'
import type { Platform } from '../../../platform/platform.ts'
import type {
  BusyTime,
  CollectionChange,
  DavBackend,
  DavCollection,
  ParsedResource,
  TimeRange,
} from '../../dav/backend.ts'
import type { CollectionLog } from '../../dav/collection-log.ts'
import type { Calendars } from '../calendars/calendars.ts'
import { moveOf, requireTarget } from '../calendars/store.ts'
import { type EventRecord, fieldsOf } from '../event.ts'
import { findUidsBetween, findUidsIn, listByUid, listUidsOfCalendar, lockByUid } from '../event-repository.ts'
import { requireOriginal, type Saving } from '../event-writer.ts'
import { writeCalendar } from '../export.ts'
import type { Entry } from '../ical/entry.ts'
import { duplicateUid, originalUid } from '../ical/objects.ts'
import type { CalendarReader } from '../ical/reader.ts'
import type { createMirroredEvents } from '../imports/mirrored-events.ts'
import type { OwnReminders } from '../members/member-reminders.ts'
import { requireReadable } from '../members/redaction.ts'
import { findPersonName } from '../members/repository.ts'
import { EVER, isoOf, NEVER } from '../times.ts'
import { streamWindow } from '../windows/window.ts'
import { readMemberEntries, requireSharable, toOwnerEntries, toVisibleEntries } from './member-entries.ts'
import { LIMITS, parseEvent } from './parse.ts'

/** RFC 4791 §5.2.5. */
const MAX_RESOURCE_SIZE = 2 * 1024 * 1024

const DAY_MS = 86_400_000

/** An instant that the calendar can have. */
const toBound = (instant: number, limit: string): string =>
  instant > Date.parse(EVER) && instant < Date.parse(NEVER) ? isoOf(instant) : limit

interface ParsedEvent extends ParsedResource {
  entries: readonly Entry[]
}

/** Writes events in the name of the owner, or of a member. */
interface DavWriter {
  saving: Saving
  adopt: ReturnType<typeof createMirroredEvents>['adopt']
}

/**
 * The UID of a copy. An account has each UID once, but clients copy and move events to another calendar with PUT.
 */
const copiedUid = (calendarId: number, uid: string): string => duplicateUid(uid, `dav-${calendarId}`)

const publicUid = (calendarId: number, uid: string): string => {
  const original = originalUid(uid)
  return original !== uid && uid === copiedUid(calendarId, original) ? original : uid
}

/** A series before its changed occurrences. */
const inOrder = (rows: readonly EventRecord[]): EventRecord[] =>
  rows.toSorted((a, b) => (a.recurrenceId < b.recurrenceId ? -1 : 1))

const withUid = (entries: readonly Entry[], uid: string): Entry[] =>
  entries.map((entry) => ({ ...entry, uid }))

const toDavCollection =
  (account: number) =>
  ({
    id,
    name,
    color,
    isDefault,
    role,
    readOnly,
    ownerId,
  }: Awaited<ReturnType<Calendars['listVisible']>>[number]): DavCollection => ({
    kind: 'calendar',
    id,
    ownerId,
    rights: role,
    isReadOnly: readOnly,
    displayName: name,
    color,
    defaultName: ownerId !== account ? `shared-${id}` : isDefault ? 'calendar' : `calendar-${id}`,
  })

/** Serves the calendars of an account to CalDAV clients. */
export class CalendarBackend implements DavBackend<ParsedEvent> {
  readonly kind = 'calendar'
  readonly area = 'calendars'
  readonly contentType = 'text/calendar; charset=utf-8; component=VEVENT'
  readonly extension = 'ics'
  readonly component = 'VEVENT'
  readonly maxResourceSize = MAX_RESOURCE_SIZE
  readonly limits = LIMITS
  private readonly deps: Pick<Platform, 'clock'> & {
    calendars: Calendars
    reader: CalendarReader
    log: CollectionLog
    ownReminders: OwnReminders
    own: DavWriter
    /** The same for changes that a member makes. */
    writerBy: (name: string) => DavWriter
    zoneOf: (userId: number) => Promise<string>
  }

  constructor(deps: CalendarBackend['deps']) {
    this.deps = deps
  }

  async list(account: number): Promise<DavCollection[]> {
    return (await this.deps.calendars.listVisible(account)).map(toDavCollection(account))
  }

  async create(
    _tx: Db,
    account: number,
    { displayName = 'Calendar', color }: CollectionChange,
  ): Promise<number> {
    const { id } = await this.deps.calendars.create(account, {
      name: displayName,
      ...(color !== undefined && { color }),
    })
    return id
  }

  async change(
    _tx: Db,
    account: number,
    { id }: DavCollection,
    { displayName, color }: CollectionChange,
  ): Promise<void> {
    const change = {
      ...(displayName !== undefined && { name: displayName }),
      ...(color !== undefined && { color }),
    }
    await this.deps.calendars.change(account, id, change, undefined)
  }

  removeCollection(_tx: Db, account: number, { id }: DavCollection): Promise<void> {
    return this.deps.calendars.remove(account, id, 'delete', undefined)
  }

  listUids(view: Db, { ownerId, id }: DavCollection): Promise<string[]> {
    return listUidsOfCalendar(view, ownerId, id)
  }

  findExisting(view: Db, ownerId: number, id: number, uids: readonly string[]): Promise<Set<string>> {
    return findUidsIn(view, ownerId, id, uids)
  }

  async read(
    view: Db,
    account: number,
    collection: DavCollection,
    uids: readonly string[],
  ): Promise<Map<string, string>> {
    const rows = (await listByUid(view, collection.ownerId, uids)).filter(
      ({ calendarId }) => calendarId === collection.id,
    )
    const families = Map.groupBy(inOrder(rows), ({ uid }) => uid)
    const read = await readMemberEntries(view, account, collection, rows)
    const now = this.deps.clock.now()
    return new Map(
      [...families].map(([uid, family]) => [
        uid,
        writeCalendar(
          toVisibleEntries(family, read, (own) => publicUid(collection.id, own)),
          now,
        ),
      ]),
    )
  }

  findCandidates(view: Db, { ownerId, id }: DavCollection, { start, end }: TimeRange): Promise<Set<string>> {
    // Dates and floating times may be meant in another time zone than they were stored in.
    return findUidsBetween(view, ownerId, id, {
      from: toBound(start - DAY_MS, EVER),
      until: toBound(end + DAY_MS, NEVER),
    })
  }

  async listBusyTimes(
    view: Db,
    { ownerId, id }: DavCollection,
    { start, end }: TimeRange,
  ): Promise<BusyTime[]> {
    const window = {
      from: toBound(start, EVER),
      until: toBound(end, NEVER),
      calendarId: id,
      among: 'busy',
      as: 'bare',
    } as const
    const times: BusyTime[] = []
    for await (const row of streamWindow(view, ownerId, window))
      times.push({
        start: Date.parse(row.start),
        end: Date.parse(row.end),
        isTentative: row.status === 'tentative',
      })
    return times
  }

  async parse(account: number, _collection: DavCollection, bytes: Uint8Array): Promise<ParsedEvent> {
    const entries = await parseEvent(this.deps.reader, bytes, await this.deps.zoneOf(account))
    return { uid: (entries[0] as Entry).uid, entries }
  }

  itemUids({ id }: DavCollection, uid: string): string[] {
    return [uid, copiedUid(id, uid)]
  }

  async put(
    tx: Db,
    account: number,
    collection: DavCollection,
    { uid, entries }: ParsedEvent,
    replaced: string | undefined,
  ): Promise<string> {
    const { ownerId, id: calendarId } = collection
    await requireTarget(tx, ownerId, calendarId)
    const present = await lockByUid(tx, ownerId, [replaced ?? uid])
    const stored = replaced ?? (present.length > 0 ? copiedUid(calendarId, uid) : uid)
    const before = replaced === undefined ? [] : present
    for (const row of before) requireOriginal(row)
    const { adopt } = await this.writerOf(tx, account, collection)
    const named = withUid(entries, stored)
    if (account !== ownerId) {
      requireReadable(before)
      requireSharable(named)
    }
    const written = account === ownerId ? named : toOwnerEntries(named, before)
    await adopt(tx, ownerId, written, { source: 'manual', calendarId })
    if (account !== ownerId) await this.saveReminders(tx, account, ownerId, named)
    return stored
  }

  /** The reminders of a member are their own. */
  private async saveReminders(
    tx: Db,
    account: number,
    ownerId: number,
    [first]: readonly Entry[],
  ): Promise<void> {
    if (!first) return
    const [row] = inOrder(await listByUid(tx, ownerId, [first.uid]))
    if (row) await this.deps.ownReminders.save(tx, account, row, first.reminders)
  }

  async remove(tx: Db, account: number, collection: DavCollection, uid: string): Promise<void> {
    const { ownerId, id } = collection
    const rows = inOrder(await lockByUid(tx, ownerId, [uid])).filter(({ calendarId }) => calendarId === id)
    if (account !== ownerId) requireReadable(rows)
    const { saving } = await this.writerOf(tx, account, collection)
    if (await this.becomeMove(tx, account, collection, rows)) return
    for (const row of rows) if (row.seriesId === null) await saving.remove(tx, row)
  }

  /**
   * A client has copied the event to another calendar, and now deletes the original: it has moved the event. The original
   * takes the place of the copy, with its id, links and history. Returns false if there is no copy.
   */
  private async becomeMove(
    tx: Db,
    account: number,
    collection: DavCollection,
    rows: readonly EventRecord[],
  ): Promise<boolean> {
    const { ownerId } = collection
    const uid = rows[0]?.uid
    if (uid === undefined || uid !== originalUid(uid)) return false
    const calendars = (await this.list(account)).filter(
      (one) => one.ownerId === ownerId && one.id !== collection.id,
    )
    const copies = new Map(calendars.map(({ id }) => [copiedUid(id, uid), id]))
    if (copies.size === 0) return false
    const [copy, ...others] = [
      ...Map.groupBy(await lockByUid(tx, ownerId, [...copies.keys()]), (row) => row.uid),
    ]
    if (!copy || others.length > 0) return false
    const [copyUid, copyRows] = copy
    const calendarId = copies.get(copyUid) as number
    const { saving, adopt } = await this.writerOf(tx, account, collection)
    const entries = toVisibleEntries(inOrder(copyRows), undefined, () => uid)
    for (const row of inOrder(copyRows)) if (row.seriesId === null) await saving.remove(tx, row)
    await this.moveRows(tx, saving, rows, calendarId)
    await adopt(tx, ownerId, entries, { source: 'manual', calendarId })
    await this.deps.log.replace(
      tx,
      { userId: ownerId, kind: 'calendar', itemId: calendarId },
      { former: copyUid, next: uid },
    )
    return true
  }

  private async moveRows(
    tx: Db,
    saving: Saving,
    rows: readonly EventRecord[],
    calendarId: number,
  ): Promise<void> {
    for (const row of rows)
      if (row.seriesId === null)
        await saving.update(tx, row, fieldsOf(row), await moveOf(tx, row, calendarId))
  }

  async move(tx: Db, account: number, from: DavCollection, to: DavCollection, uid: string): Promise<string> {
    const rows = inOrder(await lockByUid(tx, from.ownerId, [uid]))
    if (account !== from.ownerId) requireReadable(rows)
    const { saving, adopt } = await this.writerOf(tx, account, from)
    const original = publicUid(from.id, uid)
    if (original === uid) {
      await this.moveRows(tx, saving, rows, to.id)
      return uid
    }
    // The UID of a copy says in which calendar it is.
    const next = copiedUid(to.id, original)
    const entries = toVisibleEntries(rows, undefined, () => next)
    for (const row of rows) if (row.seriesId === null) await saving.remove(tx, row)
    await adopt(tx, to.ownerId, entries, { source: 'manual', calendarId: to.id })
    return next
  }

  private async writerOf(tx: Db, account: number, { ownerId }: DavCollection): Promise<DavWriter> {
    return account === ownerId ? this.deps.own : this.deps.writerBy(await findPersonName(tx, account))
  }
}
