import type { Db } from '../../database/db.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { InvitationMail } from '../calendar/invitations/mail.ts'
import type { AttachmentRecord } from './attachment-repository.ts'
import { listAttachments, listAttachmentTypes } from './attachment-repository.ts'
import { findEmail, findWhole } from './email-repository.ts'
import type { Address } from './mime/addresses.ts'
import { isMarkedAsSpam, readAuthentication } from './mime/authentication.ts'
import { readHead } from './mime/header-fields.ts'

const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/
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

/** Access to emails for the calendar. */
export const createMeetingMail = ({ blobs }: { blobs: Blobs }): InvitationMail => ({
  async find(view: Db, userId: number, emailId: number) {
    const email = await findEmail(view, userId, emailId)
    if (!email) return undefined
    const order = (JSON.parse(email.attachments) as { id: string }[]).map(({ id }) => id)
    const parts =
      email.hasAttachments === 0
        ? []
        : (await listAttachments(view, userId, emailId))
            .filter((part) => rankCalendar(part) < 3)
            .sort((a, b) => rankCalendar(a) - rankCalendar(b) || order.indexOf(a.id) - order.indexOf(b.id))
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
    const parts = await listAttachmentTypes(view, userId, emailIds)
    return [...new Set(parts.filter((part) => rankCalendar(part) < 3).map(({ emailId }) => emailId))]
  },
})
