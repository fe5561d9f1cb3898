import type { Db } from '../../../database/db.ts'

/** A calendar file inside an e-mail. */
export interface CalendarPart {
  size: number
  read(): Promise<Uint8Array>
}

/** What an e-mail says in words. */
export interface MailProse {
  text: string
  subject: string
  /** When it was written: "tomorrow" is the day after. */
  date: string
  /** Who wrote it. */
  sender: { name: string; address: string }
  /** Everyone whom it names with an address, the sender included. */
  people: readonly { name: string; address: string }[]
}

/** An e-mail as the calendar sees it. */
export interface MeetingMail {
  id: number
  /** The mail account it came to. */
  accountId: string | null
  /** The address it says it is from; empty when it does not say. */
  from: string
  folder: string
  tags: readonly string[]
  /** What says outright that it is a calendar comes before what is only named like one. */
  parts: readonly CalendarPart[]
  readProse(): Promise<MailProse>
  /** What the mail server that took it in found out about it. */
  readTrust(): Promise<MailTrust>
}

/** `failed`: the server could not confirm the sender. `unknown`: it wrote no result. */
export interface MailTrust {
  sender: 'passed' | 'failed' | 'unknown'
  isSpam: boolean
}

export interface MailDesk {
  find(view: Db, emailId: number): Promise<MeetingMail | undefined>
  /** Those of these e-mails that carry a calendar. */
  listWithCalendar(view: Db, emailIds: readonly number[]): Promise<number[]>
}

export interface OwnAccount {
  id: string
  address: string
  senderName: string
}

/** An answer to whoever called a meeting (RFC 6047). */
export interface MailedAnswer {
  accountId: string
  to: { name: string; address: string }
  subject: string
  text: string
  /** The e-mail that is answered. */
  inReplyTo: number | null
  calendar: { method: 'REPLY'; content: string }
}

export interface AnswerPost {
  /** Every mail account there is, the oldest first. */
  accounts(view: Db): Promise<OwnAccount[]>
  /** Takes it in for sending, as part of the open transaction; tells the e-mail that it is. */
  send(answer: MailedAnswer): Promise<{ emailId: number }>
}
