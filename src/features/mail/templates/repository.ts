import type { Selectable } from 'kysely'
import type { MailTemplateRow } from '../../../database/tables/mail.ts'
import { versionedRows } from '../../../database/versioned-rows.ts'

export type TemplateRecord = Selectable<MailTemplateRow>

export const {
  insert: insertTemplate,
  find: findTemplate,
  lock: lockTemplate,
  update: updateTemplate,
  remove: deleteTemplate,
  count: countTemplates,
  list: listTemplates,
} = versionedRows('mail_templates')
