import type { Order } from '../dates/formats.ts'
import { endOf, isGerman, readTimes, type TimeExpression } from '../dates/read.ts'
import { cover } from '../meetings/piece.ts'
import { withoutKinds } from '../task-times.ts'
import type { Evidence, IntentTool, ToolArguments } from './vocabulary.ts'

export interface IntentContext {
  /** The person's wall clock, as if it were UTC, in ms. */
  now: number
  /** The person's zone, an IANA name. */
  timezone: string
  order?: Order
}

/** One request, ready to be read: its words without courtesies, and the times in it. */
export interface Request {
  text: string
  /** Where it stands in what the person wrote. */
  offset: number
  times: TimeExpression[]
  /** The same length as the text, with every time covered. */
  timeless: string
  german: boolean
  context: IntentContext
  /** What the request before it made, for "and remind me at six". */
  before?: string
  /** What was done to an event just before, for "and tell the team". */
  deed?: string
}

/** A reading before it is judged: how sure the words alone make it. */
export type Draft = {
  [Tool in IntentTool]: {
    tool: Tool
    arguments: ToolArguments[Tool]
    confidence: number
    evidence: Evidence[]
  }
}[IntentTool]

/** The words are those of a tool, but what it must know is not there. */
export interface Lacking {
  lacks: string
}

export type Rule = (request: Request) => Draft | Lacking | undefined

const LEAD =
  /(?<=^|\s)(?:(?:due|by|on|at|for|from|until|till|before|after|since|starting|during|in|aus|seit|within|this|the|every|around|about|am|um|ab|bis|zum|vom|von|im|in der|für|den|der|gegen)\s+){1,3}$/iu

/** Times with the words that lead to them, hidden. */
export const hideTimes = (text: string, times: readonly TimeExpression[]): string => {
  let hidden = text
  for (const time of times) {
    const lead = LEAD.exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    hidden = cover(hidden, time.offset - lead, endOf(time))
  }
  return hidden
}

/** "my 3pm": a number that is no person's age, and "may" and its like, are left to the reader of times. */
export const createRequest = (
  text: string,
  offset: number,
  context: IntentContext,
  before?: string,
  deed?: string,
): Request => {
  const times = withoutKinds(text, readTimes(text, context))
  return {
    text,
    offset,
    times,
    timeless: hideTimes(text, times),
    german: isGermanRequest(text),
    context,
    ...(before ? { before } : {}),
    ...(deed ? { deed } : {}),
  }
}

const GERMAN =
  /\b(?:mir|mich|meine[nmrs]?|bitte|zeige?|welche[nrs]?|habe|hab|wann|wie viele|erinnere?|aufgaben?|termine?|kalender|liste|trage?|lösche?|verschiebe?|sag|schreibe?|antworte?|neue[nrs]?|finde|freie[nrs]?|stunden?|nächste[nrs]?|woche|heute|wer|wem|welcher|archiviere|markiere|benenne|vereinbare|füge?|spiele?|wetter)\b/iu

/** Words of both languages, and those beside which they are English. */
const EITHER = /\b(?:was|sage)\b/iu
const ENGLISH =
  /\b(?:the|my|me|i|you|your|we|it|that|there|is|of|to|from|and|with|for|about|what|when|who|which|how|why)\b/iu

/** A sentence is short: a word that only German has decides. */
export const isGermanRequest = (text: string): boolean =>
  isGerman(text) || GERMAN.test(text) || (EITHER.test(text) && !ENGLISH.test(text))

/** The times as evidence; offsets are counted in what the person wrote. */
export const proof = (
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
