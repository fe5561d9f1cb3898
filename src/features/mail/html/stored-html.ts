import Type from 'typebox'
import { trackEmailSize } from '../../../database/account-storage.ts'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { HTML_VERSION } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { isTemporary } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { listAttachments } from '../messages/attachment-repository.ts'
import { type EmailRecord, lockEmail, updateEmail } from '../messages/email-repository.ts'
import type { MailReader } from '../messages/mail-reader.ts'
import { TRUNCATION_NOTE } from './sanitizer.ts'

const JOB = 'sanitize-stored-mail'
const BATCH_SIZE = 50

/** Lists emails whose HTML an older version of the sanitizer wrote. */
const listOldHtml = (db: Db, limit: number) =>
  db
    .selectFrom('email_bodies')
    .innerJoin('emails', 'emails.id', 'email_bodies.emailId')
    .select(['emails.id', 'emails.userId', 'emails.rawBlob', 'email_bodies.html'])
    .where('email_bodies.html', 'is not', null)
    .where('email_bodies.htmlVersion', '<', HTML_VERSION)
    .orderBy('email_bodies.htmlVersion')
    .orderBy('email_bodies.emailId')
    .limit(limit)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
type OldHtml = Awaited<ReturnType<typeof listOldHtml>>[number]

/** Replaces the HTML of an email. Null keeps it and marks it as current. */
const updateHtml = async (tx: Db, { id, userId }: EmailRecord, html: string | null): Promise<void> => {
  await tx
    .updateTable('email_bodies')
    .set({ ...(html !== null && { html }), htmlVersion: HTML_VERSION })
    .where('emailId', 'in', (of) =>
      of.selectFrom('emails').select('id').where('id', '=', id).where('userId', '=', userId),
    )
    .execute()
}

/** Sanitizes the HTML of stored mail again, if an older version of the sanitizer wrote it. */
export const createStoredHtml = (
  { db, blobs, clock, jobs, log }: Pick<Platform, 'db' | 'blobs' | 'clock' | 'jobs' | 'log'>,
  reader: MailReader,
) => {
  const sanitize = async ({ id, userId, rawBlob, html }: OldHtml): Promise<string | null> => {
    // Email that was created from fields has no raw bytes.
    if (rawBlob === null) return html === null ? null : reader.sanitizeKept(html, id)
    const { html: original } = await reader.readSource(await blobs.readWhole(db, rawBlob))
    if (original === null) return null
    const isTruncated = html?.includes(TRUNCATION_NOTE) ?? false
    const attachments = await listAttachments(db, userId, id)
    const content = await reader.prepareContent({ text: '', html: original, isTruncated }, attachments)
    return content.htmlOf(id)
  }

  const replace = async (old: OldHtml): Promise<void> => {
    let html: string | null = null
    try {
      html = await sanitize(old)
    } catch (error) {
      if (isTemporary(error)) throw error
      // The old HTML is safe too. Do not try it again at every start.
      log.warn({ err: error, emailId: old.id }, 'could not sanitize the HTML of a stored email again')
    }
    await inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, old.userId, old.id)
      if (!email) return
      await trackEmailSize(tx, email, () => updateHtml(tx, email, html))
      // A new version invalidates the ETag of clients.
      if (html !== null && html !== old.html) await updateEmail(tx, email, {}, clock.now().toISOString())
    })
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({}),
    /** Each finished email leaves the list, so a restarted job continues where the last one stopped. */
    async run(_payload, { signal }) {
      for (;;) {
        const batch = await listOldHtml(db, BATCH_SIZE)
        if (batch.length === 0) return
        for (const old of batch) {
          signal.throwIfAborted()
          await replace(old)
        }
      }
    },
  })

  return {
    /** Call at startup. Queues the job if there is mail of an older version. */
    async requestSanitization(): Promise<void> {
      if ((await listOldHtml(db, 1)).length === 0) return
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, {}, { key: String(HTML_VERSION) }))
    },
  }
}
