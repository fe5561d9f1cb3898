import { describe, expect, it } from 'vitest'
import type { Intent } from '../src/nlu/intents/intent.ts'
import { readIntent } from '../src/nlu/intents/read.ts'
import { createRandomGenerator } from './support/api-fuzz.ts'

/* Every part of a generated sentence is in the item that it becomes, or the assistant asks. */

const NOW = Date.parse('2026-03-02T10:30Z')
const CONTEXT = { now: NOW, timezone: 'Europe/Berlin', lists: ['Home', 'Work'] }

/** A part of a sentence, and what it means. */
interface Part {
  words: string
  field: string
  value: string
}

type Parts = readonly (readonly [words: string, value: string])[]

interface Grammar {
  heads: readonly string[]
  events: readonly string[]
  chores: readonly string[]
  days: Parts
  clocks: Parts
  ranges: Parts
  people: readonly string[]
  withPerson: (name: string) => string
  places: readonly string[]
  series: Parts
  until: Parts
  reminder: readonly string[]
  by: (day: string) => string
  urgent: string
}

const ENGLISH: Grammar = {
  heads: ['add', 'put', 'schedule', 'create an event:', 'please add', ''],
  events: ['dentist', 'team lunch', 'afternoon tea', 'morning run', 'weekly review', 'night shift', 'choir'],
  chores: ['call the bank', 'buy two lamps', 'water the plants', 'send the morning report', 'renew the pass'],
  days: [
    ['tomorrow', '2026-03-03'],
    ['this Friday', '2026-03-06'],
    ['on 12 March', '2026-03-12'],
    ['on the 28th', '2026-03-28'],
    ['next Tuesday', '2026-03-10'],
  ],
  clocks: [
    ['at 6:15pm', '18:15'],
    ['at 14:30', '14:30'],
    ['at noon', '12:00'],
    ['at half past nine in the morning', '09:30'],
  ],
  ranges: [
    ['from 2pm to 4:15pm', '14:00-16:15'],
    ['9:30-11:00', '09:30-11:00'],
    ['at 3pm for 45 minutes', '15:00-15:45'],
  ],
  people: ['Ines', 'Tom Barker', 'Dr. Meyer'],
  withPerson: (name) => `with ${name}`,
  places: ['at Café Lumen', 'in room 4', 'at Greenwood Studio'],
  series: [
    ['every Monday', 'BYDAY=MO'],
    ['every two weeks on Friday', 'INTERVAL=2'],
    ['every day', 'DAILY'],
  ],
  until: [
    ['until 15 June', '20260615'],
    ['until the end of April', '20260430'],
  ],
  reminder: ['remind me to', 'I need to', 'task:', 'add a task to', 'please remind me to'],
  by: (day) => day.replace(/^on /, 'by '),
  urgent: 'urgent',
}

const GERMAN: Grammar = {
  heads: ['Trag ein:', 'Termin:', 'Neuer Termin', 'Bitte trag ein:', ''],
  events: ['Zahnarzt', 'Mittagessen', 'Abendkurs', 'Morgenlauf', 'Wochenmarkt', 'Nachtschicht', 'Chorprobe'],
  chores: ['die Bank anrufen', 'zwei Lampen kaufen', 'Blumen gießen', 'den Tagesbericht schicken'],
  days: [
    ['morgen', '2026-03-03'],
    ['am Freitag', '2026-03-06'],
    ['am 12. März', '2026-03-12'],
    ['am 28.', '2026-03-28'],
    ['nächsten Dienstag', '2026-03-10'],
  ],
  clocks: [
    ['um 18:15 Uhr', '18:15'],
    ['um 14:30', '14:30'],
    ['um halb zehn vormittags', '09:30'],
    ['um 20 Uhr', '20:00'],
  ],
  ranges: [
    ['von 14 bis 16:15 Uhr', '14:00-16:15'],
    ['9:30-11:00 Uhr', '09:30-11:00'],
    ['um 15 Uhr für 45 Minuten', '15:00-15:45'],
  ],
  people: ['Ines', 'Tom Berger', 'Frau Meyer'],
  withPerson: (name) => `mit ${name}`,
  places: ['im Café Lumen', 'in Raum 4', 'im Rathaus'],
  series: [
    ['jeden Montag', 'BYDAY=MO'],
    ['alle zwei Wochen freitags', 'INTERVAL=2'],
    ['jeden Tag', 'DAILY'],
  ],
  until: [
    ['bis 15. Juni', '20260615'],
    ['bis Ende April', '20260430'],
  ],
  reminder: ['Erinnere mich daran,', 'Aufgabe:', 'Neue Aufgabe:', 'Ich muss'],
  by: (day) => day.replace(/^am /, 'bis '),
  urgent: 'dringend',
}

type Random = ReturnType<typeof createRandomGenerator>

const isChosen = (random: Random): boolean => random.chance(0.4)

const toPart = (random: Random, field: string, all: Parts): Part => {
  const [words, value] = random.pick(all)
  return { words, field, value }
}

const makeEvent = (random: Random, grammar: Grammar): Part[] => {
  const title = random.pick(grammar.events)
  const parts: Part[] = [
    { words: random.pick(grammar.heads), field: 'head', value: '' },
    { words: title, field: 'title', value: title },
  ]
  if (isChosen(random)) {
    const name = random.pick(grammar.people)
    parts.push({ words: grammar.withPerson(name), field: 'person', value: name })
  }
  const isSeries = isChosen(random)
  const when = isSeries ? [toPart(random, 'series', grammar.series)] : [toPart(random, 'day', grammar.days)]
  when.push(
    isChosen(random) ? toPart(random, 'range', grammar.ranges) : toPart(random, 'clock', grammar.clocks),
  )
  if (isSeries && isChosen(random)) when.push(toPart(random, 'until', grammar.until))
  parts.push(...when)
  if (isChosen(random)) {
    const place = random.pick(grammar.places)
    parts.push({ words: place, field: 'place', value: place.replace(/^\S+ /, '') })
  }
  return parts
}

const makeTask = (random: Random, grammar: Grammar): Part[] => {
  const title = random.pick(grammar.chores)
  const day = toPart(random, 'day', grammar.days)
  return [
    { words: random.pick(grammar.reminder), field: 'head', value: '' },
    { words: title, field: 'title', value: title },
    ...(isChosen(random)
      ? [{ ...day, words: grammar.by(day.words) }]
      : [day, toPart(random, 'clock', grammar.clocks)]),
  ]
}

/** True if the item has what a part means. */
const isUsed = ({ field, value }: Part, { tool, arguments: given }: Intent): boolean => {
  const item = given as Record<string, string | number | string[] | undefined>
  const start = `${tool === 'create_task' ? (item.due ?? item.remindAt) : item.start}`
  const text =
    `${item.title} ${item.place ?? ''} ${(item.people as string[] | undefined) ?? ''}`.toLowerCase()
  switch (field) {
    case 'head':
      return true
    case 'title': {
      const words = value
        .toLowerCase()
        .replace(/^(?:the|die|den|das) /, '')
        .split(' ')
      return words.every((word) => `${item.title}`.toLowerCase().includes(word))
    }
    case 'person':
    case 'place':
      return text.includes(value.toLowerCase())
    case 'day':
      return start.startsWith(value)
    case 'clock':
      return start.endsWith(value)
    case 'series':
      return `${item.recurrence}`.includes(value)
    case 'until':
      return `${item.recurrence}`.includes(`UNTIL=${value}`)
    case 'range': {
      const [from = '', to = ''] = value.split('-')
      const ends = item.minutes
        ? new Date(Date.parse(`${start}:00Z`) + Number(item.minutes) * 60_000).toISOString().slice(11, 16)
        : `${item.end}`.slice(11, 16)
      return start.endsWith(from) && ends === to
    }
    default:
      return false
  }
}

const SENTENCES = 400

const listLost = (grammar: Grammar, seed: number): { lost: string[]; written: number } => {
  const random = createRandomGenerator(seed)
  const lost: string[] = []
  let written = 0
  for (let count = 0; count < SENTENCES; count++) {
    const parts = random.chance(0.6) ? makeEvent(random, grammar) : makeTask(random, grammar)
    const sentence = parts
      .map(({ words }) => words)
      .join(' ')
      .trim()
    const { intents } = readIntent(sentence, CONTEXT)
    const [intent, other] = intents
    if (!intent || intent.doubts) continue
    written++
    const missing = parts.filter((part) => !isUsed(part, intent)).map(({ words }) => words)
    if (missing.length > 0 || other)
      lost.push(`${sentence} → ${missing.join(' | ')} ${JSON.stringify(intent.arguments)}`)
  }
  return { lost, written }
}

describe('every word is accounted for', () => {
  for (const [name, grammar] of Object.entries({ English: ENGLISH, German: GERMAN }))
    it(`in ${name}`, () => {
      const { lost, written } = listLost(grammar, 7)
      expect(lost).toEqual([])
      // Most sentences are certain enough to be written without a question.
      expect(written).toBeGreaterThan(SENTENCES * 0.7)
    })
})
