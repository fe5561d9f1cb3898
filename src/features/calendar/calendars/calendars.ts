import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import { fingerprint } from '../../../platform/fingerprint.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AcceptedShare } from '../../sharing/repository.ts'
import type { Sharing } from '../../sharing/shares.ts'
import type { Saving } from '../event-writer.ts'
import {
  type CalendarDetails,
  countCalendars,
  deleteCalendar,
  findCalendar,
  insertCalendar,
  isReadOnly,
  listCalendars,
  lockCalendars,
  newCalendar,
  pickColor,
  updateCalendar,
} from './repository.ts'
import type { CalendarChange, CalendarNotifications, CalendarResource, NewCalendar } from './schema.ts'
import type { CalendarStore } from './store.ts'

const MAX_CALENDARS = 100

/** A calendar with the version for its ETag. `extra` covers properties that its row does not have. */
type VersionedCalendar = CalendarResource & { ownerId: number; version: number; extra: string }

/** A calendar as its owner sees it, or as a member, who has a color and visibility of their own. */
const viewOf = (
  row: CalendarDetails,
  { share, shared = false }: { share?: AcceptedShare; shared?: boolean },
): VersionedCalendar => {
  const resource: CalendarResource = {
    id: row.id,
    name: row.name,
    color: share?.color ?? row.color,
    isDefault: !share && row.isDefault === 1,
    visible: share?.visible ?? row.visible === 1,
    notifications: share?.notifications ?? row.notifications,
    readOnly: isReadOnly(row) || (share !== undefined && share.role !== 'editor'),
    role: share?.role ?? 'owner',
    owner: share ? { name: share.ownerName, email: share.ownerEmail } : null,
    shareId: share?.id ?? null,
    shared,
    account:
      share || row.accountId === null || row.kind === null
        ? null
        : { id: row.accountId, kind: row.kind, name: row.accountName ?? '' },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
  return { ...resource, ownerId: row.userId, version: row.version, extra: fingerprint(resource).slice(0, 16) }
}

const KIND = 'calendar'

/** The calendar of an export or a feed. */
export interface ReadableCalendar {
  ownerId: number
  id: number
  name: string
  role: CalendarResource['role']
}

export type Calendars = ReturnType<typeof createCalendars>

/** The calendars of an account. */
export const createCalendars = (
  deps: Pick<Platform, 'db' | 'clock'> & {
    store: CalendarStore
    saving: Saving
    sharing: Sharing
  },
) => {
  const { db, clock, store, saving, sharing } = deps
  const now = (): string => clock.now().toISOString()

  const get = async (view: Db, userId: number, id: number): Promise<VersionedCalendar> => {
    const own = await findCalendar(view, userId, id)
    if (own) return viewOf(own, { shared: (await sharing.sharedIds(view, userId, KIND)).has(id) })
    const { calendar, share } = await getShared(view, userId, id)
    return viewOf(calendar, { share })
  }

  /** Returns a calendar that another account shares; throws if there is none. */
  const getShared = async (
    view: Db,
    userId: number,
    id: number,
  ): Promise<{ calendar: CalendarDetails; share: AcceptedShare }> => {
    const share = await sharing.find(view, userId, KIND, id)
    const calendar = share && (await findCalendar(view, share.ownerId, id))
    if (!share || !calendar) throw notFound('calendar')
    return { calendar, share }
  }

  /** Returns the calendars that others share with an account. */
  const listShared = async (userId: number): Promise<VersionedCalendar[]> => {
    const shares = await sharing.accepted(db, userId, KIND)
    const views = await Promise.all(
      shares.map(async (share) => {
        const calendar = await findCalendar(db, share.ownerId, share.resourceId)
        return calendar ? [viewOf(calendar, { share })] : []
      }),
    )
    return views.flat()
  }

  /** A member can change only their own view of a calendar. */
  const changeView = async (
    tx: Db,
    userId: number,
    id: number,
    change: CalendarChange,
    ifMatch: string | undefined,
  ): Promise<VersionedCalendar> => {
    const { calendar, share } = await getShared(tx, userId, id)
    requireMatch(ifMatch, calendar)
    const { visible, color, notifications, ...others } = change
    if (Object.keys(others).length > 0)
      throw forbidden(
        'Only the owner of this calendar can change its name. You can change color, visible and notifications.',
      )
    await sharing.updateView(tx, userId, share.id, {
      visible,
      color: color?.toLowerCase(),
      notifications,
    })
    await store.recordChange(tx, userId)
    return get(tx, userId, id)
  }

  /** Finds a calendar that an account may read: its own, or one that is shared with it. */
  const findReadable = async (
    view: Db,
    userId: number,
    id: number,
  ): Promise<ReadableCalendar | undefined> => {
    const own = await findCalendar(view, userId, id)
    if (own) return { ownerId: userId, id, name: own.name, role: 'owner' }
    const share = await sharing.find(view, userId, KIND, id)
    const calendar = share && (await findCalendar(view, share.ownerId, id))
    return calendar && { ownerId: share.ownerId, id, name: calendar.name, role: share.role }
  }

  /** Lists the own calendars and those that others share. */
  const listVisible = async (userId: number): Promise<VersionedCalendar[]> => {
    const [known, sharedIds, shared] = await Promise.all([
      listCalendars(db, userId),
      sharing.sharedIds(db, userId, KIND),
      listShared(userId),
    ])
    // A new account gets its default calendar with the first request.
    const isNew = !known.some(({ isDefault }) => isDefault === 1)
    if (isNew) await inTransaction(db, (tx) => store.defaultId(tx, userId))
    const own = (isNew ? await listCalendars(db, userId) : known).map((row) =>
      viewOf(row, { shared: sharedIds.has(row.id) }),
    )
    return [...own, ...shared].sort((a, b) => a.id - b.id)
  }

  return {
    listVisible,

    /** Returns the calendar of an export or a feed; throws if the account may not read it. */
    async getReadable(userId: number, id: number): Promise<ReadableCalendar> {
      const calendar = await findReadable(db, userId, id)
      if (!calendar) throw notFound('calendar')
      return calendar
    },

    /** The notifications that an account wants about a calendar: its own, or one that is shared with it. */
    async notificationsOf(view: Db, userId: number, id: number): Promise<CalendarNotifications> {
      const own = await findCalendar(view, userId, id)
      return own?.notifications ?? (await sharing.find(view, userId, KIND, id))?.notifications ?? 'all'
    },

    isReadable: async (view: Db, userId: number, id: number): Promise<boolean> =>
      (await findReadable(view, userId, id)) !== undefined,

    async list(userId: number, { limit, cursor }: PageRequest) {
      const [after = 0] = readCursor(cursor, 'integer') ?? []
      const rows = (await listVisible(userId)).filter(({ id }) => id > after)
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { calendars: page, nextCursor }
    },

    get: (userId: number, id: number) => get(db, userId, id),

    create: (userId: number, input: NewCalendar): Promise<VersionedCalendar> =>
      inTransaction(db, async (tx) => {
        await store.defaultId(tx, userId)
        await lockCalendars(tx, userId)
        const count = await countCalendars(tx, userId)
        if (count >= MAX_CALENDARS)
          throw conflict(`An account has ${MAX_CALENDARS} calendars at most. Delete one first.`)
        const { name, color = pickColor(count), visible = true } = input
        const given = { name: name.trim(), color: color.toLowerCase(), visible: visible ? 1 : 0 }
        const { id } = await insertCalendar(tx, newCalendar(userId, given, now()))
        await store.recordChange(tx, userId, id)
        return get(tx, userId, id)
      }),

    change: (
      userId: number,
      id: number,
      change: CalendarChange,
      ifMatch: string | undefined,
    ): Promise<VersionedCalendar> =>
      inTransaction(db, async (tx) => {
        await lockCalendars(tx, userId)
        const before = await findCalendar(tx, userId, id)
        if (!before) return changeView(tx, userId, id, change, ifMatch)
        requireMatch(ifMatch, before)
        const { name, color, visible, notifications, isDefault } = change
        if (isDefault && before.isDefault === 0) {
          if (isReadOnly(before))
            throw conflict(`The calendar “${before.name}” is read-only, so new events cannot go to it.`)
          await store.chooseDefault(tx, userId, before)
        }
        if ([name, color, visible, notifications].some((value) => value !== undefined))
          await updateCalendar(tx, before, {
            ...(name !== undefined && { name: name.trim() }),
            ...(color !== undefined && { color: color.toLowerCase() }),
            ...(visible !== undefined && { visible: visible ? 1 : 0 }),
            ...(notifications !== undefined && { notifications }),
            updatedAt: now(),
          })
        await store.recordChange(tx, userId, id)
        return get(tx, userId, id)
      }),

    remove: (userId: number, id: number, events: 'move' | 'delete', ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lockCalendars(tx, userId)
        const calendar = await findCalendar(tx, userId, id)
        if (!calendar) {
          await getShared(tx, userId, id)
          throw forbidden('Only the owner can delete this calendar. Leave it by declining the share.')
        }
        requireMatch(ifMatch, calendar)
        if (calendar.isDefault === 1)
          throw conflict('The default calendar cannot be deleted. Make another calendar the default first.')
        if (calendar.remoteCalendarId !== null)
          throw conflict(
            `The calendar comes from the account “${calendar.accountName}”. Deselect it in the settings of that account.`,
          )
        if (events === 'delete') await saving.removeAll(tx, userId, id)
        else await saving.moveAll(tx, userId, id, await store.defaultId(tx, userId))
        await sharing.deleteSharesOf(tx, userId, KIND, id)
        await deleteCalendar(tx, userId, id)
        await store.recordChange(tx, userId, id)
      }),
  }
}
