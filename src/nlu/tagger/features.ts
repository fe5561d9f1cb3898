import { lexemesOf } from '../dates/lexicon.ts'
import { endOf, isGerman, readTimes } from '../dates/read.ts'
import { decide } from '../intents/classifier.ts'
import { isGermanText, toEnglishWord } from '../intents/german-words.ts'
import { hash, pair } from '../learning/linear.ts'
import { getCues, getNames } from '../lexicon/cues.ts'
import { fold } from '../lexicon/lexicon.ts'
import type { Word } from './words.ts'

/* The features of each word: its form, its neighbours, its times in the date reader and the cues around it. */

const shapeOf = (text: string): string =>
  text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{Ll}/gu, 'x')
    .replace(/\p{N}/gu, '9')
    .replace(/(.)\1+/g, '$1+')

/** All digits are the same. */
export const normalize = (text: string): string => fold(text).replace(/\p{N}/gu, '0')

/** The kinds that a word has in the date reader. */
const kindOf = (word: string): string =>
  lexemesOf(word)
    .map(([kind]) => kind)
    .join('/') || (/^\p{N}/u.test(word) ? 'number' : '')

/** The spans of times are the same at any time. */
const NOW = Date.UTC(2026, 0, 5, 9)

/** The kind of the time that a word belongs to, and the word's place in it. */
const findTimes = (text: string, words: readonly Word[]): string[] => {
  const times = readTimes(text, { now: NOW })
  return words.map(({ from, to }) => {
    const time = times.find((one) => from >= one.offset && to <= endOf(one))
    if (!time) return ''
    return `${time.offset === from ? 'B' : endOf(time) === to ? 'E' : 'I'}${time.kind}`
  })
}

/** Cues that name the kind of a request. The other ones introduce an argument. */
const REQUESTS = new Set([
  'remind',
  'alarm',
  'list',
  'add',
  'create',
  'move',
  'delete',
  'show',
  'mail',
  'event',
  'task',
])
const SMALL = new Set(['the', 'a', 'my', 'and', 'of', 'is'])

/** Each feature combines properties of a word and of its neighbours. */
const TEMPLATES = [
  'word, word-1, word-2, word+1, word+2, word-1 word, word word+1, word-2 word-1, word+1 word+2',
  'form-1 form form+1, form-2 form-1 form, form form+1 form+2, shape, shape-1',
  'meaning, meaning-1, meaning+1, meaning-1 meaning, meaning meaning+1',
  'sort, sort-1, sort+1, cue-1 sort cue+1, sort verb',
  'time, time-1, time+1, time-1 time time+1, kind, kind-1, kind+1, kind-1 kind, kind kind+1, kind time',
  'cue, cue-1, cue-2, cue+1, cue-2 cue-1, cue-1 kind, cue-1 time, cue-1 verb, kind verb cue-1',
  'verb, verbs, introduction timed, introduction verb timed, introduction distance, last timed verb',
  'business, business cue-1 cue+1, business time kind cue-1, business word, start, end, tail-1, tail+1',
  'head1, head2, head3, head4, tail1, tail2, tail3, tail4',
]
  .join(', ')
  .split(', ')
  .map((template) =>
    template.split(' ').map((part) => {
      const [, name = '', offset = '0'] = /^([a-z]+\d?)([-+]\d)?$/.exec(part) ?? []
      return { name, offset: Number(offset) }
    }),
  )
const SEEDS = TEMPLATES.map((parts) => hash(parts.map(({ name, offset }) => name + offset).join(' ')))
/** The feature that every word has. */
export const CONSTANT = hash('')
const [BEFORE, AFTER] = [hash('^'), hash('$')]

/** Hashes of one property of each word. */
type Column = Uint32Array

const findSorts = (names: readonly string[]): string[] => names.map((name) => getNames().get(name) ?? '')

/** German words by their English meaning, so that both languages share what they teach. */
const findMeanings = (text: string, words: readonly Word[], names: readonly string[]): string[] =>
  isGermanText(text)
    ? words.map(({ text: word }, at) =>
        /^\p{L}/u.test(word) ? toEnglishWord(word.toLowerCase()) : (names[at] as string),
      )
    : [...names]

/** The cue that introduced the words, the distance to it, and the last cue of any kind. */
const findIntroductions = (cues: readonly string[]): [string[], string[], string[]] => {
  const [introductions, distances, lasts]: [string[], string[], string[]] = [[], [], []]
  let [introduction, introducedAt, last] = ['', -1, '']
  for (const [at, cue] of cues.entries()) {
    introductions.push(introduction)
    distances.push(String(Math.min(4, at - introducedAt)))
    lasts.push(last)
    if (cue !== '' && !REQUESTS.has(cue) && !SMALL.has(cue)) [introduction, introducedAt] = [cue, at]
    if (cue !== '') last = cue
  }
  return [introductions, distances, lasts]
}

const readColumns = (
  text: string,
  words: readonly Word[],
  isFrequent: (word: string) => boolean,
): Record<string, readonly string[]> => {
  const cueOf = getCues(isGerman(text) ? 'de' : 'en')
  const names = words.map(({ text: word }) => normalize(word))
  const kinds = words.map(({ text: word }) => kindOf(word.toLowerCase()))
  const times = findTimes(text, words)
  const cues = names.map((name) => cueOf.get(name) ?? '')
  const sorts = findSorts(names)
  const requests = cues.filter((cue) => REQUESTS.has(cue))
  const [introduction, distance, last] = findIntroductions(cues)
  const fill = (value: string): string[] => words.map(() => value)
  const columns: Record<string, readonly string[]> = {
    word: names,
    form: names.map((name, at) => cues[at] || kinds[at] || (isFrequent(name) ? name : sorts[at] || '?')),
    shape: words.map(({ text: word }) => shapeOf(word)),
    meaning: findMeanings(text, words, names),
    sort: sorts,
    time: times,
    timed: times.map((time) => (time === '' ? '' : 'T')),
    kind: kinds,
    cue: cues,
    verb: fill(requests[0] ?? ''),
    verbs: fill([...new Set(requests)].sort().join('+')),
    introduction,
    distance,
    last,
    business: fill(decide(text).business),
    start: words.map((_, at) => String(Math.min(at, 3))),
    end: words.map((_, at) => String(Math.min(words.length - at, 3))),
    tail: names.map((name) => name.slice(-3)),
  }
  for (const length of [1, 2, 3, 4]) {
    columns[`head${length}`] = names.map((name) => name.slice(0, length))
    columns[`tail${length}`] = names.map((name) => name.slice(-length))
  }
  return columns
}

const hashColumn = (values: readonly string[]): Column => {
  let [value, hashed] = ['', hash('')]
  return Uint32Array.from(values, (one) => {
    if (one !== value) [value, hashed] = [one, hash(one)]
    return hashed
  })
}

/** Returns the hashed features of each word. A word that is not `isFrequent` is known by its form only. */
export const featuresOf = (
  text: string,
  words: readonly Word[],
  isFrequent: (word: string) => boolean,
): Uint32Array[] => {
  const columns = new Map(
    Object.entries(readColumns(text, words, isFrequent)).map(([name, values]) => [name, hashColumn(values)]),
  )
  const parts = TEMPLATES.map((template) =>
    template.map(({ name, offset }) => ({ column: columns.get(name) as Column, offset })),
  )
  return words.map((_, at) => {
    const found = new Uint32Array(parts.length + 1)
    found[parts.length] = CONSTANT
    for (let index = 0; index < parts.length; index++) {
      let feature = SEEDS[index] as number
      for (const { column, offset } of parts[index] as (typeof parts)[number]) {
        const place = at + offset
        const value = place < 0 ? BEFORE : place >= words.length ? AFTER : (column[place] as number)
        feature = pair(feature, value)
      }
      found[index] = feature
    }
    return found
  })
}
