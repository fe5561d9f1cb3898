import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import {
  type Contact,
  type ContactAddress,
  type ContactChange,
  cleanNotes,
  cleanPostalAddress,
  cleanText,
  contactColumns,
  isBirthday,
  isEmptyAddress,
  LONGEST,
  type NewContact,
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
const SHARED_PARTS = [
  'info',
  'mail',
  'email',
  'office',
  'kontakt',
  'contact',
  'hello',
  'hallo',
  'hi',
  'sales',
  'support',
  'service',
  'help',
  'admin',
  'team',
  'news',
  'post',
  'me',
  'billing',
  'jobs',
  'marketing',
  'webmaster',
]
const MOST_GROUPS = 20
const MOST_IN_GROUP = 10

type GivenAddress = { address: string; label?: string | undefined }

const readAddresses = (given: readonly GivenAddress[]): { address: string; label: string }[] => {
  const seen = new Set<string>()
  return given.map(({ address: text, label = '' }, index) => {
    const address = normalizeAddress(text)
    const path = `addresses.${index}.address`
    if (address === undefined) throw invalidField(path, 'is not an email address')
    if (seen.has(address)) throw invalidField(path, 'is given twice')
    seen.add(address)
    return { address, label: cleanText(label, LONGEST.label) }
  })
}

/** Returns the given fields except addresses of mail, cleaned. */
const readFields = (input: ContactChange): Partial<Contact> => {
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
        return { label: cleanText(label, LONGEST.label), url: address }
      }),
    }),
    ...(input.categories && {
      categories: [
        ...new Set(input.categories.map((category) => cleanText(category, LONGEST.category))),
      ].filter((category) => category !== ''),
    }),
  }
}

const readTexts = (input: ContactChange): Partial<Contact> => ({
  ...Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const text = input[field]
      if (text === undefined) return []
      return [[field, field === 'notes' ? cleanNotes(text) : cleanText(text, LONGEST.name)]]
    }),
  ),
  ...(input.phones && {
    phones: input.phones.map(({ label, number }) => ({
      label: cleanText(label, LONGEST.label),
      number: cleanText(number, LONGEST.number),
    })),
  }),
})

export const NO_FIELDS = {
  name: '',
  givenName: '',
  familyName: '',
  organization: '',
  jobTitle: '',
  notes: '',
  birthday: '',
  phones: [],
  postalAddresses: [],
  websites: [],
  categories: [],
} as const

/** Builds the display name if only its parts are given. */
const withName = <T extends Pick<Contact, 'name' | 'givenName' | 'familyName'>>(fields: T): T => ({
  ...fields,
  name: fields.name || `${fields.givenName} ${fields.familyName}`.trim(),
})

/** Without `extra`, the lines of the vCards stay. */
type FieldsToSave = Omit<Contact, 'id' | 'isKnown' | 'addresses' | 'createdAt' | 'updatedAt'> & {
  extra?: string
}

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
    const rows = await suggestAddresses(this.deps.database.db, userId, toPrefixes(q), limit)
    return {
      suggestions: rows.map(({ contactId, name, address, organization }) => ({
        contactId,
        name,
        address,
        organization,
      })),
    }
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
    for (const name of await listSharedNames(db, userId, MOST_GROUPS))
      groups.push({ reason: 'name', rows: await listContactsNamed(db, userId, name, MOST_IN_GROUP) })
    const known = new Set(groups.map(({ rows }) => rows.map(({ id }) => id).join()))
    for (const part of await listSharedLocalParts(
      db,
      userId,
      SHARED_PARTS,
      MOST_GROUPS - groups.length + 1,
    )) {
      const ids = await listContactIdsOfLocalPart(db, userId, part, MOST_IN_GROUP)
      if (groups.length >= MOST_GROUPS || known.has(ids.join())) continue
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
      const fields = withName({ ...structuredClone(NO_FIELDS), ...readFields(input) } as FieldsToSave)
      const addresses = readAddresses(input.addresses ?? [])
      if (fields.name === '' && fields.organization === '' && addresses.length === 0)
        throw invalidField('name', 'is required if there is neither an organization nor an address')
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
      if (fields.name === '' && fields.organization === '' && addresses.length === 0)
        throw invalidField('name', 'is required if there is neither an organization nor an address')
      if (input.addresses) {
        const kept = new Set(addresses.map(({ address }) => address))
        await this.detach(
          tx,
          userId,
          own.filter(({ address }) => !kept.has(address)),
        )
      }
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
      name: '',
      givenName: '',
      familyName: '',
      organization: '',
      jobTitle: '',
      notes: '',
      phones: '[]',
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
    // Callers also give fields that are not columns, such as the addresses.
    const values = {
      name: fields.name,
      givenName: fields.givenName,
      familyName: fields.familyName,
      organization: fields.organization,
      jobTitle: fields.jobTitle,
      notes: fields.notes,
      birthday: fields.birthday,
      phones: fields.phones,
      postalAddresses: fields.postalAddresses,
      websites: fields.websites,
      categories: fields.categories,
    }
    const contact = await updateContact(tx, userId, id, {
      ...contactColumns.toRow(values),
      ...(extra !== undefined && { extra }),
      isEdited: 1,
      isKnown: 1,
      sortKey: toSortKey(
        values,
        addresses.map(({ address }) => address),
      ),
      updatedAt: this.now(),
    })
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
