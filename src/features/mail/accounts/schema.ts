import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../../platform/http/shapes.ts'
import { AccountName, ONE_LINE, Password, TestFailure } from '../../remote-accounts/schema.ts'

const strict = { additionalProperties: false }

export const MailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@<>()\\[\\],;:"\\u0000-\\u001f\\u007f]+@[^\\s@<>()\\[\\],;:"\\u0000-\\u001f\\u007f]+$',
  examples: ['ana@example.org'],
})
const Name = AccountName('Work')
const SenderName = Type.String({
  maxLength: 100,
  pattern: ONE_LINE,
  examples: ['Ana Ruiz'],
  description: 'Display name of the sender, shown next to the address',
})
const Username = Type.String({
  minLength: 1,
  maxLength: 254,
  pattern: ONE_LINE,
  examples: ['ana@example.org'],
})

const tls = Type.Enum(['implicit', 'starttls', 'none'], {
  type: 'string',
  description: '`implicit`: TLS from the first byte; `starttls`: STARTTLS is required; `none`: no encryption',
})
const Certificate = Nullable(
  Type.String({
    maxLength: 10_000,
    examples: ['-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----'],
    description: 'The trusted certificate (PEM) of a server with a self-signed certificate',
  }),
)
const serverFields = (port: number) => ({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    examples: [port === 993 ? 'imap.example.org' : 'smtp.example.org'],
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [port] }),
  tls,
})
const ServerInput = (port: number) =>
  Type.Object(
    { ...serverFields(port), certificate: Type.Optional({ ...Certificate, examples: [null] }) },
    { ...strict, title: port === 993 ? 'ImapServerInput' : 'SmtpServerInput' },
  )
const Server = Type.Object({ ...serverFields(993), certificate: Certificate }, { title: 'MailServer' })

const optionalFields = {
  name: Type.Optional(Name),
  senderName: Type.Optional(SenderName),
  username: Type.Optional(Username),
  smtpUsername: Type.Optional(Nullable(Username)),
  smtpPassword: Type.Optional(
    Type.String({ ...Password, description: 'Only if the SMTP server requires a different password' }),
  ),
  enabled: Type.Optional(Type.Boolean()),
}
const Identity = Type.Object(
  { name: SenderName, address: MailAddress },
  { ...strict, title: 'MailIdentity', description: 'A sender: display name and address' },
)
const writingFields = {
  signature: Nullable(
    Type.String({
      maxLength: 100_000,
      examples: ['<p>Ana Ruiz<br>Example Ltd.</p>'],
      description: 'HTML, sanitized. Clients add it to new mail and replies',
    }),
  ),
  identities: Type.Array(Identity, {
    maxItems: 50,
    examples: [[{ name: 'Sales', address: 'sales@example.org' }]],
    description: 'Further senders of the account, such as aliases',
  }),
  plainText: Type.Boolean({ examples: [false], description: 'Whether new mail starts as plain text' }),
}
const required = { imap: ServerInput(993), smtp: ServerInput(465), password: Password }

export const NewMailAccount = Type.Object(
  { address: MailAddress, ...required, ...optionalFields },
  { ...strict, title: 'NewMailAccount' },
)
export const MailAccountChange = Type.Object(
  {
    imap: Type.Optional(required.imap),
    smtp: Type.Optional(required.smtp),
    password: Type.Optional(required.password),
    ...optionalFields,
    ...Type.Partial(Type.Object(writingFields)).properties,
  },
  {
    ...strict,
    title: 'MailAccountChange',
    description: 'A change of a server or of the user name requires the password again',
  },
)

export const MailSync = Type.Object(
  {
    status: Type.Enum(['waiting', 'syncing', 'live', 'paused', 'failing', 'signed_out', 'off'], {
      type: 'string',
      description:
        '`paused`: the storage of the account is full. New messages stay on the server until there is room.',
    }),
    error: Nullable(Type.String({ examples: ['No server responds at imap.example.org, port 993.'] })),
    lastSyncAt: Nullable(Instant),
    unreadable: Type.Integer({
      examples: [0],
      description: 'Number of messages that could not be parsed. They are stored and can be downloaded',
    }),
    progress: Type.Object(
      { stored: Type.Integer({ examples: [4200] }), total: Type.Integer({ examples: [10_000] }) },
      { title: 'MailProgress', description: 'Number of messages stored here, and on the server' },
    ),
  },
  { title: 'MailSync' },
)
export const MailAccount = Type.Object(
  {
    id: OpaqueId,
    name: Name,
    address: MailAddress,
    senderName: SenderName,
    imap: Server,
    smtp: Server,
    signIn: Type.Enum(['password', 'google', 'microsoft'], { type: 'string' }),
    username: Username,
    smtpUsername: Nullable(Username),
    enabled: Type.Boolean(),
    ...writingFields,
    maxMessageBytes: Type.Integer({
      examples: [26_214_400],
      description: 'Largest message that the service and the SMTP server accept, attachments encoded',
    }),
    sync: MailSync,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'MailAccount' },
)
export const MailAccountList = Type.Object(
  { mailAccounts: Type.Array(MailAccount), nextCursor: NextCursor },
  { title: 'MailAccountList' },
)

const Side = Type.Object(
  {
    ok: Type.Boolean(),
    failure: Nullable(
      TestFailure('MailTestFailure', {
        problem: 'There is no server named imap.exmaple.org.',
        remedy: 'Check the spelling of the server.',
      }),
    ),
  },
  { title: 'MailTestSide' },
)
export const MailTest = Type.Object({ ok: Type.Boolean(), imap: Side, smtp: Side }, { title: 'MailTest' })

export const AutoconfigBody = Type.Object(
  { address: MailAddress },
  { ...strict, title: 'MailAutoconfigRequest' },
)
const FoundServer = Type.Object(serverFields(993), { title: 'FoundMailServer' })
const SignInKind = Type.Enum(['password', 'google', 'microsoft'], {
  type: 'string',
  description: 'Sign-in method of the provider. With `google` or `microsoft`, use the OAuth sign-in',
})

const MailProvider = Type.Object(
  {
    id: Type.String({ examples: ['fastmail'] }),
    name: Type.String({ examples: ['Fastmail'] }),
    ways: Type.Array(
      Type.Enum(['oauth', 'app_password', 'password', 'bridge'], {
        type: 'string',
        examples: ['app_password'],
        description: '`bridge`: a program of the provider, on the machine of this instance, is the server',
      }),
      {
        description:
          'Ways to sign in that work on this instance, best first. Empty: the provider requires OAuth, and the owner has not entered a client',
      },
    ),
    signIn: SignInKind,
    imap: FoundServer,
    smtp: FoundServer,
    caldavUrl: Nullable(
      Type.String({
        examples: ['https://caldav.fastmail.com/'],
        description: 'CalDAV server that accepts the same password',
      }),
    ),
    steps: Type.Array(
      Type.Object(
        {
          text: Type.String({ examples: ['Open “Privacy & Security” in the settings of Fastmail.'] }),
          url: Nullable(
            Type.String({
              examples: ['https://app.fastmail.com/settings/security'],
              description: 'The page of the provider for this step',
            }),
          ),
        },
        { title: 'MailProviderStep' },
      ),
      { description: 'Steps before a sign-in with a password, in order' },
    ),
    note: Nullable(
      Type.String({ examples: ['Apple offers app-specific passwords only with two-factor authentication.'] }),
    ),
    calendarNote: Nullable(
      Type.String({ examples: ['Calendars of Microsoft accounts are not available yet.'] }),
    ),
  },
  { title: 'MailProvider' },
)
export const MailProviderList = Type.Object(
  { providers: Type.Array(MailProvider) },
  { title: 'MailProviderList' },
)
export const Autoconfig = Type.Object(
  {
    source: Type.Enum(['provider', 'dns', 'autoconfig', 'none'], {
      type: 'string',
      description:
        'Source of the settings: the built-in provider list, DNS records (RFC 6186), autoconfiguration of the domain, or none',
    }),
    provider: Nullable(Type.String({ examples: ['Fastmail'] })),
    details: Nullable(MailProvider),
    imap: Nullable(FoundServer),
    smtp: Nullable(FoundServer),
    username: Type.String({ examples: ['ana@example.org'] }),
    signIn: SignInKind,
    oauthAvailable: Type.Boolean({
      examples: [false],
      description: 'True if this instance has an OAuth client for the provider',
    }),
    setup: Type.Object(
      {
        kind: Type.Enum(['app_password', 'imap_access', 'rejected', 'none'], {
          type: 'string',
          description:
            'The step before a sign-in with a password: create an app password, or allow IMAP access. `rejected`: the provider accepts no passwords',
        }),
        url: Nullable(
          Type.String({
            examples: ['https://myaccount.google.com/apppasswords'],
            description: 'The page of the provider for this step',
          }),
        ),
      },
      { title: 'MailPasswordSetup' },
    ),
    note: Nullable(Type.String({ examples: ['Create an app password in the settings of your account.'] })),
  },
  { title: 'MailAutoconfig' },
)

const Provider = Type.Enum(['google', 'microsoft'], { type: 'string' })
export const OauthStart = Type.Object(
  {
    provider: Provider,
    accountId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Reconnects an existing account',
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
      }),
    ),
    address: Type.Optional({ ...MailAddress, description: 'Passed to the provider as a login hint' }),
    calendar: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'Also connect the calendars of the provider, as a calendar account with the same sign-in. Only with `google`',
      }),
    ),
  },
  { ...strict, title: 'MailOauthStart', examples: [{ provider: 'google', address: 'ana@example.org' }] },
)
export const OauthStarted = Type.Object(
  {
    url: Type.String({
      examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=…'],
      description:
        'Open this URL in the browser. The provider redirects back. The sign-in expires after ten minutes.',
    }),
  },
  { title: 'MailOauthStarted' },
)

export const OauthClientPath = Type.Object({ provider: Provider }, strict)
const ClientId = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['1234567890-abc.apps.googleusercontent.com'],
})
export const OauthClientInput = Type.Object(
  {
    clientId: ClientId,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '^[\\x21-\\x7e]+$',
        examples: ['GOCSPX-example'],
        description: 'Stored encrypted. Required with a new `clientId`; otherwise the stored one stays',
      }),
    ),
  },
  { ...strict, title: 'OauthClientInput' },
)
export const OauthClient = Type.Object(
  {
    provider: Provider,
    clientId: Nullable(ClientId),
    hasSecret: Type.Boolean({ examples: [true], description: 'The secret itself is never returned' }),
    source: Type.Enum(['environment', 'owner', 'none'], {
      type: 'string',
      description:
        '`environment`: environment variables set the client, so that it cannot be changed here; `owner`: entered by the owner; `none`: no client',
    }),
    redirectUri: Type.String({
      examples: ['https://factotum.example.org/api/settings/mail-accounts/oauth/callback'],
      description: 'Redirect URI to register with the provider',
    }),
  },
  { title: 'OauthClient' },
)
export const OauthClientList = Type.Object(
  { oauthClients: Type.Array(OauthClient) },
  { title: 'OauthClientList' },
)
