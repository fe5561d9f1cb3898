import type { Moment } from './dates/outcome.ts'
import type { TimeExpression } from './dates/read.ts'

const LATE =
  /\b(?:dinner|drinks|party|parties|movies?|games?|match|date|concert|club|night|supper|poker|show|abendessen|kino|konzert|happy hour|bar|date night|bachelor|gala|table for|tisch für|tonight|theat(?:er|re)|oper|opera)\b/iu
const EARLY = /\b(?:breakfast|brunch|sunrise|frühstück|church|dawn)\b/iu
/** To the minute, so early: what leaves, and what is done before work. */
const BEFORE_WORK =
  /\b(?:school|gym|(?:a|morning|my) run|running|jog(?:ging)?|work-?out|swim(?:ming)?|trains?|flights?|fly|bus|ferry|commute|daycare|nursery|(?:drop|take) (?:the )?kids|schule|kita|kindergarten|zug|flug|fähre|laufen|joggen|zahnarzt|arzt|blutabnahme)\b/iu

const HALF = 43_200
const DAY = 86_400

/** An hour of no day in particular is the next one. */
const onItsDay = (time: TimeExpression, shift: number, now: number | undefined): number => {
  if (time.dated || now === undefined || !time.start) return 0
  const today = Math.floor(now / 1000 / DAY)
  const isOver = (time.start.seconds as number) + shift < now / 1000 - today * DAY
  return today + (isOver ? 1 : 0) - time.start.day
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
  const days = onItsDay(time, shift, now)
  const moved = (moment: Moment): Moment => ({
    day: moment.day + days,
    seconds: (moment.seconds as number) + shift,
  })
  return { ...time, start: moved(start), ...(end?.seconds !== undefined ? { end: moved(end) } : {}) }
}
