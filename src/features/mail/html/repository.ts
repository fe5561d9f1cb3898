import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { HTML_VERSION } from '../../../database/tables/mail.ts'
import type { EmailRecord } from '../messages/email-repository.ts'

/** Lists emails whose HTML an older version of the sanitizer wrote. */
export const listOldHtml = (
  db: Db,
  limit: number,
): Promise<(Pick<EmailRecord, 'id' | 'userId' | 'rawBlob'> & { html: string | null })[]> =>
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

/** Replaces the HTML of an email. Null keeps it and marks it as current. */
export const updateHtml = async (
  tx: Db,
  { id, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  html: string | null,
): Promise<void> => {
  await tx
    .updateTable('email_bodies')
    .set({ ...(html !== null && { html }), htmlVersion: HTML_VERSION })
    .where('emailId', 'in', (of) =>
      of.selectFrom('emails').select('id').where('id', '=', id).where('userId', '=', userId),
    )
    .execute()
}
