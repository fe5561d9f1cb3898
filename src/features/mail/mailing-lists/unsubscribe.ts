import type { Db } from '../../../database/db.ts'
import type { UnsubscriptionRow } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, conflict, notFound } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { getEmail, hasAccount } from '../messages/email-repository.ts'
import { isMarkedAsSpam } from '../mime/authentication.ts'
import { type HeaderField, readHead } from '../mime/header-fields.ts'
import { listUnsubscribeMethods, readMailingList, type UnsubscribeMethod } from '../mime/list-fields.ts'
import type { Outbox } from '../outbox/outbox.ts'
import {
  listUnsubscriptions,
  saveUnsubscription,
  setUnsubscriptionMail,
  type UnsubscriptionRecord,
} from './repository.ts'
import type { UnsubscribeBody, UnsubscribeOptions, UnsubscribeResponse, Unsubscription } from './schema.ts'

/** Unsent mail is never deleted. A missing unsubscribe email was therefore sent. */
const toStatus = ({ by, deliveryStatus }: UnsubscriptionRecord): Unsubscription['status'] =>
  by === 'one-click' ? 'accepted' : ((deliveryStatus ?? 'sent') as Unsubscription['status'])

export const toUnsubscription = (row: UnsubscriptionRecord): Unsubscription => ({
  at: row.at,
  by: row.by,
  to: row.recipient,
  status: toStatus(row),
  emailId: row.emailId,
})

/** Whether the list never received the request. */
const hasFailed = ({ status }: Unsubscription): boolean => status === 'failed' || status === 'cancelled'

/** RFC 8058, section 3.2. */
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const TIMEOUT_MS = 10_000
/** The response body is discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024

export interface UnsubscriberNeeds {
  outbox: Pick<Outbox, 'send'>
  isPhishing: (userId: number, emailId: number) => Promise<boolean>
}

export type Unsubscriber = ReturnType<typeof createUnsubscriber>

type RefusalCode = NonNullable<UnsubscribeOptions['refusalCode']>

const REFUSALS: Readonly<Record<RefusalCode, string>> = {
  spam: 'Your mail server marked this email as spam: a reply would only confirm your address to the sender.',
  phishing:
    'The sender of this email may be forged: a reply would only confirm your address to the sender. Delete the email instead.',
}

const toRecipient = (method: UnsubscribeMethod): string =>
  method.by === 'mail' ? method.address : new URL(method.url).host

/** Unsubscribes from mailing lists with the methods that their messages name. */
export const createUnsubscriber = (
  { db, clock, blobs, outbound }: Pick<Platform, 'db' | 'clock' | 'blobs' | 'outbound'>,
  { outbox, isPhishing }: UnsubscriberNeeds,
) => {
  const findUnsubscription = async (
    view: Db,
    userId: number,
    listId: string,
  ): Promise<Unsubscription | undefined> => {
    const [row] = await listUnsubscriptions(view, userId, [listId])
    return row && toUnsubscription(row)
  }

  /**
   * Reads the list fields from the raw header. They may contain a secret of the recipient, so they are stored
   * nowhere else.
   */
  const readList = async (userId: number, id: number) => {
    const email = await getEmail(db, userId, id)
    const fields = email.rawBlob === null ? [] : await readHead(db, blobs, email.rawBlob)
    const list = readMailingList(fields, email.fromAddress)
    if (!list) throw notFound('mailing list: this email does not belong to one')
    return { email, fields, list, methods: listUnsubscribeMethods(fields) }
  }

  const findRefusal = async (
    userId: number,
    id: number,
    fields: readonly HeaderField[],
  ): Promise<RefusalCode | null> => {
    if (isMarkedAsSpam(fields)) return 'spam'
    return (await isPhishing(userId, id)) ? 'phishing' : null
  }

  /** RFC 8058: sends exactly this body without cookies, and does not follow redirects. */
  const sendOneClick = async (url: string): Promise<void> => {
    const { host } = new URL(url)
    try {
      const response = await outbound.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: ONE_CLICK,
        trust: 'content',
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_RESPONSE_BYTES,
        maxRedirects: 0,
      })
      response.discard()
      if (response.status < 200 || response.status > 299)
        throw new AppError(
          'upstream',
          'upstream_failed',
          `${host} rejected the request with status ${response.status}. You are still subscribed.`,
        )
    } catch (error) {
      // The URL comes from the email, not from the caller. It must not be reported as invalid input.
      if (error instanceof AppError && error.kind === 'invalid')
        throw conflict(`No request was sent to ${host}: ${error.message}`)
      throw error
    }
  }

  const sendUnsubscribeMail = async (
    method: Extract<UnsubscribeMethod, { by: 'mail' }>,
    { userId, accountId }: { userId: number; accountId: string | null },
    tx: Db,
  ): Promise<number> => {
    if (accountId !== null && !(await hasAccount(tx, userId, accountId)))
      throw conflict(
        'The unsubscribe email must come from the account that received the list, but that account was removed.',
        'not_configured',
      )
    const { address, subject, text } = method
    const { id } = await outbox.send(userId, {
      ...(accountId !== null && { accountId }),
      to: [address],
      subject,
      text,
    })
    return id
  }

  return {
    /** The unsubscribe methods of an email's list, and the status of an earlier request. */
    async methods(userId: number, id: number): Promise<UnsubscribeOptions> {
      const { fields, list, methods } = await readList(userId, id)
      const refusalCode = await findRefusal(userId, id, fields)
      return {
        ...list,
        refusal: refusalCode && REFUSALS[refusalCode],
        refusalCode,
        unsubscribed: (await findUnsubscription(db, userId, list.id)) ?? null,
        ways:
          refusalCode === null
            ? methods.map((method) => ({
                by: method.by,
                to: toRecipient(method),
                url: method.by === 'page' ? method.url : null,
              }))
            : [],
      }
    },

    /** Sends one request. Repeats it only if `again` is set or the previous one failed. */
    async leave(
      userId: number,
      id: number,
      { by, again = false }: UnsubscribeBody,
    ): Promise<UnsubscribeResponse> {
      const { email, fields, list, methods } = await readList(userId, id)
      const before = await findUnsubscription(db, userId, list.id)
      if (before && !hasFailed(before) && !again && by !== 'page') return { ...before, url: null }
      const refusal = await findRefusal(userId, id, fields)
      if (refusal !== null) throw conflict(REFUSALS[refusal])
      const method = by === undefined ? methods[0] : methods.find((each) => each.by === by)
      if (!method)
        throw conflict(`This mailing list offers no method to unsubscribe${by ? ` by ${by}` : ''}.`)
      const to = toRecipient(method)
      if (method.by === 'page')
        return { by: 'page', status: 'page', to, url: method.url, at: null, emailId: null }
      if (method.by === 'one-click') await sendOneClick(method.url)
      return inTransaction(db, async (tx) => {
        const at = clock.now().toISOString()
        const row: UnsubscriptionRow = {
          userId,
          listId: list.id,
          at,
          by: method.by,
          recipient: to,
          emailId: null,
        }
        // Only one of several concurrent requests saves the row and sends the mail.
        const isFirst = await saveUnsubscription(tx, row, before?.at)
        if (isFirst && method.by === 'mail')
          await setUnsubscriptionMail(tx, row, await sendUnsubscribeMail(method, email, tx))
        return { ...((await findUnsubscription(tx, userId, list.id)) as Unsubscription), url: null }
      })
    },
  }
}
