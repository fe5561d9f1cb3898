import { ymdOf } from '../../src/nlu/dates/calendar.ts'
import { readTimes } from '../../src/nlu/dates/read.ts'
import { asksForEvent, type EventReading, readEvent } from '../../src/nlu/meetings/event.ts'
import { loadCases } from './data.ts'
import { wallMs } from './wall.ts'

interface GoldTime {
  date?: string
  time?: string
  date_also?: string
}

export interface EventCase {
  text: string
  ref: string
  gold: {
    subject?: string
    attendees?: string[]
    location?: string
    duration_minutes?: number
    start?: GoldTime
    end?: GoldTime
    unscored: string[]
  }
}

export const eventCases = (): EventCase[] => loadCases('meeting-smcalflow', 'events')
export const intentCases = (): { text: string; intent: string }[] => loadCases('meeting-smcalflow', 'intents')

export const readCase = ({ text, ref }: EventCase): EventReading =>
  readEvent(text, { now: wallMs(ref), order: 'mdy' })

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:the|a|an|my)\s+/, '')
    .replace(/[.,!?'"’]/g, '')
    .trim()
const dateOf = (day: number): string => {
  const { y, m, d } = ymdOf(day)
  return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16)

export const isStartRight = (gold: GoldTime, { start }: Pick<EventReading, 'start'>): boolean => {
  if (!start) return false
  if (
    gold.date &&
    (!start.dated || (dateOf(start.day) !== gold.date && dateOf(start.day) !== gold.date_also))
  )
    return false
  return gold.time ? start.seconds !== undefined && timeOf(start.seconds) === gold.time : true
}

export interface F1 {
  hit: number
  predicted: number
  expected: number
}

export const f1 = ({ hit, predicted, expected }: F1): number =>
  hit === 0 ? 0 : (2 * hit) / (predicted + expected)

export interface EventScores {
  start: { right: number; of: number }
  title: { right: number; of: number }
  people: F1
  place: F1
  duration: F1
}

export const scoreEvents = (cases: EventCase[], read: (one: EventCase) => EventReading): EventScores => {
  const scores: EventScores = {
    start: { right: 0, of: 0 },
    title: { right: 0, of: 0 },
    people: { hit: 0, predicted: 0, expected: 0 },
    place: { hit: 0, predicted: 0, expected: 0 },
    duration: { hit: 0, predicted: 0, expected: 0 },
  }
  for (const one of cases) {
    const { gold } = one
    const scored = (field: string): boolean => !gold.unscored.includes(field)
    const got = read(one)
    if (gold.start && scored('start')) {
      scores.start.of++
      if (isStartRight(gold.start, got)) scores.start.right++
    }
    if (gold.subject !== undefined && scored('subject')) {
      scores.title.of++
      if (got.title && plain(got.title.text) === plain(gold.subject)) scores.title.right++
    }
    if (scored('attendees')) {
      const expected = new Set((gold.attendees ?? []).map(plain))
      const predicted = new Set(got.people.map(({ text }) => plain(text)))
      scores.people.expected += expected.size
      scores.people.predicted += predicted.size
      scores.people.hit += [...predicted].filter((name) => expected.has(name)).length
    }
    if (scored('location')) {
      scores.place.expected += gold.location ? 1 : 0
      scores.place.predicted += got.place ? 1 : 0
      if (gold.location && got.place && plain(gold.location) === plain(got.place.text)) scores.place.hit++
    }
    if (scored('duration') && scored('duration_minutes')) {
      scores.duration.expected += gold.duration_minutes ? 1 : 0
      scores.duration.predicted += got.minutes ? 1 : 0
      if (gold.duration_minutes && got.minutes === gold.duration_minutes) scores.duration.hit++
    }
  }
  return scores
}

const wantsEvent = (text: string): boolean =>
  asksForEvent(text, readTimes(text, { now: wallMs('2024-05-15T09:00:00') }).length > 0).wanted

export const scoreEventRequests = (cases: { text: string; intent: string }[], wants = wantsEvent): F1 => {
  const scores = { hit: 0, predicted: 0, expected: 0 }
  for (const { text, intent } of cases) {
    const isPredicted = wants(text)
    if (isPredicted) scores.predicted++
    if (intent === 'create_event') scores.expected++
    if (isPredicted && intent === 'create_event') scores.hit++
  }
  return scores
}
