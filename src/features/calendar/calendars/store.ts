import type { Db } from '../../../database/db.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Sharing } from '../../sharing/shares.ts'
import type { EventRecord } from '../event.ts'
import type { Saving } from '../event-writer.ts'
import {
  type CalendarDetails,
  countCalendars,
  deleteCalendar,
  ensureDefaultId,
  ensureLocalId,
  fillFromDefault,
  fillFromPlaces,
  findByRemote,
  findCalendar,
  findReceiver,
  getRemote,
  holdCalendar,
  insertCalendar,
  isReadOnly,
  leavePlaces,
  listCalendars,
  listRemotesWithoutCalendar,
  lockCalendars,
  moveDefault,
  newCalendar,
  pickColor,
  type RemoteCalendarProperties,
  setReceiver,
  updateCalendar,
} from './repository.ts'

const MAX_NAME_LENGTH = 100
const COLOR = /^#[0-9a-f]{6}$/

const toName = (name: string): string => name.trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || 'Calendar'
const toColor = (colour: string | null): string | undefined => {
  const color = colour?.toLowerCase() ?? ''
  return COLOR.test(color) ? color : undefined
}

/**
 * Returns a calendar that accepts events, and locks it against deletion. `path` is the field of the request that names
 * it.
 */
export const requireTarget = async (
  tx: Db,
  userId: number,
  calendarId: number,
  path = 'calendarId',
): Promise<CalendarDetails> => {
  const isHeld = await holdCalendar(tx, userId, calendarId)
  const calendar = isHeld ? await findCalendar(tx, userId, calendarId) : undefined
  if (!calendar) throw invalidField(path, 'names a calendar that does not exist')
  if (isReadOnly(calendar))
    throw conflict(`The calendar “${calendar.name}” is read-only, so no event can be added to it.`)
  return calendar
}

/**
 * Prepares the move of an event to another calendar. Returns the column to change; nothing if the event is already
 * there. The next sync creates the event on its new server, and then deletes it from the former one.
 */
export const moveOf = async (
  tx: Db,
  row: EventRecord,
  calendarId: number | undefined,
): Promise<{ calendarId?: number }> => {
  if (calendarId === undefined || calendarId === row.calendarId) return {}
  const target = await requireTarget(tx, row.userId, calendarId)
  const source = await findCalendar(tx, row.userId, row.calendarId)
  if (source && isReadOnly(source))
    throw conflict(`The calendar “${source.name}” is read-only, so its events cannot be moved.`)
  await leavePlaces(tx, row.userId, row.uid, target.remoteCalendarId)
  return { calendarId }
}

export type CalendarStore = ReturnType<typeof createCalendarStore>

/** Keeps the calendars of an account, their default flag, and their relation to calendar accounts. */
export const createCalendarStore = (
  deps: Pick<Platform, 'changes' | 'clock'> & {
    saving: Saving
    sharing: Sharing
  },
) => {
  const { changes, clock, saving, sharing } = deps
  const now = (): string => clock.now().toISOString()

  /** Tells the other tabs of the user to reload the calendars. */
  const recordChange = (tx: Db, userId: number, calendarId?: number): Promise<void> =>
    changes.record(tx, {
      userId,
      type: 'event.calendars_updated',
      subject: String(calendarId ?? userId),
      data: calendarId === undefined ? {} : { calendarId },
    })

  const defaultId = (tx: Db, userId: number): Promise<number> => ensureDefaultId(tx, userId, now())

  /** Selects the calendar for new events: that of the account that receives them, or a local one. */
  const selectDefault = async (tx: Db, userId: number): Promise<number> => {
    const calendars = await listCalendars(tx, userId)
    const receiver = await findReceiver(tx, userId)
    const open = calendars
      .filter((one) => receiver !== undefined && one.accountId === receiver.id && !isReadOnly(one))
      .sort((a, b) => ((a.href as string) < (b.href as string) ? -1 : 1))
    const chosen =
      open.find(({ remoteCalendarId }) => remoteCalendarId === receiver?.newEventsCalendarId) ?? open[0]
    if (chosen) return chosen.id
    const local = calendars.filter(({ remoteCalendarId }) => remoteCalendarId === null)
    const kept = local.find(({ isDefault }) => isDefault === 1) ?? local[0]
    return kept?.id ?? ensureLocalId(tx, userId, now())
  }

  /**
   * Moves the default flag after a change of the calendar accounts, their selection for new events, or their calendars.
   * An account that receives new events but has no calendar yet gets the flag with its first sync.
   */
  const settleDefault = async (tx: Db, userId: number): Promise<void> => {
    // Nearly always nothing changes, so that no lock is needed.
    if ((await defaultId(tx, userId)) === (await selectDefault(tx, userId))) return
    await lockCalendars(tx, userId)
    const before = await defaultId(tx, userId)
    const after = await selectDefault(tx, userId)
    if (after === before) return
    await moveDefault(tx, userId, after, now())
    await recordChange(tx, userId, after)
  }

  /** Creates the row of a remote calendar. Returns its id. */
  const ensureRemote = async (
    tx: Db,
    userId: number,
    { id, name, colour }: RemoteCalendarProperties,
  ): Promise<number> => {
    const known = await findByRemote(tx, userId, id)
    if (known) return known.id
    await defaultId(tx, userId)
    const color = toColor(colour) ?? pickColor(await countCalendars(tx, userId))
    const given = { name: toName(name), color, remoteCalendarId: id }
    const { id: calendarId } = await insertCalendar(tx, newCalendar(userId, given, now()))
    await recordChange(tx, userId, calendarId)
    return calendarId
  }

  return {
    recordChange,
    defaultId,
    settleDefault,
    ensureRemote,

    /** Returns the calendar of a remote one. */
    async idOfRemote(tx: Db, userId: number, remoteCalendarId: number): Promise<number> {
      const known = await findByRemote(tx, userId, remoteCalendarId)
      return known?.id ?? ensureRemote(tx, userId, await getRemote(tx, remoteCalendarId))
    },

    /** Makes a calendar the default, and its account the one that receives new events. */
    async chooseDefault(tx: Db, userId: number, calendar: CalendarDetails): Promise<void> {
      const { id, accountId, remoteCalendarId } = calendar
      await lockCalendars(tx, userId)
      const receiver =
        accountId === null ? undefined : { id: accountId, newEventsCalendarId: remoteCalendarId }
      await setReceiver(tx, userId, receiver, now())
      await moveDefault(tx, userId, id, now())
    },

    /** Follows a rename on the server, unless the user has renamed the calendar here. */
    async followProperties(
      tx: Db,
      userId: number,
      before: RemoteCalendarProperties,
      after: Omit<RemoteCalendarProperties, 'id'>,
    ): Promise<void> {
      const calendar = await findByRemote(tx, userId, before.id)
      if (!calendar) return
      const color = toColor(after.colour)
      const change = {
        ...(calendar.name === toName(before.name) &&
          before.name !== after.name && { name: toName(after.name) }),
        ...(color !== undefined && calendar.color === toColor(before.colour) && { color }),
      }
      const isChanged =
        (change.name ?? calendar.name) !== calendar.name ||
        (change.color ?? calendar.color) !== calendar.color
      if (!isChanged) return
      await updateCalendar(tx, calendar, { ...change, updatedAt: now() })
      await recordChange(tx, userId, calendar.id)
    },

    /** Removes the row of a remote calendar. Events that are left become local events. */
    async removeRemote(tx: Db, userId: number, remoteCalendarId: number): Promise<void> {
      const calendar = await findByRemote(tx, userId, remoteCalendarId)
      if (!calendar) return
      const local = await ensureLocalId(tx, userId, now())
      if (calendar.isDefault === 1) {
        await lockCalendars(tx, userId)
        await moveDefault(tx, userId, local, now())
      }
      await sharing.deleteSharesOf(tx, userId, 'calendar', calendar.id)
      await saving.moveAll(tx, userId, calendar.id, local)
      await deleteCalendar(tx, userId, calendar.id)
      await settleDefault(tx, userId)
      await recordChange(tx, userId, calendar.id)
    },

    /**
     * Gives imported events of an earlier version, which have no calendar, to the calendar of their place, or to the
     * default calendar. Also creates the calendars of imported accounts.
     */
    async fillCalendars(tx: Db, userId: number): Promise<void> {
      for (const remote of await listRemotesWithoutCalendar(tx, userId))
        await ensureRemote(tx, userId, remote)
      await fillFromPlaces(tx, userId)
      await fillFromDefault(tx, userId, await ensureLocalId(tx, userId, now()))
      await settleDefault(tx, userId)
    },

    /** Makes events local that stay after their account is removed. */
    async releaseEvents(tx: Db, userId: number, accountId: string, uids: readonly string[]): Promise<void> {
      await saving.releaseAll(tx, userId, accountId, uids, await ensureLocalId(tx, userId, now()))
    },
  }
}
