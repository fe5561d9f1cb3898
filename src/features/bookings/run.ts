import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { ahead } from '../../platform/collections.ts'
import { AppError, isTemporary, toUnreadableReason } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import type { Logger } from '../../platform/log.ts'
import type { BookedEvent, BookedEvents, BookedFields } from './booked-events.ts'
import {
  type BookingUpdate,
  type BookingUpdater,
  mergeFields,
  type ReadZone,
  type Verdict,
  writeWithOthers,
} from './booking-updater.ts'
import type { Booking, BookingProvider, Broken, Found, ProviderName } from './provider.ts'
import {
  type BookingLease,
  bookingLeases,
  countUnreadable,
  deleteUnreadable,
  deleteUnreadableBefore,
  listBookingStates,
  listBookings,
  pageOfBookings,
  pageOfNames,
  saveUnreadable,
  type UnreadableBooking,
} from './repository.ts'
import type { SyncReport } from './schema.ts'
import type { BookingSettings } from './settings.ts'

/** Limits the number of listed bookings per category. The counts include all of them. */
const MAX_LISTED = 200

type Known = Exclude<Found, Broken>

const createCappedList = <T>() => {
  const named: T[] = []
  let count = 0
  return {
    add(one: T): void {
      count++
      if (named.length < MAX_LISTED) named.push(one)
    },
    show: () => ({ count, bookings: named }),
  }
}

/** Compares bookings with the calendar. Changes nothing. */
export const createDrift = (deps: {
  db: Db
  clock: Clock
  settings: BookingSettings
  events: BookedEvents
  readZone: ReadZone
}) => {
  const { db, clock, settings, events, readZone } = deps

  const readEvents = async (userId: number): Promise<Map<string, BookedEvent>> => {
    const booked = new Map<string, BookedEvent>()
    const rows = everyRow<BookedEvent>((after, limit) =>
      events.list(db, userId, after?.bookingId ?? '', limit),
    )
    for await (const event of rows) booked.set(event.bookingId as string, event)
    return booked
  }

  const differences = (event: BookedEvent, booking: Booking, snapshot: string | undefined): string[] => {
    const present: BookedFields = { ...event.fields, bookingId: booking.uid }
    const after = mergeFields(present, booking, snapshot === undefined ? undefined : { snapshot }, readZone)
    return (Object.keys(after) as (keyof BookedFields)[]).filter(
      (name) => !isSameJson(after[name], present[name]),
    )
  }

  return async (userId: number, signal: AbortSignal) => {
    const present = await settings.read(userId)
    const provider = settings.connect(present)
    const booked = await readEvents(userId)
    const missing = createCappedList<{ bookingId: string; title: string; start: string; status: string }>()
    const changed = createCappedList<{ bookingId: string; eventId: number; fields: string[] }>()
    const orphaned = createCappedList<{ bookingId: string; eventId: number; title: string; start: string }>()
    const seen = new Set<string>()
    let broken = 0

    const compare = async (found: Known): Promise<void> => {
      const [row] = await listBookings(db, userId, [found.uid])
      if (row?.replacedBy) return
      const event = booked.get(found.uid)
      if (event && row && row.digest === found.digest && row.eventVersion === event.version) return
      const booking = await found.read()
      if ('broken' in booking) broken++
      else if (event) {
        const fields = differences(event, booking, row?.snapshot)
        if (fields.length > 0) changed.add({ bookingId: found.uid, eventId: event.id, fields })
      } else {
        const { title, start, status } = booking
        missing.add({ bookingId: found.uid, title, start, status })
      }
    }

    for await (const page of provider.list(null, signal))
      for (const found of page) {
        if ('broken' in found) broken++
        else if (!seen.has(found.uid)) {
          seen.add(found.uid)
          await compare(found)
        }
      }
    for (const [bookingId, { id, fields }] of booked)
      if (!seen.has(bookingId))
        orphaned.add({ bookingId, eventId: id, title: fields.title, start: fields.start })
    return {
      provider: present.provider,
      checkedAt: clock.now().toISOString(),
      fetched: seen.size,
      broken,
      missing: missing.show(),
      changed: changed.show(),
      orphaned: orphaned.show(),
    }
  }
}

export type Drift = ReturnType<typeof createDrift>

const MAX_ERRORS = 100

/** Counts each booking once. A change counts more than `unchanged` or `failed`. */
export const createRunTally = () => {
  const verdicts = new Map<string, Verdict | 'failed'>()
  const fetched = new Set<string>()
  const errors: SyncReport['errors'] = []
  let unnamed = 0
  return {
    seen: (uid: string): void => void fetched.add(uid),
    hasSeen: (uid: string): boolean => fetched.has(uid),
    /** Tells whether the booking existed before this run. */
    existedBefore: (uid: string): boolean => fetched.has(uid) && verdicts.get(uid) !== 'created',
    note(uid: string, verdict: Verdict): void {
      const before = verdicts.get(uid)
      if (before === undefined || before === 'unchanged' || before === 'failed') verdicts.set(uid, verdict)
    },
    fail(bookingId: string | null, message: string): void {
      if (bookingId === null) unnamed++
      else if (verdicts.get(bookingId) === 'failed') return
      else verdicts.set(bookingId, 'failed')
      if (errors.length < MAX_ERRORS) errors.push({ bookingId, message })
    },
    /** Tells whether the list contained a booking without an id. */
    hasUnnamed: (): boolean => unnamed > 0,
    count() {
      const counts = { created: 0, updated: 0, unchanged: 0, cancelled: 0, failed: unnamed }
      for (const verdict of verdicts.values()) counts[verdict]++
      const listedErrors = errors.filter(
        ({ bookingId }) => bookingId === null || verdicts.get(bookingId) === 'failed',
      )
      return { fetched: fetched.size + unnamed, ...counts, errors: listedErrors }
    },
  }
}

export type RunTally = ReturnType<typeof createRunTally>

/** Limits the lookups of missing bookings per run. The next run looks up the rest. */
const MAX_LOOKUPS = 100
const BATCH_SIZE = 200

/**
 * Yields bookings whose events were edited since the last sync, to restore the provider data.
 * The provider determines time, status and guests.
 */
async function* findEdited(db: Db, userId: number, provider: ProviderName): AsyncGenerator<BookingUpdate[]> {
  let edited: BookingUpdate[] = []
  const rows = everyRow<Awaited<ReturnType<typeof pageOfBookings>>[number]>((after, limit) =>
    pageOfBookings(db, userId, after?.uid ?? '', limit),
  )
  for await (const row of rows) {
    const isEdited = row.eventId !== null && row.version !== row.eventVersion
    if (!isEdited || row.replacedBy !== null || row.provider !== provider) continue
    const booking = JSON.parse(row.snapshot) as Booking
    edited.push({ booking, digest: row.digest, changedAt: row.changedAt })
    if (edited.length < BATCH_SIZE) continue
    yield edited
    edited = []
  }
  if (edited.length > 0) yield edited
}

/**
 * Yields bookings that the provider has deleted. Runs after a full list.
 * A list can be incomplete, and a new key can belong to another account. Each missing booking is therefore
 * fetched by id. Only bookings that the provider reports as not found are cancelled.
 */
async function* findDeleted(
  db: Db,
  userId: number,
  { provider, name, signal }: { provider: BookingProvider; name: ProviderName; signal: AbortSignal },
  tally: RunTally,
): AsyncGenerator<BookingUpdate[]> {
  if (tally.hasUnnamed()) return
  const missing: string[] = []
  let isSameAccount = false
  const rows = everyRow<Awaited<ReturnType<typeof pageOfNames>>[number]>((after, limit) =>
    pageOfNames(db, userId, after?.uid ?? '', limit),
  )
  for await (const { uid, provider: of, replacedBy, eventId } of rows) {
    if (of !== name || replacedBy !== null || eventId === null) continue
    if (tally.existedBefore(uid)) isSameAccount = true
    if (!tally.hasSeen(uid)) missing.push(uid)
  }
  if (!isSameAccount) return
  let asked = 0
  for (let at = 0; at < missing.length; at += BATCH_SIZE)
    for (const row of await listBookings(db, userId, missing.slice(at, at + BATCH_SIZE))) {
      const booking = JSON.parse(row.snapshot) as Booking
      if (booking.status === 'cancelled') continue
      if (asked++ === MAX_LOOKUPS) return
      if ((await provider.find(row.uid, signal)) !== undefined) continue
      yield [{ booking: { ...booking, status: 'cancelled' }, digest: '-gone-', changedAt: row.changedAt }]
    }
}

/** A sync starts this long before the watermark, because provider transactions can commit late. */
const OVERLAP_MS = 5 * 60_000
const READ_CONCURRENCY = 4

export interface Run {
  provider: BookingProvider
  name: ProviderName
  lease: BookingLease
  signal: AbortSignal
  timezone: string
  watermark: string | null
  full: boolean
}

export interface RunResult {
  report: SyncReport
  watermark: string | null
}

/** Results collected during a run. */
interface Progress {
  tally: RunTally
  unreadable: UnreadableBooking[]
  /** Tells whether earlier runs stored unreadable bookings. */
  hadUnreadable: boolean
}
const isKnown = (found: Found): found is Known => 'digest' in found

interface RunnerDeps {
  db: Db
  clock: Clock
  events: BookedEvents
  apply: BookingUpdater
  log: Logger
  /** Version of Factotum. */
  version: string
}

const fail = (
  { tally, unreadable }: Progress,
  bookingId: string | null,
  reason: string,
  raw: unknown,
): void => {
  tally.fail(bookingId, reason)
  unreadable.push({ bookingId, reason, body: JSON.stringify(raw) ?? '' })
}

/** A parser error affects only the booking that causes it. */
const readBooking = async (found: Known) => {
  try {
    return await found.read()
  } catch (error) {
    if (isTemporary(error)) throw error
    return { uid: found.uid, broken: toUnreadableReason(error) }
  }
}

/** Runs one sync. Each page is written in its own transaction, which also renews the lease. */
export class Runner {
  private readonly deps: RunnerDeps

  constructor(deps: RunnerDeps) {
    this.deps = deps
  }

  async run(run: Run): Promise<RunResult> {
    const begun = this.deps.clock.now()
    const begunAt = performance.now()
    const tally = createRunTally()
    const hadUnreadable = (await countUnreadable(this.deps.db, run.lease.userId)) > 0
    const progress: Progress = { tally, unreadable: [], hadUnreadable }
    const waiting = new Map<string, BookingUpdate>()
    let newest = run.watermark
    const since =
      run.full || run.watermark === null
        ? null
        : new Date(Date.parse(run.watermark) - OVERLAP_MS).toISOString()

    for await (const page of ahead(run.provider.list(since, run.signal))) {
      for (const found of page) if (!isKnown(found)) fail(progress, found.uid, found.broken, found.raw)
      // If a page lists a booking twice, the last entry is the newest.
      const known = [...new Map(page.filter(isKnown).map((found) => [found.uid, found])).values()]
      for (const { changedAt } of known)
        if (changedAt !== null && (newest === null || changedAt > newest)) newest = changedAt
      const updates = await this.readAll(await this.findChanged(run, known, tally), progress)
      for (const one of await this.write(run, updates, progress, true)) waiting.set(one.booking.uid, one)
      const seen = known.map(({ uid }) => uid)
      await this.noteUnreadable(run, progress, seen)
    }
    await this.settle(run, [...waiting.values()], progress)

    const followUp = run.full
      ? findDeleted(this.deps.db, run.lease.userId, run, tally)
      : findEdited(this.deps.db, run.lease.userId, run.name)
    for await (const updates of followUp) await this.write(run, updates, progress, false)
    await this.noteUnreadable(run, progress, [])
    if (run.full)
      await inTransaction(this.deps.db, (tx) =>
        deleteUnreadableBefore(tx, run.lease.userId, begun.toISOString()),
      )

    const took = performance.now() - begunAt
    // Use the clock of the provider, limited by our own clock. Subtract the duration of the run, so that the
    // next run sees changes made meanwhile.
    const until = newest === null ? null : Math.min(Date.parse(newest) - took, begun.getTime())
    return {
      report: {
        provider: run.name,
        full: run.full,
        ...tally.count(),
        unreadable: await countUnreadable(this.deps.db, run.lease.userId),
        startedAt: begun.toISOString(),
        finishedAt: this.deps.clock.now().toISOString(),
      },
      watermark: until === null ? null : new Date(until).toISOString(),
    }
  }

  /** Stores the unreadable bookings of this page, and deletes rows of bookings that can be read now. */
  private async noteUnreadable(
    run: Run,
    { unreadable, hadUnreadable }: Progress,
    seen: readonly string[],
  ): Promise<void> {
    const failed = unreadable.splice(0)
    const names = new Set(failed.map(({ bookingId }) => bookingId))
    const readable = seen.filter((uid) => !names.has(uid))
    if (failed.length === 0 && (!hadUnreadable || readable.length === 0)) return
    await inTransaction(this.deps.db, async (tx) => {
      await bookingLeases.hold(tx, run.lease, this.deps.clock.now())
      await deleteUnreadable(tx, run.lease.userId, readable)
      await saveUnreadable(tx, run.lease.userId, failed, {
        readerVersion: this.deps.version,
        failedAt: this.deps.clock.now().toISOString(),
      })
    })
  }

  /** Filters bookings that differ from the stored state or whose event was edited. */
  private async findChanged(run: Run, many: readonly Known[], tally: RunTally): Promise<Known[]> {
    const rows = await listBookingStates(
      this.deps.db,
      run.lease.userId,
      many.map(({ uid }) => uid),
    )
    const states = new Map(rows.map((row) => [row.uid, row]))
    return many.filter(({ uid, digest }) => {
      tally.seen(uid)
      const row = states.get(uid)
      const isUnchanged =
        row?.digest === digest &&
        (row.replacedBy !== null || (row.eventId !== null && row.version === row.eventVersion))
      if (isUnchanged) tally.note(uid, 'unchanged')
      return !isUnchanged
    })
  }

  private async readOne(found: Known): Promise<BookingUpdate | Broken> {
    const booking = await readBooking(found)
    if ('broken' in booking) return { ...booking, raw: found.raw }
    const refusal = this.deps.events.refuse(booking)
    return refusal === undefined
      ? { booking, digest: found.digest, changedAt: found.changedAt, raw: found.raw }
      : { uid: found.uid, broken: refusal, raw: found.raw }
  }

  private async readAll(many: readonly Known[], progress: Progress): Promise<BookingUpdate[]> {
    const updates: BookingUpdate[] = []
    for (let at = 0; at < many.length; at += READ_CONCURRENCY)
      for (const one of await Promise.all(
        many.slice(at, at + READ_CONCURRENCY).map((found) => this.readOne(found)),
      ))
        if ('broken' in one) fail(progress, one.uid, one.broken, one.raw)
        else updates.push(one)
    return updates
  }

  private async writeTogether(
    run: Run,
    updates: readonly BookingUpdate[],
    tally: RunTally,
    mayWait: boolean,
  ): Promise<BookingUpdate[]> {
    if (updates.length === 0) return []
    const { verdicts, waiting } = await writeWithOthers(this.deps.db, async (tx) => {
      await bookingLeases.hold(tx, run.lease, this.deps.clock.now())
      return this.deps.apply(tx, run.lease.userId, run.name, updates, { timezone: run.timezone, mayWait })
    })
    for (const [uid, verdict] of verdicts) tally.note(uid, verdict)
    return waiting
  }

  /** Stores the bookings one by one if the page fails. One bad booking then does not block the others. */
  private async write(
    run: Run,
    updates: readonly BookingUpdate[],
    progress: Progress,
    mayWait: boolean,
  ): Promise<BookingUpdate[]> {
    try {
      return await this.writeTogether(run, updates, progress.tally, mayWait)
    } catch (error) {
      const [only] = updates
      if (run.signal.aborted || isTemporary(error) || only === undefined) throw error
      if (updates.length === 1) {
        this.deps.log.warn({ err: error, booking: only.booking.uid }, 'could not store a booking')
        fail(progress, only.booking.uid, toUnreadableReason(error), only.raw ?? only.booking)
        return []
      }
      const waiting: BookingUpdate[] = []
      for (const one of updates) waiting.push(...(await this.write(run, [one], progress, mayWait)))
      return waiting
    }
  }

  /** Fetches the missing successors of rescheduled bookings. Bookings without a successor are cancelled. */
  private async settle(run: Run, waiting: readonly BookingUpdate[], progress: Progress): Promise<void> {
    const successors: BookingUpdate[] = []
    for (const { booking } of waiting) {
      const found = progress.tally.hasSeen(booking.replacedBy as string)
        ? undefined
        : await run.provider.find(booking.replacedBy as string, run.signal)
      if (found && isKnown(found)) successors.push(...(await this.readAll([found], progress)))
    }
    await this.write(run, successors, progress, false)
    await this.write(run, waiting, progress, false)
  }
}

/** Message of a failure for the settings page. */
export const toFailureMessage = (error: unknown): string =>
  error instanceof AppError ? error.message : 'Internal error. See the server log for details.'
