import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailTemplateRow } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { conflict, invalidField } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber, versionedRows } from '../../../platform/resources.ts'
import { readSubject } from '../messages/email.ts'
import type { EmailEditor } from '../messages/email-writer.ts'
import type { MailTemplateChange, NewMailTemplate } from './schema.ts'

const MAX_TEMPLATES = 500

type TemplateRecord = Selectable<MailTemplateRow>
export const templateRows = versionedRows('mail_templates', 'mail template')

export type MailTemplates = ReturnType<typeof createMailTemplates>

const toView = ({ userId: _, ...template }: TemplateRecord) => template

/** Manages the templates for new mail. */
export const createMailTemplates = (
  { db, clock, changes }: Pick<Platform, 'db' | 'clock' | 'changes'>,
  editor: Pick<EmailEditor, 'prepare'>,
) => {
  const now = (): string => clock.now().toISOString()

  /** Call it outside a transaction: large HTML is sanitized in a worker. */
  const sanitize = async (html: string): Promise<string> => {
    const sanitized = (await editor.prepare({ html })).htmlOf(0)
    if (sanitized === null) throw invalidField('html', 'contains no text')
    return sanitized
  }

  const recordChange = (
    tx: Db,
    verb: 'added' | 'changed' | 'removed',
    { id, userId, name }: TemplateRecord,
  ): Promise<void> =>
    changes.record(tx, { userId, type: `mail_template.${verb}`, subject: String(id), data: { id, name } })

  return {
    sanitize,

    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByNumber(templateRows.select(db, userId), request)
      return { mailTemplates: page.map(toView), nextCursor }
    },

    get: async (userId: number, id: number) => toView(await templateRows.get(db, userId, id)),

    /** `html` is the sanitized HTML. */
    add: (userId: number, { name, subject = '' }: NewMailTemplate, html: string) =>
      inTransaction(db, async (tx) => {
        if ((await templateRows.count(tx, userId)) >= MAX_TEMPLATES)
          throw conflict(`The limit of ${MAX_TEMPLATES} templates is reached. Remove one first.`)
        const template = await templateRows.insert(tx, {
          userId,
          name: name.trim(),
          subject: readSubject(subject),
          html,
          version: 1,
          createdAt: now(),
          updatedAt: now(),
        })
        await recordChange(tx, 'added', template)
        return toView(template)
      }),

    async change(userId: number, id: number, change: MailTemplateChange, ifMatch: string | undefined) {
      const html = change.html === undefined ? undefined : await sanitize(change.html)
      return inTransaction(db, async (tx) => {
        const template = await templateRows.getLocked(tx, userId, id, ifMatch)
        const { name, subject } = change
        const changed = await templateRows.update(tx, template, {
          ...(name !== undefined && { name: name.trim() }),
          ...(subject !== undefined && { subject: readSubject(subject) }),
          ...(html !== undefined && { html }),
          updatedAt: now(),
        })
        await recordChange(tx, 'changed', changed)
        return toView(changed)
      })
    },

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        await recordChange(tx, 'removed', await templateRows.remove(tx, userId, id, ifMatch))
      }),
  }
}
