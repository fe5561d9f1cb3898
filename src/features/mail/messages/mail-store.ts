import { trackEmailSize } from '../../../database/account-storage.ts'
import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import type { StagedBlob } from '../../../platform/blobs/storage.ts'
import { isTemporary } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { MailQueue } from '../../commitments/mail-reader.ts'
import type { CountedMail, MailTally } from '../../contacts/tally.ts'
import type { MessagePlace, SystemMail } from '../../system-mail/recognition.ts'
import { findMissingTags } from '../folders/keywords.ts'
import type { PlaceMove } from '../folders/move-target.ts'
import { type Place, toPlaceColumns } from '../folders/places.ts'
import { type Address, readAddresses } from '../mime/addresses.ts'
import { decodeWords, fieldsNamed, readHeader } from '../mime/header-fields.ts'
import { readDate } from '../mime/message.ts'
import { rejoinThread } from '../threads/threads.ts'
import { listAttachments } from './attachment-repository.ts'
import {
  type Email,
  type EmailFlags,
  findChangedFlags,
  MAX_TAGS,
  type NewEmailRow,
  NO_REMINDERS,
  NOT_RETURNED,
  pickFlags,
  tagKeys,
  toFlagColumns,
  toFlags,
} from './email.ts'
import {
  type EmailRecord,
  findByMessageId,
  findEmail,
  findEmails,
  findWhole,
  holdEmail,
  lockEmail,
  replaceTags,
  updateEmail,
  updateUnversioned,
} from './email-repository.ts'
import type { EmailWriter, StagedMessage } from './email-writer.ts'
import { awaitsSentCopy, foldSpaces, hasSameBytes, hasSameFields, toUnreadableHash } from './same-mail.ts'

/** The number of bytes read for the header if the whole message cannot be read. */
const HEAD_BYTES = 64 * 1024
const MAX_FIELD_LENGTH = 2_000
const MAX_ID_LENGTH = 500

/** The envelope that a mail server reports without sending the message (IMAP ENVELOPE). */
interface KnownEnvelope {
  messageId: string | null
  subject: string
  from: Address | null
}

interface Envelope extends KnownEnvelope {
  date: Date | null
}

const toStorable = (text: string): string =>
  text.slice(0, MAX_FIELD_LENGTH).replaceAll('\0', '').replace(/\s+/g, ' ').trim().toWellFormed()

const toAddress = (address: Address | null | undefined): Address | null =>
  address ? { name: toStorable(address.name), address: toStorable(address.address) } : null

const toMessageId = (field: string | null | undefined): string | null => {
  const [, id = null] = /<([^<>\s]+)>/.exec(field ?? '') ?? []
  return id !== null && id.length <= MAX_ID_LENGTH ? toStorable(id) : null
}

/**
 * Reads subject, sender, date and id from the first bytes of a message. Truncates each field before decoding
 * it.
 */
const readEnvelope = (head: Buffer): Envelope => {
  const fields = readHeader(head.subarray(0, HEAD_BYTES))
  const last = (name: string): string | undefined =>
    fieldsNamed(fields, name).at(-1)?.slice(0, MAX_FIELD_LENGTH)
  return {
    messageId: toMessageId(last('message-id')),
    subject: toStorable(decodeWords(last('subject') ?? '')),
    from: toAddress(readAddresses(last('from') ?? last('sender') ?? '')[0]),
    date: readDate(last('date') ?? '') ?? null,
  }
}

/** Reads the envelope from the header, or uses the server's envelope if the header cannot be read. */
const toEnvelope = (head: Buffer | null, known: KnownEnvelope): Envelope => {
  const reported: Envelope = {
    messageId: toMessageId(known.messageId),
    subject: toStorable(known.subject),
    from: toAddress(known.from),
    date: null,
  }
  if (head === null) return reported
  try {
    const read = readEnvelope(head)
    return {
      messageId: read.messageId ?? reported.messageId,
      subject: read.subject || reported.subject,
      from: read.from ?? reported.from,
      date: read.date,
    }
  } catch {
    return reported
  }
}

/** Builds the placeholder for an unreadable message: its envelope, and a text with the reason. */
const toUnreadableMessage = (
  given: { head: Buffer | null; hasRaw: boolean; reason: string },
  known: KnownEnvelope,
): StagedMessage['message'] => ({
  ...toEnvelope(given.head, known),
  inReplyTo: null,
  references: [],
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  mailingList: null,
  isAutomatic: false,
  text: `This message could not be read. ${given.reason} ${
    given.hasRaw
      ? 'Download the original message to open it in another program.'
      : 'Open it in your mail provider’s own program.'
  }`,
  html: null,
  attachments: [],
  isTruncated: false,
  security: null,
})

/** A message received from a mail server. */
export interface Arrival extends EmailFlags {
  /** The raw message, or the result of `read`, which should run outside the transaction. */
  raw: Buffer | ReadMessage
  userId: number
  accountId: string | null
  folder: Folder
  /** The server folder. */
  folderId?: number | null
  /** The keywords of the server. */
  tags?: readonly string[]
  /** The server's time of receipt (IMAP INTERNALDATE, ISO 8601). Used if the message has no date. */
  receivedAt: string
  /** Whether the server received it after the account was added. Rules apply only to such messages. */
  isNew: boolean
  /**
   * Whether the message comes from a file. It then counts as stored if any account has it, and nobody is notified of
   * it.
   */
  isImported?: boolean
  /** Lists emails that may be the same message if it has no Message-ID. */
  listCandidates?: () => Promise<readonly number[]>
}

/** A parsed message with staged bytes. It can be filed or discarded once. */
export interface ReadMessage {
  readonly messageId: string | null
  /** Removes the staged bytes of a message that is not filed. */
  discard(): Promise<void>
}

/** A message that could not be read, or was not fetched. */
export interface UnreadableMessage {
  /** The whole message to store, or null if it was not fetched. */
  raw: Buffer | null
  /** The first bytes for the header. Null if nothing is known, or the header itself cannot be read. */
  head: Buffer | null
  envelope: KnownEnvelope
  /** The size on the server. It identifies the content of a message that was not fetched. */
  size?: number
  /** A sentence that is displayed to the user. */
  reason: string
}

/** The properties of an email that a mailbox syncs. */
export interface FiledEmail
  extends EmailFlags,
    Pick<Email, 'id' | 'accountId' | 'messageId' | 'folder' | 'folderId' | 'tags' | 'subject' | 'bcc'>,
    Pick<EmailRecord, 'otherFolders'> {
  userId: number
}

/** A change by a user or rule that must be synced to the mail server. */
export interface LocalChange {
  kind: 'marked' | 'moved' | 'removed'
  /** The current state, or the last state if the email was removed. */
  email: FiledEmail
  /** The state before the change. */
  before: FiledEmail
  /** Set if the change moves some of the copies on the server. Otherwise a move concerns the main folder. */
  move?: PlaceMove | undefined
  /** Set if the email was removed from these folders only. */
  removedFrom?: readonly number[]
}

/** Runs in the transaction of the change, so that both are committed together. */
export type LocalChangeListener = (tx: Db, change: LocalChange) => Promise<void>

export interface Filed {
  id: number
  created: boolean
  /** The change made by rules. Pass it to `notifyLocalChange` when the position of the message on the server is known. */
  ruled: LocalChange | undefined
}

export const toFiledEmail = (row: EmailRecord): FiledEmail => ({
  id: row.id,
  userId: row.userId,
  accountId: row.accountId,
  messageId: row.messageId,
  folder: row.folder,
  folderId: row.folderId,
  otherFolders: row.otherFolders,
  tags: JSON.parse(row.tags) as string[],
  subject: row.subject,
  bcc: JSON.parse(row.bcc) as Address[],
  ...toFlags(row),
})

const toSentMail = ({ to, cc, bcc }: EmailRecord, date: string): CountedMail => ({
  folder: 'sent',
  from: null,
  to: JSON.parse(to) as Address[],
  cc: JSON.parse(cc) as Address[],
  bcc: JSON.parse(bcc) as Address[],
  date,
  isBulk: false,
})

/** Returns undefined if nothing must be synced. */
export const changeBetween = (
  before: FiledEmail,
  email: FiledEmail,
  move?: PlaceMove,
): LocalChange | undefined => {
  if (
    before.folder !== email.folder ||
    before.folderId !== email.folderId ||
    before.otherFolders !== email.otherFolders
  )
    return { kind: 'moved', email, before, move }
  const isMarked =
    Object.keys(findChangedFlags(before, email)).length > 0 ||
    findMissingTags(before.tags, email.tags).length > 0 ||
    findMissingTags(email.tags, before.tags).length > 0
  return isMarked ? { kind: 'marked', email, before } : undefined
}

type FiledMessage = Omit<StagedMessage, 'raw'> & { raw: StagedBlob | null }

interface Staged extends ReadMessage {
  readonly staged: FiledMessage
  readonly unreadable?: { reason: string; readerVersion: string }
}

interface MailStoreDeps extends Pick<Platform, 'blobs' | 'clock'> {
  writer: EmailWriter
  systemMail: SystemMail
  contacts: MailTally
  mailQueues: readonly MailQueue[]
  /** The version of the service. */
  version: string
}

export type MailStore = ReturnType<typeof createMailStore>

/**
 * Stores emails for a mailbox that is synced with a server. Only `notifyLocalChange` calls the listeners;
 * the other methods apply changes of the server.
 */
export const createMailStore = (deps: MailStoreDeps) => {
  const { blobs, clock, writer, systemMail, contacts, mailQueues, version } = deps
  const listeners: LocalChangeListener[] = []

  const parse = async (raw: Buffer): Promise<Staged> => {
    const staged = await writer.stage(raw)
    return { messageId: staged.message.messageId, staged, discard: staged.discard }
  }

  const stageUnreadable = async (given: UnreadableMessage): Promise<Staged> => {
    const { raw, head, envelope, size, reason } = given
    const blob = raw && (await blobs.stage(raw))
    const hasRaw = blob !== null
    const message = toUnreadableMessage({ head, hasRaw, reason }, envelope)
    const discard = async (): Promise<void> => blob?.discard()
    return {
      messageId: message.messageId,
      staged: {
        message,
        content: writer.contentOf(message),
        contentHash: toUnreadableHash(blob, size),
        attachments: [],
        raw: blob,
        discard,
      },
      unreadable: { reason, readerVersion: version },
      discard,
    }
  }

  /** Returns the content hash of an email, also if an older version stored it. Null if its content is not known. */
  const readContentHash = async (tx: Db, row: EmailRecord): Promise<string | null> => {
    if (row.contentHash !== null || row.rawBlob === null) return row.contentHash
    if (row.unreadable !== null) return row.rawBlob
    try {
      const contentHash = await writer.digest(await blobs.readWhole(tx, row.rawBlob))
      await updateUnversioned(tx, row, { contentHash })
      return contentHash
    } catch (error) {
      if (isTemporary(error)) throw error
      return row.rawBlob
    }
  }

  const hasSameContent = async (
    tx: Db,
    row: EmailRecord,
    { content, contentHash, attachments }: FiledMessage,
  ): Promise<boolean> => {
    const known = await readContentHash(tx, row)
    if (known !== null && contentHash !== null) return known === contentHash
    // One of them has no message: an email that was created from fields, or a large one that was not fetched.
    if (row.unreadable !== null || contentHash === null) return true
    const whole = await findWhole(tx, row.userId, row.id)
    const files = await listAttachments(tx, row.userId, row.id)
    return (
      foldSpaces(whole?.text ?? '') === foldSpaces(content.text) &&
      files.map(({ blob }) => blob).join() === attachments.map(({ blob }) => blob?.hash).join()
    )
  }

  const findSame = async (
    tx: Db,
    { userId, accountId, folder, isImported = false, listCandidates }: Omit<Arrival, 'raw'>,
    staged: FiledMessage,
  ): Promise<EmailRecord | undefined> => {
    const { messageId } = staged.message
    const known =
      messageId === null
        ? await findEmails(tx, userId, (await listCandidates?.()) ?? [])
        : await findByMessageId(tx, userId, messageId)
    const rows = known.filter((row) => isImported || row.accountId === accountId)
    const identical = rows.find((row) => hasSameBytes(row, staged))
    if (identical) return identical
    const alike = rows.filter((row) => hasSameFields(row, staged))
    for (const row of alike) if (await hasSameContent(tx, row, staged)) return row
    // Some servers write the message anew when they store it in the sent folder.
    return folder === 'sent' ? alike.find(awaitsSentCopy) : undefined
  }

  const insert = (
    tx: Db,
    { staged: { message, content, contentHash, attachments, raw }, unreadable }: Staged,
    arrival: Omit<Arrival, 'raw'>,
  ) =>
    writer.insert(
      tx,
      {
        ...message,
        ...pickFlags(arrival),
        ...NO_REMINDERS,
        content,
        contentHash,
        attachments,
        raw,
        tags: [...(arrival.tags ?? [])].slice(0, MAX_TAGS),
        ...(unreadable && { unreadable }),
        userId: arrival.userId,
        accountId: arrival.accountId,
        folder: arrival.folder,
        folderId: arrival.folderId ?? null,
        date: message.date?.toISOString() ?? arrival.receivedAt,
      },
      {
        arrivedAt: arrival.isNew && !unreadable ? arrival.receivedAt : null,
        isImported: arrival.isImported ?? false,
      },
    )

  const change = async (
    tx: Db,
    userId: number,
    id: number,
    input: Partial<NewEmailRow>,
  ): Promise<boolean> => {
    const row = await lockEmail(tx, userId, id)
    if (!row) return false
    if (Object.entries(input).some(([name, value]) => row[name as keyof EmailRecord] !== value))
      await updateEmail(tx, row, input, clock.now().toISOString())
    return true
  }

  return {
    /**
     * Parses a message and stages its bytes, outside the transaction that files it. Returns undefined for mail
     * sent by the service itself, which is not stored.
     */
    read: async (raw: Buffer, place?: MessagePlace): Promise<ReadMessage | undefined> =>
      (await systemMail.recognises(raw, place)) ? undefined : parse(raw),

    /** Stages the bytes of an unreadable message. Its email is marked as unreadable, and no rules apply. */
    async stageUnreadable(
      message: UnreadableMessage,
      place?: MessagePlace,
    ): Promise<ReadMessage | undefined> {
      const bytes = message.raw ?? message.head
      if (bytes && (await systemMail.recognises(bytes, place))) return undefined
      return stageUnreadable(message)
    },

    /** Stores the bytes of many messages at once. `file` of each must follow in the same transaction. */
    placeAll: (tx: Db, messages: readonly ReadMessage[]): Promise<void> =>
      blobs.placeAll(
        tx,
        messages.flatMap((message) => {
          const { raw, attachments } = (message as Staged).staged
          return [...(raw ? [raw] : []), ...attachments.flatMap(({ blob }) => blob ?? [])]
        }),
      ),

    /**
     * Files a message. If the account already has the same message, `created` is false and nothing changes. Two messages
     * are the same if Message-ID, subject, sender and date are equal, and so are bodies and attachments.
     */
    async file(tx: Db, arrival: Arrival): Promise<Filed> {
      if (Buffer.isBuffer(arrival.raw)) await systemMail.refuse(arrival.raw)
      const message = Buffer.isBuffer(arrival.raw) ? await parse(arrival.raw) : (arrival.raw as Staged)
      const { staged } = message
      try {
        const same = await findSame(tx, arrival, staged)
        if (same) {
          await staged.discard()
          return { id: same.id, created: false, ruled: undefined }
        }
        const email = toFiledEmail(await insert(tx, message, arrival))
        const { folder, folderId = null, tags = [] } = arrival
        const arrived = { ...email, ...pickFlags(arrival), folder, folderId, tags: [...tags] }
        const ruled = changeBetween(arrived, email)
        return { id: email.id, created: true, ruled }
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    /** Returns false if the email does not exist, as the following methods. */
    setFlags: (tx: Db, userId: number, id: number, flags: Partial<EmailFlags>): Promise<boolean> =>
      change(tx, userId, id, toFlagColumns(flags)),

    /** Tags are compared without case. */
    async changeTags(
      tx: Db,
      userId: number,
      id: number,
      { add, remove }: { add: readonly string[]; remove: readonly string[] },
    ): Promise<boolean> {
      const row = await lockEmail(tx, userId, id)
      if (!row) return false
      const before = JSON.parse(row.tags) as string[]
      const kept = findMissingTags(remove, before)
      const free = Math.max(0, MAX_TAGS - kept.length)
      const tags = [...kept, ...findMissingTags(kept, add).slice(0, free)]
      if (tags.length === before.length && kept.length === before.length) return true
      const changed = await updateEmail(tx, row, { tags: JSON.stringify(tags) }, clock.now().toISOString())
      await replaceTags(tx, changed, tagKeys(tags))
      return true
    },

    /** Without `folderId`, the email has no folder on its server. */
    async move(
      tx: Db,
      userId: number,
      id: number,
      folder: Folder,
      folderId: number | null = null,
    ): Promise<boolean> {
      const row = await lockEmail(tx, userId, id)
      // A draft that was sent. Other mail was counted when it was stored.
      if (row?.folder === 'drafts' && folder === 'sent') {
        await contacts.record(tx, userId, toSentMail(row, clock.now().toISOString()))
        for (const mails of mailQueues) await mails.queue(tx, userId, { ...row, folder, isBulk: false })
      }
      const isMoved = row !== undefined && row.folder !== folder
      return change(tx, userId, id, { folder, folderId, otherFolders: null, ...(isMoved && NOT_RETURNED) })
    },

    /** Sets all folders of the server that contain the email. */
    async setFolders(tx: Db, userId: number, id: number, places: readonly Place[]): Promise<boolean> {
      const row = await lockEmail(tx, userId, id)
      const columns = row && toPlaceColumns(places, row.folderId)
      if (!columns) return false
      return change(tx, userId, id, { ...columns, ...(row.folder !== columns.folder && NOT_RETURNED) })
    },

    async remove(tx: Db, userId: number, id: number): Promise<boolean> {
      const row = await lockEmail(tx, userId, id)
      if (row) await writer.erase(tx, row)
      return row !== undefined
    },

    hold: holdEmail,

    async find(db: Db, userId: number, id: number): Promise<FiledEmail | undefined> {
      const row = await findEmail(db, userId, id)
      return row && toFiledEmail(row)
    },

    /** Sets `delivery` of the email. Without `sendAt`, the stored time is kept. */
    setDelivery: (
      tx: Db,
      userId: number,
      id: number,
      delivery: { status: string; error: string | null; sendAt?: string },
    ): Promise<boolean> =>
      change(tx, userId, id, {
        deliveryStatus: delivery.status,
        deliveryError: delivery.error,
        ...(delivery.sendAt !== undefined && { deliveryAt: delivery.sendAt }),
      }),

    /** Stores the sent message and its id. */
    async setRaw(tx: Db, userId: number, id: number, raw: Buffer, messageId: string): Promise<boolean> {
      const staged = await blobs.stage(raw)
      try {
        const row = await lockEmail(tx, userId, id)
        if (!row) {
          await staged.discard()
          return false
        }
        await blobs.keep(tx, staged)
        const columns = { rawBlob: staged.hash, contentHash: null, messageId }
        await trackEmailSize(tx, row, () => updateEmail(tx, row, columns, clock.now().toISOString()))
        await rejoinThread(tx, { ...row, messageId })
        if (row.rawBlob !== null && row.rawBlob !== staged.hash) await blobs.release(tx, [row.rawBlob])
        return true
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    /** Returns the raw message as received or sent, or undefined if none is stored. */
    async readRaw(db: Db, userId: number, id: number): Promise<Buffer | undefined> {
      const row = await findEmail(db, userId, id)
      return row?.rawBlob ? blobs.readWhole(db, row.rawBlob) : undefined
    },

    /** Call this when the position of the message on the server is known. */
    async notifyLocalChange(tx: Db, localChange: LocalChange): Promise<void> {
      for (const listener of listeners) await listener(tx, localChange)
    },

    /** Registers a listener at startup, before any change. */
    onLocalChange: (listener: LocalChangeListener): void => void listeners.push(listener),
  }
}
