import type { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import { addToTally, clearTally, readTally, settleTally } from '../../database/tallies.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, forbidden, isTemporary, notFound, toUnreadableReason } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Logger } from '../../platform/log.ts'
import type { SystemMail } from '../system-mail/recognition.ts'
import type { Attachments } from './attachments.ts'
import { type Content, searchTextsOf } from './content.ts'
import type { Composing } from './drafts.ts'
import { EmailFlags, type EmailView, NO_FLAGS, toEmail } from './email.ts'
import {
  deleteEverything,
  type EmailRecord,
  ERASED,
  everyComposedEmail,
  everyEmail,
  everyRawMessage,
  findEmail,
  findWhole,
  listThread,
  lockEmail,
  OPTIMISED_AT,
  OPTIMISED_SIZE,
  TALLY,
  UNLISTED,
} from './email-repository.ts'
import { changeBetween, createMailFiling, toFiledEmail } from './mail-store.ts'
import type { Filing, StagedMessage } from './message-writer.ts'
import type { EmailChange, EmailThread, NewEmail } from './schema.ts'

export interface EmailsDeps {
  db: Db
  clock: Clock
  blobs: Blobs
  fullText: FullText
  filing: Filing
  composing: Composing
  attachments: Attachments
  findLists: () => Promise<void>
  systemMail: SystemMail
  /** The version of the service. */
  version: string
  log: Logger
}

export type Emails = ReturnType<typeof createEmails>

const HOUR_MS = 3_600_000
const SWEEP_PARTS = 256
/**
 * Optimising the index takes about a second per this many emails. It runs less often with more emails, but at
 * least daily.
 */
const OPTIMISED_PER_SECOND = 20_000
const LONGEST_INTERVAL_HOURS = 24
/** An index that has grown by this factor is fragmented, which slows down each search. */
const GROWTH_FACTOR = 1.5
const FEW = 5_000
const BEGINNING_BYTES = 512 * 1024

/** Rejects a message that cannot be read. Nothing is stored. */
const refuseUnreadable = (log: Logger, error: unknown): never => {
  if (error instanceof AppError || isTemporary(error)) throw error
  log.warn({ err: error }, 'could not read a message sent to the API')
  throw new AppError(
    'invalid',
    'unreadable_message',
    `The message could not be read. ${toUnreadableReason(error)} Nothing was stored. Check that it is a valid RFC 5322 message.`,
    { cause: error },
  )
}

const requireEditableDraft = ({ folder, deliveryStatus }: EmailRecord, input: EmailChange): void => {
  const isMoved = input.folder !== undefined && input.folder !== 'drafts'
  const isOutgoing = deliveryStatus !== null && deliveryStatus !== 'cancelled'
  if (folder === 'drafts' && !isMoved && !isOutgoing) return
  throw forbidden(
    'The scope mail:draft only allows editing drafts. Moving emails and changing other emails requires mail:write.',
    'insufficient_scope',
  )
}

const lockMatching = async (tx: Db, id: number, ifMatch: string | undefined): Promise<EmailRecord> => {
  const email = await lockEmail(tx, id)
  if (!email) throw notFound('email')
  requireMatch(ifMatch, { id, version: email.version })
  return email
}

/** Reads the start of a message, which contains the reset link and its signature. */
const readBeginning = async (blobs: Blobs, view: Db, hash: string): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of blobs.read(view, hash)) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size >= BEGINNING_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** The word index hides deleted words at once, but removes their bytes only when it is optimised. */
const optimiseWordIndex = async ({ db, clock, fullText }: EmailsDeps): Promise<void> => {
  const hour = Math.floor(clock.now().getTime() / HOUR_MS)
  const total = await readTally(db, TALLY)
  const isGrown = total > GROWTH_FACTOR * (await readTally(db, OPTIMISED_SIZE)) + FEW
  if (!isGrown && (await readTally(db, ERASED)) === 0) return
  const hours = Math.min(LONGEST_INTERVAL_HOURS, Math.ceil(total / OPTIMISED_PER_SECOND))
  if (hour - (await readTally(db, OPTIMISED_AT)) < hours) return
  while (await inTransaction(db, (tx) => fullText.tidy(tx)));
  await inTransaction(db, async (tx) => {
    for (const name of [ERASED, OPTIMISED_AT, OPTIMISED_SIZE]) await clearTally(tx, name)
    await addToTally(tx, OPTIMISED_AT, hour)
    await addToTally(tx, OPTIMISED_SIZE, total)
  })
}

const findSystemMail = async ({ blobs, systemMail }: EmailsDeps, tx: Db): Promise<number[]> => {
  const found: number[] = []
  for await (const { id, rawBlob } of everyRawMessage(tx))
    if (await systemMail.recognises(await readBeginning(blobs, tx, rawBlob))) found.push(id)
  for await (const { id, messageId, subject, text, html } of everyComposedEmail(tx))
    if (await systemMail.recognisesFields({ messageId, texts: [subject, text, html ?? ''] })) found.push(id)
  return found
}

export const createEmails = (deps: EmailsDeps) => {
  const { db, clock, blobs, fullText, filing, composing, attachments, findLists } = deps
  const { systemMail, version, log } = deps
  const mailFiling = createMailFiling({ blobs, clock, filing, systemMail, version })

  const get = async (id: number, view: Db = db): Promise<EmailView> => {
    const email = await findWhole(view, id)
    if (!email) throw notFound('email')
    return toEmail(email)
  }

  return {
    ...mailFiling,
    get,
    /** The schema of the flags, for tools that set them. */
    flags: EmailFlags,

    /** Returns whether the email exists, and locks it until the transaction ends. */
    hold: async (tx: Db, id: number): Promise<boolean> => (await lockEmail(tx, id)) !== undefined,

    /**
     * Prepares the bodies for `add` and `create`. Call it outside a transaction, because it may take seconds.
     */
    prepare: composing.prepare,

    async add(input: NewEmail, prepared?: Content): Promise<EmailView> {
      const { messageId, subject = '', text, html } = input
      await systemMail.refuseFields({ messageId, texts: [subject, text ?? '', html ?? ''] })
      const content = prepared ?? (await composing.prepare(input))
      return inTransaction(db, async (tx) =>
        toEmail(await composing.create(tx, input, { arrives: true, content })),
      )
    },

    /** Creates an email in the caller's transaction, for example to send it afterwards. */
    async create(input: NewEmail, prepared?: Content): Promise<EmailView> {
      const content = prepared ?? (await composing.prepare(input))
      return inTransaction(db, async (tx) => toEmail(await composing.create(tx, input, { content })))
    },

    /** Parses a message. Call this outside a transaction, then import or discard the result. */
    async stage(raw: Buffer): Promise<StagedMessage> {
      await systemMail.refuse(raw)
      return filing.stage(raw).catch((error: unknown) => refuseUnreadable(log, error))
    },

    /** Stores a staged message with its original bytes. */
    async importStaged(staged: StagedMessage): Promise<EmailView> {
      try {
        const { message, content, attachments: parts } = staged
        const now = clock.now()
        const draft = {
          ...message,
          ...NO_FLAGS,
          content,
          attachments: parts,
          raw: staged.raw,
          tags: [],
          accountId: null,
          folder: 'inbox' as const,
          date: (message.date ?? now).toISOString(),
        }
        return toEmail(await inTransaction(db, (tx) => filing.insert(tx, draft, now.toISOString())))
      } catch (error) {
        await staged.discard()
        return refuseUnreadable(log, error)
      }
    },

    /** `draftsOnly` is for tokens that may not move mail or change outgoing mail. */
    async change(
      id: number,
      input: EmailChange,
      ifMatch: string | undefined,
      { draftsOnly = false } = {},
    ): Promise<EmailView> {
      const content = await composing.prepareChange(readingIn(db), id, input)
      return inTransaction(db, async (tx) => {
        const email = await lockMatching(tx, id, ifMatch)
        if (draftsOnly) requireEditableDraft(email, input)
        const changed = await composing.change(tx, email, input, content)
        const change = changeBetween(toFiledEmail(email), toFiledEmail(changed))
        if (change) await mailFiling.notifyLocalChange(tx, change)
        return get(id, tx)
      })
    },

    /** Deletes the email and its attachments. Blobs that other rows use are kept. */
    async delete(id: number, ifMatch: string | undefined): Promise<void> {
      await inTransaction(db, async (tx) => {
        const email = await lockMatching(tx, id, ifMatch)
        await filing.erase(tx, email)
        const before = toFiledEmail(email)
        await mailFiling.notifyLocalChange(tx, { kind: 'removed', email: before, before })
      })
      await blobs.settled()
    },

    async thread(id: number, { limit, cursor }: PageRequest): Promise<EmailThread> {
      const email = await findEmail(db, id)
      if (!email) throw notFound('email')
      const after = readCursor(cursor, 'integer')?.[0]
      const rows = await listThread(db, email.threadId, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.position])
      return { emails: page.map(toEmail), nextCursor }
    },

    openAttachment: (id: number, attachmentId: string) => attachments.open(db, id, attachmentId),

    async openRaw(id: number): Promise<{ content: Readable; hash: string }> {
      const email = await findEmail(db, id)
      if (!email?.rawBlob) throw notFound(email ? 'raw message: the email was created from fields' : 'email')
      return { content: blobs.read(db, email.rawBlob), hash: email.rawBlob }
    },

    /**
     * Removes unused uploads and leftovers of crashes, and detects mailing lists. Each run checks 1/256 of
     * the blobs.
     */
    async prune(): Promise<void> {
      await attachments.prune()
      await findLists()
      for (const name of [TALLY, ERASED, UNLISTED]) await settleTally(db, name)
      await optimiseWordIndex(deps)
      await blobs.sweep(Math.floor(clock.now().getTime() / HOUR_MS), SWEEP_PARTS)
    },

    /** Rebuilds the word index, for example after a restore. */
    async reindex(tx: Db): Promise<void> {
      await fullText.clear(tx)
      for await (const email of everyEmail(tx)) await fullText.put(tx, email.position, searchTextsOf(email))
    },

    /** Erases mail sent by the service itself. Imports from older instances may contain it. */
    async eraseSystemMail(tx: Db): Promise<void> {
      const found = await findSystemMail(deps, tx)
      for (const id of found) await mailFiling.remove(tx, id)
      if (found.length > 0) log.info({ count: found.length }, 'erased mail sent by the service itself')
    },

    /** Deletes everything. Blob files are removed soon after the commit. */
    async wipe(tx: Db): Promise<void> {
      await fullText.clear(tx)
      await deleteEverything(tx)
      await blobs.releaseUnused(tx)
    },
  }
}
