import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Db } from '../../src/database/db.ts'

/** Inserts mail accounts with these texts, in every sync state. */
export const fillMailAccounts = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  const emails = await db.selectFrom('emails').select('id').orderBy('id').modifyEnd(ALL_ACCOUNTS).execute()
  for (const [n, text] of texts.entries()) {
    const accountId = `m${n}`
    const emailId = emails[n]?.id as number
    await db
      .insertInto('mail_accounts')
      .values({
        id: accountId,
        userId,
        name: text,
        address: `m${n}@example.org`,
        senderName: text,
        imap: '{}',
        smtp: '{}',
        signIn: 'password',
        username: text,
        smtpUsername: null,
        secret: 'v1.sealed',
        enabled: n % 2,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    const lease = { requestedAt: null, owner: null, leaseUntil: null, epoch: n }
    await db
      .insertInto('mail_sync')
      .values({ accountId, status: 'failing', error: text, lastSyncAt: at, ...lease })
      .execute()
    const folder = await db
      .insertInto('mail_folders')
      .values({
        userId,
        accountId,
        path: text,
        name: text,
        parentId: null,
        use: null,
        uidValidity: '1',
        uidNext: 7,
        highestModseq: '9',
        total: 3,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { accountId, folderId: folder.id, uidValidity: '1', uid: n + 1, emailId }
    await db
      .insertInto('mail_placements')
      .values({ ...place, identity: `i${n}`, read: 1, starred: 0, goneAt: null })
      .execute()
    await db
      .insertInto('email_folders')
      .values({ userId, emailId, folderId: folder.id, folder: 'inbox', position: n + 1, unread: 0 })
      .execute()
    await db
      .insertInto('mail_pushes')
      .values({
        accountId,
        kind: 'flags',
        emailId,
        payload: JSON.stringify({ text }),
        attempts: 1,
        createdAt: at,
      })
      .execute()
    const state = { state: 'failed' as const, messageId: `o${n}@example.org`, envelope: '{}', sendAt: at }
    await db
      .insertInto('outbox')
      .values({
        emailId,
        accountId,
        ...state,
        attempts: 2,
        attempt: null,
        error: text,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    const begun = { sessionId: `s${n}`, userId, browser: 'b', provider: 'google' as const, accountId: null }
    await db
      .insertInto('oauth_states')
      .values({ state: `st${n}`, ...begun, verifier: 'v1.sealed', calendar: n % 2, expiresAt: at })
      .execute()
  }
  const client = { clientId: texts[0] ?? '', secret: 'v1.sealed', updatedAt: at }
  await db
    .insertInto('oauth_clients')
    .values([
      { provider: 'google', ...client },
      { provider: 'microsoft', ...client },
    ])
    .execute()
}
