import Type from 'typebox'
import { DEVICE_KINDS } from '../../../platform/access/caller.ts'
import { Instant, NextCursor, Nullable, OpaqueId, pageParameters } from '../../../platform/http/shapes.ts'
import { Email, Password } from '../../auth/schema.ts'

const strict = { additionalProperties: false }

export const PasswordProof = Type.Object({ password: Password }, { ...strict, title: 'PasswordProof' })

export const PasswordChange = Type.Object(
  {
    password: Password,
    newPassword: Type.String({
      minLength: 1,
      maxLength: 1000,
      examples: ['a longer and better one'],
      description: 'At least 8 characters, at most 72 bytes, not one of the most common passwords',
    }),
  },
  { ...strict, title: 'PasswordChange' },
)
export const PasswordChanged = Type.Object(
  {
    sessionsEnded: Type.Integer({
      examples: [2],
      description: 'The number of other sessions that were ended',
    }),
  },
  { title: 'PasswordChanged' },
)

export const EmailChange = Type.Object(
  { password: Password, email: Email },
  { ...strict, title: 'SignInEmailChange' },
)

export const TwoFactorStatus = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    enabledAt: Nullable(Instant),
    pending: Type.Boolean({ examples: [false], description: 'Set up, but not yet confirmed with a code' }),
    backupCodesLeft: Type.Integer({ examples: [9] }),
  },
  { title: 'TwoFactorStatus' },
)
export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    otpauthUrl: Type.String({ examples: ['otpauth://totp/Factotum:ana@example.org?secret=JBSW…'] }),
    qr: Type.String({
      examples: ['data:image/png;base64,iVBORw0KGgo…'],
      description: 'The QR code as a data URL',
    }),
  },
  { title: 'TwoFactorSetup' },
)
export const TwoFactorEnable = Type.Object(
  { password: Password, code: Type.String({ minLength: 6, maxLength: 20, examples: ['492039'] }) },
  { ...strict, title: 'TwoFactorEnable' },
)
export const BackupCodes = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    backupCodes: Type.Array(Type.String({ examples: ['k3hd-9mzq-w2xn-7pcf'] }), {
      description: 'Only in this response. Each code works once',
    }),
  },
  { title: 'BackupCodes' },
)

const Device = Type.Object(
  {
    name: Type.String({ examples: ['Firefox on Linux'] }),
    kind: Type.Enum([...DEVICE_KINDS], { type: 'string', examples: ['computer'] }),
  },
  { title: 'Device', description: 'The device, derived from the user agent' },
)

const SessionView = Type.Object(
  {
    id: OpaqueId,
    current: Type.Boolean({ examples: [true], description: 'True for the session of this request' }),
    createdAt: Instant,
    lastSeenAt: Instant,
    expiresAt: Instant,
    ip: Type.String({ examples: ['127.0.0.1'] }),
    userAgent: Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0'] }),
    device: Device,
  },
  { title: 'Session' },
)
export const SessionList = Type.Object(
  { sessions: Type.Array(SessionView), nextCursor: NextCursor },
  { title: 'SessionList' },
)
export const SessionsRevoked = Type.Object(
  { revoked: Type.Integer({ examples: [2] }) },
  { title: 'SessionsRevoked' },
)

export const ActivityQuery = Type.Object(
  {
    ...pageParameters,
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['password.changed'],
        description: 'Return only entries with this action',
      }),
    ),
    since: Type.Optional(Instant),
    until: Type.Optional(Instant),
  },
  strict,
)
const ActivityEntry = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    at: Instant,
    action: Type.String({ examples: ['password.changed'] }),
    ip: Type.String({ examples: ['127.0.0.1'] }),
    userAgent: Type.String({ examples: ['curl/8.5.0'] }),
    device: Device,
    details: Type.Object({}, { additionalProperties: true, examples: [{ name: 'n8n' }] }),
  },
  { title: 'ActivityEntry' },
)
export const ActivityList = Type.Object(
  { activity: Type.Array(ActivityEntry), nextCursor: NextCursor },
  { title: 'ActivityList' },
)
