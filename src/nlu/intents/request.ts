import type { Order } from '../dates/formats.ts'
import { endOf, isGerman, readTimes, type TimeExpression } from '../dates/read.ts'
import { maskRange } from '../meetings/title.ts'
import { withoutKinds } from '../quick-task.ts'
import type { Evidence, IntentTool, ToolArguments } from './features.ts'

export interface IntentContext {
  /** Local time of the user, encoded as UTC milliseconds. */
  now: number
  /** IANA time zone of the user. */
  timezone: string
  order?: Order
}

/** One request without polite words, with the times it contains. */
export interface Request {
  text: string
  /** Offset in the text the user wrote. */
  offset: number
  times: TimeExpression[]
  /** The text with every time expression masked. It has the same length. */
  timeless: string
  german: boolean
  context: IntentContext
  /** Title of the task that the previous request created, for "and remind me at six". */
  lastTask?: string
  /** The previous change to an event, for "and tell the team". */
  lastChange?: string
}

/** A match of a rule, before the models check it. The confidence comes from the words alone. */
export type Draft = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    confidence: number
    evidence: Evidence[]
  }
}[IntentTool]

/** A rule matched, but a required argument is missing. */
export interface Incomplete {
  missing: string
}

export type Rule = (request: Request) => Draft | Incomplete | undefined

const LEAD =
  /(?<=^|\s)(?:(?:due|by|on|at|for|from|until|till|before|after|since|starting|during|in|aus|seit|within|this|the|every|around|about|am|um|ab|bis|zum|vom|von|im|in der|für|den|der|gegen)\s+){1,3}$/iu

/** Masks the time expressions and their prepositions. */
export const hideTimes = (text: string, times: readonly TimeExpression[]): string => {
  let hidden = text
  for (const time of times) {
    const lead = LEAD.exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    hidden = maskRange(hidden, time.offset - lead, endOf(time))
  }
  return hidden
}

/** Builds a request. Drops time expressions that only describe a noun, such as "weekly" in "weekly report". */
export const createRequest = (
  text: string,
  offset: number,
  context: IntentContext,
  lastTask?: string,
  lastChange?: string,
): Request => {
  const times = withoutKinds(text, readTimes(text, context))
  return {
    text,
    offset,
    times,
    timeless: hideTimes(text, times),
    german: isGermanRequest(text),
    context,
    ...(lastTask ? { lastTask } : {}),
    ...(lastChange ? { lastChange } : {}),
  }
}

const GERMAN =
  /\b(?:mir|mich|meine[nmrs]?|bitte|zeige?|welche[nrs]?|habe|hab|wann|wie viele|erinnere?|aufgaben?|termine?|kalender|liste|trage?|lösche?|verschiebe?|sag|schreibe?|antworte?|neue[nrs]?|finde|freie[nrs]?|stunden?|nächste[nrs]?|woche|heute|wer|wem|welcher|archiviere|markiere|benenne|vereinbare|füge?|spiele?|wetter)\b/iu

/** Words that exist in both languages, and English words that decide such a case. */
const EITHER = /\b(?:was|sage)\b/iu
const ENGLISH =
  /\b(?:the|my|me|i|you|your|we|it|that|there|is|of|to|from|and|with|for|about|what|when|who|which|how|why)\b/iu

/** Requests are short, so one word that exists only in German decides. */
export const isGermanRequest = (text: string): boolean =>
  isGerman(text) || GERMAN.test(text) || (EITHER.test(text) && !ENGLISH.test(text))

/** Converts pieces to evidence. Offsets refer to the text the user wrote. */
export const toEvidence = (
  request: Request,
  argument: string,
  pieces: readonly { text: string; offset: number }[],
): Evidence[] => pieces.map(({ text, offset }) => ({ argument, text, offset: offset + request.offset }))

export const draft = <Tool extends IntentTool>(
  tool: Tool,
  given: ToolArguments[Tool],
  confidence: number,
  evidence: readonly Evidence[] = [],
): Draft => ({ tool, arguments: given, confidence, evidence: [...evidence] }) as Draft
