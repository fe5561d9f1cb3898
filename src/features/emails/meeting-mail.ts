import type { Db } from '../../database/db.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { MailDesk } from '../calendar/by-mail/mail.ts'
import { type AttachmentRecord, listAttachments, listAttachmentTypes } from './attachment-store.ts'
import { readHead } from './mailing-lists/heads.ts'
import type { Address } from './mime/addresses.ts'
import { authenticationOf, isMarkedAsSpam } from './mime/authentication.ts'
import { findEmail, findShown } from './store.ts'

const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/
const NAMED_SO = /\.(?:ics|ical|vcs)$/i

/** RFC 6047, 2.4: a calendar is told by its type; programs also send it as plain bytes with a name. */
const rank = ({ contentType, filename }: Pick<AttachmentRecord, 'contentType' | 'filename'>): number =>
  CALENDAR.test(contentType) ? (contentType === 'text/calendar' ? 0 : 1) : NAMED_SO.test(filename) ? 2 : 3

/** The e-mails as the calendar uses them. */
export const createMeetingMail = ({ blobs }: { blobs: Blobs }): MailDesk => ({
  async find(view: Db, emailId: number) {
    const email = await findEmail(view, emailId)
    if (!email) return undefined
    const order = (JSON.parse(email.attachments) as { id: string }[]).map(({ id }) => id)
    const parts =
      email.hasAttachments === 0
        ? []
        : (await listAttachments(view, emailId))
            .filter((part) => rank(part) < 3)
            .sort((a, b) => rank(a) - rank(b) || order.indexOf(a.id) - order.indexOf(b.id))
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
        const { text } = (await findShown(view, emailId)) ?? { text: '' }
        return { text, subject: email.subject, date: email.date, sender, people: [sender, ...others] }
      },
      async readTrust() {
        const fields = email.rawBlob === null ? [] : await readHead(view, blobs, email.rawBlob)
        return { sender: authenticationOf(fields, email.fromAddress), isSpam: isMarkedAsSpam(fields) }
      },
    }
  },

  async listWithCalendar(view: Db, emailIds: readonly number[]) {
    const parts = await listAttachmentTypes(view, emailIds)
    return [...new Set(parts.filter((part) => rank(part) < 3).map(({ emailId }) => emailId))]
  },
})
