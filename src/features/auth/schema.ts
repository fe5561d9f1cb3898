import Type from 'typebox'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

/** An address that mail could go to: one @, no blanks. Whether it is read is not for a pattern to say. */
export const Email = Type.String({
  pattern: '^[^\\s@]+@[^\\s@]+$',
  maxLength: 254,
  examples: ['ana@example.org'],
  description: 'Compared without regard to case',
})
export const Password = Type.String({ minLength: 1, maxLength: 1000, examples: ['correct horse battery'] })
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
/** As long as an access token may be: who sends that by mistake is told that it is not valid, not that it is long. */
const RefreshToken = Type.String({
  minLength: 1,
  maxLength: 4000,
  examples: ['hW9v2mXJ0o1Qk3dL8r5sT7uY6zA4bC1eF2gH3iJ4kL5'],
  description: 'Good for one use. Left out when the session is kept in a cookie (`X-Session: cookie`)',
})

export const RegisterBody = Type.Object(
  {
    email: Email,
    password: Type.String({
      minLength: 1,
      maxLength: 1000,
      examples: ['correct horse battery'],
      description: 'At least 8 characters, at most 72 bytes, not among the commonest',
    }),
    name: PersonName,
    invitation: Type.Optional(
      Type.String({ maxLength: 200, description: 'Where registration is by invitation' }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ['Europe/Berlin'],
        description: "Whose clocks the account goes by; the instance's own when it is left out",
      }),
    ),
    locale: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        examples: ['en-GB'],
        description: 'How dates and times are written; `en` when it is left out',
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
      description: 'The part of the link after the #',
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 1000,
      examples: ['a longer and better one'],
      description: 'At least 8 characters, at most 72 bytes, not among the commonest',
    }),
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
        description: 'Of the second factor, or a backup code',
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
    twoFactorEnabled: Type.Boolean({ examples: [false] }),
    createdAt: Instant,
  },
  { title: 'Me' },
)
