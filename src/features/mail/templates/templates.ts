import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import { readSubject } from '../messages/email.ts'
import type { EmailEditor } from '../messages/email-writer.ts'
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  type TemplateRecord,
  updateTemplate,
} from './repository.ts'
import type { MailTemplateChange, NewMailTemplate } from './schema.ts'

const MAX_TEMPLATES = 500

export interface MailTemplatesDeps {
  db: Db
  clock: Clock
  changes: Changes
  editor: Pick<EmailEditor, 'prepare'>
}

export type MailTemplates = ReturnType<typeof createMailTemplates>

const toView = ({ userId: _, ...template }: TemplateRecord) => template

/** Manages the templates for new mail. */
export const createMailTemplates = ({ db, clock, changes, editor }: MailTemplatesDeps) => {
  const now = (): string => clock.now().toISOString()

  /** Call it outside a transaction: large HTML is sanitized in a worker. */
  const sanitise = async (html: string): Promise<string> => {
    const sanitised = (await editor.prepare({ html })).htmlOf(0)
    if (sanitised === null) throw invalidField('html', 'contains no text')
    return sanitised
  }

  const recordChange = (
    tx: Db,
    verb: 'added' | 'changed' | 'removed',
    { id, userId, name }: TemplateRecord,
  ): Promise<void> =>
    changes.record(tx, { userId, type: `mail_template.${verb}`, subject: String(id), data: { id, name } })

  const lock = async (
    tx: Db,
    userId: number,
    id: number,
    ifMatch: string | undefined,
  ): Promise<TemplateRecord> => {
    const template = await lockTemplate(tx, userId, id)
    if (!template) throw notFound('mail template')
    requireMatch(ifMatch, template)
    return template
  }

  return {
    sanitise,

    async list(userId: number, { limit, cursor }: PageRequest) {
      const after = readCursor(cursor, 'integer')?.[0]
      const rows = await listTemplates(db, userId, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { mailTemplates: page.map(toView), nextCursor }
    },

    async get(userId: number, id: number) {
      const template = await findTemplate(db, userId, id)
      if (!template) throw notFound('mail template')
      return toView(template)
    },

    /** `html` is the sanitized HTML. */
    add: (userId: number, { name, subject = '' }: NewMailTemplate, html: string) =>
      inTransaction(db, async (tx) => {
        if ((await countTemplates(tx, userId)) >= MAX_TEMPLATES)
          throw conflict(`The limit of ${MAX_TEMPLATES} templates is reached. Remove one first.`)
        const template = await insertTemplate(tx, {
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
      const html = change.html === undefined ? undefined : await sanitise(change.html)
      return inTransaction(db, async (tx) => {
        const template = await lock(tx, userId, id, ifMatch)
        const { name, subject } = change
        const changed = await updateTemplate(tx, template, {
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
        const template = await lock(tx, userId, id, ifMatch)
        await deleteTemplate(tx, userId, id)
        await recordChange(tx, 'removed', template)
      }),
  }
}
