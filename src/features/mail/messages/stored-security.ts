import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { SECURITY_VERSION } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { isTemporary } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../platform/log.ts'
import { listUncheckedEmails, lockEmail, setSecurityVersion } from './email-repository.ts'
import type { EmailWriter } from './email-writer.ts'

const JOB = 'check-stored-signatures'
const BATCH_SIZE = 50

type UncheckedEmail = Awaited<ReturnType<typeof listUncheckedEmails>>[number]

export interface StoredSecurityDeps {
  db: Db
  blobs: Blobs
  writer: EmailWriter
  jobs: Jobs
  log: Logger
}

/** Reads signed and encrypted mail again that was stored before signatures were checked. */
export const createStoredSecurity = ({ db, blobs, writer, jobs, log }: StoredSecurityDeps) => {
  const stage = async ({ id, rawBlob, unreadable }: UncheckedEmail) => {
    // Another job reads unreadable mail again.
    if (rawBlob === null || unreadable !== null) return undefined
    try {
      return await writer.stage(await blobs.readWhole(db, rawBlob))
    } catch (error) {
      if (isTemporary(error)) throw error
      log.warn({ err: error, emailId: id }, 'could not check the signature of a stored email')
      return undefined
    }
  }

  const check = async (unchecked: UncheckedEmail): Promise<void> => {
    const staged = await stage(unchecked)
    try {
      await inTransaction(db, async (tx) => {
        const email = await lockEmail(tx, unchecked.userId, unchecked.id)
        if (!email) return
        const isSecured = staged !== undefined && staged.message.security !== null
        // An edited draft no longer has its raw message.
        if (isSecured && email.rawBlob === unchecked.rawBlob) await writer.replaceContent(tx, email, staged)
        await setSecurityVersion(tx, email)
      })
    } finally {
      await staged?.discard()
    }
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({}),
    /** Each checked email leaves the list, so a restarted job continues where the last one stopped. */
    async run(_payload, { signal }) {
      for (;;) {
        const batch = await listUncheckedEmails(db, BATCH_SIZE)
        if (batch.length === 0) return
        for (const unchecked of batch) {
          signal.throwIfAborted()
          await check(unchecked)
        }
      }
    },
  })

  return {
    /** Call at startup. Queues the job if there is unchecked mail. */
    async requestChecking(): Promise<void> {
      if ((await listUncheckedEmails(db, 1)).length === 0) return
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, {}, { key: String(SECURITY_VERSION) }))
    },
  }
}
