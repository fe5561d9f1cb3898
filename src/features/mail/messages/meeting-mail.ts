import type { Db } from '../../../database/db.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { InvitationMail } from '../../calendar/invitations/mail.ts'
import type { Address } from '../mime/addresses.ts'
import { isMarkedAsSpam, readAuthentication } from '../mime/authentication.ts'
import { readHead } from '../mime/header-fields.ts'
import type { AttachmentRecord } from './attachment-repository.ts'
import { listAttachments, listAttachmentsOf } from './attachment-repository.ts'
import { findEmail, findWhole } from './email-repository.ts'
import { CALENDAR } from './message-source.ts'

const CALENDAR_FILE = /\.(?:ics|ical|vcs)$/i

/**
 * RFC 6047, section 2.4: the content type identifies a calendar. Some programs send only a file name with a
 * generic type.
 */
const rankCalendar = ({
  contentType,
  filename,
}: Pick<AttachmentRecord, 'contentType' | 'filename'>): number =>
  CALENDAR.test(contentType)
    ? contentType === 'text/calendar'
      ? 0
      : 1
    : CALENDAR_FILE.test(filename)
      ? 2
      : 3

type Part = Pick<AttachmentRecord, 'contentType' | 'filename'>

export const isCalendarPart = (part: Part): boolean => rankCalendar(part) < 3

/** Selects the calendar parts: those of type text/calendar first, then in the order of the message. */
export const selectCalendarParts = <P extends Part & { id: string }>(
  parts: readonly P[],
  order: readonly { id: string }[],
): P[] => {
  const indexOf = ({ id }: P): number => order.findIndex((each) => each.id === id)
  return parts
    .filter(isCalendarPart)
    .toSorted((a, b) => rankCalendar(a) - rankCalendar(b) || indexOf(a) - indexOf(b))
}

/** Access to emails for the calendar. */
export const createMeetingMail = ({ blobs }: { blobs: Blobs }): InvitationMail => ({
  async find(view: Db, userId: number, emailId: number) {
    const email = await findEmail(view, userId, emailId)
    if (!email) return undefined
    const parts =
      email.hasAttachments === 0
        ? []
        : selectCalendarParts(
            await listAttachments(view, userId, emailId),
            JSON.parse(email.attachments) as { id: string }[],
          )
    return {
      id: email.id,
      accountId: email.accountId,
      from: email.fromAddress,
      folder: email.folder,
      tags: JSON.parse(email.tags) as string[],
      parts: parts.map(({ size, blob }) => ({ size, read: () => blobs.readWhole(view, blob) })),
      async readProse() {
        const sender = { name: email.fromName, address: email.fromAddress }
        const others = [email.replyTo, email.to, email.cc].flatMap((json) => JSON.parse(json) as Address[])
        const { text } = (await findWhole(view, userId, emailId)) ?? { text: '' }
        return { text, subject: email.subject, date: email.date, sender, people: [sender, ...others] }
      },
      async readTrust() {
        const fields = email.rawBlob === null ? [] : await readHead(view, blobs, email.rawBlob)
        return { sender: readAuthentication(fields, email.fromAddress), isSpam: isMarkedAsSpam(fields) }
      },
    }
  },

  async listWithCalendar(view: Db, userId: number, emailIds: readonly number[]) {
    const parts = await listAttachmentsOf(view, userId, emailIds)
    return [...new Set(parts.filter(isCalendarPart).map(({ emailId }) => emailId as number))]
  },
})
