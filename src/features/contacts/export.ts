import type { Db } from '../../database/db.ts'
import { createYielder } from '../../platform/yield.ts'
import type { Contacts } from './contacts.ts'
import { eachContactBatch } from './repository.ts'
import type { ContactTally } from './tally.ts'
import { writeCard } from './vcard-writer.ts'

const BATCH = 100

/** Exports contacts as vCards. */
export class ContactExport {
  private readonly deps: { db: Db; contacts: Contacts; tally: Pick<ContactTally, 'settle'> }

  constructor(deps: ContactExport['deps']) {
    this.deps = deps
  }

  async one(userId: number, id: number): Promise<string> {
    return writeCard(await this.deps.contacts.get(userId, id))
  }

  /** Yields the vCards of the whole address book, or of the known or unknown contacts. */
  async *all(userId: number, known: boolean | undefined): AsyncGenerator<string> {
    const { db, contacts, tally } = this.deps
    await tally.settle()
    const yieldIfNeeded = createYielder()
    for await (const rows of eachContactBatch(db, userId, BATCH)) {
      const wanted = rows.filter(({ isKnown }) => known === undefined || (isKnown === 1) === known)
      for (const contact of await contacts.toContacts(db, userId, wanted)) {
        await yieldIfNeeded()
        yield writeCard(contact)
      }
    }
  }
}
