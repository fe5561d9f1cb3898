import { inTransaction } from '../../../database/transaction.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepBody } from '../../../platform/kept-body.ts'
import { isTemporary } from '../../../platform/temporary-failure.ts'
import { toUnreadableReason } from '../../../platform/unreadable-reason.ts'
import { countUnreadable } from '../store.ts'
import type { Session } from './session.ts'
import { saveUnreadable } from './unreadable-store.ts'

type Here = Pick<Session, 'db' | 'clock' | 'log' | 'accountId' | 'readerVersion' | 'signal'>

/** Beyond these only the reason is kept: a server may hold any number of them. */
const MOST_BODIES = 500

export interface UnreadableObject {
  calendarId: number
  /** The address of an object; the uid of an event in a file. */
  name: string
  etag: string
  body: string
}

/** Whether a failure is about what was read. An account that is removed meanwhile is not found any more. */
const isAboutItem = (error: unknown, signal: AbortSignal): boolean =>
  !signal.aborted && !isTemporary(error) && !(error instanceof AppError && error.kind === 'not_found')

/** Stores what could not be read with the reason, in place of what was stored of it before. */
export const noteUnreadable = async (here: Here, object: UnreadableObject, reason: string): Promise<void> => {
  const { db, clock, accountId, readerVersion } = here
  const { body, ...rest } = object
  await inTransaction(db, async (tx) => {
    const kept = keepBody(body)
    await saveUnreadable(tx, {
      ...rest,
      accountId,
      reason,
      body: (await countUnreadable(tx, accountId)) < MOST_BODIES ? kept.body : null,
      size: kept.size,
      readerVersion,
      failedAt: clock.now().toISOString(),
    })
  })
}

/**
 * Takes items over together. When that fails because of what they hold, each is taken over by itself, and the one that
 * fails is stored as unreadable: it does not keep the others away.
 */
export const takeOrNote = async <T>(
  here: Here,
  items: readonly T[],
  take: (items: readonly T[]) => Promise<void>,
  describe: (item: T) => UnreadableObject,
): Promise<void> => {
  try {
    await take(items)
  } catch (error) {
    if (!isAboutItem(error, here.signal)) throw error
    const [only] = items
    if (items.length > 1) for (const item of items) await takeOrNote(here, [item], take, describe)
    else if (only !== undefined) {
      const object = describe(only)
      here.log.warn({ err: error, object: object.name }, 'a calendar object could not be taken over')
      await noteUnreadable(here, object, toUnreadableReason(error))
    }
  }
}
