import type { Database } from '../../database/database.ts'
import { readSize } from '../../database/size.ts'
import type { Clock } from '../../platform/clock.ts'
import { dayAt, daysUpTo, firstOf, monthOf } from './calendar-days.ts'
import { cleanDollars, MEASURES, type Measure, UNITS } from './measures.ts'
import { findStorageBefore, findStorageDay, listStorageDays, saveStorageDay } from './usage-store.ts'

/** To measure storage costs more than to read what was measured. */
const MEASURED_EVERY_MS = 3_600_000

/** What the rooms hand in: the days on which there was anything, the oldest first. */
export interface UsageSources {
  ai(
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
  messages(from: string, to: string): Promise<{ day: string; messages: number }[]>
}

export interface Amounts {
  aiRequests: number
  aiInputTokens: number
  aiOutputTokens: number
  aiTokens: number
  aiCostUsd: number
  /** Of the requests, those whose price is not known. */
  aiUnpriced: number
  storageBytes: number
  messagesSynced: number
}

/** Storage is a level, not a flow: the last of the days counts, not their sum. */
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

/** What is used, by the day in the zone of the instance, from counters that are kept as it is used. */
export const createUsage = (deps: {
  database: Pick<Database, 'db' | 'engine'>
  clock: Clock
  timezone: () => Promise<string>
  sources: UsageSources
}) => {
  const { database, clock, timezone, sources } = deps
  const { db } = database

  const measureStorage = async (today: string): Promise<string> => {
    const known = await findStorageDay(db, today)
    const now = clock.now()
    if (known && Math.abs(now.getTime() - Date.parse(known.measuredAt)) < MEASURED_EVERY_MS)
      return known.measuredAt
    const measuredAt = now.toISOString()
    await saveStorageDay(db, { day: today, bytes: await readSize(database), measuredAt })
    return measuredAt
  }

  const readDays = async (days: readonly string[]): Promise<(Amounts & { day: string })[]> => {
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const ai = new Map((await sources.ai(from, to)).map((row) => [row.day, row]))
    const mail = new Map((await sources.messages(from, to)).map((row) => [row.day, row.messages]))
    const stored = new Map((await listStorageDays(db, from, to)).map((row) => [row.day, row.bytes]))
    // On days that nobody measured it was what it was before.
    let storageBytes = (await findStorageBefore(db, from))?.bytes ?? 0
    return days.map((day) => {
      const { requests = 0, inputTokens = 0, outputTokens = 0, costUsd = 0, unpriced = 0 } = ai.get(day) ?? {}
      storageBytes = stored.get(day) ?? storageBytes
      return {
        ...{ day, aiRequests: requests, aiInputTokens: inputTokens, aiOutputTokens: outputTokens },
        ...{ aiTokens: inputTokens + outputTokens, aiCostUsd: costUsd, aiUnpriced: unpriced },
        ...{ storageBytes, messagesSynced: mail.get(day) ?? 0 },
      }
    })
  }

  /** From the first of the month to today. */
  const readMonth = async (today: string): Promise<{ period: string; amounts: Amounts }> => {
    const days = await readDays(daysUpTo(today, Number(today.slice(8))))
    return { period: monthOf(today), amounts: totalOf(days) }
  }

  return {
    async read(count: number) {
      const zone = await timezone()
      const today = dayAt(clock.now(), zone)
      const storageMeasuredAt = await measureStorage(today)
      const days = await readDays(daysUpTo(today, count))
      const month = await readMonth(today)
      return {
        ...{ timezone: zone, from: days[0]?.day ?? today, to: today },
        totals: totalOf(days),
        month: { period: month.period, from: firstOf(month.period), ...month.amounts },
        days,
        series: MEASURES.map((measure) => ({
          ...{ measure, unit: UNITS[measure], values: days.map((day) => day[measure]) },
        })),
        storageMeasuredAt,
      }
    },

    /** What counts against a budget now, and of which month. */
    async ofThisMonth(): Promise<{ period: string; amounts: Readonly<Record<Measure, number>> }> {
      const today = dayAt(clock.now(), await timezone())
      await measureStorage(today)
      return readMonth(today)
    },

    /** Sees to it that no day passes unmeasured. */
    async measure(): Promise<void> {
      await measureStorage(dayAt(clock.now(), await timezone()))
    },

    period: async (): Promise<string> => monthOf(dayAt(clock.now(), await timezone())),
  }
}
