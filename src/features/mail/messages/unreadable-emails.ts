import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { isTemporary, toUnreadableReason } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type EmailRecord, listUnreadable, lockEmail, updateUnversioned } from './email-repository.ts'
import type { EmailWriter } from './email-writer.ts'

const JOB = 'read-unreadable-mail'
const BATCH_SIZE = 100
/** More unfinished attempts mean that the message crashes the process. This version does not try again. */
const MAX_ATTEMPTS = 2

type EmailKey = Pick<EmailRecord, 'id' | 'userId'>

/** Parses messages again that an earlier version of the service could not parse. `version` is that of the service. */
export const createUnreadableEmails = (
  { db, blobs, jobs, log }: Pick<Platform, 'db' | 'blobs' | 'jobs' | 'log'>,
  { writer, version }: { writer: EmailWriter; version: string },
) => {
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
        await updateUnversioned(tx, email, { readerVersion: version, readAttempts: 0 })
        return undefined
      }
      await updateUnversioned(tx, email, { readAttempts: email.readAttempts + 1 })
      return email.rawBlob
    })

  const changePending = (
    { id, userId }: EmailKey,
    change: (tx: Db, email: EmailRecord) => Promise<void>,
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, userId, id)
      if (isPending(email)) await change(tx, email)
    })

  const readAgain = async (key: EmailKey): Promise<void> => {
    const rawBlob = await beginReading(key)
    if (rawBlob === undefined) return
    try {
      const staged = await writer.stage(await blobs.readWhole(db, rawBlob))
      try {
        // Flags, tags and folder stay unchanged.
        await changePending(key, (tx, email) => writer.replaceContent(tx, email, staged))
      } finally {
        // The attachments are stored now. The raw message was stored before.
        await staged.discard()
      }
    } catch (error) {
      if (isTemporary(error)) {
        await updateUnversioned(db, key, { readAttempts: 0 }).catch((err: unknown) =>
          log.warn({ err, emailId: key.id }, 'could not revert the count of an attempt to read a message'),
        )
        throw error
      }
      log.warn({ err: error, emailId: key.id }, 'message still cannot be read')
      const unreadable = JSON.stringify({ reason: toUnreadableReason(error), hasRaw: true })
      await changePending(key, (tx, email) =>
        updateUnversioned(tx, email, { unreadable, readerVersion: version, readAttempts: 0 }),
      )
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
