import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import {
  BLANK_ROW,
  type Contact,
  type ContactAddress,
  type ContactChange,
  type ContactDetails,
  cleanNotes,
  cleanPostalAddress,
  cleanText,
  detailColumns,
  isBirthday,
  isEmptyAddress,
  MAX_LENGTH,
  type NewContact,
  NO_DETAILS,
  normalizeAddress,
  normalizeWebsite,
  TEXT_FIELDS,
  toContact,
  toLocalPart,
  toPrefixes,
  toSortKey,
  type VersionedContact,
} from './contact.ts'
import {
  type AddressRecord,
  type ContactRecord,
  deleteAddresses,
  deleteContact,
  findAddresses,
  findContacts,
  hideAddresses,
  insertContact,
  isKnownAddress,
  listAddresses,
  listContactIdsOfLocalPart,
  listContacts,
  listContactsNamed,
  listSharedLocalParts,
  listSharedNames,
  lockContacts,
  putAddresses,
  suggestAddresses,
  updateContact,
} from './repository.ts'
import type { ContactCollection, ContactQuery, Duplicates, Suggestions } from './schema.ts'
import type { ContactTally } from './tally.ts'
import { indexContacts } from './terms.ts'

/** Whether the user saved the contact of this address, or has written to the address. */
export type IsKnownContact = (db: Db, userId: number, address: string) => Promise<boolean>

export const isKnownContact: IsKnownContact = async (db, userId, given) => {
  const address = normalizeAddress(given)
  return address !== undefined && (await isKnownAddress(db, userId, address))
}

/** Addresses of offices, which are equal before the `@` although they belong to different people. */
const SHARED_PARTS =
  `info mail email office kontakt contact hello hallo hi sales support service help admin team news post me billing jobs
  marketing webmaster`.split(/\s+/)
const MAX_GROUPS = 20
const MAX_IN_GROUP = 10

type GivenAddress = { address: string; label?: string | undefined }

const readAddresses = (given: readonly GivenAddress[]): { address: string; label: string }[] => {
  const seen = new Set<string>()
  return given.map(({ address: text, label = '' }, index) => {
    const address = normalizeAddress(text)
    const path = `addresses.${index}.address`
    if (address === undefined) throw invalidField(path, 'is not an email address')
    if (seen.has(address)) throw invalidField(path, 'is given twice')
    seen.add(address)
    return { address, label: cleanText(label, MAX_LENGTH.label) }
  })
}

/** Returns the given fields except addresses of mail, cleaned. */
const readFields = (input: ContactChange): Partial<ContactDetails> => {
  if (input.birthday && !isBirthday(input.birthday)) throw invalidField('birthday', 'is not a date')
  const empty = input.postalAddresses?.findIndex(isEmptyAddress) ?? -1
  if (empty >= 0) throw invalidField(`postalAddresses.${empty}`, 'is empty')
  return {
    ...readTexts(input),
    ...(input.postalAddresses && { postalAddresses: input.postalAddresses.map(cleanPostalAddress) }),
    ...(input.websites && {
      websites: input.websites.map(({ label, url }, index) => {
        const address = normalizeWebsite(url)
        if (address === undefined) throw invalidField(`websites.${index}.url`, 'is not the address of a page')
        return { label: cleanText(label, MAX_LENGTH.label), url: address }
      }),
    }),
    ...(input.categories && {
      categories: [
        ...new Set(input.categories.map((category) => cleanText(category, MAX_LENGTH.category))),
      ].filter((category) => category !== ''),
    }),
  }
}

const readTexts = (input: ContactChange): Partial<ContactDetails> => ({
  ...Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const text = input[field]
      if (text === undefined) return []
      return [[field, field === 'notes' ? cleanNotes(text) : cleanText(text, MAX_LENGTH.name)]]
    }),
  ),
  ...(input.phones && {
    phones: input.phones.map(({ label, number }) => ({
      label: cleanText(label, MAX_LENGTH.label),
      number: cleanText(number, MAX_LENGTH.number),
    })),
  }),
})

/** Builds the display name if only its parts are given. */
const withName = <T extends Pick<Contact, 'name' | 'givenName' | 'familyName'>>(fields: T): T => ({
  ...fields,
  name: fields.name || `${fields.givenName} ${fields.familyName}`.trim(),
})

const requireIdentity = (
  { name, organization }: Pick<Contact, 'name' | 'organization'>,
  addresses: readonly GivenAddress[],
): void => {
  if (name === '' && organization === '' && addresses.length === 0)
    throw invalidField('name', 'is required if there is neither an organization nor an address')
}

/** Without `extra`, the lines of the vCards stay. */
type FieldsToSave = ContactDetails & { extra?: string }

export interface ContactsDeps {
  database: Database
  clock: Clock
  changes: Changes
  tally: Pick<ContactTally, 'settle'>
}

export class Contacts {
  private readonly deps: ContactsDeps

  constructor(deps: ContactsDeps) {
    this.deps = deps
  }

  async list(userId: number, { q, known, limit, cursor }: ContactQuery): Promise<ContactCollection> {
    const after = readCursor(cursor, 'text', 'integer')
    await this.deps.tally.settle()
    const { db } = this.deps.database
    const rows = await listContacts(
      db,
      userId,
      { prefixes: toPrefixes(q ?? ''), isKnown: known },
      { after: after && { sortKey: after[0], id: after[1] }, limit },
    )
    const { page, nextCursor } = pageOf(rows, limit, ({ sortKey, id }) => [sortKey, id])
    return { contacts: await this.toContacts(db, userId, page), nextCursor }
  }

  async suggest(userId: number, q: string, limit: number): Promise<Suggestions> {
    await this.deps.tally.settle()
    return { suggestions: await suggestAddresses(this.deps.database.db, userId, toPrefixes(q), limit) }
  }

  async get(userId: number, id: number): Promise<VersionedContact> {
    const { db } = this.deps.database
    const [contact] = await this.toContacts(db, userId, await findContacts(db, userId, [id]))
    if (!contact) throw notFound('contact')
    return contact
  }

  /** Lists contacts that may be the same person. */
  async listDuplicates(userId: number): Promise<Duplicates> {
    await this.deps.tally.settle()
    const { db } = this.deps.database
    const groups: { reason: 'name' | 'address'; rows: ContactRecord[] }[] = []
    for (const name of await listSharedNames(db, userId, MAX_GROUPS))
      groups.push({ reason: 'name', rows: await listContactsNamed(db, userId, name, MAX_IN_GROUP) })
    const known = new Set(groups.map(({ rows }) => rows.map(({ id }) => id).join()))
    const rest = MAX_GROUPS - groups.length
    for (const part of await listSharedLocalParts(db, userId, SHARED_PARTS, rest + 1)) {
      const ids = await listContactIdsOfLocalPart(db, userId, part, MAX_IN_GROUP)
      if (groups.length >= MAX_GROUPS || known.has(ids.join())) continue
      groups.push({ reason: 'address', rows: await findContacts(db, userId, ids) })
    }
    return {
      duplicates: await Promise.all(
        groups.map(async ({ reason, rows }) => ({
          reason,
          contacts: await this.toContacts(db, userId, rows),
        })),
      ),
    }
  }

  create(userId: number, input: NewContact): Promise<VersionedContact> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const fields = withName({ ...NO_DETAILS, ...readFields(input) })
      const addresses = readAddresses(input.addresses ?? [])
      requireIdentity(fields, addresses)
      const contact = await this.insert(tx, userId, fields, addresses)
      await this.record(tx, userId, contact.id)
      return contact
    })
  }

  change(
    userId: number,
    id: number,
    input: ContactChange,
    ifMatch: string | undefined,
  ): Promise<VersionedContact> {
    return inTransaction(this.deps.database.db, async (tx) => {
      const before = await this.lock(tx, userId, id, ifMatch)
      const own = await listAddresses(tx, userId, [id])
      const current = toContact(before, own)
      const fields = { ...current, ...readFields(input) }
      const addresses = input.addresses ? readAddresses(input.addresses) : current.addresses
      requireIdentity(fields, addresses)
      const kept = new Set(addresses.map(({ address }) => address))
      await this.detach(
        tx,
        userId,
        own.filter(({ address }) => !kept.has(address)),
      )
      const contact = await this.save(tx, userId, id, fields, addresses)
      await this.record(tx, userId, id)
      return contact
    })
  }

  remove(userId: number, id: number, ifMatch: string | undefined): Promise<void> {
    return inTransaction(this.deps.database.db, async (tx) => {
      await this.lock(tx, userId, id, ifMatch)
      await this.detach(tx, userId, await listAddresses(tx, userId, [id]))
      await deleteContact(tx, userId, id)
      await this.record(tx, userId, id)
    })
  }

  /** Inserts a contact that the user made. Rejects addresses of other contacts. */
  async insert(
    tx: Db,
    userId: number,
    fields: FieldsToSave,
    addresses: readonly GivenAddress[],
  ): Promise<VersionedContact> {
    const now = this.now()
    const { id } = await insertContact(tx, {
      userId,
      ...BLANK_ROW,
      isEdited: 1,
      isKnown: 1,
      sortKey: '',
      version: 0,
      createdAt: now,
      updatedAt: now,
    })
    return this.save(tx, userId, id, fields, addresses)
  }

  /** Saves all fields and addresses of a contact that the user changed. */
  async save(
    tx: Db,
    userId: number,
    id: number,
    fields: FieldsToSave,
    addresses: readonly GivenAddress[],
  ): Promise<VersionedContact> {
    await this.attach(tx, userId, id, addresses)
    const { extra } = fields
    const names = addresses.map(({ address }) => address)
    const change = {
      ...detailColumns.toRow(fields),
      ...(extra !== undefined && { extra }),
      isEdited: 1,
      isKnown: 1,
      sortKey: toSortKey(fields, names),
      updatedAt: this.now(),
    }
    const contact = await updateContact(tx, { userId, id }, change)
    const stored = await listAddresses(tx, userId, [id])
    await indexContacts(tx, userId, { contacts: [contact], addresses: stored })
    return toContact(contact, stored)
  }

  /** Takes addresses from a contact. Mail would otherwise create a contact for them again. */
  async detach(tx: Db, userId: number, addresses: readonly AddressRecord[]): Promise<void> {
    const isUsed = ({ sent, received }: ContactAddress): boolean => sent + received > 0
    await hideAddresses(
      tx,
      userId,
      addresses.filter(isUsed).map(({ id }) => id),
      this.now(),
    )
    await deleteAddresses(
      tx,
      userId,
      addresses.filter((address) => !isUsed(address)).map(({ address }) => address),
    )
  }

  async toContacts(db: Db, userId: number, rows: readonly ContactRecord[]): Promise<VersionedContact[]> {
    const ids = rows.map(({ id }) => id)
    const byContact = Map.groupBy(await listAddresses(db, userId, ids), ({ contactId }) => contactId)
    return rows.map((row) => toContact(row, byContact.get(row.id) ?? []))
  }

  async lock(tx: Db, userId: number, id: number, ifMatch: string | undefined): Promise<ContactRecord> {
    const [contact] = await lockContacts(tx, userId, [id])
    if (!contact) throw notFound('contact')
    requireMatch(ifMatch, { id, version: contact.version })
    return contact
  }

  /** Tells other tabs of the console that contacts have changed. */
  record(tx: Db, userId: number, contactId: number): Promise<void> {
    return this.deps.changes.record(tx, {
      userId,
      type: 'contact.updated',
      subject: String(contactId),
      data: { contactId },
    })
  }

  private async attach(
    tx: Db,
    userId: number,
    contactId: number,
    addresses: readonly GivenAddress[],
  ): Promise<void> {
    const known = await findAddresses(
      tx,
      userId,
      addresses.map(({ address }) => address),
    )
    for (const [index, { address }] of addresses.entries()) {
      const owner = known.get(address)?.contactId ?? null
      if (owner !== null && owner !== contactId)
        throw conflict(
          `The address ${address} (addresses.${index}) belongs to contact ${owner}. Merge the contacts instead.`,
        )
    }
    await putAddresses(
      tx,
      addresses.map(({ address, label = '' }, place) => {
        const before = known.get(address)
        return {
          userId,
          contactId,
          address,
          localPart: toLocalPart(address),
          label,
          place,
          sent: before?.sent ?? 0,
          received: before?.received ?? 0,
          lastUsedAt: before?.lastUsedAt ?? null,
          score: before?.score ?? 0,
          hiddenAt: null,
        }
      }),
    )
  }

  private now(): string {
    return this.deps.clock.now().toISOString()
  }
}
