import type { Db } from '../../database/db.ts'

/** True if a notification was sent with this Message-ID. */
export const isNoticeId = async (db: Db, messageId: string): Promise<boolean> =>
  (await db
    .selectFrom('notification_mails')
    .select('id')
    .where('messageId', '=', messageId)
    .limit(1)
    .executeTakeFirst()) !== undefined
