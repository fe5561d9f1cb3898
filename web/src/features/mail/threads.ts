import * as t from '#locale/mail'
import type { Shape } from '../../api/client.ts'
import { type Email, nameOf } from './folders.ts'

/** A thread in a list. */
export type Thread = Shape<'Thread'>

export const isRead = ({ unreadCount }: Thread): boolean => unreadCount === 0

/** First names are enough if several people take part. */
const shortNameOf = (person: Thread['participants'][number]): string =>
  person.name === '' ? nameOf(person) : (person.name.split(/\s+/, 1)[0] ?? person.name)

/** People shown in a row: the senders, or the recipients of a sent email or a draft. */
export const describePeople = ({ folder, participants }: Thread): string => {
  const names = participants.length > 1 ? participants.map(shortNameOf) : participants.map(nameOf)
  if (folder === 'sent' || folder === 'drafts')
    return names.length === 0 ? t.noRecipients : t.toPeople(names.join(', '))
  return names.length === 0 ? t.unknownSender : names.join(', ')
}

/** Describes the thread of an open email that is not in the list. */
export const toThread = (email: Email): Thread => ({
  id: email.threadId,
  emailId: email.id,
  subject: email.subject,
  snippet: email.snippet,
  date: email.date,
  folder: email.folder,
  folderId: email.folderId,
  accountId: email.accountId,
  participants: email.from ? [email.from] : [],
  messageCount: 1,
  unreadCount: email.read ? 0 : 1,
  hasAttachments: email.attachments.length > 0,
  starred: email.starred,
  tags: email.tags,
  snoozedUntil: email.snoozedUntil,
  followUpAt: email.followUpAt,
  pinned: email.pinned,
  returned: email.returned,
  delivery: email.delivery,
  unreadable: email.unreadable,
})
