import type { Db } from '../../database/db.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { serverOf } from './credentials.ts'
import { addSynced, clearSyncedDays, listSyncedDays } from './sync/synced-count.ts'

const DAY_MS = 86_400_000
const SAMPLE_WEEK = [12, 31, 27, 19, 34, 8, 14]

const readAccounts = async (view: Db, userId: number) => {
  const rows = await view
    .selectFrom('mail_accounts')
    .select(['id', 'name', 'address', 'senderName', 'imap', 'smtp', 'signIn', 'username', 'smtpUsername'])
    .select(['enabled', 'createdAt', 'updatedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute()
  return rows.map((row) => ({
    ...row,
    imap: serverOf(row.imap),
    smtp: serverOf(row.smtp),
    enabled: row.enabled === 1,
  }))
}

/** The accounts in what is done with all data at once. Their passwords and tokens are in no export. */
export const mailAccountsPart: DataPart = {
  async addToExport(zip, view, userId) {
    const accounts = await readAccounts(view, userId)
    zip.addBuffer(Buffer.from(`${JSON.stringify(accounts, null, 2)}\n`), 'mail/accounts.json')
    const synced = await listSyncedDays(view)
    zip.addBuffer(Buffer.from(`${JSON.stringify(synced, null, 2)}\n`), 'mail/synced-days.json')
  },
  async wipe(tx) {
    // What hangs on an account goes with it.
    for (const table of ['mail_accounts', 'oauth_states'] as const) await tx.deleteFrom(table).execute()
    await clearSyncedDays(tx)
  },
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
}
