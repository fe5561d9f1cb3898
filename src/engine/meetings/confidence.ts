import type { TimeExpression } from '../dates/read.ts'
import type { Sentence } from '../sentences.ts'
import type { MeetingLink } from './links.ts'
import type { Signal } from './signals.ts'

/** Without one of these, or a link, a time is never a meeting. */
export const SPEAKS_FOR: ReadonlySet<Signal['kind']> = new Set([
  'occasion',
  'proposal',
  'invitation',
  'acceptance',
])

/** About a time to be found, not about a deed: "can you restart it at 9?" proposes no meeting. */
const FINDS_A_TIME =
  /(?:you|we|u) (?:do|make|manage)|confirm|bestätig|i (?:see|come|visit|drop|stop)|be (?:ok|fine|good|poss|conv)|day\b|tag\b|schlage|slot|date|push|move|shift|about|free|availab|then|around|up for|work|suit|time|moment|passt|passen|wie wäre|ginge|\bwe\b|\bwir\b|\buns\b|see you|i (?:can|could)|ich (?:k|h)|könnte|hast|hätte|haben|moved|reschedul|postpon|verschob|verschieb|verleg/

const isAboutTime = ({ kind, text }: Signal): boolean =>
  (kind === 'proposal' || kind === 'acceptance') && FINDS_A_TIME.test(text.toLowerCase())

interface Manner {
  future: boolean
  asked: boolean
  /** The question is little else than the time. */
  isOnlyAsked: boolean
  /** The writer tells what they will do with others. */
  promised: boolean
}

/** What speaks for and against a time being a meeting, from its own sentence and, less, from the ones beside it. */
export const confidenceOf = (
  time: TimeExpression,
  sentence: Sentence,
  near: readonly Signal[],
  link: MeetingLink | undefined,
  { future, asked, isOnlyAsked, promised }: Manner,
): number => {
  const isHere = ({ offset }: Signal): boolean => offset >= sentence.from && offset < sentence.to
  const here = (kind: Signal['kind']): boolean =>
    near.some((signal) => signal.kind === kind && isHere(signal))
  const around = (kind: Signal['kind']): boolean => near.some((signal) => signal.kind === kind)
  let sure = 0.1
  if (here('occasion')) sure += 0.3
  else if (around('occasion')) sure += 0.2
  if (here('proposal')) sure += 0.25
  else if (around('proposal')) sure += 0.12
  if (here('invitation')) sure += 0.3
  else if (around('invitation')) sure += 0.15
  if (here('acceptance')) sure += 0.2
  // "Lunch on Thursday at noon?"
  if (asked && here('occasion') && time.start?.seconds !== undefined) sure += 0.1
  const timed = time.start?.seconds !== undefined && !time.part
  if (asked && here('occasion') && time.kind === 'date') sure += 0.1
  if (asked && !here('occasion') && around('occasion') && timed && time.dated) sure += 0.15
  if (timed && time.dated && near.some((signal) => isHere(signal) && isAboutTime(signal))) sure += 0.1
  if (timed && time.end && here('occasion')) sure += 0.05
  if (isOnlyAsked) sure += 0.35
  if (link) sure += 0.2
  if (timed) sure += 0.15
  if (time.kind === 'date') sure += 0.05
  // "Lunch with Ana on Thursday at 12:30". That it may be noon or midnight is a doubt about when, not about whether.
  const isPlain =
    (here('occasion') || here('invitation')) && time.dated && time.start?.seconds !== undefined && !time.part
  if (isPlain) sure += time.either ? 0.1 : 0.05
  // People do not meet at 3:50:52; logs are written then.
  if ((time.start?.seconds ?? 0) % 60 !== 0) sure -= 0.5
  if (!future) sure -= 0.6
  if (here('past') && !here('proposal') && !here('invitation')) sure -= 0.35
  if (here('deadline') || time.bound === 'by' || time.bound === 'before' || time.bound === 'until')
    sure -= here('occasion') && here('proposal') ? 0.1 : 0.35
  if (here('bill')) sure -= 0.4
  else if (around('bill')) sure -= 0.15
  if (here('hours')) sure -= 0.6
  else if (around('hours')) sure -= 0.3
  if (around('offer')) sure -= 0.25
  if (here('cancellation')) sure -= 0.5
  if (promised) sure -= 0.3
  return Math.max(0, Math.min(0.99, sure * (0.5 + 0.5 * time.confidence)))
}
