import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { isTemporary, toUnreadableReason } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../platform/log.ts'
import {
  type EmailRecord,
  listUnreadable,
  lockEmail,
  setReadAttempts,
  setUnreadable,
} from './email-repository.ts'
import type { EmailWriter, StagedMessage } from './email-writer.ts'

const JOB = 'read-unreadable-mail'
const BATCH_SIZE = 100
/** More unfinished attempts mean that the message crashes the process. This version does not try again. */
const MAX_ATTEMPTS = 2

type EmailKey = Pick<EmailRecord, 'id' | 'userId'>

export interface UnreadableEmailsDeps {
  db: Db
  blobs: Blobs
  writer: EmailWriter
  jobs: Jobs
  log: Logger
  /** Version of the service. */
  version: string
}

/** Parses messages again that an earlier version of the service could not parse. */
export const createUnreadableEmails = (deps: UnreadableEmailsDeps) => {
  const { db, blobs, writer, jobs, log, version } = deps

  const isPending = (email: EmailRecord | undefined): email is EmailRecord & { rawBlob: string } =>
    email !== undefined &&
    email.unreadable !== null &&
    email.rawBlob !== null &&
    email.readerVersion !== version

  /**
   * Counts the attempt before the message is parsed. Otherwise a message that crashes the process would be
   * retried forever.
   */
  const beginReading = ({ id, userId }: EmailKey): Promise<string | undefined> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, userId, id)
      if (!isPending(email)) return undefined
      if (email.readAttempts >= MAX_ATTEMPTS) {
        await setUnreadable(tx, email, { readerVersion: version })
        return undefined
      }
      await setReadAttempts(tx, email, email.readAttempts + 1)
      return email.rawBlob
    })

  /** Replaces the placeholder text by the parsed content. Flags, tags and folder stay unchanged. */
  const replaceContent = ({ id, userId }: EmailKey, staged: StagedMessage): Promise<void> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, userId, id)
      if (isPending(email)) await writer.replaceContent(tx, email, staged)
    })

  const recordFailure = ({ id, userId }: EmailKey, reason: string): Promise<void> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, userId, id)
      if (!isPending(email)) return
      await setUnreadable(tx, email, {
        unreadable: JSON.stringify({ reason, hasRaw: true }),
        readerVersion: version,
      })
    })

  const readAgain = async (key: EmailKey): Promise<void> => {
    const rawBlob = await beginReading(key)
    if (rawBlob === undefined) return
    try {
      const staged = await writer.stage(await blobs.readWhole(db, rawBlob))
      try {
        await replaceContent(key, staged)
      } finally {
        // The attachments are stored now. The raw message was stored before.
        await staged.discard()
      }
    } catch (error) {
      if (isTemporary(error)) {
        await setReadAttempts(db, key, 0).catch((err: unknown) =>
          log.warn({ err, emailId: key.id }, 'could not revert the count of an attempt to read a message'),
        )
        throw error
      }
      log.warn({ err: error, emailId: key.id }, 'message still cannot be read')
      await recordFailure(key, toUnreadableReason(error))
    }
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({}),
    async run(_payload, { signal }) {
      for (let after = 0; ; ) {
        const keys = await listUnreadable(db, version, { after, limit: BATCH_SIZE })
        for (const key of keys) {
          signal.throwIfAborted()
          await readAgain(key)
        }
        const last = keys.at(-1)
        if (last === undefined) return
        after = last.id
      }
    },
  })

  return {
    /** Call at startup. Queues a job for the messages that an earlier version could not parse. */
    async requestReading(): Promise<void> {
      if ((await listUnreadable(db, version, { after: 0, limit: 1 })).length === 0) return
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, {}, { key: version }))
    },
  }
}
