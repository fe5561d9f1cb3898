import Type, { type Static } from 'typebox'
import { Instant, NextCursor } from '../../../platform/http/shapes.ts'
import { Subject } from '../messages/email.ts'

const strict = { additionalProperties: false }

const TemplateId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [5] })
export const TemplatePath = Type.Object({ id: TemplateId }, strict)

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Offer'] })
const Html = Type.String({
  minLength: 1,
  maxLength: 200_000,
  examples: ['<p>Dear {{firstName}},</p><p>thank you for your inquiry.</p>'],
  description:
    'Sanitized. A client replaces fields in double braces when it inserts the template: `firstName`, `lastName`, `name`, `email`, `subject`, `date`, `time`, `myName`, `myEmail`',
})

export const MailTemplate = Type.Object(
  { id: TemplateId, name: Name, subject: Subject, html: Html, createdAt: Instant, updatedAt: Instant },
  { title: 'MailTemplate' },
)
export const MailTemplateList = Type.Object(
  { mailTemplates: Type.Array(MailTemplate), nextCursor: NextCursor },
  { title: 'MailTemplateList' },
)
export const NewMailTemplate = Type.Object(
  { name: Name, subject: Type.Optional(Subject), html: Html },
  { ...strict, title: 'NewMailTemplate' },
)
export type NewMailTemplate = Static<typeof NewMailTemplate>
export const MailTemplateChange = Type.Partial(NewMailTemplate, { ...strict, title: 'MailTemplateChange' })
export type MailTemplateChange = Static<typeof MailTemplateChange>
