import type { Db } from '../../database/db.ts'
import { normalizeAddress } from './contact.ts'
import {
  deleteAddresses,
  deleteContact,
  deleteUses,
  findAddresses,
  findContacts,
  findMailPeople,
  insertUses,
  listMailPeople,
  type MailPeople,
} from './repository.ts'
import { type CountedMail, toUses } from './tally.ts'

const BATCH = 500

const toCountedMail = (row: MailPeople): CountedMail => ({
  folder: row.folder,
  from: { name: row.fromName, address: row.fromAddress },
  to: JSON.parse(row.to),
  cc: JSON.parse(row.cc),
  bcc: JSON.parse(row.bcc),
  date: row.date,
  isBulk: row.listId !== null,
})

/** Records the mail of an export that is older than contacts. */
export const recordStoredMail = async (tx: Db, userId: number): Promise<void> => {
  for (let after = 0; ; ) {
    const rows = await listMailPeople(tx, userId, after, BATCH)
    await insertUses(
      tx,
      rows.flatMap((row) => toUses(userId, toCountedMail(row))),
    )
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Deletes what mail with the people of an email has made, except contacts that the user edited. */
export const forgetContacts = async (tx: Db, userId: number, emailId: number): Promise<void> => {
  const mail = await findMailPeople(tx, userId, emailId)
  if (!mail) return
  const { from, to, cc, bcc } = toCountedMail(mail)
  const people = [from, ...to, ...cc, ...bcc].flatMap(
    (person) => normalizeAddress(person?.address ?? '') ?? [],
  )
  await deleteUses(tx, userId, people)
  const stored = await findAddresses(tx, userId, people)
  const ids = [...stored.values()].flatMap(({ contactId }) => contactId ?? [])
  const edited = new Set<number>()
  for (const contact of ids.length === 0 ? [] : await findContacts(tx, userId, ids))
    if (contact.isEdited === 1) edited.add(contact.id)
    else await deleteContact(tx, userId, contact.id)
  await deleteAddresses(
    tx,
    userId,
    [...stored.values()]
      .filter(({ contactId }) => contactId === null || !edited.has(contactId))
      .map(({ address }) => address),
  )
}
