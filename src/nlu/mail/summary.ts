import type { Token } from '../dates/chart.ts'
import { readSections } from '../lexicon/sections.ts'
import { onOneLine, type Sentence } from '../text.ts'

export type Sentiment = 'positive' | 'neutral' | 'negative'

const [GOOD, BAD, NOT, STOP] = readSections(new URL('../lexicon/mail-summary.txt', import.meta.url)).map(
  ({ phrases }) => new Set(phrases),
) as [Set<string>, Set<string>, Set<string>, Set<string>]

const MAX_WORDS = 4000

/** Counts positive and negative words. A negation in the three words before inverts a word. */
export const sentimentOf = (tokens: readonly Token[]): { sentiment: Sentiment; score: number } => {
  const words = tokens.filter(({ kind }) => kind === 'word').slice(0, MAX_WORDS)
  let [good, bad] = [0, 0]
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index] as Token
    const isGood = GOOD.has(text)
    if (!isGood && !BAD.has(text)) continue
    const turned = words
      .slice(Math.max(0, index - 3), index)
      .some(({ text: before }) => NOT.has(before) || before.endsWith("n't"))
    if (isGood) {
      good += turned ? 0 : 1
      bad += turned ? 1 : 0
    } else {
      // "no problem" is only slightly positive.
      good += turned ? 0.3 : 0
      bad += turned ? 0 : 1.3
    }
  }
  const score = good + bad === 0 ? 0 : Math.round(((good - bad) / (good + bad + 1)) * 100) / 100
  return { sentiment: score >= 0.3 ? 'positive' : score <= -0.3 ? 'negative' : 'neutral', score }
}

const GREETING =
  /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|moin|servus)\b[^.?!]{0,60}[,!.:]?\s*$/iu
const COURTESY =
  /^\s*(?:i hope (?:you|this|all)|hope (?:you|all|this)|how are you|thanks?(?: you)?[,.! ]|thank you for|many thanks|ich hoffe|wie geht|vielen dank|danke)/iu
/** Removes the part after the apostrophe: "landlord's" becomes "landlord". */
const stemOf = (word: string): string => {
  const cut = word.indexOf("'")
  return cut < 0 ? word : word.slice(0, cut)
}

/** Returns the content words of each sentence. */
const wordsIn = (sentences: readonly Sentence[], tokens: readonly Token[]): string[][] => {
  let at = 0
  return sentences.map(({ to }) => {
    const words: string[] = []
    for (; at < tokens.length && (tokens[at] as Token).start < to; at++) {
      const { kind, text } = tokens[at] as Token
      const word = kind === 'word' ? stemOf(text) : ''
      if (word.length > 2 && !STOP.has(word)) words.push(word)
    }
    return words
  })
}

const MAX_SUMMARY_LENGTH = 320
const MAX_SENTENCES = 3
const MAX_READ = 200
const MAX_LENGTH = 400

/** Sentences that refer to the one before them. */
const REFERS =
  /^\s*(?:it|this|that|these|those|they|he|she|but|and|so|then|however|also|because|therefore|otherwise|er|sie(?= (?:ist|hat|war|wird))|es|das|dies|diese|aber|und|dann|also|daher|deshalb|sonst|andernfalls|dafür|dazu|damit)(?!\p{L})/iu

/** Starts with a capital letter: after a greeting, mails go on in lower case. */
const toSummary = (text: string): string => {
  const full = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return full.length > MAX_LENGTH ? `${full.slice(0, MAX_LENGTH - 3).replace(/\s+\S*$/, '')}…` : full
}

const toParts = (text: string, sentences: readonly Sentence[]): string[] =>
  sentences.slice(0, MAX_READ).map(({ from, to }) => onOneLine(text.slice(from, to)).trim())

/** Returns the first sentences, for a text that cannot be understood. */
export const firstSentences = (text: string, sentences: readonly Sentence[]): string => {
  const parts = toParts(text, sentences).filter((part) => part !== '')
  const body =
    parts.length > 1 && (parts[0] as string).length < 40 && /[,!:،、]$/u.test(parts[0] as string)
      ? parts.slice(1)
      : parts
  let summary = ''
  for (const part of body.slice(0, MAX_SENTENCES)) {
    if (summary !== '' && summary.length + part.length > MAX_SUMMARY_LENGTH) break
    summary = summary === '' ? part : `${summary} ${part}`
  }
  return toSummary(summary)
}

/**
 * Selects the most informative sentences in their original order. `weight` adds to the score of a sentence.
 */
export const summarize = (
  text: string,
  sentences: readonly Sentence[],
  tokens: readonly Token[],
  weight: (index: number) => number,
): string => {
  const read = sentences.slice(0, MAX_READ)
  const parts = toParts(text, sentences)
  const counts = new Map<string, number>()
  const saying = wordsIn(read, tokens)
  for (const words of saying) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = parts
    .map((part, index) => {
      const words = saying[index] as string[]
      if (words.length < 2 || GREETING.test(part)) return { index, part, score: -1 }
      const centre =
        words.reduce((sum, word) => sum + Math.min(4, counts.get(word) ?? 0), 0) / Math.sqrt(words.length + 3)
      const place = index <= 1 ? 0.6 : index <= 3 ? 0.3 : 0
      return {
        index,
        part,
        score:
          centre * 0.3 +
          place +
          weight(index) -
          (COURTESY.test(part) ? 1 : 0) -
          (part.length > 280 ? 0.5 : 0),
      }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const chosen = new Map<number, string>()
  let length = 0
  const add = (index: number, part: string): boolean => {
    if (chosen.size >= MAX_SENTENCES || (length > 0 && length + part.length > MAX_SUMMARY_LENGTH))
      return false
    chosen.set(index, part)
    length += part.length + 1
    return true
  }
  for (const { index, part } of scored) if (!chosen.has(index)) add(index, part)
  // A sentence that refers to the one before it is not understood without it.
  const first = Math.min(...chosen.keys())
  const before = parts[first - 1]
  if (chosen.size > 0 && before && REFERS.test(parts[first] as string) && !GREETING.test(before)) {
    if (chosen.size >= MAX_SENTENCES || length + before.length > MAX_SUMMARY_LENGTH) {
      const last = Math.max(...chosen.keys())
      if (last !== first) chosen.delete(last)
    }
    chosen.set(first - 1, before)
  }
  const words = [...chosen]
    .sort(([a], [b]) => a - b)
    .map(([, part]) => part)
    .join(' ')
  return toSummary(words || (parts.find((part) => part !== '') ?? ''))
}
