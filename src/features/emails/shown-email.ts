import type { EmailBodyRow, EmailRow } from '../../database/tables/mail.ts'
import type { EmailView } from './view.ts'

/*
 * What a list shows of an e-mail is written as JSON once, when the e-mail is saved, and kept beside it: a list is then
 * put together from text, without any field being read. Its number, its conversation, its mailing list and whether it
 * could be read come first and are written when it is shown: the number is not known before it is saved, and rows that
 * were saved by earlier versions lack the others.
 */

type Kept = Omit<
  EmailRow,
  | 'id'
  | 'position'
  | 'threadId'
  | 'listId'
  | 'mailingList'
  | 'unreadable'
  | 'readerVersion'
  | 'readAttempts'
  | 'shown'
>

/** From the message id on, without the brace that ends it. The columns that hold JSON go in as they are. */
export const keptTextOf = (row: Kept): string => {
  const text = JSON.stringify
  const from =
    row.fromName === '' && row.fromAddress === ''
      ? 'null'
      : `{"name":${text(row.fromName)},"address":${text(row.fromAddress)}}`
  const delivery =
    row.deliveryStatus === null
      ? 'null'
      : `{"status":${text(row.deliveryStatus)},"error":${text(row.deliveryError)},"sendAt":${text(row.deliveryAt)}}`
  return (
    `"messageId":${text(row.messageId)},"accountId":${text(row.accountId)},"folder":"${row.folder}",` +
    `"from":${from},"to":${row.to},"cc":${row.cc},"subject":${text(row.subject)},"snippet":${text(row.snippet)},` +
    `"date":"${row.date}","tags":${row.tags},"read":${row.read === 1},"starred":${row.starred === 1},` +
    `"attachments":${row.attachments},"analysis":${row.analysis},"delivery":${delivery},` +
    `"createdAt":"${row.createdAt}","updatedAt":"${row.updatedAt}"`
  )
}

export interface Listed {
  id: number
  threadId: number
  /** JSON. */
  mailingList: string | null
  /** JSON. */
  unreadable: string | null
  shown: string
}

/** What a list shows of it; `more` is written behind, if given. */
export const summaryTextOf = ({ id, threadId, mailingList, unreadable, shown }: Listed, more = ''): string =>
  `{"id":${id},"threadId":${threadId},"mailingList":${mailingList},"unreadable":${unreadable},${shown}${more}}`

/** What it takes to show all of an e-mail. */
export type Whole = Listed &
  Pick<EmailRow, 'bcc' | 'replyTo' | 'inReplyTo' | 'version'> &
  Pick<EmailBodyRow, 'text' | 'html'>

export const emailTextOf = (row: Whole): string =>
  summaryTextOf(
    row,
    `,"bcc":${row.bcc},"replyTo":${row.replyTo},"inReplyTo":${JSON.stringify(row.inReplyTo)},` +
      `"text":${JSON.stringify(row.text)},"html":${JSON.stringify(row.html)}`,
  )

/** One e-mail as it goes out; `id` and `version` make its ETag. */
export interface ShownEmail {
  id: number
  version: number
  text: string
}

export const shownOf = (row: Whole): ShownEmail => ({
  id: row.id,
  version: row.version,
  text: emailTextOf(row),
})

/** For those who work with it: `version` becomes the ETag and goes no further. */
export const viewOf = (row: Whole): EmailView => ({
  ...(JSON.parse(emailTextOf(row)) as Omit<EmailView, 'version'>),
  version: row.version,
})
