import { sql } from 'kysely'
import Type from 'typebox'
import {
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  instead,
  integer,
  json,
  oneOf,
  own,
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { type AccountSecret, sealSecret } from './credentials.ts'
import { type AccountRecord, insertAccount } from './store.ts'

const Server = json(
  Type.Object({
    host: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    tls: Type.Enum(['implicit', 'starttls', 'none']),
    certificate: Type.Union([Type.String(), Type.Null()]),
  }),
)

/** What signs in nowhere. */
const nothingOf = ({ signIn }: AccountRecord): AccountSecret =>
  signIn === 'password'
    ? { password: '', smtpPassword: null }
    : { refreshToken: '', accessToken: '', expiresAt: '1970-01-01T00:00:00.000Z' }

/** Without its password an account comes back turned off, until the person gives it one. */
const accountsWith = (sealer: Sealer) =>
  portable('mail_accounts', {
    file: 'accounts.jsonl',
    of: (userId) => [sql<boolean>`${sql.ref('userId')} = ${userId}`],
    columns: {
      ...{ id: text, userId: own, name: text, address: text, senderName: text, imap: Server, smtp: Server },
      ...{ signIn: oneOf('password', 'google', 'microsoft'), username: text, smtpUsername: textOrNull },
      ...{ secret: without(''), enabled: instead(flag, 0), version: integer },
      ...{ createdAt: instant, updatedAt: instant },
    },
    complete: (row) => ({ ...row, secret: sealSecret(sealer, row.id, nothingOf(row)) }),
    async put(tx, row) {
      await insertAccount(tx, row)
    },
  })

const ofAccounts = (userId: number) => [
  sql<boolean>`${sql.ref('accountId')} in
    (select id from mail_accounts where ${sql.ref('userId')} = ${userId})`,
]

/** Where messages lie on the server: with that, a sync goes on where it was instead of fetching all of it again. */
const folders = portable('mail_folders', {
  file: 'folders.jsonl',
  of: ofAccounts,
  columns: {
    ...{ id, accountId: text, path: text, use: textOrNull, uidValidity: text, uidNext: integer },
    ...{ highestModseq: textOrNull, total: integer },
  },
})

const placements = portable('mail_placements', {
  file: 'placements.jsonl',
  of: ofAccounts,
  columns: {
    ...{ id, accountId: text, folderId: id, uidValidity: text, uid: integer, emailId: idOrNull },
    ...{ identity: text, read: flag, starred: flag, goneAt: instantOrNull },
  },
})

const pushes = portable('mail_pushes', {
  file: 'pushes.jsonl',
  of: ofAccounts,
  columns: {
    ...{ id, accountId: text, kind: oneOf('flags', 'move', 'delete', 'append'), emailId: id },
    ...{ wish: json(Type.Object({})), attempts: integer, createdAt: instant },
  },
})

const STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const

const outbox = portable('outbox', {
  file: 'outbox.jsonl',
  of: ofAccounts,
  columns: {
    ...{ emailId: id, accountId: text, state: oneOf(...STATES), messageId: text },
    ...{
      envelope: json(Type.Object({ from: Type.String(), to: Type.Array(Type.String()) })),
      sendAt: instant,
    },
    ...{
      attempts: integer,
      attempt: without(null),
      error: textOrNull,
      createdAt: instant,
      updatedAt: instant,
    },
  },
  // Nobody here knows whether it went out from there meanwhile, and nothing is sent twice: a person decides.
  complete: (row) => ({
    ...row,
    state: row.state === 'queued' || row.state === 'sending' ? 'uncertain' : row.state,
  }),
})

/** The accounts in what is done with all data at once. Their passwords and tokens are in no export. */
export const createMailAccountsPart = ({ sealer }: { sealer: Sealer }): DataPart => ({
  folder: 'mail',
  tables: [accountsWith(sealer), folders, placements, pushes, outbox],
  others: ['mail_sync', 'oauth_states'],
})
