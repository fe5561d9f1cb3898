import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import {
  added,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  json,
  oneOf,
  own,
  portable,
  text,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { toLocalPart, toSortKey } from './contact.ts'
import { hasContacts, insertUses, listAddresses, listContactsAfter, setSortKey } from './repository.ts'
import { recordStoredMail } from './stored-mail.ts'
import { indexContacts } from './terms.ts'

const PostalAddressRow = Type.Object({
  label: Type.String(),
  street: Type.String(),
  city: Type.String(),
  region: Type.String(),
  postalCode: Type.String(),
  country: Type.String(),
})

const contactRows = portable('contacts', {
  file: 'contacts.jsonl',
  isAdded: true,
  columns: {
    id: id('contacts'),
    userId: own,
    name: text,
    givenName: text,
    familyName: text,
    organization: text,
    jobTitle: text,
    phones: json(Type.Array(Type.Object({ label: Type.String(), number: Type.String() }))),
    notes: text,
    birthday: added(text, ''),
    postalAddresses: added(json(Type.Array(PostalAddressRow)), '[]'),
    websites: added(json(Type.Array(Type.Object({ label: Type.String(), url: Type.String() }))), '[]'),
    categories: added(json(Type.Array(Type.String())), '[]'),
    extra: added(text, ''),
    isEdited: flag,
    isKnown: flag,
    sortKey: without(''),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete: (row) => ({ ...row, sortKey: toSortKey(row, []) }),
})

const addressRows = portable('contact_addresses', {
  file: 'addresses.jsonl',
  isAdded: true,
  columns: {
    id: id('contact_addresses'),
    userId: own,
    contactId: idOrNull('contacts'),
    address: text,
    localPart: without(''),
    label: text,
    place: integer,
    sent: integer,
    received: integer,
    lastUsedAt: instantOrNull,
    score: integer,
    hiddenAt: instantOrNull,
  },
  complete: (row) => ({ ...row, localPart: toLocalPart(row.address) }),
})

/** Uses that were not counted yet at the time of the export. */
const useRows = portable('contact_uses', {
  file: 'uses.jsonl',
  isAdded: true,
  columns: {
    id: id('contact_uses'),
    userId: own,
    address: text,
    name: text,
    direction: oneOf('sent', 'received'),
    isBulk: flag,
    usedAt: instant,
  },
  // Without its id: the database numbers the uses of the imported emails too.
  async put(tx, { id: _id, ...row }) {
    await insertUses(tx, [row])
  },
})

const BATCH = 500

/** Writes the columns and terms that an export does not contain. */
const completeContacts = async (tx: Db, userId: number): Promise<void> => {
  for (let after = 0; ; ) {
    const contacts = await listContactsAfter(tx, userId, after, BATCH)
    const addresses = await listAddresses(
      tx,
      userId,
      contacts.map((contact) => contact.id),
    )
    for (const contact of contacts) {
      if (contact.sortKey !== '') continue
      const own = addresses.filter(({ contactId }) => contactId === contact.id).map(({ address }) => address)
      await setSortKey(tx, userId, contact.id, toSortKey(contact, own))
    }
    await indexContacts(tx, userId, { contacts, addresses })
    const last = contacts.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export const createContactsPart = (): DataPart => ({
  folder: 'contacts',
  tables: [contactRows, addressRows, useRows],
  others: ['contact_terms'],

  async afterImport(tx, { userId }) {
    if (await hasContacts(tx, userId)) await completeContacts(tx, userId)
    else await recordStoredMail(tx, userId)
  },
})
