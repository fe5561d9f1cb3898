import type { Db } from '../../../database/db.ts'
import { conflict, forbidden, invalidField, notFound } from '../../../platform/errors.ts'
import type { AcceptedShare } from '../../sharing/repository.ts'
import type { Sharing } from '../../sharing/shares.ts'
import { findCalendar } from '../calendars/repository.ts'
import { findSharedCalendarId } from './repository.ts'

const KIND = 'calendar'

export const requireEditor = ({ role }: AcceptedShare): void => {
  if (role !== 'editor') throw forbidden('You can view this calendar, but not change it.')
}

export type CalendarAccess = ReturnType<typeof createCalendarAccess>

/** Decides what an account may do with the events of calendars that others share with it. */
export const createCalendarAccess = ({ sharing }: { sharing: Sharing }) => ({
  /** Lists the calendars that others share with an account. */
  accepted: (db: Db, memberId: number): Promise<AcceptedShare[]> => sharing.accepted(db, memberId, KIND),

  /** Finds the share that allows a member to read an event of another account. */
  async findReadable(db: Db, memberId: number, eventId: number): Promise<AcceptedShare | undefined> {
    const calendarId = await findSharedCalendarId(db, memberId, eventId)
    const share = calendarId === undefined ? undefined : await sharing.find(db, memberId, KIND, calendarId)
    return share?.role === 'freeBusy' ? undefined : share
  },

  /**
   * Finds the share for a change of an event of another account. The share cannot be revoked before the transaction
   * ends.
   */
  async lockEvent(tx: Db, memberId: number, eventId: number): Promise<AcceptedShare> {
    const calendarId = await findSharedCalendarId(tx, memberId, eventId)
    const share = calendarId === undefined ? undefined : await sharing.lock(tx, memberId, KIND, calendarId)
    if (!share) throw notFound('event')
    if (share.role === 'freeBusy')
      throw forbidden('You can see when this calendar is busy, but not its events.')
    return share
  },

  /** Finds the share for a new event in the calendar of another account; undefined if there is none. */
  async lockTarget(tx: Db, memberId: number, calendarId: number): Promise<AcceptedShare | undefined> {
    const share = await sharing.lock(tx, memberId, KIND, calendarId)
    if (share) requireEditor(share)
    return share
  },

  /** Rejects a move to a calendar of another owner, and to one that the member may not change. */
  async requireSameOwner(tx: Db, userId: number, ownerId: number, calendarId: number): Promise<void> {
    const isOwn = (await findCalendar(tx, userId, calendarId)) !== undefined
    const share = isOwn ? undefined : await sharing.lock(tx, userId, KIND, calendarId)
    if (!isOwn && !share) throw invalidField('calendarId', 'names a calendar that does not exist')
    if ((share?.ownerId ?? userId) !== ownerId)
      throw conflict('An event cannot be moved to the calendar of another account. Create it there instead.')
    if (share) requireEditor(share)
  },
})
