import { transactionOr } from '../../../database/transaction.ts'
import { isTemporary } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { CalendarPart } from '../../calendar/invitations/mail.ts'
import { listAttachmentsOf } from './attachment-repository.ts'
import type { EmailSummary } from './email.ts'
import { isCalendarPart, selectCalendarParts } from './meeting-mail.ts'

/** Larger calendar parts are read only when the invitation itself is requested. */
const MAX_BYTES = 512 * 1024
const MAX_CACHED = 2_000

type Invitation = EmailSummary['invitation']

export interface InvitationsNeeds {
  zoneOf: (userId: number) => Promise<string>
  /** Reads the meeting in the calendar parts of an email. Null without one. */
  readInvitation: (timezone: string, parts: readonly CalendarPart[]) => Promise<Invitation>
}

export type Invitations = ReturnType<typeof createInvitations>

/** Adds the invitations to emails of a response. They are cached, because an attachment never changes. */
export const createInvitations = (
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { zoneOf, readInvitation }: InvitationsNeeds,
) => {
  const cache = new Map<string, Invitation>()

  const read = async (
    timezone: string,
    parts: readonly (Omit<CalendarPart, 'read'> & { id: string; blob: string })[],
  ): Promise<Invitation> => {
    const key = [timezone, ...parts.map(({ id }) => id)].join(' ')
    const known = cache.get(key)
    if (known !== undefined) return known
    let invitation: Invitation = null
    try {
      const view = transactionOr(db)
      if (parts.reduce((sum, { size }) => sum + size, 0) <= MAX_BYTES)
        invitation = await readInvitation(
          timezone,
          parts.map(({ size, blob }) => ({ size, read: () => blobs.readWhole(view, blob) })),
        )
    } catch (error) {
      // An unreadable calendar is no invitation. Other requests read it again after a temporary failure.
      if (isTemporary(error)) return null
    }
    const [oldest] = cache.keys()
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
    cache.set(key, invitation)
    return invitation
  }

  const addAll = async (userId: number, emails: readonly EmailSummary[]): Promise<void> => {
    const candidates = emails.filter(({ attachments }) => attachments.some(isCalendarPart))
    if (candidates.length === 0) return
    const timezone = await zoneOf(userId)
    const ids = candidates.map(({ id }) => id)
    const files = await listAttachmentsOf(transactionOr(db), userId, ids)
    for (const email of candidates) {
      const own = files.filter(({ emailId }) => emailId === email.id)
      email.invitation = await read(timezone, selectCalendarParts(own, email.attachments))
    }
  }

  return {
    async addTo<E extends EmailSummary>(userId: number, email: E): Promise<E> {
      await addAll(userId, [email])
      return email
    },

    async addToList<L extends { emails: EmailSummary[] }>(userId: number, list: L): Promise<L> {
      await addAll(userId, list.emails)
      return list
    },
  }
}
