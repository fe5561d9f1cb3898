import { readStorage } from '../../database/account-storage.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireUntagged } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { addDays } from '../../platform/time.ts'
import { toWall } from '../../recurrence/time-zones.ts'
import type { Activity } from '../auth/activity.ts'
import {
  deleteBudget,
  deleteWarnings,
  findBudget,
  findStorageBefore,
  findStorageDay,
  insertWarning,
  listBudgeted,
  listBudgets,
  listStorageDays,
  listUnreached,
  listUserIds,
  saveBudget,
  saveStorageDay,
} from './repository.ts'

/** The measures that are recorded per day. */
export const MEASURES = ['aiRequests', 'aiTokens', 'aiCostUsd', 'storageBytes', 'messagesSynced'] as const
type Measure = (typeof MEASURES)[number]

const UNITS = {
  aiRequests: 'requests',
  aiTokens: 'tokens',
  aiCostUsd: 'usd',
  storageBytes: 'bytes',
  messagesSynced: 'messages',
} as const satisfies Readonly<Record<Measure, string>>

const NANO = 1_000_000_000

/** Converts amounts to integers for storage: dollars become billionths of a dollar. */
const toWhole = (measure: Measure, value: number): number =>
  measure === 'aiCostUsd' ? Math.round(value * NANO) : value
const fromWhole = (measure: Measure, amount: number): number =>
  measure === 'aiCostUsd' ? amount / NANO : amount

/** Rounds a sum of dollars, to remove floating-point errors. */
export const cleanDollars = (value: number): number => Math.round(value * NANO) / NANO

/** Returns the calendar day in a time zone: 2026-03-01. */
const dayAt = (now: Date, timezone: string): string =>
  new Date(toWall(now.getTime(), timezone)).toISOString().slice(0, 10)

/** Returns the last `count` days up to `day`, oldest first. */
const daysUpTo = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(day, index - count + 1))

const monthOf = (day: string): string => day.slice(0, 7)
const firstOf = (month: string): string => `${month}-01`

/** Usage counters of other features. They return only days with usage, oldest first. */
export interface UsageSources {
  ai(
    userId: number,
    from: string,
    to: string,
  ): Promise<
    {
      day: string
      requests: number
      inputTokens: number
      outputTokens: number
      costUsd: number
      unpriced: number
    }[]
  >
  messages(userId: number, from: string, to: string): Promise<{ day: string; messages: number }[]>
}

export interface Amounts {
  aiRequests: number
  aiInputTokens: number
  aiOutputTokens: number
  aiTokens: number
  aiCostUsd: number
  /** The number of requests with an unknown price. */
  aiUnpriced: number
  storageBytes: number
  messagesSynced: number
}

/** Storage is a level, so the last day counts and not the sum. */
const totalOf = (days: readonly Amounts[]): Amounts => {
  const sum = (field: keyof Amounts): number => days.reduce((total, day) => total + day[field], 0)
  return {
    aiRequests: sum('aiRequests'),
    aiInputTokens: sum('aiInputTokens'),
    aiOutputTokens: sum('aiOutputTokens'),
    aiTokens: sum('aiTokens'),
    aiCostUsd: cleanDollars(sum('aiCostUsd')),
    aiUnpriced: sum('aiUnpriced'),
    storageBytes: days.at(-1)?.storageBytes ?? 0,
    messagesSynced: sum('messagesSynced'),
  }
}

export type Usage = ReturnType<typeof createUsage>

/** Usage of an account per day in its time zone. */
export const createUsage = (
  { db, clock }: Platform,
  { zoneOf, sources }: { zoneOf: (userId: number) => Promise<string>; sources: UsageSources },
) => {
  const todayOf = async (userId: number): Promise<string> => dayAt(clock.now(), await zoneOf(userId))

  /** Saves the storage of today, and returns when it last changed today. Writes nothing if it is unchanged. */
  const saveStorage = async (userId: number, today: string): Promise<string> => {
    const bytes = await readStorage(db, userId)
    const saved = await findStorageDay(db, userId, today)
    if (saved?.bytes === bytes) return saved.measuredAt
    const measuredAt = clock.now().toISOString()
    await saveStorageDay(db, { userId, day: today, bytes, measuredAt })
    return measuredAt
  }

  const readDays = async (
    userId: number,
    days: readonly string[],
  ): Promise<(Amounts & { day: string })[]> => {
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const ai = new Map((await sources.ai(userId, from, to)).map((row) => [row.day, row]))
    const mail = new Map((await sources.messages(userId, from, to)).map((row) => [row.day, row.messages]))
    const stored = new Map((await listStorageDays(db, userId, from, to)).map((row) => [row.day, row.bytes]))
    // Days without a measurement have the value of the day before.
    let storageBytes = (await findStorageBefore(db, userId, from))?.bytes ?? 0
    return days.map((day) => {
      const { requests = 0, inputTokens = 0, outputTokens = 0, costUsd = 0, unpriced = 0 } = ai.get(day) ?? {}
      storageBytes = stored.get(day) ?? storageBytes
      return {
        day,
        aiRequests: requests,
        aiInputTokens: inputTokens,
        aiOutputTokens: outputTokens,
        aiTokens: inputTokens + outputTokens,
        aiCostUsd: costUsd,
        aiUnpriced: unpriced,
        storageBytes,
        messagesSynced: mail.get(day) ?? 0,
      }
    })
  }

  /** Reads the days from the first of the month to today. */
  const readMonth = async (userId: number, today: string): Promise<{ period: string; amounts: Amounts }> => {
    const days = await readDays(userId, daysUpTo(today, Number(today.slice(8))))
    return { period: monthOf(today), amounts: totalOf(days) }
  }

  return {
    async read(userId: number, count: number) {
      const timezone = await zoneOf(userId)
      const today = dayAt(clock.now(), timezone)
      const storageMeasuredAt = await saveStorage(userId, today)
      const days = await readDays(userId, daysUpTo(today, count))
      const month = await readMonth(userId, today)
      return {
        timezone,
        from: days[0]?.day ?? today,
        to: today,
        totals: totalOf(days),
        month: { period: month.period, from: firstOf(month.period), ...month.amounts },
        days,
        series: MEASURES.map((measure) => ({
          measure,
          unit: UNITS[measure],
          values: days.map((day) => day[measure]),
        })),
        storageMeasuredAt,
      }
    },

    /** Returns the current month and the amounts that count against budgets. */
    async readThisMonth(
      userId: number,
    ): Promise<{ period: string; amounts: Readonly<Record<Measure, number>> }> {
      const today = await todayOf(userId)
      await saveStorage(userId, today)
      return readMonth(userId, today)
    },

    /** Saves the storage of all accounts for today, so that every day has a measurement. */
    async measure(): Promise<void> {
      for (const userId of await listUserIds(db)) await saveStorage(userId, await todayOf(userId))
    },

    period: async (userId: number): Promise<string> => monthOf(await todayOf(userId)),
  }
}

/** Larger amounts in billionths of a dollar would exceed the safe integers. */
const MAX_DOLLARS = 1_000_000

const checkLimit = (measure: Measure, limit: number): void => {
  if (measure === 'aiCostUsd' ? limit > MAX_DOLLARS : !Number.isSafeInteger(limit))
    throw invalidField(
      'limit',
      measure === 'aiCostUsd' ? `must be ${MAX_DOLLARS} or less` : 'must be a whole number',
    )
}

export type Budgets = ReturnType<typeof createBudgets>

/** Monthly limits per measure. Reaching one notifies the person but does not limit usage. */
export const createBudgets = (
  { db, clock, changes }: Platform,
  { activity, usage }: { activity: Activity; usage: Usage },
) => {
  /** Notifies of budgets that were reached, once per month and budget, regardless of how often it runs. */
  const check = async (userId: number): Promise<void> => {
    const waiting = await listUnreached(db, userId, await usage.period(userId))
    if (waiting.length === 0) return
    const { period, amounts } = await usage.readThisMonth(userId)
    for (const budget of waiting) {
      const measure = budget.measure as Measure
      const used = amounts[measure]
      if (used === 0 || toWhole(measure, used) < budget.amount) continue
      const at = clock.now().toISOString()
      await inTransaction(db, async (tx) => {
        // The budget may have been changed or removed since it was read.
        if ((await findBudget(tx, userId, measure))?.amount !== budget.amount) return
        if (!(await insertWarning(tx, { userId, measure, period, at }))) return
        const limit = fromWhole(measure, budget.amount)
        const data = { userId, measure, unit: UNITS[measure], period, limit, used }
        await changes.record(tx, { userId, type: 'billing.budget_reached', subject: String(userId), data })
      })
    }
  }

  const list = async (userId: number) => {
    const { period, amounts } = await usage.readThisMonth(userId)
    const rows = await listBudgets(db, userId, period)
    return {
      period,
      budgets: rows.map(({ measure: name, amount, reachedAt, updatedAt }) => {
        const measure = name as Measure
        const used = amounts[measure]
        return {
          measure,
          unit: UNITS[measure],
          limit: fromWhole(measure, amount),
          used,
          reachedAt,
          updatedAt,
        }
      }),
    }
  }

  return {
    async checkAll(): Promise<void> {
      for (const userId of await listBudgeted(db)) await check(userId)
    },
    list: async (userId: number) => ({ ...(await list(userId)), nextCursor: null }),

    async save(userId: number, measure: Measure, limit: number, visit: Visit) {
      checkLimit(measure, limit)
      const amount = toWhole(measure, limit)
      const { amounts } = await usage.readThisMonth(userId)
      const isNew = await inTransaction(db, async (tx) => {
        const before = await findBudget(tx, userId, measure)
        if (before?.amount === amount) return false
        await saveBudget(tx, { userId, measure, amount, updatedAt: clock.now().toISOString() })
        // A raised budget can be reached again this month. A lowered one does not notify a second time.
        if (toWhole(measure, amounts[measure]) < amount) await deleteWarnings(tx, userId, measure)
        await activity.record(tx, userId, visit, 'billing.budget_changed', { measure, limit })
        return before === undefined
      })
      await check(userId)
      const { budgets } = await list(userId)
      const budget = budgets.find((one) => one.measure === measure)
      if (!budget) throw notFound('budget')
      return { isNew, budget }
    },

    remove: (userId: number, measure: Measure, visit: Visit, ifMatch?: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        if (!(await deleteBudget(tx, userId, measure))) throw notFound('budget')
        requireUntagged(ifMatch)
        await deleteWarnings(tx, userId, measure)
        await activity.record(tx, userId, visit, 'billing.budget_changed', { measure, limit: null })
      }),
  }
}
