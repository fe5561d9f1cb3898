import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { clearStorage } from '../../../database/account-storage.ts'
import type { Db } from '../../../database/db.ts'
import { clearFolderTallies } from '../../../database/folder-tallies.ts'
import type { FullText } from '../../../database/full-text/full-text.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import {
  accountTally,
  addToTally,
  clearTally,
  readAccountTallies,
  readTally,
  settleAccountTallies,
  settleTally,
} from '../../../database/tallies.ts'
import { inTransaction, transactionOr } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import {
  AppError,
  conflict,
  forbidden,
  isTemporary,
  notFound,
  toUnreadableReason,
} from '../../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { MailQueue } from '../../commitments/mail-reader.ts'
import type { MailTally } from '../../contacts/tally.ts'
import type { SystemMail } from '../../system-mail/recognition.ts'
import { resolveMove } from '../folders/move-target.ts'
import { listPlaces, type MainPlace } from '../folders/places.ts'
import type { MailReminders } from '../reminders/reminders.ts'
import { listUploads } from './attachment-repository.ts'
import { type Attachments, removeAttachments } from './attachments.ts'
import { searchTextsOf } from './content.ts'
import { type Content, EmailFlags, type EmailView, NO_FLAGS, NO_REMINDERS, showIn, toEmail } from './email.ts'
import {
  ACCOUNT_TALLIES,
  deleteEverything,
  type EmailRecord,
  ERASED,
  everyComposedEmail,
  everyEmail,
  everyEmailOf,
  everyRawMessage,
  findEmailOwner,
  findWhole,
  getEmail,
  listStored,
  listThread,
  lockEmail,
  OPTIMISED_AT,
  OPTIMISED_SIZE,
  TALLY,
  UNREAD_TALLY,
  URGENT_TALLY,
} from './email-repository.ts'
import type { EmailEditor, EmailWriter, StagedMessage } from './email-writer.ts'
import { changeBetween, createMailStore, toFiledEmail } from './mail-store.ts'
import type { EmailChange, EmailThread, NewEmail } from './schema.ts'

export interface EmailsDeps extends Pick<Platform, 'db' | 'clock' | 'blobs' | 'quota' | 'log'> {
  fullText: FullText
  writer: EmailWriter
  editor: EmailEditor
  attachments: Attachments
  systemMail: SystemMail
  contacts: MailTally
  mailQueues: readonly MailQueue[]
  reminders: Pick<MailReminders, 'readTimes'>
  /** The version of the service. */
  version: string
}

export type Emails = ReturnType<typeof createEmails>

const HOUR_MS = 3_600_000
const SWEEP_PARTS = 256
/**
 * Optimising the index takes about a second per this many emails. It runs less often with more emails, but at
 * least daily.
 */
const OPTIMISED_PER_SECOND = 20_000
const MAX_INTERVAL_HOURS = 24
/** An index that has grown by this factor is fragmented, which slows down each search. */
const GROWTH_FACTOR = 1.5
const FEW = 5_000
const BEGINNING_BYTES = 512 * 1024
const ERASE_BATCH = 200

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
  const isMoved =
    (input.folder !== undefined && input.folder !== 'drafts') || typeof input.folderId === 'number'
  const isOutgoing = deliveryStatus !== null && deliveryStatus !== 'cancelled'
  if (folder === 'drafts' && !isMoved && !isOutgoing) return
  throw forbidden(
    'The scope mail:draft only allows editing drafts. Moving emails and changing other emails requires mail:write.',
    'insufficient_scope',
  )
}

const lockMatching = async (
  tx: Db,
  userId: number,
  id: number,
  ifMatch: string | undefined,
): Promise<EmailRecord> => {
  const email = await lockEmail(tx, userId, id)
  if (!email) throw notFound('email')
  requireMatch(ifMatch, { id, version: email.version })
  return email
}

interface ChangeOptions {
  draftsOnly?: boolean
  folderId?: number | undefined
  from?: Folder | undefined
}

const requirePlace = (email: EmailRecord, folderId: number): MainPlace => {
  const place = listPlaces(email).find(({ id }) => id === folderId)
  if (!place) throw conflict('The email is not in this folder. Load it again: `folders` lists its folders.')
  return place
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
  const total = await readAccountTallies(db, TALLY)
  const isGrown = total > GROWTH_FACTOR * (await readTally(db, OPTIMISED_SIZE)) + FEW
  if (!isGrown && (await readTally(db, ERASED)) === 0) return
  const hours = Math.min(MAX_INTERVAL_HOURS, Math.ceil(total / OPTIMISED_PER_SECOND))
  if (hour - (await readTally(db, OPTIMISED_AT)) < hours) return
  while (await inTransaction(db, (tx) => fullText.tidy(tx)));
  await inTransaction(db, async (tx) => {
    for (const name of [ERASED, OPTIMISED_AT, OPTIMISED_SIZE]) await clearTally(tx, name)
    await addToTally(tx, OPTIMISED_AT, hour)
    await addToTally(tx, OPTIMISED_SIZE, total)
  })
}

const findSystemMail = async (
  { blobs, systemMail }: EmailsDeps,
  tx: Db,
  userId: number,
): Promise<number[]> => {
  const found: number[] = []
  for await (const { id, rawBlob } of everyRawMessage(tx, userId))
    if (await systemMail.recognises(await readBeginning(blobs, tx, rawBlob))) found.push(id)
  for await (const { id, messageId, subject, text, html } of everyComposedEmail(tx, userId))
    if (await systemMail.recognisesFields({ messageId, texts: [subject, text, html ?? ''] })) found.push(id)
  return found
}

export const createEmails = (deps: EmailsDeps) => {
  const { db, clock, blobs, fullText, writer, editor, attachments } = deps
  const { systemMail, quota, reminders, log } = deps
  const store = createMailStore(deps)

  const get = async (userId: number, id: number, view: Db = db): Promise<EmailView> => {
    const email = await findWhole(view, userId, id)
    if (!email) throw notFound('email')
    return toEmail(email)
  }

  /** Creates an email for a client, unless the storage of the account is full. */
  const createWithinQuota = (
    userId: number,
    input: NewEmail,
    options: Parameters<EmailEditor['create']>[3],
  ): Promise<EmailView> =>
    inTransaction(db, async (tx) => {
      const email = await editor.create(tx, userId, input, options)
      await quota.requireSpace(tx, userId)
      return toEmail(email)
    })

  return {
    ...store,
    get,
    /** The schema of the flags, for tools that set them. */
    flags: EmailFlags,

    /** Returns the account of an email, for callers that know only the email. */
    ownerOf: findEmailOwner,

    /**
     * Prepares the bodies for `add`. Call it outside a transaction, because it may take seconds.
     */
    prepare: editor.prepare,

    async add(userId: number, input: NewEmail, prepared?: Content): Promise<EmailView> {
      const { messageId, subject = '', text, html } = input
      await systemMail.refuseFields({ messageId, texts: [subject, text ?? '', html ?? ''] })
      const content = prepared ?? (await editor.prepare(input))
      return createWithinQuota(userId, input, { arrives: true, content })
    },

    /** Creates an email in the caller's transaction. */
    async create(userId: number, input: NewEmail): Promise<EmailView> {
      const content = await editor.prepare(input)
      return createWithinQuota(userId, input, { content })
    },

    /** Parses a message. Call this outside a transaction, then import or discard the result. */
    async stage(raw: Buffer): Promise<StagedMessage> {
      await systemMail.refuse(raw)
      return writer.stage(raw).catch((error: unknown) => refuseUnreadable(log, error))
    },

    /** Stores a staged message with its original bytes. */
    async importStaged(userId: number, staged: StagedMessage): Promise<EmailView> {
      try {
        const { message, content, contentHash, attachments: parts } = staged
        const now = clock.now()
        const draft = {
          ...message,
          ...NO_FLAGS,
          ...NO_REMINDERS,
          content,
          contentHash,
          attachments: parts,
          raw: staged.raw,
          tags: [],
          userId,
          accountId: null,
          folder: 'inbox' as const,
          folderId: null,
          date: (message.date ?? now).toISOString(),
        }
        return await inTransaction(db, async (tx) => {
          const email = await writer.insert(tx, draft, { arrivedAt: now.toISOString() })
          await quota.requireSpace(tx, userId)
          return toEmail(email)
        })
      } catch (error) {
        await staged.discard()
        return refuseUnreadable(log, error)
      }
    },

    /** Reads the times of a request before `change`. They must be in the future. */
    readTimes: <C extends EmailChange>(userId: number, input: C): Promise<C> =>
      reminders.readTimes(userId, input),

    /**
     * `draftsOnly` is for tokens that may not move mail or change outgoing mail. `folderId` or `from` names the folder that
     * a move leaves, if the email is in several.
     */
    async change(
      userId: number,
      id: number,
      input: EmailChange,
      ifMatch: string | undefined,
      { draftsOnly = false, folderId, from: role }: ChangeOptions = {},
    ): Promise<EmailView> {
      const content = await editor.prepareChange(transactionOr(db), userId, id, input)
      return inTransaction(db, async (tx) => {
        const email = await lockMatching(tx, userId, id, ifMatch)
        if (draftsOnly) requireEditableDraft(email, input)
        const from =
          folderId === undefined
            ? listPlaces(email).find((place) => place.role === role)
            : requirePlace(email, folderId)
        const { change: resolved, move } = await resolveMove(tx, email, input, from && [from])
        const changed = await editor.change(tx, email, resolved, content)
        const change = changeBetween(toFiledEmail(email), toFiledEmail(changed), move)
        if (change) await store.notifyLocalChange(tx, change)
        const shownId = move ? move.to.id : folderId
        return showIn(await get(userId, id, tx), (place) => shownId === undefined || place.id === shownId)
      })
    },

    /** Deletes the email and its attachments. Blobs that other rows use are kept. */
    async delete(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
      await inTransaction(db, async (tx) => {
        const email = await lockMatching(tx, userId, id, ifMatch)
        await writer.erase(tx, email)
        const before = toFiledEmail(email)
        await store.notifyLocalChange(tx, { kind: 'removed', email: before, before })
      })
      await blobs.settled()
    },

    async thread(userId: number, id: number, { limit, cursor }: PageRequest): Promise<EmailThread> {
      const email = await getEmail(db, userId, id)
      const after = readCursor(cursor, 'integer')?.[0]
      const rows = await listThread(db, userId, email.threadId, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.position])
      return { emails: page.map(toEmail), nextCursor }
    },

    openAttachment: (userId: number, id: number, attachmentId: string) =>
      attachments.open(db, userId, id, attachmentId),

    async openRaw(userId: number, id: number): Promise<{ content: Readable; hash: string }> {
      const { rawBlob } = await getEmail(db, userId, id)
      if (rawBlob === null) throw notFound('raw message: the email was created from fields')
      return { content: await blobs.open(db, rawBlob), hash: rawBlob }
    },

    /** Removes unused uploads and leftovers of crashes. Each run checks 1/256 of the blobs. */
    async prune(): Promise<void> {
      await attachments.prune()
      for (const name of ACCOUNT_TALLIES) await settleAccountTallies(db, name)
      await settleTally(db, ERASED)
      await optimiseWordIndex(deps)
      await blobs.sweep(Math.floor(clock.now().getTime() / HOUR_MS), SWEEP_PARTS)
    },

    /** Rebuilds the word index of all accounts, for example after a restore. */
    async reindex(tx: Db): Promise<void> {
      await fullText.clear(tx)
      for await (const email of everyEmail(tx))
        await fullText.put(tx, email.position, email.userId, searchTextsOf(email))
    },

    /** Adds the emails of an account to the word index, after an import into it. */
    async indexAccount(tx: Db, userId: number): Promise<void> {
      for await (const email of everyEmailOf(tx, userId))
        await fullText.put(tx, email.position, userId, searchTextsOf(email))
    },

    /** Erases mail of an account that the service itself sent. Exports of older instances may contain it. */
    async eraseSystemMail(tx: Db, userId: number): Promise<void> {
      let count = 0
      for (const id of await findSystemMail(deps, tx, userId)) {
        await store.remove(tx, userId, id)
        count++
      }
      if (count > 0) log.info({ count }, 'erased mail sent by the service itself')
    },

    /** Erases the mail of an account that is being deleted. Foreign keys would leave its words and blobs behind. */
    async eraseAccount(tx: Db, userId: number): Promise<void> {
      for (;;) {
        const emails = await listStored(tx, userId, ERASE_BATCH)
        for (const email of emails) await writer.erase(tx, { ...email, userId })
        if (emails.length < ERASE_BATCH) break
        await setImmediate()
      }
      const uploads = await listUploads(tx, userId)
      await removeAttachments(tx, userId, blobs, uploads)
      for (const name of [TALLY, UNREAD_TALLY, URGENT_TALLY]) await clearTally(tx, accountTally(name, userId))
      await clearFolderTallies(tx, userId)
      await clearStorage(tx, userId)
    },

    /** Deletes everything. Blob files are removed soon after the commit. */
    async wipe(tx: Db): Promise<void> {
      await fullText.clear(tx)
      await deleteEverything(tx)
      await blobs.releaseUnused(tx)
    },
  }
}
