import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { blankEntry } from './activity-repository.ts'
import { emailKeyOf } from './repository.ts'

/**
 * Removes the traces of an address in other people's data: invitations to it, and attempts to sign in with
 * it.
 */
export const forgetAddress = async (tx: Db, email: string): Promise<void> => {
  const key = emailKeyOf(email)
  await tx.deleteFrom('invitations').where('email', '=', key).execute()
  await tx
    .deleteFrom('attempts')
    .where((row) =>
      row.or([
        row('subject', '=', key),
        row(sql`substr(subject, 1, ${sql.lit(key.length + 1)})`, '=', `${key} `),
      ]),
    )
    .execute()
  // The log keeps the invitation and its date, but not who was invited.
  const invited = await tx
    .selectFrom('activity')
    .select(['id', 'details'])
    .where('action', '=', 'invitation.created')
    .execute()
  for (const { id, details } of invited) {
    const { email: whom } = JSON.parse(details) as { email?: string | null }
    if (typeof whom === 'string' && emailKeyOf(whom) === key) await blankEntry(tx, id)
  }
}
