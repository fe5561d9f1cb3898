import { type Piece, pieceAt } from './piece.ts'

/** Persons, but nobody in particular: they are no attendees, and belong to what the meeting is. */
const NOBODY = new Set(
  `a an all another any anyone are as at be both but by can client clients colleague colleagues coworkers customer customers dad
  everybody everyone family for friend friends from group her him his hubby husband i if in is it its kids me mom mum my myself next
  no not of on or our out parents partner people so some someone somebody staff team that the their them then there they this those to
  today tomorrow us we what when where who wife will with yes you your yourself boss manager teacher doctor dentist mother father
  brother sister daughter son uncle aunt girlfriend boyfriend please meeting lunch dinner breakfast about regarding
  der die das den dem des ein eine einer meinem meiner meinen ihrem ihnen dir mir uns team chef kunden kollegen allen bitte
  named called titled soon again regarding asap and
  zoom teams skype meet phone video cream cheese`.split(/\s+/),
)

/** Words that may stand before a name and are no part of it. */
const LEAD =
  /^(?:(?:the|my|our|both|also|just|only|dem|der|den|frau|herrn?)\s+)?(?:(?:good |old |best )?friends?|colleagues?|clerks?|boss(?: whose name is)?|manager|client|partner|co-?worker|neighbou?r)\s+(?=\p{Lu})|^(?:the|both|boss whose name is|my boss whose name is)\s+(?=\p{Lu}|\p{Ll}+\s*$)|^(?:frau|herrn?)\s+(?=\p{Lu})/iu

const TITLED = /^(?:(?:dr|mr|mrs|ms|prof|doctor|sir)\.?\s?)+(?=\p{L})/iu
const PROPER =
  /^(?!ASAP|I\b)\p{Lu}[\p{L}'’-]*(?:\s(?:\p{Lu}\.(?=\s\p{Lu})|(?:de|van|von|der|la|bin|al)\s\p{Lu}[\p{L}'’-]+|(?!ASAP|AM\b|PM\b)\p{Lu}[\p{L}'’-]*))*/u
const PLAIN = /^\p{Ll}[\p{L}'’-]+/u
const AND = /^\s*(?:,\s*(?:and\s+|und\s+|&\s*)?|\s(?:and|und|an|plus|as well as|sowie)\s+|&\s*|\+\s*)/i

export interface NameList {
  names: Piece[]
  /** Where the list ends. */
  end: number
}

const nameAt = (text: string, offset: number, plain: boolean): Piece | undefined => {
  const rest = text.slice(offset, offset + 80)
  const titled = TITLED.exec(rest)
  const after = rest.slice(titled?.[0].length ?? 0)
  const proper = PROPER.exec(after)?.[0]
  const found = proper ?? (plain || titled ? PLAIN.exec(after)?.[0] : undefined)
  if (!found) return undefined
  const bare = found.replace(/['’]s?$/, '')
  const first = (bare.split(' ')[0] as string).toLowerCase()
  if (!titled && NOBODY.has(first)) return undefined
  const length = (titled?.[0].length ?? 0) + bare.length
  // In a text without capitals, a second word belongs to the name when nothing follows it.
  const second = /^\s(\p{Ll}{2,}|\p{Lu})(?=\s*(?:[|,.?!]|$|and\s))/u.exec(rest.slice(length))
  const more = second && !NOBODY.has(second[1] as string) ? second[0].length : 0
  return { text: rest.slice(0, length + more), offset }
}

/** "Ann, Bob Miller and Dr. Snow", from a place on. In a text that has no capitals, plain words are names. */
export const namesAt = (text: string, start: number, plain: boolean): NameList => {
  const names: Piece[] = []
  let at = start
  let end = start
  for (let count = 0; count < 30; count++) {
    at += LEAD.exec(text.slice(at, at + 60))?.[0].length ?? 0
    const name = nameAt(text, at, plain)
    if (!name) {
      // "with Ann, myself and Bob": oneself is left out, the others stay.
      const own = /^(?:me|myself|us)\b/i.exec(text.slice(at, at + 10))
      if (!own) break
      at += own[0].length
    } else {
      const piece = pieceAt(text, name.offset, name.offset + name.text.length)
      if (piece) names.push(piece)
      at = name.offset + name.text.length
      const owned = /^['’]s?(?=\s)/.exec(text.slice(at, at + 3))
      if (owned) return { names, end: at + owned[0].length }
    }
    end = at
    const and = AND.exec(text.slice(at, at + 20))
    if (!and) break
    at += and[0].length
  }
  return { names, end }
}

/** Capitals say nothing about names where there are none, or nothing but them. */
export const hasPlainNames = (text: string): boolean =>
  !/(?<![.!?]\s|^)\b(?!I\b|AM\b|PM\b|OK\b)\p{Lu}\p{Ll}/u.test(text)

export const isNobody = (word: string): boolean => NOBODY.has(word.toLowerCase())
