import { getNames } from '../lexicon/cues.ts'
import { fold } from '../lexicon/lexicon.ts'
import { readSections } from '../lexicon/sections.ts'

/* How a task names the sender of a mail: a person by the first name, an organization by its kind or its name. */

export interface Sender {
  name: string
  /** Email address, "" if unknown. */
  address: string
}

type Article = 'der' | 'die' | 'das' | 'plural'
const ACCUSATIVE: Readonly<Record<Article, string>> = { der: 'den', die: 'die', das: 'das', plural: 'die' }
const DATIVE: Readonly<Record<Article, string>> = { der: 'dem', die: 'der', das: 'dem', plural: 'den' }

interface Noun {
  article: Article
  word: string
  isEnding: boolean
}

let nouns: readonly Noun[] | undefined

const loadNouns = (): readonly Noun[] => {
  nouns ??= readSections(new URL('../lexicon/organizations.de.txt', import.meta.url)).flatMap(
    ({ heading, phrases }) =>
      phrases.map((phrase) => ({
        article: heading as Article,
        word: phrase.replace('*', ''),
        isEnding: phrase.startsWith('*'),
      })),
  )
  return nouns
}

const capitalize = (word: string): string => word.charAt(0).toLocaleUpperCase() + word.slice(1)

const MAX_LENGTH = 60
const TITLED = /^(?:dr|prof|mr|mrs|ms|herr|frau)\.?\s/iu

/** A given name, or a name of two words that the address repeats: "kenji.sato@". */
const isPerson = ({ name, address }: Sender, words: readonly string[]): boolean => {
  const [first = ''] = words
  if (['given', 'kin'].includes(getNames().get(fold(first)) ?? '')) return true
  const local = fold(address.split('@')[0] ?? '')
  return words.length === 2 && words.every((word) => local.includes(fold(word))) && !/[\d.]/.test(name)
}

export interface SenderName {
  name: string
  /** With the article in German: "das Steuerbüro", "an die Stadtwerke". */
  accusative: string
  dative: string
}

/** Returns the words for a sender, or undefined if the name is unknown. With `isFull`, names are not shortened. */
export const nameSender = (sender: Sender, german: boolean, isFull = false): SenderName | undefined => {
  const full = sender.name.trim()
  if (!/\p{L}/u.test(full) || full.includes('@') || full.length > MAX_LENGTH) return undefined
  const words = full.split(/\s+/)
  const first = words[0] as string
  const head = first.toLowerCase()
  const isNamed = TITLED.test(full) || isPerson(sender, words)
  const noun =
    german && !isNamed
      ? loadNouns().find(({ word, isEnding }) => (isEnding ? head.endsWith(word) : head === word))
      : undefined
  if (!noun) {
    const name = isNamed && !isFull && !TITLED.test(full) ? first : full
    return { name, accusative: name, dative: name }
  }
  const name = isFull ? full : capitalize(noun.word)
  return {
    name,
    accusative: `${ACCUSATIVE[noun.article]} ${name}`,
    dative: `${DATIVE[noun.article]} ${name}`,
  }
}
