import { sql } from 'kysely'
import Type from 'typebox'
import {
  added,
  countedAnew,
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
import { addSynced, ofSyncedDays } from './sync/synced-count.ts'

const DAY_MS = 86_400_000
const SAMPLE_WEEK = [12, 31, 27, 19, 34, 8, 14]

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
    // Without it, a message that was being read would count as one that was deleted here.
    attempts: added(integer, 0),
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

/** How many messages came each day. */
const synced = portable('tallies', {
  file: 'synced-days.jsonl',
  of: () => [ofSyncedDays],
  beside: 'added',
  columns: { id: { read: countedAnew.read }, name: text, amount: integer },
})

/** The accounts in what is done with all data at once. Their passwords and tokens are in no export. */
export const createMailAccountsPart = ({ sealer }: { sealer: Sealer }): DataPart => ({
  folder: 'mail',
  tables: [accountsWith(sealer), folders, placements, pushes, outbox, synced],
  others: ['mail_sync', 'oauth_states'],

  // A sample that signs in somewhere would be none; what one would have brought is counted all the same.
  async fillSample(tx, { now, mark }) {
    for (const [index, messages] of SAMPLE_WEEK.entries()) {
      const day = new Date(now.getTime() - (SAMPLE_WEEK.length - index) * DAY_MS).toISOString().slice(0, 10)
      await addSynced(tx, day, messages)
      await mark('messages-synced', `${day}=${messages}`)
    }
  },
  async removeSample(tx, marked) {
    for (const reference of await marked('messages-synced')) {
      const [day = '', messages] = reference.split('=')
      await addSynced(tx, day, -Number(messages))
    }
  },
})
