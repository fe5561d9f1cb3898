import { type Kysely, sql } from 'kysely'

/**
 * Emails have the result of the check of their signature. The check of stored mail runs later, for messages whose
 * attachments or text show that they are signed or encrypted.
 */
export const emailSecurity = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('emails').addColumn('security', 'text').execute()
  await db.schema
    .alterTable('emails')
    .addColumn('securityVersion', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  const attachments = sql.ref('attachments')
  await sql`update emails set ${sql.ref('securityVersion')} = 0
    where ${sql.ref('rawBlob')} is not null and (
      ${attachments} like '%pkcs7-%' or ${attachments} like '%.p7m"%' or ${attachments} like '%.p7s"%'
      or ${attachments} like '%application/pgp-%'
      or id in (select ${sql.ref('emailId')} from email_bodies where text like '-----BEGIN PGP %'))`.execute(
    db,
  )
  await db.schema
    .createIndex('emails_security_version')
    .on('emails')
    .columns(['id'])
    .where(sql.ref('securityVersion'), '<', sql.lit(1))
    .execute()
}
