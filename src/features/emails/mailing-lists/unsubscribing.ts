import type { Db } from '../../../database/db.ts'
import type { UnsubscriptionRow } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, conflict, notFound } from '../../../platform/errors.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { Outbox } from '../../mail-accounts/outbox/outbox.ts'
import { isMarkedAsSpam } from '../mime/authentication.ts'
import type { HeaderField } from '../mime/header-fields.ts'
import { mailingListOf, type WayOut, waysOutOf } from '../mime/list-fields.ts'
import { findEmail, hasAccount } from '../store.ts'
import { readHead } from './heads.ts'
import type { UnsubscribeAnswer, UnsubscribeBody, Unsubscription, WaysOut } from './schema.ts'
import { listUnsubscriptions, saveUnsubscription, setUnsubscriptionMail } from './store.ts'
import { hasFailed, unsubscriptionOf } from './unsubscriptions.ts'

/** RFC 8058, 3.2. */
const ONE_CLICK = 'List-Unsubscribe=One-Click'
const PATIENCE_MS = 10_000
/** Nobody reads what they answer. */
const LARGEST_ANSWER = 64 * 1024

export interface UnsubscribingDeps {
  db: Db
  clock: Clock
  blobs: Blobs
  outbound: Outbound
  outbox: Pick<Outbox, 'send'>
  isPhishing: (emailId: number) => Promise<boolean>
}

export type Unsubscribing = ReturnType<typeof createUnsubscribing>

const toldTo = (way: WayOut): string => (way.by === 'mail' ? way.address : new URL(way.url).host)

/** Leaving mailing lists, the way that their mails say. */
export const createUnsubscribing = (deps: UnsubscribingDeps) => {
  const { db, clock, blobs, outbound, outbox, isPhishing } = deps

  const find = async (view: Db, listId: string): Promise<Unsubscription | undefined> => {
    const [row] = await listUnsubscriptions(view, [listId])
    return row && unsubscriptionOf(row)
  }

  /** By its header as it came: what stands there is a secret between the list and the person, and kept nowhere else. */
  const look = async (id: number) => {
    const email = await findEmail(db, id)
    if (!email) throw notFound('e-mail')
    const fields = email.rawBlob === null ? [] : await readHead(db, blobs, email.rawBlob)
    const list = mailingListOf(fields, email.fromAddress)
    if (!list) throw notFound('mailing list: this e-mail did not come by one')
    return { email, fields, list, ways: waysOutOf(fields) }
  }

  const refusalOf = async (id: number, fields: readonly HeaderField[]): Promise<string | null> => {
    const shy = 'an answer would only tell its sender that somebody reads it.'
    if (isMarkedAsSpam(fields)) return `Your mail server takes this e-mail for spam: ${shy}`
    return (await isPhishing(id))
      ? `This e-mail may only pretend to come from where it says: ${shy} Delete it instead.`
      : null
  }

  /** RFC 8058: nothing but these words, no cookies; a redirect is no answer. */
  const askServer = async (url: string): Promise<void> => {
    const { host } = new URL(url)
    try {
      const answer = await outbound.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: ONE_CLICK,
        trust: 'content',
        ...{ timeoutMs: PATIENCE_MS, maxBytes: LARGEST_ANSWER, maxRedirects: 0 },
      })
      answer.discard()
      if (answer.status < 200 || answer.status > 299)
        throw new AppError(
          'upstream',
          'upstream_failed',
          `${host} did not take it: it answered with status ${answer.status}. You are still on the list.`,
        )
    } catch (error) {
      // The address is the mail's, not the caller's.
      if (error instanceof AppError && error.kind === 'invalid')
        throw conflict(`${host} is not asked: ${error.message}`)
      throw error
    }
  }

  const write = async (
    way: Extract<WayOut, { by: 'mail' }>,
    accountId: string | null,
    tx: Db,
  ): Promise<number> => {
    if (accountId !== null && !(await hasAccount(tx, accountId)))
      throw conflict(
        'This list is left by mail from the account that it wrote to, which is no longer here.',
        'not_configured',
      )
    const { address, subject, text } = way
    const { id } = await outbox.send({
      ...(accountId !== null && { accountId }),
      ...{ to: [address], subject, text },
    })
    return id
  }

  return {
    /** How the list that an e-mail came by is left, and whether it has been. */
    async ways(id: number): Promise<WaysOut> {
      const { fields, list, ways } = await look(id)
      const refusal = await refusalOf(id, fields)
      return {
        ...list,
        ...{ refusal, unsubscribed: (await find(db, list.id)) ?? null },
        ways:
          refusal === null
            ? ways.map((way) => ({ by: way.by, to: toldTo(way), url: way.by === 'page' ? way.url : null }))
            : [],
      }
    },

    /** Once, unless it is asked for again or came to nothing. */
    async leave(id: number, { by, again = false }: UnsubscribeBody): Promise<UnsubscribeAnswer> {
      const { email, fields, list, ways } = await look(id)
      const before = await find(db, list.id)
      if (before && !hasFailed(before) && !again && by !== 'page') return { ...before, url: null }
      const refusal = await refusalOf(id, fields)
      if (refusal !== null) throw conflict(refusal)
      const way = by === undefined ? ways[0] : ways.find((one) => one.by === by)
      if (!way) throw conflict(`This mailing list does not say how to leave it${by ? ` by ${by}` : ''}.`)
      const to = toldTo(way)
      if (way.by === 'page')
        return { ...{ by: 'page', status: 'page', to, url: way.url }, at: null, emailId: null }

      if (way.by === 'one-click') await askServer(way.url)
      return inTransaction(db, async (tx) => {
        const at = clock.now().toISOString()
        const row: UnsubscriptionRow = { listId: list.id, at, by: way.by, toldTo: to, emailId: null }
        // Whoever asked at the same moment has told the list already.
        const isFirst = await saveUnsubscription(tx, row, before?.at)
        if (isFirst && way.by === 'mail')
          await setUnsubscriptionMail(tx, list.id, await write(way, email.accountId, tx))
        return { ...((await find(tx, list.id)) as Unsubscription), url: null }
      })
    },
  }
}
