import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import {
  BLANK_ROW,
  isAutomaticSender,
  MAX_LENGTH,
  normalizeAddress,
  toLocalPart,
  toPersonName,
  toSortKey,
} from './contact.ts'
import {
  type AddressRecord,
  type ContactRecord,
  findAddresses,
  findContacts,
  insertContacts,
  insertUses,
  listAddresses,
  markKnown,
  type NewAddress,
  type NewUse,
  putAddresses,
  takeUses,
  type UseRecord,
  updateContact,
} from './repository.ts'
import { indexContacts } from './terms.ts'

const JOB = 'count-contacts'
/** Uses that one transaction counts. */
const BATCH = 1_000
/** Recipients of a mail to many people say little about each of them. */
const MAX_RECIPIENTS = 50

interface Person {
  name: string
  address: string
}

/*
 * The score of an address is the sum of its uses. A use counts half after each half-life. The sum would change every
 * day, so its logarithm is stored: base two, in half-lives since 1970. It keeps the order, and an index can hold it.
 */

const HALF_LIFE_MS = 60 * 86_400_000
/** A score is stored as a whole number: millionths of a half-life. */
const UNIT = 1_000_000
/** Writing to somebody says more than receiving mail. */
const WEIGHTS = { sent: 4, received: 1 } as const

/** Adds a use to a score. 0 is the score of an address without uses. */
const addUse = (score: number, direction: keyof typeof WEIGHTS, at: number): number => {
  const use = Math.log2(WEIGHTS[direction]) + Math.max(at, 1) / HALF_LIFE_MS
  if (score === 0) return Math.max(1, Math.round(use * UNIT))
  return addScores(score, Math.round(use * UNIT))
}

/** Returns the score of an address that has the uses of both. */
const addScores = (one: number, other: number): number => {
  if (one === 0 || other === 0) return one + other
  const [high, low] = one > other ? [one, other] : [other, one]
  return Math.round(high + Math.log2(1 + 2 ** ((low - high) / UNIT)) * UNIT)
}

/** A stored mail, as far as contacts need it. */
export interface CountedMail {
  folder: string
  from: Person | null
  to: readonly Person[]
  cc: readonly Person[]
  bcc: readonly Person[]
  date: string
  /** Whether it came through a mailing list. */
  isBulk: boolean
}

/** Records the addresses of a mail in the transaction that stores the mail. */
export interface MailTally {
  record(tx: Db, userId: number, mail: CountedMail): Promise<void>
}

const RECEIVED_FOLDERS: readonly string[] = ['inbox', 'archive', 'other']

const toUse = (
  userId: number,
  { name, address: given }: Person,
  { date, isBulk }: CountedMail,
  direction: 'sent' | 'received',
): NewUse | undefined => {
  const address = normalizeAddress(given)
  return address === undefined
    ? undefined
    : {
        userId,
        address,
        name: toPersonName(name, address),
        direction,
        isBulk: direction === 'received' && (isBulk || isAutomaticSender(address)) ? 1 : 0,
        usedAt: date,
      }
}

/** Returns the uses of a mail: its recipients if the user sent it, else its sender. */
export const toUses = (userId: number, mail: CountedMail): NewUse[] => {
  if (mail.folder === 'sent') {
    const people = [...mail.to, ...mail.cc, ...mail.bcc].slice(0, MAX_RECIPIENTS)
    const uses = people.flatMap((person) => toUse(userId, person, mail, 'sent') ?? [])
    return [...new Map(uses.map((use) => [use.address, use])).values()]
  }
  if (mail.from === null || !RECEIVED_FOLDERS.includes(mail.folder)) return []
  const use = toUse(userId, mail.from, mail, 'received')
  return use ? [use] : []
}

/** The uses of one address in a batch. */
interface Sum {
  name: string
  uses: UseRecord[]
}

const sumUses = (uses: readonly UseRecord[]): Map<string, Sum> => {
  const sums = new Map<string, Sum>()
  for (const use of uses) {
    // The migration records addresses and names as mail has them.
    const address = normalizeAddress(use.address)
    if (address === undefined) continue
    const sum = sums.get(address) ?? { name: '', uses: [] }
    sum.name ||= toPersonName(use.name, address)
    sum.uses.push(use)
    sums.set(address, sum)
  }
  return sums
}

const countUses = (
  userId: number,
  address: string,
  before: AddressRecord | undefined,
  uses: readonly UseRecord[],
  now: string,
): NewAddress => {
  let { sent, received, score, lastUsedAt } = before ?? { sent: 0, received: 0, score: 0, lastUsedAt: null }
  for (const { direction, usedAt } of uses) {
    // A wrong date in the future would keep an address at the top.
    const at = usedAt < now ? usedAt : now
    if (direction === 'sent') sent++
    else received++
    score = addUse(score, direction, Date.parse(at))
    if (lastUsedAt === null || at > lastUsedAt) lastUsedAt = at
  }
  return {
    userId,
    contactId: before?.contactId ?? null,
    address,
    localPart: toLocalPart(address),
    label: before?.label ?? '',
    place: before?.place ?? 0,
    sent,
    received,
    lastUsedAt,
    score,
    hiddenAt: before?.hiddenAt ?? null,
  }
}

/** Whether these uses make a contact of an address that has none. */
const makesContact = (uses: readonly UseRecord[], hiddenAt: string | null): boolean =>
  uses.some(({ direction, isBulk, address, usedAt }) =>
    hiddenAt === null
      ? direction === 'sent' || (isBulk === 0 && !isAutomaticSender(address))
      : direction === 'sent' && usedAt > hiddenAt,
  )

/**
 * Makes contacts from mail. Each mail adds rows of its own, so that writers do not wait for each other. Reading contacts, or
 * a job, adds them to the counts of the addresses.
 */
export class ContactTally implements MailTally {
  private readonly deps: { db: Db; clock: Clock; log: Logger }
  /** At the start, other processes may have left uses. */
  private isPending = true
  private settling: Promise<void> | undefined

  constructor(deps: ContactTally['deps'] & { jobs: Jobs }) {
    const { jobs, ...own } = deps
    this.deps = own
    jobs.define({
      name: JOB,
      payload: Type.Object({}),
      schedule: '*/5 * * * *',
      run: async (_payload, { signal }) => {
        while ((await this.countBatch()) > 0) signal.throwIfAborted()
      },
    })
  }

  async record(tx: Db, userId: number, mail: CountedMail): Promise<void> {
    const uses = toUses(userId, mail)
    if (uses.length === 0) return
    await insertUses(tx, uses)
    const setPending = (): void => {
      this.isPending = true
    }
    if (isInTransaction()) afterCommit(setPending)
    else setPending()
  }

  /** Counts the uses that this process recorded, so that a reader sees the contacts of all stored mail. */
  async settle(): Promise<void> {
    if (this.isPending && !this.settling) {
      this.isPending = false
      this.settling = this.countBatch()
        .then(() => undefined)
        .catch((error: unknown) => {
          this.isPending = true
          this.deps.log.warn({ err: error }, 'could not count the uses of addresses')
        })
        .finally(() => {
          this.settling = undefined
        })
    }
    await this.settling
  }

  /** Counts the newest uses of all accounts. Returns their number. */
  private countBatch(): Promise<number> {
    return inTransaction(this.deps.db, async (tx) => {
      const uses = await takeUses(tx, BATCH)
      const byUser = Map.groupBy(uses, ({ userId }) => userId)
      for (const [userId, own] of byUser) await this.count(tx, userId, own)
      return uses.length
    })
  }

  private async count(tx: Db, userId: number, uses: readonly UseRecord[]): Promise<void> {
    const now = this.deps.clock.now().toISOString()
    const sums = sumUses(uses)
    const stored = await findAddresses(tx, userId, [...sums.keys()])
    // One order for all writers, so that two of them cannot wait for each other.
    const sorted = [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
    const rows = sorted.map(([address, sum]) =>
      countUses(userId, address, stored.get(address), sum.uses, now),
    )
    const added = rows.filter(
      ({ address, contactId, hiddenAt }) =>
        contactId === null && makesContact((sums.get(address) as Sum).uses, hiddenAt ?? null),
    )
    const ids = await insertContacts(
      tx,
      added.map(({ address, sent }) => {
        const { name } = sums.get(address) as Sum
        return {
          userId,
          ...BLANK_ROW,
          name,
          isEdited: 0,
          isKnown: sent > 0 ? 1 : 0,
          sortKey: toSortKey({ name, organization: '' }, [address]),
          version: 1,
          createdAt: now,
          updatedAt: now,
        }
      }),
    )
    for (const [index, row] of added.entries()) {
      row.contactId = ids[index] as number
      row.hiddenAt = null
    }
    await putAddresses(tx, rows)
    const isNew = new Set(ids)
    const existing = rows.filter(({ contactId }) => contactId !== null && !isNew.has(contactId as number))
    await markKnown(
      tx,
      userId,
      existing.filter(({ sent }) => sent > 0).map(({ contactId }) => contactId as number),
    )
    const renamed = await this.nameContacts(tx, userId, existing, sums, now)
    await this.index(tx, userId, [...ids, ...renamed], renamed.length > 0)
  }

  /** Gives contacts without a name the name that mail has for them. Returns their ids. */
  private async nameContacts(
    tx: Db,
    userId: number,
    rows: readonly NewAddress[],
    sums: ReadonlyMap<string, Sum>,
    now: string,
  ): Promise<number[]> {
    const names = new Map<number, { name: string; address: string }>()
    for (const { contactId, address } of rows) {
      const name = sums.get(address)?.name ?? ''
      if (name !== '') names.set(contactId as number, { name: name.slice(0, MAX_LENGTH.name), address })
    }
    const renamed: number[] = []
    for (const contact of names.size === 0 ? [] : await findContacts(tx, userId, [...names.keys()])) {
      if (contact.name !== '' || contact.isEdited === 1) continue
      const { name, address } = names.get(contact.id) as { name: string; address: string }
      const sortKey = toSortKey({ ...contact, name }, [address])
      await updateContact(tx, contact, { name, sortKey, updatedAt: now })
      renamed.push(contact.id)
    }
    return renamed
  }

  private async index(tx: Db, userId: number, ids: readonly number[], areIndexed: boolean): Promise<void> {
    if (ids.length === 0) return
    const contacts: ContactRecord[] = []
    const addresses: AddressRecord[] = []
    for (let at = 0; at < ids.length; at += 500) {
      const some = ids.slice(at, at + 500)
      contacts.push(...(await findContacts(tx, userId, some)))
      addresses.push(...(await listAddresses(tx, userId, some)))
    }
    await indexContacts(tx, userId, { contacts, addresses }, areIndexed)
  }
}
