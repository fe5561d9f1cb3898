import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { FLAG_COLUMNS, type MailRuleRow } from '../../../database/tables/mail.ts'
import { versionedRows } from '../../../platform/resources.ts'
import type { EmailRecord } from '../messages/email-repository.ts'

export type RuleRecord = Selectable<MailRuleRow>

export const ruleRows = versionedRows('mail_rules', 'mail rule')

export const listEnabled = (db: Db, userId: number): Promise<RuleRecord[]> =>
  db
    .selectFrom('mail_rules')
    .selectAll()
    .where('userId', '=', userId)
    .where('enabled', '=', 1)
    .orderBy('id')
    .execute()

const MARK_COLUMNS = [
  'id',
  'userId',
  'accountId',
  'subject',
  'folder',
  'folderId',
  'otherFolders',
  'tags',
  ...FLAG_COLUMNS,
  'pinned',
  'snoozedUntil',
] as const
export type MarkedEmail = Pick<EmailRecord, (typeof MARK_COLUMNS)[number]>

export const listMarked = (db: Db, userId: number, ids: readonly number[]): Promise<MarkedEmail[]> =>
  db
    .selectFrom('emails')
    .select(MARK_COLUMNS)
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
