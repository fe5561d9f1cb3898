import { firstDay, type Moment } from './dates/outcome.ts'
import type { TimeExpression } from './dates/read.ts'

const LATE =
  /\b(?:dinner|drinks|party|parties|movies?|games?|match|date|concert|club|night|supper|poker|show|abendessen|kino|konzert|happy hour|bar|date night|bachelor|gala|table for|tisch für|tonight|theat(?:er|re)|oper|opera)\b/iu
const EARLY = /\b(?:breakfast|brunch|sunrise|frühstück|church|dawn)\b/iu
/** To the minute, so early: what leaves, and what is done before work. */
const BEFORE_WORK =
  /\b(?:school|gym|(?:a|morning|my) run|running|jog(?:ging)?|work-?out|swim(?:ming)?|trains?|flights?|fly|bus|ferry|commute|daycare|nursery|(?:drop|take) (?:the )?kids|schule|kita|kindergarten|zug|flug|fähre|laufen|joggen|zahnarzt|arzt|blutabnahme)\b/iu

/** "Every Monday from June on". */
const LATER = /\b(?:from|starting|beginning|ab)\b/iu

const HALF = 43_200
const DAY = 86_400

/** By how many days it moves: an hour of no day in particular is the next one, what comes back begins with the next. */
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
 * The other half of the day where the occasion says so: drinks at nine, breakfast at seven, a train at 6:52. Nobody
 * who means the evening writes 7:45 without a word that says so.
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
