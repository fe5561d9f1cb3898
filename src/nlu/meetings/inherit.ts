/*
 * Completes times from their neighbours. "next week … Tuesday" is the Tuesday of that week. "between 2 and 4 (my
 * time, London)" is a time in London. Numbers that only look like times are removed.
 */

import { mondayOf } from '../dates/calendar.ts'
import type { TimeExpression } from '../dates/read.ts'
import { zoneOfPlace } from '../dates/zones.ts'
import { loadPatterns } from '../lexicon/patterns.ts'
import { bareWeekday } from './times.ts'

const pattern = loadPatterns(new URL('../lexicon/meeting-times.txt', import.meta.url))

const DATE_WORD = /\p{L}{3,}|\d{1,2}[.:/]\d{1,2}/u
const DAY_MS = 86_400_000
/** Deadlines and meetings lie at most this far away. A later year is a misread number. */
const MAX_DAYS = 20 * 365

const isFalse = (text: string, { text: words, offset, start }: TimeExpression, today: number): boolean => {
  if (start && Math.abs(start.day - today) > MAX_DAYS) return true
  if (!DATE_WORD.test(words) && pattern('reference').test(text.slice(Math.max(0, offset - 40), offset)))
    return true
  const end = offset + words.length
  const whole = /bis\s$/i.test(text.slice(Math.max(0, offset - 4), offset)) ? `bis ${words}` : words
  return pattern('until now').test(whole) && pattern('until now after').test(text.slice(end, end + 160))
}

const moveTo = (time: TimeExpression, day: number): TimeExpression => {
  const { start, end } = time
  if (!start || start.day === day) return time
  return {
    ...time,
    start: { ...start, day },
    ...(end ? { end: { ...end, day: end.day + day - start.day } } : {}),
  }
}

/** A week in one sentence applies to the weekdays of the same and the following sentences, up to this distance. */
const MAX_DISTANCE = 240

const isWeek = ({ kind, grain, start, count, bound }: TimeExpression): boolean =>
  kind === 'daterange' &&
  grain === 'week' &&
  start !== undefined &&
  count === undefined &&
  bound === undefined

/** Puts a weekday into the week that was named before it. */
const inheritWeeks = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  let week: { monday: number; end: number } | undefined
  return times.map((time) => {
    if (time.start && (isWeek(time) || (time.dated && pattern('names week').test(time.text)))) {
      week = { monday: mondayOf(time.start.day), end: time.offset + time.text.length }
      return time
    }
    const weekday = bareWeekday(time)
    const isOpen =
      weekday >= 0 &&
      !pattern('own week').test(`${text.slice(Math.max(0, time.offset - 12), time.offset)}${time.text} `)
    if (!week || !isOpen || time.offset - week.end > MAX_DISTANCE) return time
    // The weekdays of a list keep the week.
    week = { ...week, end: time.offset + time.text.length }
    return moveTo(time, week.monday + weekday)
  })
}

const SENTENCE_BREAK = /[.?!]\s|\n\s*\n/
const MAX_ZONE_DISTANCE = 160

interface ZoneStatement {
  text: string
  offset: number
  /** Empty if the writer says "my time" without a place. */
  name: string
  /** Applies to the whole text. */
  isGeneral: boolean
}

const findStatements = (text: string): ZoneStatement[] => [
  ...[...text.matchAll(pattern('my time'))].map(({ 0: words, 1: place, index }) => ({
    text: words,
    offset: index,
    name: (place && zoneOfPlace(place)) ?? '',
    isGeneral: false,
  })),
  ...[...text.matchAll(pattern('all times'))].flatMap(({ 0: words, 1: place = '', index }) => {
    const name = zoneOfPlace(place.replace(/er$/, '')) ?? zoneOfPlace(place)
    return name === undefined ? [] : [{ text: words, offset: index, name, isGeneral: true }]
  }),
]

/** Gives the zone that the writer names to the times without one. */
const inheritZones = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const statements = /time|zeit/i.test(text) ? findStatements(text) : []
  if (statements.length === 0) return [...times]
  return times.map((time) => {
    const isOpen = time.start?.seconds !== undefined && (time.zone === undefined || time.zone.name === '')
    if (!isOpen) return time
    const near = statements.find(({ offset, isGeneral }) => {
      if (isGeneral) return true
      const [from, to] = [Math.min(time.offset, offset), Math.max(time.offset + time.text.length, offset)]
      return to - from < MAX_ZONE_DISTANCE && !SENTENCE_BREAK.test(text.slice(from, to))
    })
    return near ? { ...time, zone: { text: near.text, name: near.name } } : time
  })
}

/** Completes the times of a text from their neighbours and removes false ones. `wall` is the local time of the mail. */
export const inheritTimes = (
  text: string,
  times: readonly TimeExpression[],
  wall: number,
): TimeExpression[] => {
  const today = Math.floor(wall / DAY_MS)
  const real = times.filter((time) => !isFalse(text, time, today))
  return inheritZones(text, inheritWeeks(text, real))
}
