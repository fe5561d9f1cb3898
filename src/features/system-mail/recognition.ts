import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { transactionOr } from '../../database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import type { MailSignature, SignedMail } from '../../platform/secrets/signatures.ts'
import type { ResetSearch } from '../auth/password-reset.ts'

/** True if a notification was sent with this Message-ID. */
const isNoticeId = async (db: Db, messageId: string): Promise<boolean> => {
  const notice = await db
    .selectFrom('notification_mails')
    .select('id')
    .where('messageId', '=', messageId)
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return notice !== undefined
}

/** The location of a message on a mail server. */
export interface MessagePlace {
  accountId: string
  /** True in the folder for sent mail. */
  isSent: boolean
}

/**
 * Recognizes mail that the service itself sent: password resets, invitations to register and notifications. Such mail is never stored,
 * so that no token, tool, export or webhook can read a reset link.
 */
export interface SystemMail {
  /** Checks a whole message (RFC 5322) as bytes. It need not be well-formed. */
  recognises(raw: Buffer, place?: MessagePlace): Promise<boolean>
  /** Rejects a message that a client wants to store (409). */
  refuse(raw: Buffer): Promise<void>
  /** Checks a message that is given as fields. */
  recognisesFields(fields: MessageFields): Promise<boolean>
  refuseFields(fields: MessageFields): Promise<void>
}

export interface MessageFields {
  messageId?: string | null | undefined
  texts: readonly string[]
}

/** Signatures are in the header, or near the beginning of a returned message. */
const SEARCHED = 512 * 1024

const readTop = (raw: Buffer): string => {
  const text = raw.toString('latin1', 0, Math.min(raw.length, SEARCHED))
  // Quoted-printable breaks long lines in returned and forwarded messages.
  return text.replace(/^[\r\n]+/, '').replace(/=\r?\n/g, '')
}

const cutHeader = (text: string): string => text.slice(0, text.search(/\r?\n\r?\n|$(?![\s\S])/))

/** RFC 3462: the format of bounces, which return the message or its header. */
const isReport = (header: string): boolean => /^content-type:\s*multipart\/report\b/im.test(header)

const readMessageId = (header: string): string | undefined =>
  /^message-id:\s*<?([^\s<>\0]{1,500})>?/im.exec(header)?.[1]

const refusal = () =>
  conflict(
    'Factotum sent this message itself (a password reset, an invitation or a notification) and does not store its own mail. Remove it from your request.',
    'system_mail',
  )

export const createSystemMail = (deps: {
  db: Db
  signature: MailSignature
  resets: ResetSearch
}): SystemMail => {
  const { db, signature, resets } = deps

  const findSignatures = (top: string, header: string): SignedMail[] => {
    const inHeader = signature.find(header)
    const anywhere = signature.find(top)
    // A person may attach a notification to their own mail. A reset link is withheld wherever it occurs.
    return isReport(header) ? anywhere : [...inHeader, ...anywhere.filter(({ kind }) => kind === 'reset')]
  }

  const recognises = async (raw: Buffer, place?: MessagePlace): Promise<boolean> => {
    const top = readTop(raw)
    const header = cutHeader(top)
    const signed = findSignatures(top, header)
    const found = await resets.find(raw)
    const resetHashes = [...signed.filter(({ kind }) => kind === 'reset').map(({ id }) => id), ...found]
    if (place && !place.isSent && resetHashes.length > 0)
      await resets.markWithheld(resetHashes, place.accountId)
    if (signed.length + found.length > 0) return true
    const messageId = readMessageId(header)
    return messageId !== undefined && (await isNoticeId(transactionOr(db), messageId))
  }

  const recognisesFields = async ({ messageId, texts }: MessageFields): Promise<boolean> => {
    const content = texts.join('\n\n')
    if (signature.find(content).some(({ kind }) => kind === 'reset')) return true
    if ((await resets.find(Buffer.from(content, 'utf8'))).length > 0) return true
    const id = messageId?.trim().replace(/^<|>$/g, '')
    return id !== undefined && id !== '' && (await isNoticeId(transactionOr(db), id))
  }

  return {
    recognises,
    recognisesFields,

    async refuse(raw) {
      if (await recognises(raw)) throw refusal()
    },

    async refuseFields(fields) {
      if (await recognisesFields(fields)) throw refusal()
    },
  }
}
