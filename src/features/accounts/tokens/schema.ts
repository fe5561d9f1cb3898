import Type from 'typebox'
import { SCOPE_NOTES, SCOPES } from '../../../platform/access/caller.ts'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../../platform/http/shapes.ts'
import { Email, Password } from '../../auth/schema.ts'

const strict = { additionalProperties: false }
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['n8n on the NAS'] })
const Hint = Type.String({ examples: ['…x7Qd'], description: 'The last characters of the token' })
const Scopes = Type.Array(Type.Enum([...SCOPES], { type: 'string' }), {
  minItems: 1,
  maxItems: SCOPES.length,
  examples: [['tasks:write', 'calendar:read']],
  description: SCOPE_NOTES,
})
const nextCursor = NextCursor

export const NewToken = Type.Object(
  {
    password: Password,
    name: Name,
    scopes: Scopes,
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 40,
          examples: ['2027-01-01'],
          description: 'By default, the token is valid until it is revoked',
        }),
      ),
    ),
  },
  { ...strict, title: 'NewToken' },
)
const tokenFields = {
  id: OpaqueId,
  name: Name,
  scopes: Scopes,
  hint: Hint,
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
}
export const Token = Type.Object(tokenFields, { title: 'Token' })
export const TokenWithSecret = Type.Object(
  {
    ...tokenFields,
    token: Type.String({ examples: ['fct_u3Jm…x7Qd'], description: 'Only in this response' }),
  },
  { title: 'TokenWithSecret' },
)
export const TokenList = Type.Object({ tokens: Type.Array(Token), nextCursor }, { title: 'TokenList' })
export const TokenChange = Type.Object({ name: Name }, { ...strict, title: 'TokenChange' })

const Purpose = Type.Enum(['calendar', 'overlay'], { type: 'string' })
export const NewFeedToken = Type.Object(
  { name: Name, purpose: Purpose },
  { ...strict, title: 'NewFeedToken' },
)
const feedFields = {
  id: OpaqueId,
  name: Name,
  purpose: Purpose,
  hint: Hint,
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
}
export const FeedToken = Type.Object(feedFields, { title: 'FeedToken' })
export const FeedTokenWithSecret = Type.Object(
  {
    ...feedFields,
    token: Type.String({
      examples: ['u3JmX0o1Qk3dL8r5sT7u…x7Qd'],
      description: 'The value for `?token=`. Only in this response',
    }),
  },
  { title: 'FeedTokenWithSecret' },
)
export const FeedTokenList = Type.Object(
  { feedTokens: Type.Array(FeedToken), nextCursor },
  { title: 'FeedTokenList' },
)

export const NewInvitation = Type.Object(
  { password: Password, email: Type.Optional(Email) },
  {
    ...strict,
    title: 'NewInvitation',
    description: 'With `email`, only that address can use the invitation',
  },
)
const invitationFields = {
  id: OpaqueId,
  email: Nullable(Email),
  createdAt: Instant,
  expiresAt: Instant,
  acceptedAt: Nullable(Instant),
}
export const Invitation = Type.Object(invitationFields, { title: 'Invitation' })
export const InvitationWithCode = Type.Object(
  {
    ...invitationFields,
    code: Type.String({
      examples: ['hW9v2mXJ0o1Qk3dL8r5s'],
      description: 'The value for `invitation` at registration. Only in this response',
    }),
    url: Type.String({ examples: ['http://127.0.0.1:3000/register?invitation=hW9v2mXJ0o1Qk3dL8r5s'] }),
  },
  { title: 'InvitationWithCode' },
)
export const InvitationList = Type.Object(
  { invitations: Type.Array(Invitation), nextCursor },
  { title: 'InvitationList' },
)
