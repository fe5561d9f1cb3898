import { fold, type Phrase } from '../lexicon/lexicon.ts'
import { type Sentence, wordsOf } from './sentence.ts'
import { isMark, type Words } from './words.ts'

/* Reads fields of a new item, and accounts for their words. */

/** The list that a message names: "to the shopping list", "auf die Einkaufsliste", "in Haushalt". */
export const readList = (
  { tokens, text }: Sentence,
  words: Words,
  lists: readonly string[],
): { list?: string; isNamed: boolean } => {
  const lead = (at: number): number => {
    let from = at
    while (
      from > 0 &&
      words.isFree(from - 1) &&
      /^(?:the|my|our|die|der|den|meine|meiner|list|liste)$/iu.test(tokens[from - 1]?.text ?? '')
    )
      from--
    return from > 0 &&
      words.isFree(from - 1) &&
      /^(?:to|on|onto|in|into|for|auf|zu|zur|an|für)$/iu.test(tokens[from - 1]?.text ?? '')
      ? from - 1
      : -1
  }
  for (const name of lists) {
    const parts = fold(name).split(/\s+/u)
    for (const [at] of tokens.entries()) {
      if (!parts.every((part, index) => tokens[at + index]?.folded === part && words.isFree(at + index)))
        continue
      const from = lead(at)
      const next = tokens[at + parts.length]?.folded
      const isNamed = next === 'list' || next === 'liste'
      if (from < 0 && !isNamed) continue
      words.useRange(from < 0 ? at : from, at + parts.length + (isNamed ? 1 : 0))
      return { list: name, isNamed: true }
    }
  }
  const compound = tokens.findIndex(
    ({ folded }, at) => words.isFree(at) && /.{3}s?liste$/u.test(folded) && lead(at) >= 0,
  )
  const english = tokens.findIndex(
    ({ folded }, at) => folded === 'list' && words.isFree(at) && words.isFree(at - 1) && lead(at - 1) >= 0,
  )
  const at = compound >= 0 ? compound : english
  if (at < 0) return { isNamed: false }
  const name = compound >= 0 ? at : at - 1
  const stem = (tokens[name]?.folded ?? '').replace(/s?-?liste$/u, '')
  const from = lead(name)
  words.useRange(from, at + 1)
  // "To my list" names none.
  if (from === name || /^(?:my|the|die|meine|to-do|todo|task)$/u.test(stem)) return { isNamed: true }
  const list = lists.find((one) => stem.length >= 4 && fold(one).startsWith(stem.slice(0, 6)))
  const said = text.slice(tokens[name]?.from, tokens[name]?.to).replace(/s?-?liste$/iu, '')
  return { list: list ?? said.toLowerCase(), isNamed: true }
}

const LEVELS = ['urgent', 'high', 'low', 'normal'] as const

/** "High priority", "mit hoher Priorität", or "urgent" apart from the title. */
export const readPriority = ({ phrases, tokens }: Sentence, words: Words) => {
  const isLevel = ({ category, at }: Phrase): boolean =>
    LEVELS.includes(category as 'low') && at.every((index) => words.isFree(index))
  const named = phrases.find(
    ({ category, from }) => category === 'priority' && /^prio/u.test(tokens[from]?.folded ?? ''),
  )
  const isApart = ({ from, to }: Phrase): boolean =>
    tokens[from - 1]?.text === ',' && (to === tokens.length || isMark(tokens[to]?.text ?? ''))
  /** "An urgent task" */
  const isOfTask = ({ to }: Phrase): boolean =>
    /^(?:task|todo|to-do|reminder|aufgabe|erinnerung)$/u.test(tokens[to]?.folded ?? '') && !words.isFree(to)
  const level = phrases.find(
    (one) =>
      isLevel(one) &&
      (named ? one.to === named.from || one.from === named.to : isApart(one) || isOfTask(one)),
  )
  if (!named && !level) return undefined
  words.use([...(named?.at ?? []), ...(level?.at ?? [])])
  const before = Math.min(named?.from ?? tokens.length, level?.from ?? tokens.length) - 1
  if (/^(?:with|mit|at|in)$/iu.test(tokens[before]?.text ?? '')) words.use([before])
  return (level?.category ?? 'high') as (typeof LEVELS)[number]
}

export const readTags = ({ tokens }: Sentence, words: Words): string[] =>
  tokens.flatMap(({ text }, at) => {
    if (tokens[at - 1]?.text !== '#' || tokens[at - 1]?.to !== tokens[at]?.from) return []
    words.use([at])
    return [text]
  })

/** The names after "invite", up to "to" or "zu". */
export const readInvited = (sentence: Sentence, words: Words): string[] => {
  const { tokens, phrases } = sentence
  const phrase = phrases.find(
    ({ category, at }) => category === 'invite' && at.every((index) => words.isCut(index)),
  )
  if (!phrase) return []
  const isLast = tokens
    .slice(phrase.to)
    .every(({ text }, index) => isMark(text) || !words.isFree(phrase.to + index))
  let from = isLast ? 0 : (phrase.at[0] as number) + 1
  while (from < tokens.length && !words.isFree(from)) from++
  const people: string[] = []
  let name: number[] = []
  const close = (): void => {
    const [first, last] = [name[0], name.at(-1)]
    if (first !== undefined && last !== undefined) people.push(wordsOf(sentence, first, last + 1))
    words.use(name)
    name = []
  }
  for (let at = from; at < tokens.length; at++) {
    const word = (tokens[at] as { text: string }).text
    if (/^(?:and|und|,|&)$/iu.test(word)) {
      close()
      words.use([at])
    } else if (!words.isFree(at) || /^(?:to|zu|zum|zur|for|für|on|at|am|um)$/iu.test(word)) break
    else name.push(at)
  }
  close()
  return people
}
