import Type from 'typebox'
import { DEVICE_KINDS, SCOPE_NOTES, SCOPES } from '../../platform/access/caller.ts'
import { Instant, NextCursor, Nullable, OpaqueId, pageParameters } from '../../platform/http/shapes.ts'
import { WEEKDAYS } from '../../platform/time.ts'
import { Email, NewPassword, Password, PersonName } from '../auth/schema.ts'

const strict = { additionalProperties: false }

export const PasswordProof = Type.Object({ password: Password }, { ...strict, title: 'PasswordProof' })

export const MAX_QUOTA_BYTES = 2 ** 50

export const StorageBytes = Type.Integer({
  examples: [1_250_000_000],
  description: 'The size of all emails with their raw messages, and of all attachments, in bytes',
})
export const StorageQuotaBytes = Type.Integer({
  minimum: 0,
  maximum: MAX_QUOTA_BYTES,
  examples: [5_000_000_000],
  description:
    'The limit of the storage; null without a limit. A full account cannot store more (413 `storage_full`), and its mail stays on the mail server',
})

export const StorageUsage = Type.Object(
  {
    storageBytes: StorageBytes,
    storageQuotaBytes: Nullable(StorageQuotaBytes),
    status: Type.Enum(['ok', 'nearly_full', 'full'], {
      type: 'string',
      description: '`nearly_full`: 90 % of the limit or more',
    }),
  },
  { title: 'StorageUsage' },
)

export const PasswordChange = Type.Object(
  {
    password: Password,
    newPassword: NewPassword,
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

export const ProfileChange = Type.Object(
  { name: Type.Optional(PersonName) },
  { additionalProperties: false, title: 'ProfileChange' },
)

const TimeOfDay = (example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: [example] })

const Hours = Type.Object(
  { day: Type.Enum([...WEEKDAYS], { type: 'string' }), start: TimeOfDay('09:00'), end: TimeOfDay('17:00') },
  { additionalProperties: false, title: 'WorkingHours' },
)

const fields = {
  timezone: Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] }),
  locale: Type.String({ minLength: 2, maxLength: 35, examples: ['en-GB'] }),
  weekStart: Type.Enum([...WEEKDAYS], { type: 'string' }),
  workingHours: Type.Array(Hours, {
    maxItems: 50,
    description: 'In local time. A day may have several periods',
  }),
  remoteImages: Type.Enum(['ask', 'never'], {
    type: 'string',
    description: '`ask`: the console loads remote images of emails on request. `never`: it does not offer it',
  }),
  imageSenders: Type.Array(Type.String({ minLength: 3, maxLength: 320, pattern: '^\\S+@\\S+$' }), {
    maxItems: 1000,
    examples: [['news@example.org']],
    description: 'Addresses whose remote images always load, unless `remoteImages` is `never`',
  }),
  conferencingLink: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      examples: ['https://meet.example.org/{random}'],
      description:
        'An https link for video calls of events with `conferencing`. `{random}` becomes a random text for each event',
    }),
  ),
}

export const Preferences = Type.Object(fields, { title: 'Preferences' })
export const PreferencesChange = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  title: 'PreferencesChange',
})

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['n8n on the NAS'] })
const Hint = Type.String({ examples: ['…x7Qd'], description: 'The last characters of the token' })
const Scopes = Type.Array(Type.Enum([...SCOPES], { type: 'string' }), {
  minItems: 1,
  maxItems: SCOPES.length,
  examples: [['tasks:write', 'calendar:read']],
  description: SCOPE_NOTES,
})

export const NewToken = Type.Object(
  {
    password: Password,
    name: Name,
    scopes: Scopes,
    expiresAt: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 40,
          examples: ['2099-01-01'],
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
export const TokenList = Type.Object(
  { tokens: Type.Array(Token), nextCursor: NextCursor },
  { title: 'TokenList' },
)
export const TokenChange = Type.Object({ name: Name }, { ...strict, title: 'TokenChange' })

const Purpose = Type.Enum(['calendar', 'overlay'], { type: 'string' })
export const NewFeedToken = Type.Object(
  {
    name: Name,
    purpose: Purpose,
    calendarId: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          examples: [1],
          description:
            'Only this calendar: your own, or one that is shared with you. Default: all your events',
        }),
      ),
    ),
  },
  { ...strict, title: 'NewFeedToken', examples: [{ name: 'Phone', purpose: 'calendar' }] },
)
const feedFields = {
  id: OpaqueId,
  name: Name,
  purpose: Purpose,
  calendarId: Nullable(Type.Integer({ examples: [1] })),
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
  { feedTokens: Type.Array(FeedToken), nextCursor: NextCursor },
  { title: 'FeedTokenList' },
)

export const NewInvitation = Type.Object(
  {
    password: Password,
    email: Type.Optional(Email),
    sendEmail: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Mails the link to `email`. Default: false' }),
    ),
  },
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
    emailSent: Type.Boolean({
      examples: [false],
      description: 'The mail server accepted the email with the link. If not, pass the link on yourself',
    }),
  },
  { title: 'InvitationWithCode' },
)
export const InvitationList = Type.Object(
  { invitations: Type.Array(Invitation), nextCursor: NextCursor },
  { title: 'InvitationList' },
)
