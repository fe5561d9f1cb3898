import { inTransaction } from '../../../../database/transaction.ts'
import { AppError, isTemporary, toUnreadableReason } from '../../../../platform/errors.ts'
import { keepBody } from '../../../../platform/kept-body.ts'
import { countUnreadable } from '../repository.ts'
import { saveUnreadable } from './repository.ts'
import type { Session } from './session.ts'

type SyncContext = Pick<Session, 'db' | 'clock' | 'log' | 'accountId' | 'readerVersion' | 'signal'>

/** Above this number, only the reason is stored: a server may have any number of such objects. */
const MAX_BODIES = 500

export interface UnreadableObject {
  calendarId: number
  /** The href of an object, or the UID of an event in a file. */
  name: string
  etag: string
  body: string
}

/**
 * Whether the error is about the content. A `not_found` error means that the account was removed meanwhile.
 */
const isContentError = (error: unknown, signal: AbortSignal): boolean =>
  !signal.aborted && !isTemporary(error) && !(error instanceof AppError && error.kind === 'not_found')

/** Stores an object that could not be parsed with the reason, and replaces its previous row. */
export const recordUnreadable = async (
  context: SyncContext,
  object: UnreadableObject,
  reason: string,
): Promise<void> => {
  const { db, clock, accountId, readerVersion } = context
  const { body, ...rest } = object
  await inTransaction(db, async (tx) => {
    const kept = keepBody(body)
    await saveUnreadable(tx, {
      ...rest,
      accountId,
      reason,
      body: (await countUnreadable(tx, accountId)) < MAX_BODIES ? kept.body : null,
      size: kept.size,
      readerVersion,
      failedAt: clock.now().toISOString(),
    })
  })
}

/**
 * Processes items as one batch. If their content causes an error, processes them one by one. An item that
 * fails is stored as unreadable, so that it does not block the others.
 */
export const storeOrRecord = async <T>(
  context: SyncContext,
  items: readonly T[],
  take: (items: readonly T[]) => Promise<void>,
  describe: (item: T) => UnreadableObject,
): Promise<void> => {
  try {
    await take(items)
  } catch (error) {
    if (!isContentError(error, context.signal)) throw error
    const [only] = items
    if (items.length > 1) for (const item of items) await storeOrRecord(context, [item], take, describe)
    else if (only !== undefined) {
      const object = describe(only)
      context.log.warn({ err: error, object: object.name }, 'a calendar object could not be stored')
      await recordUnreadable(context, object, toUnreadableReason(error))
    }
  }
}
