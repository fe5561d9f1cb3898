import { ymdOf } from '../../src/nlu/dates/calendar.ts'
import { readTimes } from '../../src/nlu/dates/read.ts'
import { readIntent } from '../../src/nlu/intents/read.ts'
import { asksForEvent, type EventReading, readEvent } from '../../src/nlu/meetings/event.ts'
import { DAY as DAY_MS } from '../../src/recurrence/days.ts'
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

const ASSISTANT = { timezone: 'UTC', lists: [] }

/** The assistant keeps the people in a title, because most have no address: "Lunch with Ann". */
const withoutPeople = (title: string): string => title.replace(/\s+with\s.*$/u, '')

/** Reads the event that the assistant would add, or nothing. */
export const readCaseByAssistant = ({ text, ref }: EventCase): EventReading => {
  const { intents } = readIntent(text, { ...ASSISTANT, now: wallMs(ref) })
  const found = intents.find(({ tool }) => tool === 'create_event')
  if (found?.tool !== 'create_event') return { people: [], times: [] }
  const { title, start, end, minutes, place, people = [], invite = [] } = found.arguments
  const ms = start === undefined ? undefined : wallMs(start.length > 10 ? start : `${start}T00:00`)
  const seconds =
    start !== undefined && start.length > 10 ? { seconds: ((ms as number) % DAY_MS) / 1000 } : {}
  const length = minutes ?? (end && ms !== undefined ? (wallMs(end) - ms) / 60_000 : undefined)
  const toPiece = (words: string) => ({ text: words, offset: 0 })
  return {
    ...(title && { title: toPiece(withoutPeople(title)) }),
    ...(place && { place: toPiece(place) }),
    ...(length !== undefined && length < 1440 && { minutes: length }),
    ...(ms !== undefined && {
      start: { day: Math.floor(ms / DAY_MS), ...seconds, dated: true, timed: 'seconds' in seconds },
    }),
    people: [...people, ...invite].map(toPiece),
    times: [],
  }
}

/** The assistant adds an event or a task, or asks for what is missing. */
export const isAddedByAssistant = (text: string): boolean => {
  const { intents, abstained } = readIntent(text, { ...ASSISTANT, now: wallMs('2024-05-15T09:00:00') })
  return (
    intents.some(({ tool }) => tool === 'create_event' || tool === 'create_task') ||
    abstained.some(({ reason, detail }) => reason === 'incomplete' && detail.startsWith('the title'))
  )
}

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
