import { firstDay, type Moment } from './dates/outcome.ts'
import type { TimeExpression } from './dates/read.ts'

/**
 * Converts a text to lower case with unchanged offsets, and typographic apostrophes to plain ones.
 * Case-sensitive matching is several times faster. A text is therefore converted once and matched with
 * lower-case patterns.
 */
export const smallOf = (text: string): string => {
  const lower = text.toLowerCase()
  // "İ" becomes two characters in lower case, which would shift the offsets.
  const aligned = lower.length === text.length ? lower : text.replaceAll('İ', 'I').toLowerCase()
  return aligned.replaceAll('’', "'")
}

export interface Sentence {
  from: number
  to: number
}

const END =
  /(?=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms|Mt|St|vs|No|Nr|ca|bzw|z\.B|d\.h|u\.a|e\.g|i\.e|a|p|m|(?<!\b(?:at|by|till|until|around|um|gegen)\s)\d|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mo|Di|Mi|Do|Fr|Sa|So))(?!(?<=\b(?:bis zum|am|zum|vom|den|dem)\s\d\d)\.\s\p{Lu})(?!(?<=\b\d\d)\.\s(?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))[.?!]+["')\]]?(?=\s|$)|(?<=\d)\.(?=\s(?:Can|Could|Would|Will|Please|I|We|You|They|He|She|It|The|This|That|If|Do|Does|Did|Is|Are|What|When|Where|Who|How|Why|Let|Also|Then|Thanks|Bitte|Können|Könnten|Kannst|Könntest|Wir|Ich|Danke|Außerdem|Falls|Wenn)\s)|\n+/gu

/** Splits a text into sentences and lines. Every character belongs to one of them. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  let testedUntil = 0
  for (const match of text.matchAll(END)) {
    const to = match.index + match[0].length
    // Blank text belongs to the next sentence. Each part is tested only once.
    const isBlank = text.slice(testedUntil, to).trim() === ''
    testedUntil = to
    if (isBlank) continue
    sentences.push({ from, to })
    from = to
  }
  if (from < text.length || sentences.length === 0) sentences.push({ from, to: text.length })
  return sentences
}

/** Collapses whitespace to single spaces. */
export const onOneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ')

/** Returns the index of the sentence that contains an offset. */
export const sentenceAt = (sentences: readonly Sentence[], offset: number): number => {
  const found = sentences.findIndex(({ to }) => offset < to)
  return found < 0 ? sentences.length - 1 : found
}

const LATE =
  /\b(?:dinner|drinks|party|parties|movies?|games?|match|date|concert|club|night|supper|poker|show|abendessen|kino|konzert|happy hour|bar|date night|bachelor|gala|table for|tisch für|tonight|theat(?:er|re)|oper|opera)\b/iu
const EARLY = /\b(?:breakfast|brunch|sunrise|frühstück|church|dawn)\b/iu
/** Activities with an exact time in the early morning: departures and routines before work. */
const BEFORE_WORK =
  /\b(?:school|gym|(?:a|morning|my) run|running|jog(?:ging)?|work-?out|swim(?:ming)?|trains?|flights?|fly|bus|ferry|commute|daycare|nursery|(?:drop|take) (?:the )?kids|schule|kita|kindergarten|zug|flug|fähre|laufen|joggen|zahnarzt|arzt|blutabnahme)\b/iu

/** Matches a later start, as in "every Monday from June on". */
const LATER = /\b(?:from|starting|beginning|ab)\b/iu

const HALF = 43_200
const DAY = 86_400

/**
 * Returns the number of days by which a moved time shifts. A time without a day, and the first occurrence of
 * a recurrence, must be the next possible one.
 */
const daysMoved = (time: TimeExpression, shift: number, now: number | undefined): number => {
  const { start, rule, dated, text } = time
  if (now === undefined || start?.seconds === undefined || (dated && rule === undefined)) return 0
  const today = Math.floor(now / 1000 / DAY)
  const isOver = start.seconds + shift < now / 1000 - today * DAY
  const next = today + (isOver ? 1 : 0)
  if (rule === undefined) return next - start.day
  return start.day > today && LATER.test(text) ? 0 : firstDay(rule, next) - start.day
}

/**
 * Moves an ambiguous time to the other half of the day if the occasion suggests it. Examples are drinks at
 * nine, breakfast at seven and a train at 6:52. A bare "7:45" is in the morning, because people who mean the
 * evening say so.
 */
export const fitting = (time: TimeExpression, text: string, now?: number): TimeExpression => {
  const { either, start, end, grain } = time
  if (!either || start?.seconds === undefined || (grain !== 'hour' && grain !== 'minute')) return time
  const hour = start.seconds / 3600
  const isLate = LATE.test(text)
  const isEarly =
    EARLY.test(text) ||
    (!isLate && !Number.isInteger(hour) && ((hour >= 19 && hour < 20) || BEFORE_WORK.test(text)))
  const shift =
    isLate && !isEarly && grain === 'hour' && hour >= 8 && hour < 12
      ? HALF
      : isEarly && hour >= 17 && hour < 21
        ? -HALF
        : 0
  if (shift === 0) return time
  const days = daysMoved(time, shift, now)
  const moved = (moment: Moment): Moment => ({
    day: moment.day + days,
    seconds: (moment.seconds as number) + shift,
  })
  return { ...time, start: moved(start), ...(end?.seconds !== undefined ? { end: moved(end) } : {}) }
}
