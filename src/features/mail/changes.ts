import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Nullable } from '../../platform/http/shapes.ts'
import { AddressSchema, Email, ReceivedFields } from './messages/email.ts'
import { Urgency } from './messages/schema.ts'
import { MailRule } from './rules/schema.ts'
import { MailTemplate } from './templates/schema.ts'

const { id, threadId, subject, folder, read, returned } = Email.properties

const forWebhooks = { live: 'mail:read', webhook: true } as const

const received = { ...ReceivedFields.properties, from: AddressSchema }

const rule = {
  payload: Type.Pick(MailRule, ['id', 'name']),
  live: 'mail:read',
} as const
const template = {
  payload: Type.Pick(MailTemplate, ['id', 'name']),
  live: 'mail:read',
} as const

export const mailChanges = declareChanges({
  'email.received': { ...forWebhooks, payload: Type.Object(received) },
  'email.analyzed': {
    ...forWebhooks,
    payload: Type.Object({
      id,
      threadId,
      urgency: Type.Object({ level: Urgency, score: Type.Number() }),
      category: Type.String(),
      from: AddressSchema,
      subject,
      folder,
      read,
      actionItems: Type.Integer(),
      meetings: Type.Integer(),
    }),
  },
  /** The email returned to the inbox. */
  'email.due': {
    ...forWebhooks,
    payload: Type.Object({ ...received, to: Type.Array(AddressSchema), returned }),
  },
  'mail_rule.added': rule,
  'mail_rule.changed': rule,
  'mail_rule.removed': rule,
  'mail_rule.run': {
    payload: Type.Object({
      id: rule.payload.properties.id,
      changed: Type.Integer(),
      actionId: Nullable(Type.Integer()),
    }),
    live: 'mail:read',
  },
  'mail_template.added': template,
  'mail_template.changed': template,
  'mail_template.removed': template,
  /** The server did not make a move: it refused it, or somebody else moved the email first. */
  'mail_account.conflict': {
    payload: Type.Object({
      emailId: id,
      title: subject,
      folder: Type.String(),
      reason: Type.Enum(['moved', 'refused']),
    }),
  },
  'mail_account.failing': {
    payload: Type.Object({
      accountId: Type.String(),
      address: Type.String(),
      error: Type.String(),
      lastSyncAt: Nullable(Type.String()),
    }),
  },
})

type MailChanges = typeof mailChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends MailChanges {}
}
