import { lexemesOf } from '../dates/lexicon.ts'
import { endOf, isGerman, readTimes } from '../dates/read.ts'
import { decide } from '../intents/classifier.ts'
import { hash } from '../learning/linear.ts'
import { getCues } from '../lexicon/cues.ts'
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
const timesOf = (text: string, words: readonly Word[]): string[] => {
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

const MAX_AFFIX = 4

/** Returns the hashed features of each word. A word that is not `isFrequent` is known by its form only. */
export const featuresOf = (
  text: string,
  words: readonly Word[],
  isFrequent: (word: string) => boolean,
): Uint32Array[] => {
  const cueOf = getCues(isGerman(text) ? 'de' : 'en')
  const names = words.map(({ text: word }) => normalize(word))
  const kinds = words.map(({ text: word }) => kindOf(word.toLowerCase()))
  const times = timesOf(text, words)
  const cues = names.map((name) => cueOf.get(name) ?? '')
  const forms = names.map((name, at) => cues[at] || kinds[at] || (isFrequent(name) ? name : '?'))
  const requests = cues.filter((cue) => REQUESTS.has(cue))
  const verb = requests[0] ?? ''
  const kind = decide(text).business
  const find = (list: readonly string[], at: number): string =>
    at < 0 ? '^' : at >= list.length ? '$' : (list[at] as string)
  let [introduction, introducedAt, lastCue] = ['', -1, '']
  return words.map(({ text: word }, at) => {
    const [name, cue] = [names[at] as string, cues[at] as string]
    const [before, after] = [find(cues, at - 1), find(cues, at + 1)]
    const [time, date] = [times[at] as string, kinds[at] as string]
    const isTime = time === '' ? '' : 'T'
    const found: string[] = [
      '',
      `w${name}`,
      `w-1${find(names, at - 1)}`,
      `w-2${find(names, at - 2)}`,
      `w+1${find(names, at + 1)}`,
      `w+2${find(names, at + 2)}`,
      `ww-${find(names, at - 1)} ${name}`,
      `ww+${name} ${find(names, at + 1)}`,
      `ww--${find(names, at - 2)} ${find(names, at - 1)}`,
      `ww++${find(names, at + 1)} ${find(names, at + 2)}`,
      `f${find(forms, at - 1)} ${forms[at]} ${find(forms, at + 1)}`,
      `f--${find(forms, at - 2)} ${find(forms, at - 1)} ${forms[at]}`,
      `f++${forms[at]} ${find(forms, at + 1)} ${find(forms, at + 2)}`,
      `s${shapeOf(word)}`,
      `s-1${shapeOf(words[at - 1]?.text ?? '')}`,
      `t${time}`,
      `t-1${find(times, at - 1)}`,
      `t+1${find(times, at + 1)}`,
      `tt${find(times, at - 1)} ${time} ${find(times, at + 1)}`,
      `k${date}`,
      `k-1${find(kinds, at - 1)}`,
      `k+1${find(kinds, at + 1)}`,
      `kk-${find(kinds, at - 1)} ${date}`,
      `kk+${date} ${find(kinds, at + 1)}`,
      `kt${date} ${time}`,
      `c${cue}`,
      `c-1${before}`,
      `c-2${find(cues, at - 2)}`,
      `c+1${after}`,
      `cc-${find(cues, at - 2)} ${before}`,
      `ck${before} ${date}`,
      `ct${before} ${time}`,
      `cv${before} ${verb}`,
      `kv${date} ${verb} ${before}`,
      `v${verb}`,
      `vs${[...new Set(requests)].sort().join('+')}`,
      `i${introduction} ${isTime}`,
      `iv${introduction} ${verb} ${isTime}`,
      `id${introduction} ${Math.min(4, at - introducedAt)}`,
      `il${lastCue} ${isTime} ${verb}`,
      `d${kind}`,
      `dc${kind} ${before} ${after}`,
      `dt${kind} ${time} ${date} ${before}`,
      `dw${kind} ${name}`,
      `a${Math.min(at, 3)}`,
      `e${Math.min(words.length - at, 3)}`,
      `x-1${find(names, at - 1).slice(-3)}`,
      `x+1${find(names, at + 1).slice(-3)}`,
    ]
    for (let length = 1; length <= Math.min(MAX_AFFIX, name.length - 1); length++)
      found.push(`p${name.slice(0, length)}`, `x${name.slice(-length)}`)
    if (cue !== '' && !REQUESTS.has(cue) && !SMALL.has(cue)) [introduction, introducedAt] = [cue, at]
    if (cue !== '') lastCue = cue
    return Uint32Array.from(found, hash)
  })
}
