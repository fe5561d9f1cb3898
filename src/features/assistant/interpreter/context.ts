import type { Intent, IntentTool, ToolArguments, Wall } from '../../../nlu/intents/intent.ts'
import { toInstant, toWall } from '../../../recurrence/time-zones.ts'
import type { ToolCallOutcome } from '../tools/outcome.ts'
import type { AbilityArguments, AbilityName, RunnableRequest } from './ability.ts'
import type { Item, Option, Question } from './memory.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { ReplyTexts } from './words.ts'

/** Collects what one message refers to and what its answer leaves for the next one. */
export interface Exchange {
  /** The message of the person. */
  written: string
  /** The request that is being carried out. */
  intent: RunnableRequest | null
  /** The item that the request is about, if the conversation names it. */
  target: Item | null
  /** The items of the list that the answer prints. */
  listedItems?: readonly Item[]
  question: Question | null
  lookup: Intent | null
  /** The journal entry of the action that the person has just confirmed, for "undo that". */
  confirmed: { undoId: number; name: string } | null
  /** How many of the last changes were undone. */
  undoneChanges: number
}

/** Writes a reply without a model. `says` is the content that the person asked for. */
export type WriteAnswer = (
  emailId: number,
  says: string | undefined,
) => Promise<{ text: string; gaps: readonly string[] } | { refusal: string }>

export interface InterpreterOptions {
  toolCalls: ToolCalls
  now: number
  timezone: string
  texts: ReplyTexts
  exchange: Exchange
  writeAnswer: WriteAnswer
}

/** A count; `more` is set if the search stopped at its limit. */
export interface Counted {
  count: number
  more: boolean
}

export const DAY_MS = 86_400_000

export const toIso = (ms: number): string => new Date(ms).toISOString()

const MAX_OPTIONS = 5

/** Explains a refused tool call in the language of the answer. The server's own message is English. */
export const refusalOf = ({ abilities }: ReplyTexts, message: string, code: string | undefined): string =>
  abilities.refusals === null ? message : (abilities.refusals[code ?? ''] ?? message)

const toPlain = (text: string): string => text.toLowerCase().replaceAll('’', "'")

/** Tells whether the text contains every word. */
export const containsWords = (text: string, words: string | undefined): boolean =>
  toPlain(words ?? '')
    .split(/\s+/)
    .every((word) => toPlain(text).includes(word))

export type InterpreterContext = ReturnType<typeof createInterpreterContext>

/** Carries out a request, and returns the answer. */
export type Handler<Tool extends IntentTool> = (
  context: InterpreterContext,
  given: ToolArguments[Tool],
) => Promise<string>
export type AbilityHandler<Name extends AbilityName> = (
  context: InterpreterContext,
  given: AbilityArguments[Name],
) => Promise<string>

/** Provides the tools, the clock and text helpers that all subjects share. */
export const createInterpreterContext = ({
  toolCalls,
  now,
  timezone,
  texts,
  exchange,
  writeAnswer,
}: InterpreterOptions) => {
  const instant = (wall: Wall): string =>
    toIso(toInstant(Date.parse(wall.length > 10 ? `${wall}:00Z` : `${wall}T00:00Z`), timezone))
  const format = (options: Intl.DateTimeFormatOptions, at: string | number, zone = timezone): string =>
    new Intl.DateTimeFormat(texts.locale, { timeZone: zone, ...options }).format(new Date(at))
  const day = (at: string | number, zone?: string): string =>
    format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, at, zone)
  const clock = (at: string | number): string =>
    format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, at)
  const hasClock = (wall: Wall): boolean => wall.length > 10

  /** Asks the person. The options become buttons. */
  const ask = (text: string, options: readonly Option[], continues?: string): string => {
    exchange.question ??= { text, options, ...(continues !== undefined && { continues }) }
    return text
  }

  /** Asks which item is meant. The options are a list in the text, too. */
  const askWhich = (
    question: (list: string) => string,
    options: readonly Option[],
    continues?: string,
  ): string => {
    const list = options.map(({ label }) => `- ${label}`).join('\n')
    return ask(question(list), [...options, { label: texts.none, intent: null }], continues)
  }

  return {
    ...toolCalls,
    now,
    timezone,
    texts,
    exchange,
    writeAnswer,
    ask,
    askWhich,
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

    formatSlots: (slots: readonly { start: string; end: string }[]): string[] =>
      slots.map(({ start, end }) => `${day(start)}, ${clock(start)}–${clock(end)}`),

    formatList: (items: readonly string[], none: string, more = false): string =>
      items.length > 0
        ? [...items.map((item) => `- ${item}`), ...(more ? ['', texts.more] : [])].join('\n')
        : none,

    /** Formats the outcome of a tool call: done, waiting for confirmation, or failed. */
    formatOutcome(outcome: ToolCallOutcome, said: string): string {
      if (outcome.status === 'failed') return refusalOf(texts, outcome.result.error, outcome.result.code)
      if (outcome.status === 'done') return said
      const waits = outcome.confirmedBy === 'word' ? texts.waits : texts.waitsForButton
      return waits(outcome.result.summary)
    },

    /** Returns the only match. Otherwise returns a text: nothing matches, or a question with the matches. */
    pickOnly<T extends { id: number }>(
      fits: readonly T[],
      kind: 'task' | 'event' | 'email',
      { none, describe, toItem }: { none: string; describe: (one: T) => string; toItem: (one: T) => Item },
    ): T | string {
      const [first, second] = fits
      if (first === undefined) return none
      if (second === undefined) return first
      const { intent } = exchange
      const options = fits
        .slice(0, MAX_OPTIONS)
        .map((one): Option => ({ label: describe(one), intent, target: toItem(one) }))
      return askWhich((list) => texts.which(kind, list), options)
    },
  }
}
