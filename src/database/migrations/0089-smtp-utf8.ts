import type { Kysely } from 'kysely'

/** Mail accounts record whether their SMTP server accepts addresses that are not ASCII. */
export const smtpUtf8 = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('mail_accounts').addColumn('acceptsUtf8', 'integer').execute()
}
