import type { Db } from '../../database/db.ts'
import { DEFAULT_WORKING_HOURS } from './working-hours.ts'

const blankRow = (at: string) => ({
  email: '',
  emailKey: '',
  name: '',
  passwordHash: '',
  role: 'local' as const,
  timezone: 'UTC',
  locale: 'en',
  weekStart: 'monday',
  workingHours: JSON.stringify(DEFAULT_WORKING_HOURS),
  avatarHash: null,
  twoFactorSecret: null,
  twoFactorEnabledAt: null,
  twoFactorStep: null,
  remoteImages: 'ask' as const,
  imageSenders: '[]',
  conferencingLink: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
})

/** Adds the local account, as in a new instance. */
export const insertLocalAccount = async (tx: Db, at: string): Promise<void> => {
  await tx.insertInto('users').values(blankRow(at)).execute()
}

/** Turns an account into the local one. Its data stays, and nobody can sign in to it. */
export const unclaimAccount = async (tx: Db, id: number, at: string): Promise<void> => {
  for (const table of ['sessions', 'access_tokens', 'feed_tokens', 'avatars', 'backup_codes'] as const)
    await tx.deleteFrom(table).where('userId', '=', id).execute()
  await tx.updateTable('users').set(blankRow(at)).where('id', '=', id).execute()
}
