import { sql } from 'kysely'
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
import { normalizeAddress, toLocalPart, toSortKey } from './contact.ts'
import {
  deleteAddresses,
  deleteContact,
  deleteUses,
  eachContactBatch,
  findAddresses,
  findContacts,
  findMailPeople,
  hasContacts,
  insertUses,
  listAddresses,
  listMailPeople,
  type MailPeople,
  setSortKey,
} from './repository.ts'
import { type CountedMail, toUses } from './tally.ts'
import { indexContacts } from './terms.ts'

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

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
  of: ofUser,
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
  of: ofUser,
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
  of: ofUser,
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

const toCountedMail = (row: MailPeople): CountedMail => ({
  folder: row.folder,
  from: { name: row.fromName, address: row.fromAddress },
  to: JSON.parse(row.to),
  cc: JSON.parse(row.cc),
  bcc: JSON.parse(row.bcc),
  date: row.date,
  isBulk: row.listId !== null,
})

/** Writes the columns and terms that an export does not contain. */
const completeContacts = async (tx: Db, userId: number): Promise<void> => {
  for await (const contacts of eachContactBatch(tx, userId, BATCH)) {
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
  }
}

/** Records the mail of an export that is older than contacts. */
const recordStoredMail = async (tx: Db, userId: number): Promise<void> => {
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

/** Deletes what mail with these people has made, except contacts that the user edited. */
const forgetPeople = async (tx: Db, userId: number, mail: MailPeople): Promise<void> => {
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

export const contactsPart: DataPart = {
  folder: 'contacts',
  tables: [contactRows, addressRows, useRows],
  others: ['contact_terms'],

  async afterImport(tx, { userId }) {
    if (await hasContacts(tx, userId)) await completeContacts(tx, userId)
    else await recordStoredMail(tx, userId)
  },

  async removeSample(tx, { userId, marked }) {
    for (const reference of await marked('email')) {
      const mail = await findMailPeople(tx, userId, Number(reference))
      if (mail) await forgetPeople(tx, userId, mail)
    }
  },
}
