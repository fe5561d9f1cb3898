import type { Wall } from '../../../../engine/intents/vocabulary.ts'
import { toInstant, toWall } from '../../../../engine/time-zones.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Acted } from '../../acting/acting.ts'
import type { Words } from './words.ts'

export type Act = (tool: string, input: unknown) => Promise<Acted>

export interface DeskOptions {
  act: Act
  now: number
  timezone: string
  words: Words
}

/** A number, and whether there may be more than were looked at. */
export interface Counted {
  count: number
  more: boolean
}

export const DAY_MS = 86_400_000

export const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const failureOf = ({ result }: Acted): string =>
  String((result as { error?: string }).error ?? 'It did not work.')

/** What is meant, in one word after the other: all of them must be there. */
export const speaksOf = (text: string, words: string | undefined): boolean =>
  (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

export type Desk = ReturnType<typeof createDesk>

/** What every subject needs: the tools, the clock, and a way to say what came of it. */
export const createDesk = ({ act, now, timezone, words }: DeskOptions) => {
  const instant = (wall: Wall): string =>
    new Date(
      toInstant(Date.parse(wall.length > 10 ? `${wall}:00Z` : `${wall}T00:00Z`), timezone),
    ).toISOString()
  const format = (options: Intl.DateTimeFormatOptions, at: string | number, zone = timezone): string =>
    new Intl.DateTimeFormat(words.locale, { timeZone: zone, ...options }).format(new Date(at))
  const day = (at: string | number, zone?: string): string =>
    format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, at, zone)
  const clock = (at: string | number): string =>
    format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, at)
  const hasClock = (wall: Wall): boolean => wall.length > 10

  /** For looking: what could not be looked at is told as that, never as nothing. */
  const look = async <T>(tool: string, input: object): Promise<T> => {
    const acted = await act(tool, defined(input))
    if (acted.status === 'failed') throw new AppError('forbidden', 'forbidden', failureOf(acted))
    return acted.result as T
  }

  /** With whether there are more than were asked for. */
  const foundOf = async <T>(
    tool: string,
    input: object,
    key: string,
  ): Promise<{ items: T[]; more: boolean }> => {
    const result = await look<Record<string, T[] | undefined> & { more?: boolean }>(tool, input)
    return { items: result[key] ?? [], more: result.more === true }
  }

  return {
    ...{ act, look, now, timezone, words, instant, day, clock, format, hasClock },
    /** A day stays one: tools read it in the person's own zone. */
    moment: (wall: Wall | undefined): string | undefined => (wall && hasClock(wall) ? instant(wall) : wall),
    /** On the person's clock, as if it were UTC. */
    wall: (at: string): number => toWall(Date.parse(at), timezone),
    say: (at: string): string => `${day(at)}, ${clock(at)}`,
    sayWall: (wall: Wall): string =>
      hasClock(wall) ? `${day(instant(wall))}, ${clock(instant(wall))}` : day(instant(wall)),

    found: async <T>(tool: string, input: object, key: string): Promise<T[]> =>
      (await foundOf<T>(tool, input, key)).items,
    foundOf,

    lines: (items: readonly string[], none: string, more = false): string =>
      items.length > 0
        ? [...items.map((item) => `- ${item}`), ...(more ? [words.more] : [])].join('\n')
        : none,

    /** What to say of something that was done, or waits, or could not be done. */
    done(acted: Acted, said: string): string {
      if (acted.status === 'failed') return failureOf(acted)
      const { summary } = acted.result as { summary?: string }
      return acted.status === 'needs_confirmation' ? words.waits(summary ?? '') : said
    },

    /** The only one that fits, or what to say when there is none or the person must choose. */
    only<T>(
      fits: readonly T[],
      kind: 'task' | 'event' | 'mail',
      { none, tell }: { none: string; tell: (one: T) => string },
    ): T | string {
      const [first, second] = fits
      if (first === undefined) return none
      if (second === undefined) return first
      return words.which(
        kind,
        fits
          .slice(0, 5)
          .map((one) => `- ${tell(one)}`)
          .join('\n'),
      )
    },
  }
}
