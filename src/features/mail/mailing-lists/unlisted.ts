import type { Db } from '../../../database/db.ts'
import { addToTally, readTally } from '../../../database/tallies.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { UNLISTED } from '../email-repository.ts'
import { type MailingList, readMailingList } from '../mime/list-fields.ts'
import { readHead } from './message-header.ts'
import { listUnlisted, setMailingList, type UnlistedEmail } from './repository.ts'

const BATCH_SIZE = 100
const MAX_PER_RUN = 10_000

/**
 * Detects the mailing lists of emails that were stored before this feature existed, newest first, in batches.
 */
export const createListFinder = ({ db, blobs }: { db: Db; blobs: Blobs }) => {
  const findList = async ({ rawBlob, fromAddress }: UnlistedEmail): Promise<MailingList | null> => {
    try {
      return readMailingList(await readHead(db, blobs, rawBlob), fromAddress)
    } catch {
      // The message was deleted meanwhile.
      return null
    }
  }

  return async (): Promise<void> => {
    let upTo = await readTally(db, UNLISTED)
    for (let seen = 0; seen < MAX_PER_RUN && upTo > 0; seen += BATCH_SIZE) {
      const emails = await listUnlisted(db, upTo, BATCH_SIZE)
      const last = emails.length < BATCH_SIZE ? undefined : emails.at(-1)
      const next = last ? last.id - 1 : 0
      const found: [number, MailingList][] = []
      for (const email of emails) {
        const list = await findList(email)
        if (list) found.push([email.id, list])
      }
      const processed = next - upTo
      await inTransaction(db, async (tx) => {
        for (const [id, list] of found) await setMailingList(tx, id, list)
        await addToTally(tx, UNLISTED, processed)
      })
      upTo = next
    }
  }
}
