import type { Db } from '../../../database/db.ts'
import { addToTally, readTally } from '../../../database/tallies.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { type MailingList, mailingListOf } from '../mime/list-fields.ts'
import { UNLISTED } from '../store.ts'
import { readHead } from './heads.ts'
import { listUnlisted, setMailingList, type UnlistedEmail } from './store.ts'

const AT_ONCE = 100
const IN_A_RUN = 10_000

/** Finds the lists of e-mails that came before lists were known, from the newest on, so many at a time. */
export const createListFinding = ({ db, blobs }: { db: Db; blobs: Blobs }) => {
  const listOf = async ({ rawBlob, fromAddress }: UnlistedEmail): Promise<MailingList | null> => {
    try {
      return mailingListOf(await readHead(db, blobs, rawBlob), fromAddress)
    } catch {
      // Deleted meanwhile.
      return null
    }
  }

  return async (): Promise<void> => {
    let upTo = await readTally(db, UNLISTED)
    for (let seen = 0; seen < IN_A_RUN && upTo > 0; seen += AT_ONCE) {
      const emails = await listUnlisted(db, upTo, AT_ONCE)
      const last = emails.length < AT_ONCE ? undefined : emails.at(-1)
      const next = last ? last.id - 1 : 0
      const found: [number, MailingList][] = []
      for (const email of emails) {
        const list = await listOf(email)
        if (list) found.push([email.id, list])
      }
      const done = next - upTo
      await inTransaction(db, async (tx) => {
        for (const [id, list] of found) await setMailingList(tx, id, list)
        await addToTally(tx, UNLISTED, done)
      })
      upTo = next
    }
  }
}
