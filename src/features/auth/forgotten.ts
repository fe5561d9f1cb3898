import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { blankEntry } from './activity-store.ts'
import { emailKeyOf } from './user-store.ts'

/** Removes the traces that an address has left with others: invitations to it, and tries to sign in with it. */
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
  // Who invited them, and when, stays known to the chain; whom does not.
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
