import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { ownerSession } from '../../../platform/access/route-access.ts'
import { Instant, NextCursor, Nullable, Page } from '../../../platform/http/shapes.ts'
import { Email, Password, PersonName } from '../../auth/schema.ts'
import { MAX_QUOTA_BYTES, PasswordProof, StorageBytes, StorageQuotaBytes } from '../schema.ts'
import type { Administration } from './administration.ts'

const strict = { additionalProperties: false }

const AccountPath = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2 ** 48, examples: [2] }) }, strict)

const ManagedAccount = Type.Object(
  {
    id: Type.Integer({ examples: [2] }),
    email: Email,
    name: PersonName,
    role: Type.Enum(['owner', 'member'], { type: 'string' }),
    disabled: Type.Boolean({ examples: [false] }),
    storageBytes: StorageBytes,
    storageQuotaBytes: Nullable(StorageQuotaBytes),
    lastSignInAt: Nullable(Instant),
    createdAt: Instant,
  },
  { title: 'ManagedAccount' },
)

const ManagedAccountList = Type.Object(
  { accounts: Type.Array(ManagedAccount), nextCursor: NextCursor },
  { title: 'ManagedAccountList' },
)

const ManagedAccountChange = Type.Object(
  {
    disabled: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'A disabled account cannot sign in, and its tokens are refused. Its data stays.',
      }),
    ),
    storageQuotaBytes: Type.Optional(Nullable(StorageQuotaBytes)),
    role: Type.Optional(
      Type.Enum(['owner'], {
        type: 'string',
        description: 'Hands the instance over to this account. Requires your `password`.',
      }),
    ),
    password: Type.Optional(Password),
  },
  { ...strict, minProperties: 1, title: 'ManagedAccountChange' },
)

const registration = Type.Enum(['open', 'first', 'invite'], {
  type: 'string',
  examples: ['invite'],
  description: 'Who may register: anybody, nobody after the owner, or people with an invitation',
})

const DefaultStorageQuota = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: MAX_QUOTA_BYTES,
    examples: [5_000_000_000],
    description: '`storageQuotaBytes` of new accounts. It does not change existing accounts. Null: no limit',
  }),
)

const ChosenMailAccount = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 100,
    examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
    description:
      'Your mail account that sends the mail of this instance, such as password resets and invitations. Null: your oldest enabled one',
  }),
)

const InstanceSettings = Type.Object(
  {
    registration,
    registrationIsFixed: Type.Boolean({
      examples: [false],
      description: 'The configuration of the server sets `registration`, so that it cannot be changed here',
    }),
    defaultStorageQuotaBytes: DefaultStorageQuota,
    mailAccountId: ChosenMailAccount,
    mailAddress: Nullable(
      Type.String({
        examples: ['ana@example.org'],
        description: 'The sender of the mail of this instance. Null: it cannot send mail',
      }),
    ),
    mailIsFixed: Type.Boolean({
      examples: [false],
      description: 'The configuration of the server (`SMTP_URL`) sets the sender',
    }),
    hasPublicUrl: Type.Boolean({
      examples: [true],
      description: '`PUBLIC_URL` is set. Without it, the instance mails no links',
    }),
  },
  { title: 'InstanceSettings' },
)

const InstanceSettingsChange = Type.Object(
  {
    registration: Type.Optional(registration),
    defaultStorageQuotaBytes: Type.Optional(DefaultStorageQuota),
    mailAccountId: Type.Optional(ChosenMailAccount),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        examples: ['correct horse battery'],
        description: 'Your password. Required to change `mailAccountId`',
      }),
    ),
  },
  {
    ...strict,
    title: 'InstanceSettingsChange',
    examples: [{ registration: 'invite', defaultStorageQuotaBytes: 5_000_000_000 }],
  },
)

export const administrationRoutes =
  (administration: Administration, settle: () => Promise<void>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/accounts',
      {
        config: ownerSession,
        schema: {
          operationId: 'listAccounts',
          summary: 'List the accounts of this instance',
          description: 'In the order of their registration. Contains nothing of their data.',
          querystring: Page,
          response: { 200: ManagedAccountList },
        },
      },
      ({ query }) => administration.list(query),
    )

    app.get(
      '/accounts/:id',
      {
        config: ownerSession,
        schema: {
          operationId: 'getAccount',
          summary: 'Get an account',
          params: AccountPath,
          response: { 200: ManagedAccount },
        },
      },
      ({ params }) => administration.get(params.id),
    )

    app.patch(
      '/accounts/:id',
      {
        config: { ...ownerSession, mayAnswer: [409, 429] },
        schema: {
          operationId: 'updateAccount',
          summary: 'Disable an account, limit its storage, or hand over the instance',
          params: AccountPath,
          body: ManagedAccountChange,
          response: { 200: ManagedAccount },
        },
      },
      ({ user, params, body, visit, ifMatch }) =>
        administration.change(user, params.id, body, { visit, ifMatch }),
    )

    app.delete(
      '/accounts/:id',
      {
        config: { ...ownerSession, mayAnswer: [409, 429] },
        schema: {
          operationId: 'deleteAccount',
          summary: 'Delete an account and its data',
          params: AccountPath,
          body: PasswordProof,
          response: { 204: Type.Null() },
        },
      },
      async ({ user, params, body, visit }) => {
        await administration.remove(user, params.id, body.password, visit)
        await settle()
      },
    )

    app.get(
      '/instance',
      {
        config: ownerSession,
        schema: {
          operationId: 'getInstanceSettings',
          summary: 'Get the settings of this instance',
          response: { 200: InstanceSettings },
        },
      },
      () => administration.readSettings(),
    )

    app.patch(
      '/instance',
      {
        config: { ...ownerSession, mayAnswer: [409, 429] },
        schema: {
          operationId: 'updateInstanceSettings',
          summary: 'Change the settings of this instance',
          body: InstanceSettingsChange,
          response: { 200: InstanceSettings },
        },
      },
      ({ user, body, visit, ifMatch }) => administration.changeSettings(user, body, { visit, ifMatch }),
    )
  }
