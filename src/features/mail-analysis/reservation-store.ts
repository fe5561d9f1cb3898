import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import type { Language, LanguageOf } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { endOfDay } from '../../recurrence/time-zones.ts'
import {
  deleteReservationsOf,
  insertReservation,
  type ListedReservation,
  listReservations,
  lockReservations,
  type ReservationRecord,
  updateReservation,
} from './repository.ts'
import type { KnownReservation, Reservation, StoredFacts } from './reservation-schema.ts'
import { toTitle } from './reservation-text.ts'

const DAY_MS = 86_400_000
/** Emails about one reservation that a list reads. */
const MAX_EMAILS = 4
/** Longer stays that began before a period are not found in it. */
const MAX_LENGTH_MS = 120 * DAY_MS

/** An email as the source of reservations. */
interface Source {
  id: number
  date: string
}

const toFacts = ({ id: _, title: __, evidence: ___, source: ____, ...facts }: Reservation): StoredFacts =>
  facts

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** A later email often repeats only what it changes: the others keep their values. */
const mergeFacts = (later: StoredFacts, earlier: StoredFacts): StoredFacts => ({
  ...earlier,
  ...(Object.fromEntries(
    Object.entries(later).filter(([, value]) => !isEmpty(value)),
  ) as Partial<StoredFacts>),
})

type Time = NonNullable<StoredFacts['start']>

const endOfTime = ({ local, instant, timezone }: Time): string =>
  local.length > 10 ? instant : new Date(endOfDay(local, timezone) - 1).toISOString()

/** A reservation without any time has the place of its email in lists. */
const toTimes = (
  { start, end }: StoredFacts,
  mailDate: string,
): Pick<ReservationRecord, 'startAt' | 'endAt'> => {
  const first = start ?? end
  const last = end ?? start
  const startAt = first?.instant ?? mailDate
  const endAt = last ? endOfTime(last) : startAt
  return { startAt, endAt: endAt < startAt ? startAt : endAt }
}

const byNewest = (one: ReservationRecord, other: ReservationRecord): number =>
  other.mailDate.localeCompare(one.mailDate) || other.emailId - one.emailId

export interface ReservationSearch {
  types?: readonly Reservation['type'][] | undefined
  status?: Reservation['status'] | undefined
  from?: string | undefined
  to?: string | undefined
  /** The language of the titles. Default: that of the account. */
  language?: Language | undefined
  limit: number
}

export type ReservationStore = ReturnType<typeof createReservationStore>

/** Stores what emails say about reservations, so that lists need not read mail. */
export const createReservationStore = ({
  db,
  languageOf,
}: Pick<Platform, 'db'> & { languageOf: LanguageOf }) => {
  const save = async (tx: Db, userId: number, source: Source, found: readonly Reservation[]) => {
    const keys = found.map(({ id }) => id)
    const stored = (await lockReservations(tx, userId, keys)).toSorted(byNewest)
    const known = Map.groupBy(stored, ({ key }) => key)
    for (const one of found) {
      const [newest] = known.get(one.id) ?? []
      const before = newest && (JSON.parse(newest.facts) as StoredFacts)
      const isLatest = newest === undefined || newest.mailDate <= source.date
      const own = toFacts(one)
      const facts = !before ? own : isLatest ? mergeFacts(own, before) : mergeFacts(before, own)
      const columns = {
        status: facts.status,
        ...toTimes(facts, source.date),
        facts: JSON.stringify(facts),
      }
      if (newest) await updateReservation(tx, userId, one.id, columns)
      await insertReservation(tx, {
        emailId: source.id,
        key: one.id,
        userId,
        type: one.type,
        mailDate: source.date,
        ...columns,
      })
    }
  }

  return {
    /** Replaces the reservations of an email. A later email about the same reservation decides. */
    keep: (userId: number, source: Source, found: readonly Reservation[]): Promise<void> =>
      inTransaction(db, async (tx) => {
        await deleteReservationsOf(tx, userId, source.id)
        const unique = new Map(found.map((one) => [one.id, one]))
        await save(tx, userId, source, [...unique.values()])
      }),

    /** Lists reservations that overlap a period, by start. */
    async list(
      userId: number,
      { types, status, from, to, language: wanted, limit }: ReservationSearch,
    ): Promise<{ reservations: KnownReservation[]; more: boolean }> {
      const view = transactionOr(db)
      const language = wanted ?? (await languageOf(userId))
      const earliest = from && new Date(Date.parse(from) - MAX_LENGTH_MS).toISOString()
      const rows: ListedReservation[] = []
      for (const type of types ?? [undefined])
        rows.push(
          ...(await listReservations(view, userId, { type, status, from, earliest, to }, MAX_EMAILS * limit)),
        )
      const sorted = rows.toSorted(
        (one, other) => one.startAt.localeCompare(other.startAt) || byNewest(one, other),
      )
      const newest = new Map<string, ListedReservation>()
      for (const row of sorted) if (!newest.has(row.key)) newest.set(row.key, row)
      const all = [...newest.values()]
      return {
        reservations: all.slice(0, limit).map((row): KnownReservation => {
          const facts = JSON.parse(row.facts) as StoredFacts
          return {
            id: row.key,
            title: toTitle(facts, language),
            ...facts,
            email: {
              id: row.emailId,
              subject: row.subject,
              from: { name: row.fromName, address: row.fromAddress },
              date: row.mailDate,
            },
          }
        }),
        more: all.length > limit,
      }
    },
  }
}
