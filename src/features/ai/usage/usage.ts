import type { Db } from '../../../database/db.ts'
import { toInstant, toWall } from '../../../engine/time-zones.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Logger } from '../../../platform/log.ts'
import { dearest, FACTS_OF, priceOf } from '../models/facts.ts'
import type { AiSettings } from '../providers.ts'
import { type DayRecord, deleteRequestsBefore, listDays } from './store.ts'
import { createUsageWriter } from './writer.ts'

const DAY_MS = 86_400_000
const NANO = 1_000_000_000
const KEPT_DAYS = 90

export interface Usage {
  inputTokens: number
  outputTokens: number
}

export interface Spent extends Usage {
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

export type UsageBook = ReturnType<typeof createUsage>

/** What was asked, what it cost, and how much more may be spent today. */
export const createUsage = (deps: {
  db: Db
  clock: Clock
  log: Logger
  timezone: () => Promise<string>
  settings: AiSettings
}) => {
  const { db, clock, log, settings } = deps
  const writer = createUsageWriter({ db, log })

  const dayOf = (at: number, timezone: string): string =>
    new Date(toWall(at, timezone)).toISOString().slice(0, 10)

  const costOf = ({ engine, providerModel, inputTokens, outputTokens }: Spent): number | null => {
    if (engine === 'builtin') return 0
    const price = priceOf(providerModel, settings.prices)
    // Dollars for a million are thousandths of a nano-dollar less: tokens × price × 1000.
    return price ? Math.round((inputTokens * price.input + outputTokens * price.output) * 1000) : null
  }

  const highest = dearest(settings.prices)
  /** Towards a ceiling. What has no known price counts as if it were the dearest: a ceiling that it slips under is none. */
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
    return new AppError('rate_limited', 'spending_limit', `What ${whose} may spend on AI today is spent.`, {
      details: { retryAfterSeconds: seconds },
    })
  }

  return {
    /** Throws when a ceiling is reached. What is under way at that moment is finished, and may exceed it. */
    async requireBudget(tokenId: string | null): Promise<void> {
      const { dailyLimitUsd, tokenDailyLimitUsd } = settings
      if (dailyLimitUsd === null && (tokenDailyLimitUsd === null || tokenId === null)) return
      const timezone = await deps.timezone()
      await writer.settled()
      const rows = await listDays(db, dayOf(clock.now().getTime(), timezone))
      if (dailyLimitUsd !== null && countedUsd(rows) >= dailyLimitUsd)
        throw limitReached('this instance', timezone)
      const own = countedUsd(rows.filter((row) => row.tokenId === tokenId))
      if (tokenDailyLimitUsd !== null && tokenId !== null && own >= tokenDailyLimitUsd)
        throw limitReached('this token', timezone)
    },

    /** Answers with what it cost in dollars; null when the price is not known. It is written down soon after. */
    async record(spent: Spent): Promise<number | null> {
      const now = clock.now()
      const costNano = costOf(spent)
      const day = dayOf(now.getTime(), await deps.timezone())
      writer.write({ at: now.toISOString(), day, ...spent, costNano })
      return costNano === null ? null : dollars(costNano)
    },

    /** Of all, or of one token. */
    async read(days: number, tokenId: string | null) {
      const timezone = await deps.timezone()
      await writer.settled()
      const now = clock.now().getTime()
      const today = dayOf(now, timezone)
      const all = await listDays(db, dayOf(now - (days - 1) * DAY_MS, timezone))
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
        pricesOf: FACTS_OF,
      }
    },

    /** For what is measured over all rooms: the days on which something was asked, the oldest first. */
    async perDay(from: string, to: string) {
      await writer.settled()
      const rows = (await listDays(db, from)).filter(({ day }) => day <= to)
      return [...Map.groupBy(rows, ({ day }) => day)].map(([day, some]) => ({ day, ...sumOf(some) }))
    },

    /** For the figures over all rooms: the last thirty days. */
    async figures() {
      await writer.settled()
      const from = dayOf(clock.now().getTime() - 29 * DAY_MS, await deps.timezone())
      const { requests, inputTokens, outputTokens, costUsd, unpriced } = sumOf(await listDays(db, from))
      // A sum that leaves something out would be read as the whole.
      return { requests, inputTokens, outputTokens, costUsd: unpriced > 0 ? null : costUsd }
    },

    /** When everything so far is written down. */
    settled: writer.settled,

    prune: (): Promise<void> =>
      deleteRequestsBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString()),
  }
}
