import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
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
  integerOrNull,
  json,
  oneOf,
  own,
  portable,
  text,
  textId,
  textOrNull,
  without,
} from '../../../platform/portable/table.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { DataPart } from '../../accounts/data/parts.ts'
import { mapFlags } from '../messages/email.ts'
import { isSyncedDay, syncedDayColumn } from '../sync/synced-count.ts'
import { type AccountSecret, createMailCredentials } from './accounts.ts'
import { type AccountRecord, insertAccount } from './repository.ts'

const Server = json(
  Type.Object({
    host: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    tls: Type.Enum(['implicit', 'starttls', 'none']),
    certificate: Type.Union([Type.String(), Type.Null()]),
  }),
)

const Identity = Type.Object({
  name: Type.String({ maxLength: 100 }),
  address: Type.String({ minLength: 3, maxLength: 254 }),
})

/** Credentials that cannot sign in. An import has no passwords or tokens. */
const toEmptySecret = ({ signIn }: AccountRecord): AccountSecret =>
  signIn === 'password'
    ? { password: '', smtpPassword: null }
    : { refreshToken: '', accessToken: '', expiresAt: '1970-01-01T00:00:00.000Z' }

export interface MailAccountsPartDeps {
  sealer: Sealer
  sanitize: (html: string) => Promise<string | null>
}

/** An imported account has no password. It stays turned off until the user enters one. */
const createAccountsTable = ({ sealer, sanitize }: MailAccountsPartDeps) =>
  portable('mail_accounts', {
    file: 'accounts.jsonl',
    columns: {
      id: textId('mail_accounts'),
      userId: own,
      name: text,
      address: text,
      senderName: text,
      imap: Server,
      smtp: Server,
      signIn: oneOf('password', 'google', 'microsoft'),
      username: text,
      smtpUsername: textOrNull,
      secret: without(''),
      enabled: instead(flag, 0),
      signature: added(textOrNull, null),
      identities: added(json(Type.Array(Identity)), '[]'),
      plainText: added(flag, 0),
      maxMessageBytes: added(integerOrNull, null),
      acceptsUtf8: added(integerOrNull, null),
      version: integer,
      createdAt: instant,
      updatedAt: instant,
    },
    complete: (row) => ({ ...row, secret: createMailCredentials(sealer).seal(row.id, toEmptySecret(row)) }),
    async put(tx, row) {
      const signature = row.signature === null ? null : await sanitize(row.signature)
      await insertAccount(tx, { ...row, signature })
    },
  })

const belongsToAccounts = (userId: number) => [
  sql<boolean>`${sql.ref('accountId')} in
    (select id from mail_accounts where ${sql.ref('userId')} = ${userId})`,
]

/** Folder positions and message placements let a sync resume instead of fetching all mail again. */
const folders = portable('mail_folders', {
  file: 'folders.jsonl',
  columns: {
    id: id('mail_folders'),
    userId: own,
    accountId: textId('mail_accounts'),
    path: text,
    name: added(text, ''),
    parentId: added(idOrNull('mail_folders'), null),
    selectable: added(flag, 1),
    subscribed: added(flag, 1),
    use: textOrNull,
    uidValidity: text,
    uidNext: integer,
    highestModseq: textOrNull,
    total: integer,
  },
})

/** An export of an older version does not know which placements were linked without comparing their contents. */
const UNKNOWN = -1

const isOfUser = (userId: number) =>
  sql`"accountId" in (select id from mail_accounts where "userId" = ${userId})`

/** The next sync compares the contents of emails with several placements, as after an upgrade. */
const markUnchecked = async (tx: Db, userId: number): Promise<void> => {
  const ordinary = sql`(select id from mail_folders where "userId" = ${userId} and coalesce(use, '') <> 'all')`
  await sql`update mail_placements set unchecked = 1
    where unchecked = ${UNKNOWN} and ${isOfUser(userId)} and "goneAt" is null and "folderId" in ${ordinary}
      and "emailId" in (
        select "emailId" from mail_placements
        where ${isOfUser(userId)} and "goneAt" is null and "folderId" in ${ordinary}
        group by "emailId" having count(*) > 1)`.execute(tx)
  await sql`update mail_placements set unchecked = 0
    where unchecked = ${UNKNOWN} and ${isOfUser(userId)}`.execute(tx)
}

const placements = portable('mail_placements', {
  file: 'placements.jsonl',
  of: belongsToAccounts,
  columns: {
    id: id('mail_placements'),
    accountId: textId('mail_accounts'),
    folderId: id('mail_folders'),
    uidValidity: text,
    uid: integer,
    emailId: idOrNull('emails'),
    identity: text,
    ...mapFlags(() => flag),
    keywords: added(json(Type.Array(Type.String())), '[]'),
    goneAt: instantOrNull,
    // Without this column, an import would treat a message that was being read as deleted by the user.
    attempts: added(integer, 0),
    receivedAt: added(instantOrNull, null),
    objectId: added(textOrNull, null),
    unchecked: added(integer, UNKNOWN),
  },
})

const pushes = portable('mail_pushes', {
  file: 'pushes.jsonl',
  formerNames: { payload: 'wish' },
  of: belongsToAccounts,
  columns: {
    id: id('mail_pushes'),
    accountId: textId('mail_accounts'),
    kind: oneOf('flags', 'move', 'delete', 'append', 'keywords'),
    emailId: id('emails'),
    payload: json(Type.Object({}), {
      'placementIds.*': 'mail_placements',
      folderId: 'mail_folders',
      fromId: 'mail_folders',
    }),
    attempts: integer,
    createdAt: instant,
  },
})

const STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const

const outbox = portable('outbox', {
  file: 'outbox.jsonl',
  of: belongsToAccounts,
  columns: {
    emailId: id('emails'),
    accountId: textId('mail_accounts'),
    state: oneOf(...STATES),
    messageId: text,
    envelope: json(Type.Object({ from: Type.String(), to: Type.Array(Type.String()) })),
    sendAt: instant,
    attempts: integer,
    attempt: without(null),
    error: textOrNull,
    createdAt: instant,
    updatedAt: instant,
  },
  // The source instance may have sent the message after the export. A user must decide whether to send it
  // again.
  complete: (row) => ({
    ...row,
    state: row.state === 'queued' || row.state === 'sending' ? 'uncertain' : row.state,
  }),
})

/** Messages synced per day. */
const synced = portable('tallies', {
  file: 'synced-days.jsonl',
  of: (userId) => [isSyncedDay(userId)],
  beside: 'added',
  columns: { id: { read: countedAnew.read }, name: syncedDayColumn, amount: integer },
})

/** Export and import of mail accounts. An export never contains passwords or tokens. */
export const createMailAccountsPart = (deps: MailAccountsPartDeps): DataPart => ({
  folder: 'mail',
  tables: [createAccountsTable(deps), folders, placements, pushes, outbox, synced],
  others: ['mail_sync', 'oauth_states', 'oauth_clients'],

  afterImport: (tx, { userId }) => markUnchecked(tx, userId),
})
