import type { Db } from '../../../database/db.ts'
import { isUniqueViolation } from '../../../database/errors.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict, forbidden, invalidField, notFound } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Sharing } from '../../sharing/shares.ts'
import { findCalendar } from '../calendars/repository.ts'
import { type CalendarStore, requireTarget } from '../calendars/store.ts'
import type { MirrorWriter } from './mirror-writer.ts'
import { listMirrors, type MirrorRecord, mirrorRows } from './repository.ts'
import type { CalendarMirror, CalendarMirrorChange, NewCalendarMirror } from './schema.ts'

/** Each change of an event writes one event per mirror of its calendar. */
const MAX_MIRRORS = 50

type VersionedMirror = CalendarMirror & { version: number }

const viewOf = ({ userId: _, sourceCalendarId, ...mirror }: MirrorRecord): VersionedMirror => ({
  ...mirror,
  calendarId: sourceCalendarId,
})

const rejectDuplicate = (error: unknown): never => {
  if (isUniqueViolation(error))
    throw conflict('This calendar is already shown in the other one. Change that mirror instead.')
  throw error
}

export type Mirrors = ReturnType<typeof createMirrors>

/** The calendars that show the events of another calendar of the account. */
export const createMirrors = (
  deps: Pick<Platform, 'db' | 'clock'> & {
    store: Pick<CalendarStore, 'recordChange'>
    sharing: Pick<Sharing, 'find'>
    writer: MirrorWriter
  },
) => {
  const { db, clock, store, sharing, writer } = deps
  const now = (): string => clock.now().toISOString()

  const requireOwner = async (view: Db, userId: number, calendarId: number): Promise<void> => {
    if (await findCalendar(view, userId, calendarId)) return
    if (await sharing.find(view, userId, 'calendar', calendarId))
      throw forbidden('Only the owner of this calendar can show it in another one.')
    throw notFound('calendar')
  }

  /** Locks the mirror and checks that it belongs to the calendar of the path. */
  const lock = async (
    tx: Db,
    userId: number,
    { id, mirrorId }: { id: number; mirrorId: number },
    ifMatch: string | undefined,
  ): Promise<MirrorRecord> => {
    await requireOwner(tx, userId, id)
    const mirror = await mirrorRows.getLocked(tx, userId, mirrorId, ifMatch)
    if (mirror.sourceCalendarId !== id) throw notFound('mirror')
    return mirror
  }

  return {
    async list(userId: number, calendarId: number): Promise<VersionedMirror[]> {
      await requireOwner(db, userId, calendarId)
      const mirrors = await listMirrors(db, userId)
      return mirrors.filter(({ sourceCalendarId }) => sourceCalendarId === calendarId).map(viewOf)
    },

    create: (
      userId: number,
      calendarId: number,
      { targetCalendarId, detail = 'busy' }: NewCalendarMirror,
    ): Promise<VersionedMirror> =>
      inTransaction(db, async (tx) => {
        await requireOwner(tx, userId, calendarId)
        if (targetCalendarId === calendarId)
          throw invalidField('targetCalendarId', 'must be another calendar')
        await requireTarget(tx, userId, targetCalendarId, 'targetCalendarId')
        if ((await mirrorRows.count(tx, userId)) >= MAX_MIRRORS)
          throw conflict(`An account has ${MAX_MIRRORS} mirrors at most. Remove one first.`)
        const made = await mirrorRows.insert(tx, {
          userId,
          sourceCalendarId: calendarId,
          targetCalendarId,
          detail,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await writer.followCalendar(tx, userId, calendarId)
        await store.recordChange(tx, userId, targetCalendarId)
        return viewOf(made)
      }).catch(rejectDuplicate),

    change: (
      userId: number,
      path: { id: number; mirrorId: number },
      { detail }: CalendarMirrorChange,
      ifMatch: string | undefined,
    ): Promise<VersionedMirror> =>
      inTransaction(db, async (tx) => {
        const mirror = await lock(tx, userId, path, ifMatch)
        if (detail === mirror.detail) return viewOf(mirror)
        const changed = await mirrorRows.update(tx, mirror, { detail, updatedAt: now() })
        await writer.followCalendar(tx, userId, mirror.sourceCalendarId)
        await store.recordChange(tx, userId, mirror.targetCalendarId)
        return viewOf(changed)
      }),

    remove: (
      userId: number,
      path: { id: number; mirrorId: number },
      ifMatch: string | undefined,
    ): Promise<void> =>
      inTransaction(db, async (tx) => {
        const { id, sourceCalendarId, targetCalendarId } = await lock(tx, userId, path, ifMatch)
        await mirrorRows.delete(tx, userId, id)
        await writer.followCalendar(tx, userId, sourceCalendarId)
        await store.recordChange(tx, userId, targetCalendarId)
      }),
  }
}
