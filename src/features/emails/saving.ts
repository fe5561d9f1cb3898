import type { Db } from '../../database/db.ts'
import { addToTally } from '../../database/tallies.ts'
import { insertEmail } from './placing-store.ts'
import { keptTextOf } from './shown-email.ts'
import { type EmailRecord, type NewEmailRow, TALLY, updateEmail } from './store.ts'

type Fields = Omit<NewEmailRow, 'shown'>

/** Every new e-mail is saved here, and every change to one: what lists show of it is written along. */
export const saveNew = async (tx: Db, fields: Fields): Promise<EmailRecord> => {
  const email = await insertEmail(tx, { ...fields, shown: keptTextOf(fields) })
  await addToTally(tx, TALLY, 1)
  return email
}

/** The e-mail is as it is now, and held: what is not changed is taken from it. */
export const saveChange = (
  tx: Db,
  email: EmailRecord,
  change: Partial<Fields>,
  at: string,
): Promise<EmailRecord> => {
  const shown = keptTextOf({ ...email, ...change, updatedAt: at })
  return updateEmail(tx, email, { ...change, shown }, at)
}
