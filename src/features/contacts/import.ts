import type { Db } from '../../database/db.ts'
import { foldText } from '../../database/full-text/full-text.ts'
import { inTransaction } from '../../database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { isSameJson } from '../../platform/fingerprint.ts'
import {
  type ContactDetails,
  cleanNotes,
  joinLists,
  LIST_FIELDS,
  MAX_ADDRESSES,
  NO_DETAILS,
  TEXT_FIELDS,
  toContact,
  toSortKey,
  type VersionedContact,
} from './contact.ts'
import type { Contacts } from './contacts.ts'
import { joinPhones } from './merge.ts'
import {
  type ContactRecord,
  deleteContact,
  findAddresses,
  listAddresses,
  listContactsNamed,
  lockContacts,
} from './repository.ts'
import type { ContactImportReport } from './schema.ts'
import type { CardFields, ReadCard } from './vcard.ts'
import type { ReadCards } from './vcard-reader.ts'
import { joinExtra } from './vcard-writer.ts'

/** Cards that one transaction imports. Other writers wait for it on SQLite. */
const BATCH = 100
const MAX_REMARKS = 100
const MAX_NAMESAKES = 200

/** The state of a contact that an import can restore. */
export type ContactState = ContactDetails & Pick<VersionedContact, 'version' | 'addresses' | 'extra'>

/** `remarks` name the values of the card that the contact does not have. */
type Outcome = { remarks: string[] } & (
  | { result: 'added'; id: number; version: number }
  | { result: 'updated'; id: number; version: number; before: ContactState }
  /** `reason` is null if the contact has all data of the card. */
  | { result: 'skipped'; reason: string | null }
)

const toNameWords = (name: string): Set<string> =>
  new Set(
    foldText(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  )

/**
 * Whether two names may belong to one person: the words of one are among those of the other, as in “Ana” and “Dr. Ana
 * Ruiz”. Families share addresses: “Max Muster” and “Erika Muster” are two people.
 */
const mayBeSamePerson = (one: string, other: string): boolean => {
  const [first, second] = [toNameWords(one), toNameWords(other)]
  return first.isSubsetOf(second) || second.isSubsetOf(first)
}

/** The texts of a card that differ from those of the contact. */
const listConflicts = (contact: VersionedContact, card: CardFields) =>
  TEXT_FIELDS.filter((field) => card[field] !== '' && contact[field] !== '' && card[field] !== contact[field])

/** Whether a person without an address in the file is this contact: it has one of the numbers. */
const hasSamePhone = (contact: VersionedContact, { phones }: CardFields): boolean => {
  const joined = joinPhones([...contact.phones, ...phones])
  return joined.length < contact.phones.length + phones.length
}

/** Adds the data of a card to a contact. Texts of a contact that the user edited stay. */
const addFields = (contact: VersionedContact, isEdited: boolean, card: CardFields): VersionedContact => {
  const texts = Object.fromEntries(
    TEXT_FIELDS.map((field) => [
      field,
      isEdited || card[field] === '' ? contact[field] || card[field] : card[field],
    ]),
  )
  return {
    ...contact,
    ...texts,
    ...joinLists([contact, card]),
    phones: joinPhones([...contact.phones, ...card.phones]),
    extra: joinExtra(contact.extra, card.extra),
  }
}

const isEqual = (one: VersionedContact, other: VersionedContact): boolean =>
  TEXT_FIELDS.every((field) => one[field] === other[field]) &&
  one.extra === other.extra &&
  isSameJson(one.phones, other.phones) &&
  LIST_FIELDS.every((field) => isSameJson(one[field], other[field]))

/** Imports vCards. A card belongs to the contact that has one of its addresses. */
export class ContactImport {
  private readonly deps: { db: Db; contacts: Contacts }

  constructor(deps: ContactImport['deps']) {
    this.deps = deps
  }

  async run(userId: number, cards: ReadCards): Promise<ContactImportReport> {
    const report: ContactImportReport = { found: 0, added: 0, updated: 0, skipped: 0, remarks: [] }
    let batch: ReadCard[] = []
    const flush = async (): Promise<void> => {
      const written = batch
      batch = []
      const outcomes = await this.importBatch(userId, written)
      for (const [index, outcome] of outcomes.entries()) {
        const { line, fields, faults } = written[index] as ReadCard
        report[outcome.result]++
        const skipped =
          outcome.result === 'skipped' ? [outcome.reason ?? 'The contact already has this data.'] : []
        const reasons = [...faults, ...outcome.remarks, ...skipped]
        for (const reason of reasons)
          if (report.remarks.length < MAX_REMARKS) report.remarks.push({ line, name: fields.name, reason })
      }
    }
    for await (const card of cards()) {
      report.found++
      batch.push(card)
      if (batch.length >= BATCH) await flush()
    }
    if (report.found === 0)
      throw invalid('The file contains no vCard. Export your contacts as vCard (.vcf) and send that file.')
    if (batch.length > 0) await flush()
    return report
  }

  private importBatch(userId: number, cards: readonly ReadCard[]): Promise<Outcome[]> {
    const { db, contacts } = this.deps
    return inTransaction(db, async (tx) => {
      const outcomes: Outcome[] = []
      for (const { fields } of cards) outcomes.push(await this.importCard(tx, userId, fields))
      if (outcomes.some(({ result }) => result !== 'skipped')) await contacts.record(tx, userId, 0)
      return outcomes
    })
  }

  /** Adds a card to the contact that has one of its addresses, or to a new one. */
  async importCard(tx: Db, userId: number, card: CardFields): Promise<Outcome> {
    const { contacts } = this.deps
    if (card.addresses.length === 0 && card.name === '' && card.organization === '')
      return { result: 'skipped', reason: 'The vCard has neither a name nor an address.', remarks: [] }
    const stored = await findAddresses(
      tx,
      userId,
      card.addresses.map(({ address }) => address),
    )
    const owners = new Set([...stored.values()].flatMap(({ contactId }) => contactId ?? []))
    const rows = await lockContacts(
      tx,
      userId,
      [...owners].sort((one, other) => one - other),
    )
    const owner = rows.find((row) => row.isEdited === 0 || mayBeSamePerson(row.name, card.name))
    const row = owner ?? (await this.findNamesake(tx, userId, card, owners))
    const isFree = ({ address }: { address: string }): boolean =>
      (stored.get(address)?.contactId ?? null) === null
    const taken = card.addresses.filter(
      ({ address }) => !isFree({ address }) && stored.get(address)?.contactId !== row?.id,
    )
    const remarks = taken.map(({ address }) => {
      const other = rows.find(({ id }) => id === stored.get(address)?.contactId)
      return `The address ${address} belongs to “${other?.name ?? ''}”. It is in the notes instead.`
    })
    const lost = taken.map(({ address }) => address).join(', ')
    const own = lost === '' || row ? card : { ...card, notes: cleanNotes(`${card.notes}\n\n${lost}`) }
    if (!row) {
      const added = await contacts.insert(tx, userId, own, card.addresses.filter(isFree))
      return { result: 'added', id: added.id, version: added.version, remarks }
    }
    const { id } = row
    const [contact] = (await contacts.toContacts(tx, userId, [row])) as [VersionedContact]
    const added = card.addresses.filter(isFree)
    const addresses = [...contact.addresses, ...added].slice(0, MAX_ADDRESSES)
    const isEdited = row.isEdited === 1
    const changed = addFields(contact, isEdited, own)
    if (isEdited)
      for (const field of listConflicts(contact, own))
        remarks.push(`${FIELD_NAMES[field]} “${contact[field]}” was kept instead of “${own[field]}”.`)
    if (added.length === 0 && isEqual(contact, changed) && isEdited)
      return { result: 'skipped', reason: null, remarks }
    const { version } = await contacts.save(tx, userId, id, changed, addresses)
    return { result: 'updated', id, version, before: contact, remarks }
  }

  /** Whether an account has a contact with one of these addresses. */
  async isKnown(userId: number, { addresses }: CardFields): Promise<boolean> {
    const stored = await findAddresses(
      this.deps.db,
      userId,
      addresses.map(({ address }) => address),
    )
    return [...stored.values()].some(({ contactId }) => contactId !== null)
  }

  /** Announces imported contacts to the console. */
  async announce(tx: Db, userId: number): Promise<void> {
    await this.deps.contacts.record(tx, userId, 0)
  }

  /** Reverts an imported card. Returns false, and changes nothing, if the contact was changed since. */
  async revert(
    tx: Db,
    userId: number,
    { id, version, before }: { id: number; version: number; before: ContactState | null },
  ): Promise<boolean> {
    const { contacts } = this.deps
    const [row] = await lockContacts(tx, userId, [id])
    if (!row) return true
    if (row.version !== version) return false
    const own = await listAddresses(tx, userId, [id])
    const kept = new Set(before?.addresses.map(({ address }) => address))
    await contacts.detach(
      tx,
      userId,
      own.filter(({ address }) => !kept.has(address)),
    )
    // Imports of earlier versions lack some fields.
    const fields = { ...NO_DETAILS, extra: '', ...before }
    if (before) await contacts.save(tx, userId, id, fields, before.addresses)
    else await deleteContact(tx, userId, id)
    return true
  }

  /**
   * Finds the contact of a card by its name: it has the same number, or contradicts nothing on the card. A card whose
   * addresses all belong to other people has no address of its own.
   */
  private async findNamesake(
    tx: Db,
    userId: number,
    card: CardFields,
    owners: ReadonlySet<number>,
  ): Promise<ContactRecord | undefined> {
    if (card.addresses.length > 0 && owners.size === 0) return undefined
    const rows = await listContactsNamed(tx, userId, toSortKey(card, []), MAX_NAMESAKES)
    const same = rows.find((row) => {
      const contact = toContact(row, [])
      return card.phones.length === 0
        ? listConflicts(contact, card).length === 0
        : hasSamePhone(contact, card)
    })
    return same && (await lockContacts(tx, userId, [same.id]))[0]
  }
}

const FIELD_NAMES: Readonly<Record<(typeof TEXT_FIELDS)[number], string>> = {
  name: 'The name',
  givenName: 'The given name',
  familyName: 'The family name',
  organization: 'The organization',
  jobTitle: 'The job title',
  notes: 'The note',
  birthday: 'The birthday',
}
