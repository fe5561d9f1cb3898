import { createClassifier, toTextBlocks } from '../learning/texts.ts'
import { MASK, type Piece, pieceAt } from './title.ts'

/* Finds the location of an event among the phrases after "at", "in" and similar prepositions. */

const STOP =
  /\s(?:with|for|to|after|before|lasting|right|and (?:set|show|mark|invite|add|let|i|make|put|schedule|it|we|please)|from|that|which|so|it|it's|i|please|about|then|during|because|if|regarding|called|titled|named|when|while|we|will|by|on|at|in|and i|is|mit|für|um|treffen|sehen|bekommen|reserviert|gebucht|gemietet|bestellt|statt|stattfinden|essen|und (?:ich|wir|bitte))(?=[\s?!.,]|$)|[|?!;:\n"“”]|(?<!\b(?:Mt|St|Dr|Ft))\.(?=\s|$)|,(?!\s\p{Lu}\p{L}+(?:\s*$|\s*[.|?!]))/u
/** "(Room 4.12)", ", Raum 3": a numbered room needs no preposition. */
const NUMBERED_VENUE =
  /(?<=[(,|]\s{0,3})(?:(?:Conference|Meeting|Board|Besprechungs|Konferenz)\s?)?(?:[Rr]oom|[Rr]aum|Saal|Zimmer)\s(?:\d[\w.-]{0,8}\w|\d|[A-Z](?!\p{L}))/u
const MAX_PLACE_LENGTH = 60

const placeFrom = (text: string, start: number): Piece | undefined => {
  const rest = text.slice(start, start + MAX_PLACE_LENGTH + 20)
  const stop = STOP.exec(rest)
  const first = stop ? stop.index : Math.min(rest.length, MAX_PLACE_LENGTH)
  // Keep text in parentheses whole, or drop it.
  const opened = rest.slice(0, first).lastIndexOf('(')
  const closed =
    opened < 0 ? -1 : text.slice(start + opened, start + opened + MAX_PLACE_LENGTH).search(/[)\n]/)
  const end =
    opened < 0 || rest.slice(opened, first).includes(')')
      ? first
      : closed > 0 && text[start + opened + closed] === ')'
        ? opened + closed + 1
        : opened
  const piece = pieceAt(text, start, start + end)
  if (!piece) return undefined
  const article =
    /^(?:the|our|der|dem|den|unserem|unserer|unseren|meinem|meiner)\s+/i.exec(piece.text)?.[0].length ?? 0
  return pieceAt(
    text,
    piece.offset + article,
    piece.offset + piece.text.replace(/\s(?:location|today|please)$/i, '').length,
  )
}

const PREPOSITION =
  /(?<=^|[\s|(,])(at|@|in|on|bei|im|am|auf|located (?:at|in|on)|held (?:at|in)|location:|venue:|place:|where:|ort:|raum:|room:)\s+(?=[^\s|])/giu

/** A phrase that may be the location. */
export interface PlaceCandidate extends Piece {
  /** Offset of its preposition. */
  from: number
  preposition: string
}

const LABEL = /:$|\s/

export const findPlaceCandidates = (covered: string): PlaceCandidate[] => {
  const found: PlaceCandidate[] = []
  for (const match of covered.matchAll(PREPOSITION)) {
    const piece = placeFrom(covered, match.index + match[0].length)
    if (piece) found.push({ ...piece, from: match.index, preposition: (match[1] as string).toLowerCase() })
  }
  return found
}

const wordBefore = (covered: string, at: number): string =>
  /[\p{L}\d|]+(?=[\s(,]*$)/u.exec(covered.slice(Math.max(0, at - 30), at))?.[0].toLowerCase() ?? '^'

/** The features of a candidate: its words, its preposition and what is around it. */
export const toPlaceBlocks = (
  covered: string,
  { text, offset, from, preposition }: PlaceCandidate,
): ReturnType<typeof toTextBlocks> => {
  const before = covered.slice(from, offset)
  const hasArticle = before.trim().split(/\s+/).length > 1
  const rest = covered.slice(offset + text.length).trimStart()
  const words = text.split(/\s+/)
  const shape = `${/^\p{Lu}/u.test(text) ? 'X' : /^\d/.test(text) ? '9' : 'x'}${hasArticle ? 't' : ''}`
  const previous = wordBefore(covered, from)
  const isAfterTime = previous.startsWith(MASK)
  const next = rest === '' ? '$' : rest.startsWith(MASK) ? MASK : (/^[\p{L}.,?!]+/u.exec(rest)?.[0] ?? '')
  return toTextBlocks(
    text,
    [
      preposition,
      `${preposition} ${shape}`,
      `${preposition} ${isAfterTime ? 'after time' : ''} ${shape}`,
      `before ${isAfterTime ? MASK : previous}`,
      `after ${next.toLowerCase()}`,
      `words ${Math.min(4, words.length)}`,
      `last ${(words.at(-1) ?? '').toLowerCase()}`,
      `first ${preposition} ${(words[0] ?? '').toLowerCase()}`,
    ],
    1,
  )
}

/** Public sentences mark few places, so the classifier is too strict. */
const MIN_MARGIN = -0.4

const score = createClassifier<'place' | 'other'>(new URL('../models/places.json', import.meta.url))

/** The most likely candidate. A labelled one needs no classifier. */
export const findPlace = (covered: string): (Piece & { from: number }) | undefined => {
  const candidates = findPlaceCandidates(covered)
  const labelled = candidates.find(({ preposition }) => LABEL.test(preposition))
  if (labelled) return labelled
  let best: PlaceCandidate | undefined
  let most = MIN_MARGIN
  for (const candidate of candidates) {
    const scores = score(toPlaceBlocks(covered, candidate))
    if (scores.place - scores.other <= most) continue
    most = scores.place - scores.other
    best = candidate
  }
  if (best) return best
  const venue = NUMBERED_VENUE.exec(covered)
  return venue ? { text: venue[0], offset: venue.index, from: venue.index } : undefined
}
