import Type, { type Static } from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Actions } from '../undo/journal.ts'
import {
  type Contact,
  type ContactDetails,
  joinLists,
  LIST_FIELDS,
  MAX_ADDRESSES,
  MAX_LENGTH,
  MAX_PHONES,
  NO_DETAILS,
  type Phone,
  TEXT_FIELDS,
  toContact,
  type VersionedContact,
} from './contact.ts'
import type { Contacts } from './contacts.ts'
import { deleteContact, findAddresses, listAddresses, lockContacts, moveAddresses } from './repository.ts'
import { joinExtra } from './vcard-writer.ts'

const KIND = 'contact.merge'

const Before = Type.Object({
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, Type.Optional(Type.String())])),
  // Absent in merges of earlier versions.
  ...Object.fromEntries(LIST_FIELDS.map((field) => [field, Type.Optional(Type.Array(Type.Unknown()))])),
  extra: Type.Optional(Type.String()),
  phones: Type.Array(Type.Object({ label: Type.String(), number: Type.String() })),
  addresses: Type.Array(Type.Object({ address: Type.String(), label: Type.String() })),
})

/** Addresses are named by themselves, because an import into another account changes ids. */
const Payload = Type.Object({
  id: Type.Integer(),
  /** The version after the merge. */
  version: Type.Integer(),
  kept: Before,
  merged: Type.Array(Before),
})

type Fields = ContactDetails & Pick<VersionedContact, 'addresses' | 'extra'>

const toBefore = (contact: VersionedContact): Fields => {
  const { id: _, isKnown: __, createdAt: ___, updatedAt: ____, version: _____, ...fields } = contact
  return fields
}

const phoneKey = ({ number }: Phone): string => number.replace(/[^\d+]/g, '') || number

/** Returns each number once, with its first label. */
export const joinPhones = (phones: readonly Phone[]): Phone[] =>
  [...new Map(phones.toReversed().map((phone) => [phoneKey(phone), phone])).values()]
    .toReversed()
    .slice(0, MAX_PHONES)

/** Keeps the texts of the first contact, and fills empty ones from the others. Notes are joined. */
const joinFields = (contacts: readonly VersionedContact[]): Fields => {
  const [first] = contacts as [VersionedContact]
  const texts = Object.fromEntries(
    TEXT_FIELDS.map((field) => [field, contacts.find((contact) => contact[field] !== '')?.[field] ?? '']),
  ) as Pick<Contact, (typeof TEXT_FIELDS)[number]>
  const notes = new Set(contacts.map((contact) => contact.notes).filter((text) => text !== ''))
  return {
    ...first,
    ...texts,
    notes: [...notes].join('\n\n').slice(0, MAX_LENGTH.notes).toWellFormed(),
    phones: joinPhones(contacts.flatMap(({ phones }) => phones)),
    ...joinLists(contacts),
    extra: contacts.map(({ extra }) => extra).reduce(joinExtra),
    addresses: contacts.flatMap(({ addresses }) => addresses),
  }
}

/** Merges contacts into one that has all their addresses, and undoes it. */
export class ContactMerger {
  private readonly deps: { db: Db; contacts: Contacts; actions: Actions }

  constructor(deps: ContactMerger['deps']) {
    this.deps = deps
    deps.actions.define({
      kind: KIND,
      payload: Payload,
      references: { id: 'contacts' },
      undo: (tx, payload, _parts, userId) => this.undo(tx, userId, payload as unknown as MergePayload),
    })
  }

  merge(
    userId: number,
    id: number,
    given: readonly number[],
    ifMatch: string | undefined,
  ): Promise<{ contact: VersionedContact; actionId: number }> {
    const { db, contacts, actions } = this.deps
    const others = [...new Set(given)]
    if (others.includes(id)) throw invalidField('contactIds', 'contains the contact itself')
    return inTransaction(db, async (tx) => {
      // One order for all writers, so that two merges cannot wait for each other.
      const rows = await lockContacts(
        tx,
        userId,
        [id, ...others].sort((one, other) => one - other),
      )
      const byId = new Map((await contacts.toContacts(tx, userId, rows)).map((row) => [row.id, row]))
      const kept = byId.get(id)
      if (!kept) throw notFound('contact')
      requireMatch(ifMatch, { id, version: kept.version })
      const merged = others.map((other, index) => {
        const contact = byId.get(other)
        if (!contact) throw invalidField(`contactIds.${index}`, 'is not a contact')
        return contact
      })
      const fields = joinFields([kept, ...merged])
      if (fields.addresses.length > MAX_ADDRESSES)
        throw conflict(`A contact can have ${MAX_ADDRESSES} addresses. Remove some first.`)
      const moved = await listAddresses(tx, userId, others)
      await moveAddresses(
        tx,
        userId,
        moved.map((address) => address.id),
        { contactId: id, firstPlace: kept.addresses.length },
      )
      for (const other of others) {
        await deleteContact(tx, userId, other)
        await contacts.record(tx, userId, other)
      }
      const contact = await contacts.save(tx, userId, id, fields, fields.addresses)
      await contacts.record(tx, userId, id)
      const name = contact.name || contact.addresses[0]?.address || contact.organization
      const actionId = await actions.record(tx, {
        userId,
        kind: KIND,
        summary: `Merged ${others.length + 1} contacts into “${name}”`,
        payload: { id, version: contact.version, kept: toBefore(kept), merged: merged.map(toBefore) },
      })
      return { contact, actionId }
    })
  }

  private async undo(tx: Db, userId: number, payload: MergePayload): Promise<void> {
    const { contacts } = this.deps
    const { id, version } = payload
    const complete = (fields: Fields): Fields => ({ ...NO_DETAILS, ...fields })
    const [kept, merged] = [complete(payload.kept), payload.merged.map(complete)]
    const [row] = await lockContacts(tx, userId, [id])
    if (!row || row.version !== version)
      throw conflict('The merged contact was changed since. Edit the contacts instead.')
    const own = await listAddresses(tx, userId, [id])
    const back = merged.flatMap(({ addresses }) => addresses.map(({ address }) => address))
    const leaving = [...(await findAddresses(tx, userId, back)).values()]
    for (const fields of merged) {
      const created = await contacts.insert(tx, userId, fields, [])
      const addresses = fields.addresses.flatMap(
        ({ address }) => leaving.find((each) => each.address === address && each.contactId === id)?.id ?? [],
      )
      await moveAddresses(tx, userId, addresses, { contactId: created.id, firstPlace: 0 })
      const stored = toContact(row, await listAddresses(tx, userId, [created.id])).addresses
      await contacts.save(tx, userId, created.id, fields, stored)
      await contacts.record(tx, userId, created.id)
    }
    const rest = toContact(row, own).addresses.filter(({ address }) => !back.includes(address))
    await contacts.save(tx, userId, id, kept, rest)
    await contacts.record(tx, userId, id)
  }
}

type MergePayload = Omit<Static<typeof Payload>, 'kept' | 'merged'> & { kept: Fields; merged: Fields[] }
