import type { Static } from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction, transactionOr } from '../../../database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Address } from '../mime/addresses.ts'
import { readHeader } from '../mime/header-fields.ts'
import { readGivenAddress } from './email.ts'
import {
  type EmailRecord,
  findEmail,
  findEmailOwner,
  findWhole,
  lockEmail,
  updateEmail,
} from './email-repository.ts'
import type { MailReader } from './mail-reader.ts'
import { NO_SOURCE } from './message-source.ts'
import type { Urgency } from './schema.ts'

/** The original HTML of larger messages is not parsed, because that would delay other requests. */
const MAX_RAW_BYTES = 2 * 1024 * 1024

/** An email with everything that analysis and reply drafts need. */
export interface MailToRead {
  id: number
  userId: number
  accountId: string | null
  messageId: string | null
  subject: string
  text: string
  /** The original HTML if the message is stored, because sanitizing removes hidden content. */
  html: string | null
  /** Calendar files and JSON-LD parts. Empty if the message is not stored. */
  calendars: readonly string[]
  jsonLd: readonly string[]
  from: Address
  replyTo: Address[]
  date: string
  tags: readonly string[]
  /** Header names are in lower case. The first field of each name is kept. */
  headers: Readonly<Record<string, string>>
}

/** The parts of an analysis that this module uses. All other parts are stored too. */
export interface StoredAnalysis {
  urgency: { level: Static<typeof Urgency>; score: number }
  category: string
  actionItems: readonly unknown[]
  meetings: readonly unknown[]
}

export type Analyses = ReturnType<typeof createAnalyses>

/** Reads emails for analysis and stores the results. */
export const createAnalyses = (
  { db, blobs, clock, changes }: Pick<Platform, 'db' | 'blobs' | 'clock' | 'changes'>,
  reader: Pick<MailReader, 'readSource'>,
) => {
  const readRaw = async (view: Db, hash: string | null) => {
    const raw = hash === null ? undefined : await blobs.readStart(view, hash, MAX_RAW_BYTES + 1)
    if (!raw) return { headers: {}, source: NO_SOURCE }
    const fields = readHeader(raw).toReversed()
    return {
      headers: Object.fromEntries(fields.map(({ name, value }) => [name, value.slice(0, 500)])),
      source: raw.length > MAX_RAW_BYTES ? NO_SOURCE : await reader.readSource(raw),
    }
  }

  const lock = async (tx: Db, userId: number, id: number): Promise<EmailRecord> => {
    const email = await lockEmail(tx, userId, id)
    if (!email) throw notFound('email')
    return email
  }

  const save = async (tx: Db, email: EmailRecord, analysis: StoredAnalysis): Promise<void> => {
    const { urgency, category, actionItems, meetings } = analysis
    const columns = { analysis: JSON.stringify(analysis), urgency: urgency.level }
    await updateEmail(tx, email, columns, clock.now().toISOString())
    await changes.record(tx, {
      userId: email.userId,
      type: 'email.analyzed',
      subject: String(email.id),
      data: {
        id: email.id,
        threadId: email.threadId,
        urgency,
        category,
        from: { name: email.fromName, address: email.fromAddress },
        subject: email.subject,
        folder: email.folder,
        read: email.read === 1,
        actionItems: actionItems.length,
        meetings: meetings.length,
      },
    })
  }

  return {
    async read(userId: number, id: number): Promise<MailToRead> {
      const view = transactionOr(db)
      const email = await findWhole(view, userId, id)
      if (!email) throw notFound('email')
      // Do not parse an unreadable message again here, because it may crash the process.
      const { headers, source } = await readRaw(view, email.unreadable === null ? email.rawBlob : null)
      return {
        id,
        userId,
        accountId: email.accountId,
        messageId: email.messageId,
        subject: email.subject,
        text: email.text,
        html: source.html ?? email.html,
        calendars: source.calendars,
        jsonLd: source.jsonLd,
        date: email.date,
        headers,
        from: { name: email.fromName, address: email.fromAddress },
        replyTo: JSON.parse(email.replyTo) as Address[],
        tags: JSON.parse(email.tags) as string[],
      }
    },

    /** Returns the account of an email, for jobs that know only the email. */
    ownerOf: (id: number): Promise<number | undefined> => findEmailOwner(transactionOr(db), id),

    /** Returns the date of an email, or undefined if it was deleted. */
    dateOf: async (view: Db, userId: number, id: number): Promise<string | undefined> =>
      (await findEmail(view, userId, id))?.date,

    /** Locks an email until the transaction ends, so that concurrent requests for it wait. */
    hold: async (tx: Db, userId: number, id: number): Promise<void> => {
      await lock(tx, userId, id)
    },

    /** For analysis of mail that is not stored. */
    readAddress: readGivenAddress,

    /**
     * Stores an analysis in the caller's transaction. The lock makes concurrent analyses of the email wait.
     */
    keep: (userId: number, id: number, analysis: StoredAnalysis): Promise<void> =>
      inTransaction(db, async (tx) => save(tx, await lock(tx, userId, id), analysis)),

    /**
     * Stores an analysis unless there is one. An automatic analysis must not replace one that a person
     * requested.
     */
    keepFirst: (userId: number, id: number, analysis: StoredAnalysis): Promise<void> =>
      inTransaction(db, async (tx) => {
        const email = await lock(tx, userId, id)
        if (email.analysis === null) await save(tx, email, analysis)
      }),
  }
}
