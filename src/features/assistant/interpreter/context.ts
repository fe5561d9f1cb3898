import type { Wall } from '../../../nlu/intents/intent.ts'
import { toInstant, toWall } from '../../../nlu/time-zones.ts'
import type { ToolCalls } from '../chat.ts'
import type { ToolCallOutcome } from '../tools/registry.ts'
import type { ReplyTexts } from './words.ts'

export interface InterpreterOptions {
  toolCalls: ToolCalls
  now: number
  timezone: string
  texts: ReplyTexts
}

/** A count; `more` is set if the search stopped at its limit. */
export interface Counted {
  count: number
  more: boolean
}

export const DAY_MS = 86_400_000

export const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const failureOf = ({ result }: ToolCallOutcome): string =>
  String((result as { error?: string }).error ?? 'The action failed.')

/** Tells whether the text contains every word. */
export const containsWords = (text: string, words: string | undefined): boolean =>
  (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

export type InterpreterContext = ReturnType<typeof createInterpreterContext>

/** Provides the tools, the clock and text helpers that all subjects share. */
export const createInterpreterContext = ({ toolCalls, now, timezone, texts }: InterpreterOptions) => {
  const instant = (wall: Wall): string =>
    new Date(
      toInstant(Date.parse(wall.length > 10 ? `${wall}:00Z` : `${wall}T00:00Z`), timezone),
    ).toISOString()
  const format = (options: Intl.DateTimeFormatOptions, at: string | number, zone = timezone): string =>
    new Intl.DateTimeFormat(texts.locale, { timeZone: zone, ...options }).format(new Date(at))
  const day = (at: string | number, zone?: string): string =>
    format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, at, zone)
  const clock = (at: string | number): string =>
    format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, at)
  const hasClock = (wall: Wall): boolean => wall.length > 10

  return {
    ...toolCalls,
    now,
    timezone,
    texts,
    instant,
    day,
    clock,
    format,
    hasClock,
    /** Keeps a day without a time: the tools read it in the timezone of the person. */
    toToolTime: (wall: Wall | undefined): string | undefined =>
      wall && hasClock(wall) ? instant(wall) : wall,
    /** Local time of the person, expressed as if it were UTC. */
    wall: (at: string): number => toWall(Date.parse(at), timezone),
    formatInstant: (at: string): string => `${day(at)}, ${clock(at)}`,
    formatWall: (wall: Wall): string =>
      hasClock(wall) ? `${day(instant(wall))}, ${clock(instant(wall))}` : day(instant(wall)),

    formatList: (items: readonly string[], none: string, more = false): string =>
      items.length > 0
        ? [...items.map((item) => `- ${item}`), ...(more ? [texts.more] : [])].join('\n')
        : none,

    /** Formats the outcome of a tool call: done, waiting for confirmation, or failed. */
    formatOutcome(outcome: ToolCallOutcome, said: string): string {
      if (outcome.status === 'failed') return failureOf(outcome)
      const { summary } = outcome.result as { summary?: string }
      return outcome.status === 'needs_confirmation' ? texts.waits(summary ?? '') : said
    },

    /** Returns the only match, or a text if nothing matches or the person has to choose. */
    pickOnly<T>(
      fits: readonly T[],
      kind: 'task' | 'event' | 'mail',
      { none, describe }: { none: string; describe: (one: T) => string },
    ): T | string {
      const [first, second] = fits
      if (first === undefined) return none
      if (second === undefined) return first
      return texts.which(
        kind,
        fits
          .slice(0, 5)
          .map((one) => `- ${describe(one)}`)
          .join('\n'),
      )
    },
  }
}
