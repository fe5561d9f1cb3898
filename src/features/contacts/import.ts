import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { MOST_ADDRESSES, TEXT_FIELDS, toContact, toSortKey, type VersionedContact } from './contact.ts'
import type { Contacts } from './contacts.ts'
import { joinPhones } from './merge.ts'
import { deleteContact, findAddresses, listAddresses, listContactsNamed, lockContacts } from './repository.ts'
import type { ContactImportReport } from './schema.ts'
import type { CardFields, ReadCard } from './vcard.ts'
import type { ReadCards, VCardReader } from './vcard-reader.ts'

/** Cards that one transaction imports. Other writers wait for it on SQLite. */
const BATCH = 100
const MOST_REMARKS = 100
const MOST_NAMESAKES = 5

/** The state of a contact that an import can restore. */
export type ContactState = Pick<
  VersionedContact,
  'version' | 'phones' | 'addresses' | (typeof TEXT_FIELDS)[number]
>

type Outcome =
  | { result: 'added'; id: number; version: number }
  | { result: 'updated'; id: number; version: number; before: ContactState }
  | { result: 'skipped'; reason: string }

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
  return { ...contact, ...texts, phones: joinPhones([...contact.phones, ...card.phones]) }
}

const isEqual = (one: VersionedContact, other: VersionedContact): boolean =>
  TEXT_FIELDS.every((field) => one[field] === other[field]) &&
  JSON.stringify(one.phones) === JSON.stringify(other.phones)

/** Imports vCards. A card belongs to the contact that has one of its addresses. */
export class ContactImport {
  private readonly deps: { db: Db; contacts: Contacts; readCards: VCardReader }

  constructor(deps: ContactImport['deps']) {
    this.deps = deps
  }

  /** Parses a file. It may wait for a worker thread, so it must not run in a transaction. */
  open(file: Uint8Array): Promise<ReadCards> {
    return this.deps.readCards(file)
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
        const reasons = [...faults, ...(outcome.result === 'skipped' ? [outcome.reason] : [])]
        for (const reason of reasons)
          if (report.remarks.length < MOST_REMARKS) report.remarks.push({ line, name: fields.name, reason })
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
      return { result: 'skipped', reason: 'The vCard has neither a name nor an address.' }
    const stored = await findAddresses(
      tx,
      userId,
      card.addresses.map(({ address }) => address),
    )
    const owners = new Set([...stored.values()].flatMap(({ contactId }) => contactId ?? []))
    const [id] = owners.size > 0 ? owners : await this.findNamesake(tx, userId, card)
    if (id === undefined) {
      const added = await contacts.insert(tx, userId, card, card.addresses)
      return { result: 'added', id: added.id, version: added.version }
    }
    const [row] = await lockContacts(tx, userId, [id])
    if (!row) return { result: 'skipped', reason: 'The contact was deleted meanwhile.' }
    const [contact] = (await contacts.toContacts(tx, userId, [row])) as [VersionedContact]
    const added = card.addresses.filter(({ address }) => (stored.get(address)?.contactId ?? null) === null)
    const addresses = [...contact.addresses, ...added].slice(0, MOST_ADDRESSES)
    const changed = addFields(contact, row.isEdited === 1, card)
    if (added.length === 0 && isEqual(contact, changed) && row.isEdited === 1)
      return { result: 'skipped', reason: 'The contact already has this data.' }
    const { version } = await contacts.save(tx, userId, id, changed, addresses)
    return { result: 'updated', id, version, before: contact }
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
    if (before) await contacts.save(tx, userId, id, before, before.addresses)
    else await deleteContact(tx, userId, id)
    return true
  }

  /** Finds the contact of a card without addresses: the same name, and no other number. */
  private async findNamesake(tx: Db, userId: number, card: CardFields): Promise<number[]> {
    if (card.addresses.length > 0) return []
    const rows = await listContactsNamed(tx, userId, toSortKey(card, []), MOST_NAMESAKES)
    const same = rows.find((row) => card.phones.length === 0 || hasSamePhone(toContact(row, []), card))
    return same ? [same.id] : []
  }
}
