import type { Db } from '../../database/db.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { readGivenAddress } from './given.ts'
import type { MailReader } from './mail-reader.ts'
import type { Address } from './mime/addresses.ts'
import { readHeader } from './mime/header-fields.ts'
import { saveChange } from './saving.ts'
import { type EmailRecord, findWhole, lockEmail } from './store.ts'

/** A message larger than this is looked at without the HTML that it came with: it would keep others waiting. */
const LARGEST_RAW = 2 * 1024 * 1024

/** An e-mail as it is analysed and answered. */
export interface MailToRead {
  id: number
  accountId: string | null
  messageId: string | null
  subject: string
  text: string
  /** As it came where that is kept: what it hides is no longer in what is shown. */
  html: string | null
  from: Address
  replyTo: Address[]
  /** When it was written. */
  date: string
  tags: readonly string[]
  /** Names in lower case; the first of each. */
  headers: Readonly<Record<string, string>>
}

/** What is kept of an analysis beside all of it. */
export interface AnalysisKept {
  urgency: { level: string; score: number }
  category: string
  actionItems: readonly unknown[]
  meetings: readonly unknown[]
}

export type Analyses = ReturnType<typeof createAnalyses>

/** What was made of e-mails. */
export const createAnalyses = (deps: {
  db: Db
  blobs: Blobs
  reader: Pick<MailReader, 'readHtml'>
  clock: Clock
  changes: Changes
}) => {
  const { db, blobs, reader, clock, changes } = deps

  const readRaw = async (view: Db, hash: string | null) => {
    const raw = hash === null ? undefined : await blobs.readWhole(view, hash)
    if (!raw) return { headers: {}, html: null }
    const fields = readHeader(raw).toReversed()
    return {
      headers: Object.fromEntries(fields.map(({ name, value }) => [name, value.slice(0, 500)])),
      html: raw.length > LARGEST_RAW ? null : await reader.readHtml(raw),
    }
  }

  const lock = async (tx: Db, id: number): Promise<EmailRecord> => {
    const email = await lockEmail(tx, id)
    if (!email) throw notFound('e-mail')
    return email
  }

  const save = async (tx: Db, email: EmailRecord, analysis: AnalysisKept): Promise<void> => {
    const { urgency, category, actionItems, meetings } = analysis
    await saveChange(
      tx,
      email,
      { analysis: JSON.stringify(analysis), urgency: urgency.level },
      clock.now().toISOString(),
    )
    await changes.record(tx, {
      type: 'email.analyzed',
      subject: String(email.id),
      data: {
        ...{ id: email.id, threadId: email.threadId, urgency, category },
        from: { name: email.fromName, address: email.fromAddress },
        ...{ subject: email.subject, folder: email.folder, read: email.read === 1 },
        ...{ actionItems: actionItems.length, meetings: meetings.length },
      },
    })
  }

  return {
    async read(id: number): Promise<MailToRead> {
      const view = readingIn(db)
      const email = await findWhole(view, id)
      if (!email) throw notFound('e-mail')
      const { headers, html } = await readRaw(view, email.rawBlob)
      return {
        ...{ id, accountId: email.accountId, messageId: email.messageId, subject: email.subject },
        ...{ text: email.text, html: html ?? email.html, date: email.date, headers },
        from: { name: email.fromName, address: email.fromAddress },
        replyTo: JSON.parse(email.replyTo) as Address[],
        tags: JSON.parse(email.tags) as string[],
      }
    },

    /** For mail that is not kept here. */
    readAddress: readGivenAddress,

    /** Part of the transaction of what else is done with it; others who analyse the same e-mail wait. */
    keep: (id: number, analysis: AnalysisKept): Promise<void> =>
      inTransaction(db, async (tx) => save(tx, await lock(tx, id), analysis)),

    /** Unless someone was faster: what a person has asked for is not replaced by what nobody has. */
    keepFirst: (id: number, analysis: AnalysisKept): Promise<void> =>
      inTransaction(db, async (tx) => {
        const email = await lock(tx, id)
        if (email.analysis === null) await save(tx, email, analysis)
      }),
  }
}
