import type { Db } from '../../database/db.ts'
import type { Folder } from '../../database/tables/mail.ts'
import type { StagedBlob } from '../../platform/blobs/blob-place.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import type { MessagePlace, SystemMail } from '../system-mail/recognition.ts'
import type { Filing, StagedMessage } from './filing.ts'
import { saveChange } from './saving.ts'
import { type EmailRecord, findByMessageId, findEmail, lockEmail } from './store.ts'
import { type KnownEnvelope, toUnreadableMessage } from './unreadable-message.ts'

/** A message as a mailbox hands it over. */
export interface Arrival {
  /** As it came; or what `read` made of it, which is better done outside the transaction. */
  raw: Buffer | ReadMessage
  accountId: string | null
  folder: Folder
  read: boolean
  starred: boolean
  /** When the server got it (IMAP's INTERNALDATE, ISO): stands in for a date that the message does not tell. */
  receivedAt: string
  /** Whether the server got it since the account is here: what lay there before is no concern of rules. */
  isNew: boolean
}

/** A message that was read and whose bytes lie ready; filed or discarded, it may be used once. */
export interface ReadMessage {
  readonly messageId: string | null
  /** For one that is not filed after all. */
  discard(): Promise<void>
}

/** A message that could not be read, or was not fetched. */
export interface UnreadableMessage {
  /** All of it, to be kept; null when it was not fetched. */
  raw: Buffer | null
  /** Its first bytes, for the header; null when nothing of it is known, or its header is at fault. */
  head: Buffer | null
  envelope: KnownEnvelope
  /** A sentence for the person whose message it is. */
  reason: string
}

/** What a mailbox has to know of an e-mail. */
export interface FiledEmail {
  id: number
  accountId: string | null
  messageId: string | null
  folder: Folder
  read: boolean
  starred: boolean
}

/** What someone here did to an e-mail: its server should hear of it. */
export interface LocalChange {
  kind: 'flags' | 'moved' | 'removed'
  /** As it is now; as it last was when it has been removed. */
  email: FiledEmail
  /** As it was before. */
  before: FiledEmail
}

/** Called in the transaction of the change, so that what it writes exists exactly when the change does. */
export type LocalChangeListener = (tx: Db, change: LocalChange) => Promise<void>

export interface Filed {
  id: number
  created: boolean
  /** What the rules made of it: to be told, with `tell`, once its place is known. */
  ruled: LocalChange | undefined
}

/**
 * The e-mails, as a mailbox that is kept in step with a server uses them. None of the others tells `onLocalChange`:
 * they are the server's own changes.
 */
export interface MailFiling {
  /**
   * Parses it and puts its bytes on the disk; before, and outside of, the transaction that files it. Undefined for
   * mail of the service itself, which is not stored.
   */
  read(raw: Buffer, place?: MessagePlace): Promise<ReadMessage | undefined>
  /**
   * Puts the bytes of a message that could not be read on the disk. What is filed says so, and no rule applies to it.
   * Undefined for mail of the service itself.
   */
  stageUnreadable(message: UnreadableMessage, place?: MessagePlace): Promise<ReadMessage | undefined>
  /** The same message of the same account twice is one e-mail: then `created` is false and nothing is changed. */
  file(tx: Db, arrival: Arrival): Promise<Filed>
  /** Has the server hear of a change that was made here, once it is known where the message lies. */
  tell(tx: Db, change: LocalChange): Promise<void>
  /** False when there is no such e-mail. */
  setFlags(tx: Db, id: number, flags: { read?: boolean; starred?: boolean }): Promise<boolean>
  move(tx: Db, id: number, folder: Folder): Promise<boolean>
  remove(tx: Db, id: number): Promise<boolean>
  find(db: Db, id: number): Promise<FiledEmail | undefined>
  findByMessageId(db: Db, accountId: string | null, messageId: string): Promise<FiledEmail[]>
  /** How sending it went, for the answer's `delivery`; `sendAt` stays as it was unless it is given. */
  setDelivery(
    tx: Db,
    id: number,
    delivery: { status: string; error: string | null; sendAt?: string },
  ): Promise<boolean>
  /** The message as it was sent, with the id it went by. */
  setRaw(tx: Db, id: number, raw: Buffer, messageId: string): Promise<boolean>
  /** The message as it came or was sent; undefined when none is kept. */
  readRaw(db: Db, id: number): Promise<Buffer | undefined>
  /** At the wiring, before anything is changed. */
  onLocalChange(listener: LocalChangeListener): void
}

export const filedOf = (row: EmailRecord): FiledEmail => ({
  id: row.id,
  accountId: row.accountId,
  messageId: row.messageId,
  folder: row.folder,
  read: row.read === 1,
  starred: row.starred === 1,
})

/** Undefined where a server has nothing to hear of. */
export const changeBetween = (before: FiledEmail, email: FiledEmail): LocalChange | undefined => {
  const isMarked = before.read !== email.read || before.starred !== email.starred
  if (before.folder !== email.folder) return { kind: 'moved', email, before }
  return isMarked ? { kind: 'flags', email, before } : undefined
}

type FiledMessage = Omit<StagedMessage, 'raw'> & { raw: StagedBlob | null }

interface Staged extends ReadMessage {
  readonly staged: FiledMessage
  readonly unreadable?: { reason: string; readerVersion: string }
}

/** The same Message-ID and the same bytes; or, for servers that add to what they hand out, the same in what is read. */
const isSame = (row: EmailRecord, { message, raw }: FiledMessage): boolean =>
  (raw !== null && row.rawBlob === raw.hash) ||
  (row.subject === message.subject &&
    row.fromAddress === (message.from?.address ?? '') &&
    (message.date === null || row.date === message.date.toISOString()))

export interface MailFilingDeps {
  blobs: Blobs
  clock: Clock
  filing: Filing
  systemMail: SystemMail
  /** Of the service. */
  version: string
}

/** The e-mails as a mailbox that is kept in step with a server uses them. */
export const createMailFiling = (deps: MailFilingDeps): MailFiling => {
  const { blobs, clock, filing, systemMail, version } = deps
  const listeners: LocalChangeListener[] = []

  const parse = async (raw: Buffer): Promise<Staged> => {
    const staged = await filing.stage(raw)
    return { messageId: staged.message.messageId, staged, discard: staged.discard }
  }

  const stageUnreadable = async ({ raw, head, envelope, reason }: UnreadableMessage): Promise<Staged> => {
    const blob = raw && (await blobs.stage(raw))
    const hasRaw = blob !== null
    const message = toUnreadableMessage({ head, hasRaw, reason }, envelope)
    const discard = async (): Promise<void> => blob?.discard()
    return {
      messageId: message.messageId,
      staged: { message, content: filing.contentOf(message), attachments: [], raw: blob, discard },
      unreadable: { reason, readerVersion: version },
      discard,
    }
  }

  const findSame = async (tx: Db, accountId: string | null, staged: FiledMessage) => {
    const { messageId } = staged.message
    if (messageId === null) return undefined
    const rows = await findByMessageId(tx, messageId)
    return rows.find((row) => row.accountId === accountId && isSame(row, staged))
  }

  const insert = (
    tx: Db,
    { staged: { message, content, attachments, raw }, unreadable }: Staged,
    arrival: Omit<Arrival, 'raw'>,
  ) =>
    filing.insert(
      tx,
      {
        ...message,
        ...{ content, attachments, raw, tags: [] },
        ...(unreadable && { unreadable }),
        accountId: arrival.accountId,
        folder: arrival.folder,
        read: arrival.read,
        starred: arrival.starred,
        date: message.date?.toISOString() ?? arrival.receivedAt,
      },
      arrival.isNew && !unreadable ? arrival.receivedAt : null,
    )

  const change = async (
    tx: Db,
    id: number,
    pick: (row: EmailRecord) => Partial<EmailRecord>,
  ): Promise<boolean> => {
    const row = await lockEmail(tx, id)
    if (!row) return false
    const wish = pick(row)
    if (Object.entries(wish).some(([name, value]) => row[name as keyof EmailRecord] !== value))
      await saveChange(tx, row, wish, clock.now().toISOString())
    return true
  }

  return {
    read: async (raw, place) => ((await systemMail.recognises(raw, place)) ? undefined : parse(raw)),

    async stageUnreadable(message, place) {
      const bytes = message.raw ?? message.head
      if (bytes && (await systemMail.recognises(bytes, place))) return undefined
      return stageUnreadable(message)
    },

    async file(tx, arrival) {
      if (Buffer.isBuffer(arrival.raw)) await systemMail.refuse(arrival.raw)
      const message = Buffer.isBuffer(arrival.raw) ? await parse(arrival.raw) : (arrival.raw as Staged)
      const { staged } = message
      try {
        const same = await findSame(tx, arrival.accountId, staged)
        if (same) {
          await staged.discard()
          return { id: same.id, created: false, ruled: undefined }
        }
        const email = filedOf(await insert(tx, message, arrival))
        const { folder, read: wasRead, starred } = arrival
        const ruled = changeBetween({ ...email, folder, read: wasRead, starred }, email)
        return { id: email.id, created: true, ruled }
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    setFlags: (tx, id, flags) =>
      change(tx, id, () => ({
        ...(flags.read !== undefined && { read: flags.read ? 1 : 0 }),
        ...(flags.starred !== undefined && { starred: flags.starred ? 1 : 0 }),
      })),

    move: (tx, id, folder) => change(tx, id, () => ({ folder })),

    async remove(tx, id) {
      const row = await lockEmail(tx, id)
      if (row) await filing.erase(tx, row)
      return row !== undefined
    },

    async find(db, id) {
      const row = await findEmail(db, id)
      return row && filedOf(row)
    },

    findByMessageId: async (db, accountId, messageId) =>
      (await findByMessageId(db, messageId)).filter((row) => row.accountId === accountId).map(filedOf),

    setDelivery: (tx, id, delivery) =>
      change(tx, id, () => ({
        deliveryStatus: delivery.status,
        deliveryError: delivery.error,
        ...(delivery.sendAt !== undefined && { deliveryAt: delivery.sendAt }),
      })),

    async setRaw(tx, id, raw, messageId) {
      const staged = await blobs.stage(raw)
      try {
        const row = await lockEmail(tx, id)
        if (!row) {
          await staged.discard()
          return false
        }
        await blobs.keep(tx, staged)
        await saveChange(tx, row, { rawBlob: staged.hash, messageId }, clock.now().toISOString())
        await filing.relink(tx, { ...row, messageId })
        if (row.rawBlob !== null && row.rawBlob !== staged.hash) await blobs.release(tx, [row.rawBlob])
        return true
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    async readRaw(db, id) {
      const row = await findEmail(db, id)
      return row?.rawBlob ? blobs.readWhole(db, row.rawBlob) : undefined
    },

    async tell(tx, change) {
      for (const listener of listeners) await listener(tx, change)
    },

    onLocalChange: (listener) => void listeners.push(listener),
  }
}
