import type { Sentence } from '../sentences.ts'
import { DEED } from './promises.ts'

/** Who has to do something: the reader, or somebody else. */
export type Owner = 'me' | 'them'

const HEADING =
  /^[\s*_#>]*(?:(?:open |agreed |our )?action (?:items?|points?)|(?:the )?next steps?|to-?\s?dos?|follow-?ups?|tasks|aufgaben(?:liste)?|nächste schritte|offene punkte|to-?do-?liste|maßnahmen)[\s*_]*:?[\s*_]*$/iu
/** Most mails have no such list. */
const ANNOUNCED = /action|next step|to-?\s?do|follow-?up|tasks|aufgaben|schritte|punkte|maßnahmen/i
const LONGEST_HEADING = 60
const ITEM = /^\s*(?:[-*•–·☐□]|\[\s?\]|\d{1,2}[.)])\s+(?=\S)/u
const NAMED =
  /^@?(\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?)(?:\s?[:–-]\s+|\s(?:to|will|soll|wird)\s+)(?=\S)/u
const EVERYONE = /^(?:all|everyone|everybody|you|team|alle|jeder|du|sie)$/iu
/** "Ana: update the roadmap": a person and a deed. */
const NAMED_DEED = new RegExp(
  String.raw`^@?\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30})?\s?:\s+(?:(?:please |bitte )?(?:to )?(?:${DEED}|fill|talk|clean|collect|create|define|discuss|document|ensure|evaluate|gather|merge|plan|present|remind|research|run|start|translate|verify|work)\b|[^\n]{0,120}\p{Ll}(?:en|ern|eln)(?:\s(?:bis|am)\s[^\n]{1,40})?[.!]?\s*$)`,
  'u',
)
/** "Call the venue": a deed with what it is done to. */
const PLAIN_DEED = new RegExp(
  String.raw`^(?:please |then |also )?(?:${DEED})\s(?:the|an?|your|our|my|me|us|him|her|them|it|this|that|these|all|out|up|back|new|some|any|\p{Ll}{3,}s)\b`,
  'iu',
)
/** One may be a note; a list of them was agreed. */
const LEAST_NAMED = 2
const GREETED = /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin)\s+(\p{L}[\p{L}'’-]{1,30})\b/iu

/** The lines of a list that each tell somebody what to do, with or without a name. */
const namedItems = (own: string, sentences: readonly Sentence[]): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [index, { from, to }] of sentences.entries()) {
    const line = own.slice(from, Math.min(to, from + 300))
    const item = ITEM.exec(line)
    if (!item) continue
    const words = line.slice(item[0].length)
    if (NAMED_DEED.test(words) || PLAIN_DEED.test(words)) found.add(index)
  }
  return found.size < LEAST_NAMED ? new Set() : found
}

/** Whose each line of a list of things to do is: whoever is named before it, everyone's, or the reader's. */
export const agreedItems = (own: string, sentences: readonly Sentence[]): ReadonlyMap<number, Owner> => {
  const found = new Map<number, Owner>()
  const named = namedItems(own, sentences)
  if (!ANNOUNCED.test(own) && named.size < LEAST_NAMED) return found
  const reader = GREETED.exec(own.slice(0, 200))?.[1]?.toLowerCase()
  let isListed = false
  for (const [index, { from, to }] of sentences.entries()) {
    const line = own.slice(from, Math.min(to, from + 300))
    if (line.length < LONGEST_HEADING && HEADING.test(line)) {
      isListed = true
      continue
    }
    const item = isListed || named.has(index) ? ITEM.exec(line) : null
    if (!item) {
      if (line.trim() !== '') isListed = false
      continue
    }
    const name = NAMED.exec(line.slice(item[0].length))?.[1]
    const isMine = name === undefined || EVERYONE.test(name) || name.split(' ')[0]?.toLowerCase() === reader
    found.set(index, isMine ? 'me' : 'them')
  }
  return found
}
