import { readFileSync } from 'node:fs'
import { readTimes } from '../../src/nlu/dates/read.ts'
import { coverKnown } from '../../src/nlu/meetings/event.ts'
import { findPlaceCandidates, toPlaceBlocks } from '../../src/nlu/meetings/places.ts'
import { loadSlotSentences, SHIPPED_SOURCES, type SlotSentence } from '../nlu/slots.ts'
import { type Example, trainLinear } from './linear.ts'
import { createRandom } from './svm.ts'

const NOW = Date.UTC(2026, 0, 5, 9)

interface Sentence {
  text: string
  places: readonly string[]
}

const normalize = (text: string): string => text.toLowerCase().replace(/^(?:the|my|our|der|dem|den)\s+/, '')

/** The candidates of a sentence. One that is a part of a place, or more than a place, says nothing. */
const toExamples = ({ text, places }: Sentence): Example[] => {
  const { covered } = coverKnown(text, readTimes(text, { now: NOW }))
  return findPlaceCandidates(covered).flatMap((candidate): Example[] => {
    const words = normalize(candidate.text)
    const isPlace = places.some((place) => normalize(place) === words)
    const isPart = places.some(
      (place) => normalize(place).includes(words) || words.includes(normalize(place)),
    )
    if (!isPlace && isPart) return []
    return [{ blocks: toPlaceBlocks(covered, candidate), label: isPlace ? 'place' : 'other' }]
  })
}

const TITLES = {
  en: 'a meeting|lunch|a party|dinner|an appointment|coffee|an event|yoga|a review|a workshop|a call|the game|a date|training|drinks|a class|the report|our talk|a trip|a reservation'.split(
    '|',
  ),
  de: 'ein Treffen|Mittagessen|eine Besprechung|ein Termin|Kaffee|Yoga|ein Vortrag|das Training|eine Feier|Abendessen|ein Gespräch|die Präsentation'.split(
    '|',
  ),
}
const OPENINGS = {
  en: 'schedule|add|create|set up|book|i have|put|please make|can you add|there is|plan|'.split('|'),
  de: 'trag|plane|erstelle|ich habe|bitte|leg|'.split('|'),
}
const TIMES = {
  en: 'tomorrow|on friday|at 3pm|next monday at noon|on march 3|tonight at 7|'.split('|'),
  de: 'morgen|am freitag|um 15 uhr|nächsten montag um 9|am 3. märz|heute abend|'.split('|'),
}
const PEOPLE = { en: 'with Ann|with Bob and Kim||||'.split('|'), de: 'mit Ann|mit Jonas||||'.split('|') }

type Language = keyof typeof TITLES

interface Phrase {
  language: Language
  isPlace: boolean
  preposition: string
  text: string
}

const readPhrases = (): Phrase[] => {
  let [language, isPlace]: [Language, boolean] = ['en', true]
  return readFileSync(new URL('./places.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const heading = /^\[(en|de) (place|other)\]$/.exec(line)
      if (heading) {
        language = heading[1] as Language
        isPlace = heading[2] === 'place'
      }
      const [, preposition = '', list = ''] = /^(\p{L}+): (.+)$/u.exec(line) ?? []
      return list === ''
        ? []
        : list.split('; ').map((text): Phrase => ({ language, isPlace, preposition, text }))
    })
}

const SENTENCES_PER_PHRASE = 6

/** Puts each phrase into sentences of several forms. */
const generateSentences = (): Sentence[] => {
  const random = createRandom(5)
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] as string
  const write = ({ language, isPlace, preposition, text }: Phrase): Sentence => {
    // In German, and for proper names in English, a capital says little alone.
    const isCapital = random() < 0.5 && (isPlace || language === 'de')
    const words = isCapital
      ? text.replace(
          /(?<!\p{L})(?!(?:the|my|our|der|dem|den|die|meinem|unserem|uns|zu|of)(?!\p{L}))\p{Ll}/gu,
          (letter) => letter.toUpperCase(),
        )
      : text
    const parts = [PEOPLE[language], TIMES[language]].map(pick)
    if (random() < 0.5) parts.reverse()
    parts.splice(Math.floor(random() * 3), 0, `${preposition} ${words}`)
    const sentence = [pick(OPENINGS[language]), pick(TITLES[language]), ...parts]
      .filter((part) => part !== '')
      .join(' ')
    return { text: sentence, places: isPlace ? [words] : [] }
  }
  return readPhrases().flatMap((phrase) => Array.from({ length: SENTENCES_PER_PHRASE }, () => write(phrase)))
}

const toSentence = ({ text, slots }: SlotSentence): Sentence => ({
  text,
  places: slots.filter(({ role }) => role === 'place').map((slot) => slot.text),
})

const PUBLIC_REPEATS = 2

export const trainPlaces = (): { json: string; note: string } => {
  const marked = loadSlotSentences()
    .filter(({ source, unannotated = [] }) => SHIPPED_SOURCES.has(source) && !unannotated.includes('place'))
    .map(toSentence)
  if (marked.length === 0) throw new Error('No slots; EVALUATION_DATA names their folder.')
  const sentences = [...generateSentences(), ...Array.from({ length: PUBLIC_REPEATS }, () => marked).flat()]
  const examples = sentences.flatMap(toExamples)
  const packed = trainLinear(examples, { cost: 0.5, rounds: 12, maxWeights: 15_000 })
  const origin =
    'Made by bench/train.ts from Bot Framework Skills (MIT), SLURP, NLU Evaluation Data and Home Assistant intents (CC BY 4.0), and patterns of the project.'
  return {
    json: `${JSON.stringify({ origin, ...packed }, null, 2)}\n`,
    note: `${examples.length} phrases, ${packed.features} features`,
  }
}
