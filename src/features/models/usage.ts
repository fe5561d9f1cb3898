import { AsyncLocalStorage } from 'node:async_hooks'
import type { Insertable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { AiRequestRow } from '../../database/tables/integrations.ts'
import { inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/log.ts'
import type { Trust } from '../../platform/outbound/outbound.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import { highestPrices, PRICES_DATE, priceOf } from './catalog.ts'
import type { AiSettings } from './language-models.ts'
import { addToDay, type DayRecord, deleteRequestsBefore, insertRequests, listDays } from './repository.ts'

type Row = Insertable<AiRequestRow>

/** Well below the parameter limits of both databases. */
const BATCH_SIZE = 500
/**
 * Collects usage for this time and writes it in one transaction: one commit per request would be too slow.
 */
const BATCH_WINDOW_MS = 25

/** Sums up rows per account, day, model and token. */
const totalsOf = (rows: readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ userId, day, model, tokenId }) =>
    JSON.stringify([userId, day, model, tokenId ?? '']),
  )
  return [...groups.values()].map((some) => {
    const { userId, day, model, tokenId } = some[0] as Row
    const sum = (value: (row: Row) => number): number => some.reduce((total, row) => total + value(row), 0)
    return {
      userId,
      day,
      model,
      tokenId: tokenId ?? '',
      requests: some.length,
      inputTokens: sum((row) => row.inputTokens),
      outputTokens: sum((row) => row.outputTokens),
      costNano: sum((row) => row.costNano ?? 0),
      unpriced: sum((row) => (row.costNano === null ? 1 : 0)),
    }
  })
}

/**
 * Writes usage in the background, so that answers do not wait for it.
 * A crash loses the last milliseconds of usage; a normal shutdown writes everything.
 */
const createUsageWriter = ({ db, log }: { db: Db; log: Logger }) => {
  const waiting: Row[] = []
  /** Runs outside of any transaction of the caller: a rollback must not undo the record of money spent. */
  const outside = AsyncLocalStorage.snapshot()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const save = (rows: readonly Row[]): Promise<void> =>
    inTransaction(db, async (tx) => {
      await insertRequests(tx, rows)
      for (const total of totalsOf(rows)) await addToDay(tx, total)
    })

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const rows = waiting.splice(0, BATCH_SIZE)
      await save(rows).catch((error: unknown) => {
        log.error({ err: error, requests: rows.length }, 'could not store AI usage')
      })
    }
    writing = undefined
  }

  const begin = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) writing ??= outside(drain)
  }

  return {
    write(row: Row): void {
      waiting.push(row)
      if (!writing) timer ??= setTimeout(begin, BATCH_WINDOW_MS)
    },
    /** Returns at once inside a transaction. Waiting there for another transaction would deadlock. */
    async settled(): Promise<void> {
      if (isInTransaction()) return
      begin()
      await writing
    },
  }
}

const DAY_MS = 86_400_000
const NANO = 1_000_000_000
const KEPT_DAYS = 90

export interface Usage {
  inputTokens: number
  outputTokens: number
}

export interface UsageEntry extends Usage {
  userId: number
  purpose: string
  engine: 'llm' | 'builtin'
  model: string
  provider: string
  providerModel: string
  tokenId: string | null
  outcome: 'answered' | 'failed' | 'cancelled'
}

const dollars = (nano: number): number => nano / NANO

const sumOf = (rows: readonly DayRecord[]) => {
  const sum = (field: 'requests' | 'inputTokens' | 'outputTokens' | 'costNano' | 'unpriced'): number =>
    rows.reduce((total, row) => total + row[field], 0)
  return {
    requests: sum('requests'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: dollars(sum('costNano')),
    unpriced: sum('unpriced'),
  }
}

export type UsageTracker = ReturnType<typeof createUsageTracker>

/** Records usage and cost, and enforces the daily spending limits of each account. */
export const createUsageTracker = (deps: {
  db: Db
  clock: Clock
  log: Logger
  zoneOf: (userId: number) => Promise<string>
  settings: AiSettings
}) => {
  const { db, clock, log, settings } = deps
  const writer = createUsageWriter({ db, log })

  const dayOf = (at: number, timezone: string): string =>
    new Date(toWall(at, timezone)).toISOString().slice(0, 10)

  const costOf = (
    { engine, providerModel, inputTokens, outputTokens }: UsageEntry,
    trust: Trust | undefined,
  ): number | null => {
    if (engine === 'builtin') return 0
    const price = priceOf(providerModel, settings.prices, trust)
    // Nano-dollars: tokens × dollars per million tokens × 1000.
    return price ? Math.round((inputTokens * price.input + outputTokens * price.output) * 1000) : null
  }

  const highest = highestPrices(settings.prices)
  /**
   * Cost that counts towards the limit. Unknown prices count as the highest known price, so that they cannot
   * bypass the limit.
   */
  const countedUsd = (rows: readonly DayRecord[]): number =>
    dollars(
      rows.reduce((sum, { costNano, unpriced, inputTokens, outputTokens }) => {
        const most = Math.round((inputTokens * highest.input + outputTokens * highest.output) * 1000)
        return sum + (unpriced > 0 ? Math.max(costNano, most) : costNano)
      }, 0),
    )

  const limitReached = (whose: string, timezone: string): AppError => {
    const now = clock.now().getTime()
    const today = Math.floor(toWall(now, timezone) / DAY_MS) * DAY_MS
    const seconds = Math.ceil((toInstant(today + DAY_MS, timezone) - now) / 1000)
    return new AppError(
      'rate_limited',
      'spending_limit',
      `The daily AI spending limit of ${whose} is reached. Try again tomorrow.`,
      {
        details: { retryAfterSeconds: seconds },
      },
    )
  }

  return {
    /** Throws if a limit is reached. Running requests are finished and may exceed the limit. */
    async requireBudget({ userId, tokenId }: Pick<UsageEntry, 'userId' | 'tokenId'>): Promise<void> {
      const { dailyLimitUsd, tokenDailyLimitUsd } = settings
      if (dailyLimitUsd === null && (tokenDailyLimitUsd === null || tokenId === null)) return
      const timezone = await deps.zoneOf(userId)
      await writer.settled()
      const rows = await listDays(db, userId, dayOf(clock.now().getTime(), timezone))
      if (dailyLimitUsd !== null && countedUsd(rows) >= dailyLimitUsd)
        throw limitReached('this account', timezone)
      const own = countedUsd(rows.filter((row) => row.tokenId === tokenId))
      if (tokenDailyLimitUsd !== null && tokenId !== null && own >= tokenDailyLimitUsd)
        throw limitReached('this token', timezone)
    },

    /** Returns the cost in dollars, or null if the price is unknown. The row is written shortly after. */
    async record(spent: UsageEntry, trust?: Trust): Promise<number | null> {
      const now = clock.now()
      const costNano = costOf(spent, trust)
      const day = dayOf(now.getTime(), await deps.zoneOf(spent.userId))
      writer.write({ at: now.toISOString(), day, ...spent, costNano })
      return costNano === null ? null : dollars(costNano)
    },

    /** Reads the usage of one token, or of the whole account. */
    async read(userId: number, days: number, tokenId: string | null) {
      const timezone = await deps.zoneOf(userId)
      await writer.settled()
      const now = clock.now().getTime()
      const today = dayOf(now, timezone)
      const all = await listDays(db, userId, dayOf(now - (days - 1) * DAY_MS, timezone))
      const rows = tokenId === null ? all : all.filter((row) => row.tokenId === tokenId)
      const byDay = Map.groupBy(rows, ({ day }) => day)
      const ofToday = byDay.get(today) ?? []
      const byModel = Map.groupBy(ofToday, ({ model }) => model)
      return {
        timezone,
        today: { day: today, ...sumOf(ofToday) },
        models: [...byModel].map(([model, some]) => ({ model, ...sumOf(some) })),
        days: [...byDay].map(([day, some]) => ({ day, ...sumOf(some) })),
        countedUsd: countedUsd(ofToday),
        limitUsd: tokenId === null ? settings.dailyLimitUsd : settings.tokenDailyLimitUsd,
        pricesOf: PRICES_DATE,
      }
    },

    /** For the metrics of all features: days with usage, oldest first. */
    async perDay(userId: number, from: string, to: string) {
      await writer.settled()
      const rows = (await listDays(db, userId, from)).filter(({ day }) => day <= to)
      return [...Map.groupBy(rows, ({ day }) => day)].map(([day, some]) => ({ day, ...sumOf(some) }))
    },

    /** For the dashboard: the last 30 days. */
    async figures(userId: number) {
      await writer.settled()
      const from = dayOf(clock.now().getTime() - 29 * DAY_MS, await deps.zoneOf(userId))
      const { requests, inputTokens, outputTokens, costUsd, unpriced } = sumOf(
        await listDays(db, userId, from),
      )
      // Return null if some prices are unknown, because a partial sum would look complete.
      return { requests, inputTokens, outputTokens, costUsd: unpriced > 0 ? null : costUsd }
    },

    /** Resolves when all usage so far has been written. */
    settled: writer.settled,

    prune: (): Promise<void> =>
      deleteRequestsBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString()),
  }
}
