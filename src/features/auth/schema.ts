import Type from 'typebox'
import { SCOPES } from '../../platform/access/caller.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

/** Requires one @ and no spaces. A pattern cannot check whether the mailbox exists. */
export const Email = Type.String({
  pattern: '^[^\\s@]+@[^\\s@]+$',
  maxLength: 254,
  examples: ['ana@example.org'],
  description: 'Compared case-insensitively',
})
export const Password = Type.String({ minLength: 1, maxLength: 1000, examples: ['correct horse battery'] })
export const NewPassword = Type.String({
  minLength: 1,
  maxLength: 1000,
  examples: ['a longer and better one'],
  description: 'At least 8 characters, at most 72 bytes, not one of the most common passwords',
})
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  examples: ['Ana Ruiz'],
})

const UserSummary = Type.Object(
  { id: Type.Integer({ examples: [1] }), email: Email, name: PersonName },
  { title: 'UserSummary' },
)

const AccessToken = Type.String({
  examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.2kXc…'],
  description: 'A JWT, for the Authorization header',
})
/**
 * Allows the length of an access token. A client that confuses the two then gets "not valid" instead of "too
 * long".
 */
const RefreshToken = Type.String({
  minLength: 1,
  maxLength: 4000,
  examples: ['hW9v2mXJ0o1Qk3dL8r5sT7uY6zA4bC1eF2gH3iJ4kL5'],
  description: 'Single use. Omitted if the session uses a cookie (`X-Session: cookie`)',
})

export const RegisterBody = Type.Object(
  {
    email: Email,
    password: NewPassword,
    name: PersonName,
    invitation: Type.Optional(
      Type.String({ maxLength: 200, description: 'The invitation code, if registration is by invitation' }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ['Europe/Berlin'],
        description: 'The time zone of the account; by default that of the instance',
      }),
    ),
    locale: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        examples: ['en-GB'],
        description: 'The format of dates and times; by default `en`',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Registration',
    examples: [
      {
        email: 'ana@example.org',
        password: 'correct horse battery',
        name: 'Ana Ruiz',
        timezone: 'Europe/Berlin',
        locale: 'en-GB',
      },
    ],
  },
)

export const PasswordResetRequest = Type.Object(
  { email: Email },
  { additionalProperties: false, title: 'PasswordResetRequest' },
)
export const PasswordResetBody = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ['resetkey5f3c0a9b7e1d24688642f0ace13579bd5f3c0a9b7e1d24688642f0ace13579bd'],
      description: 'The part of the link after the `#`',
    }),
    password: NewPassword,
  },
  { additionalProperties: false, title: 'PasswordReset' },
)

export const LoginBody = Type.Object(
  {
    email: Email,
    password: Password,
    code: Type.Optional(
      Type.String({
        maxLength: 40,
        examples: ['492039'],
        description: 'The code of the second factor, or a backup code',
      }),
    ),
  },
  { additionalProperties: false, title: 'Login' },
)

export const SignedIn = Type.Object(
  { token: AccessToken, refreshToken: Type.Optional(RefreshToken), user: UserSummary },
  { title: 'SignedIn' },
)

export const RefreshBody = Type.Object(
  { refreshToken: Type.Optional(RefreshToken) },
  { additionalProperties: false, title: 'Refresh' },
)

export const Refreshed = Type.Object(
  { token: AccessToken, refreshToken: Type.Optional(RefreshToken) },
  { title: 'Refreshed' },
)

export const Me = Type.Object(
  {
    id: Type.Integer({ examples: [1] }),
    email: Email,
    name: PersonName,
    avatarUrl: Nullable(Type.String({ examples: ['/api/settings/profile/avatar?v=Zk3d9x'] })),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    role: Type.Enum(['owner', 'member'], {
      type: 'string',
      description: '`owner`: the first account, which manages the instance',
    }),
    twoFactorEnabled: Type.Boolean({ examples: [false] }),
    createdAt: Instant,
  },
  { title: 'Me' },
)

export const CurrentToken = Type.Object(
  {
    name: Type.String({ examples: ['n8n on the NAS'] }),
    scopes: Type.Array(Type.Enum([...SCOPES], { type: 'string' }), { examples: [['tasks:write']] }),
    expiresAt: Nullable(Instant),
    lease: Nullable(Type.Object({}, { description: 'The limits of the token. Null: it has none' })),
    user: Type.Object({ id: Type.Integer({ examples: [1] }), name: PersonName }),
  },
  { title: 'CurrentToken' },
)
