import type { Db } from '../../database/db.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Arrival, FiledEmail, LocalChangeListener, MailFiling, ReadMessage } from './emails.ts'
import type { Filing, StagedMessage } from './filing.ts'
import { saveChange } from './saving.ts'
import { type EmailRecord, findByMessageId, findEmail, lockEmail } from './store.ts'

export const filedOf = (row: EmailRecord): FiledEmail => ({
  id: row.id,
  accountId: row.accountId,
  messageId: row.messageId,
  folder: row.folder,
  read: row.read === 1,
  starred: row.starred === 1,
})

interface Staged extends ReadMessage {
  readonly staged: StagedMessage
}

/** The same Message-ID and the same bytes; or, for servers that add to what they hand out, the same in what is read. */
const isSame = (row: EmailRecord, { message, raw }: StagedMessage): boolean =>
  row.rawBlob === raw.hash ||
  (row.subject === message.subject &&
    row.fromAddress === (message.from?.address ?? '') &&
    (message.date === null || row.date === message.date.toISOString()))

export interface MailFilingDeps {
  blobs: Blobs
  clock: Clock
  filing: Filing
  /** Who wants to hear of changes made here. */
  listeners: LocalChangeListener[]
}

/** The e-mails as a mailbox that is kept in step with a server uses them. */
export const createMailFiling = ({ blobs, clock, filing, listeners }: MailFilingDeps): MailFiling => {
  const read = async (raw: Buffer): Promise<Staged> => {
    const staged = await filing.stage(raw)
    return { messageId: staged.message.messageId, staged, discard: staged.discard }
  }

  const findSame = async (tx: Db, accountId: string | null, staged: StagedMessage) => {
    const { messageId } = staged.message
    if (messageId === null) return undefined
    const rows = await findByMessageId(tx, messageId)
    return rows.find((row) => row.accountId === accountId && isSame(row, staged))
  }

  const insert = (
    tx: Db,
    { message, content, attachments, raw }: StagedMessage,
    arrival: Omit<Arrival, 'raw'>,
  ) =>
    filing.insert(tx, {
      ...message,
      ...{ content, attachments, raw, tags: [] },
      accountId: arrival.accountId,
      folder: arrival.folder,
      read: arrival.read,
      starred: arrival.starred,
      date: message.date?.toISOString() ?? arrival.receivedAt,
    })

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
    read,

    async file(tx, arrival) {
      const { staged } = Buffer.isBuffer(arrival.raw) ? await read(arrival.raw) : (arrival.raw as Staged)
      try {
        const same = await findSame(tx, arrival.accountId, staged)
        if (same) {
          await staged.discard()
          return { id: same.id, created: false }
        }
        const { id } = await insert(tx, staged, arrival)
        return { id, created: true }
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

    onLocalChange: (listener) => void listeners.push(listener),
  }
}
