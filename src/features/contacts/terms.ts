import type { Db } from '../../database/db.ts'
import { toTerms } from './contact.ts'
import { type AddressRecord, type ContactRecord, deleteTerms, insertTerms } from './repository.ts'

/** Writes the search terms of contacts with all their addresses. `areIndexed`: some of them have terms already. */
export const indexContacts = async (
  tx: Db,
  userId: number,
  { contacts, addresses }: { contacts: readonly ContactRecord[]; addresses: readonly AddressRecord[] },
  areIndexed = true,
): Promise<void> => {
  if (areIndexed)
    await deleteTerms(
      tx,
      userId,
      contacts.map(({ id }) => id),
    )
  const byContact = Map.groupBy(addresses, ({ contactId }) => contactId)
  await insertTerms(
    tx,
    contacts.flatMap((contact) => {
      const own = byContact.get(contact.id) ?? []
      const entries = own.length > 0 ? own : [{ id: 0, address: undefined }]
      return entries.flatMap(({ id: addressId, address }) =>
        toTerms(contact, address).map((term) => ({ userId, term, contactId: contact.id, addressId })),
      )
    }),
  )
}
