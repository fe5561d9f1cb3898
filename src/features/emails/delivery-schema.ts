import Type from 'typebox'
import { Instant, OpaqueId } from '../../platform/http/shapes.ts'
import { Email, EmailId, NewEmail } from './schema.ts'

const { to, cc, bcc, replyTo, subject, text, html, attachmentIds } = NewEmail.properties

export const SendBody = Type.Object(
  {
    accountId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'The mail account to send with; without it, the first there is',
      }),
    ),
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text,
    html,
    attachmentIds,
    inReplyTo: Type.Optional(
      Type.Union([EmailId, Type.String({ minLength: 1, maxLength: 500 }), Type.Null()], {
        examples: [4711],
        description: 'The e-mail that this answers: its id here, or its message id',
      }),
    ),
    sendAt: Type.Optional(
      Type.String({
        maxLength: 40,
        examples: ['2026-03-02T08:00:00Z'],
        description: 'When to send it; in ten seconds unless said otherwise',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SendEmail',
    examples: [
      { to: ['Ben Okafor <ben@example.org>'], subject: 'Lunch on Thursday?', text: 'Are you free at noon?' },
    ],
  },
)

const PendingSend = Type.Object(
  {
    status: Type.Enum(['needs_confirmation'], { type: 'string', examples: ['needs_confirmation'] }),
    actionId: { ...OpaqueId, description: 'The action that the person confirms in the console' },
    emailId: { ...EmailId, description: 'The stored draft. Its `delivery` shows when it is sent' },
    expiresAt: { ...Instant, description: 'Without a confirmation until then, nothing is sent' },
  },
  {
    title: 'PendingSend',
    description: 'The answer to a token with `mail:draft`: a draft that waits for confirmation',
  },
)
export type PendingSend = Type.Static<typeof PendingSend>
export const SendAnswer = Type.Union([Email, PendingSend])

export const ResendBody = Type.Object(
  {
    mayArriveTwice: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'Needed when it is uncertain whether it was sent: you accept that some may get it twice',
      }),
    ),
  },
  { additionalProperties: false, title: 'ResendEmail' },
)
