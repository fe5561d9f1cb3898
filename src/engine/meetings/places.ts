import { COVER, type Piece, pieceAt } from './piece.ts'

const STOP =
  /\s(?:with|for|to|after|before|lasting|right|and (?:set|show|mark|invite|add|let|i|make|put|schedule|it|we|please)|from|that|which|so|it|it's|i|please|about|then|during|because|if|regarding|called|titled|named|when|while|we|will|by|on|at|in|and i|is|mit|für|um|treffen|sehen|statt|stattfinden|essen|und (?:ich|wir|bitte))(?=[\s?!.,]|$)|[|?!;:\n"“”]|(?<!\b(?:Mt|St|Dr|Ft))\.(?=\s|$)|,(?!\s\p{Lu}\p{L}+(?:\s*$|\s*[.|?!]))/u
const NOT_AT =
  /^(?:all|end|least|once|that|this|first|last|some|any|what|which|a later|the (?:moment|end|same|beginning|start|latest|time|very|earliest)|your|my earliest|his|her|their|it|mir|dir|uns|euch|ihnen|work time|noon|midnight|night|the night)\b/iu
const NOT_IN =
  /^(?:order|person|advance|case|about|addition|general|between|touch|fact|a\b|an\b|it|this|that|the (?:mean|event|next|last|loop|same|middle|morning|afternoon|evening|day|future|end)|mind|time|my (?:calendar|schedule|diary|name|mind|inbox)|your|his|her|for|on|and|to|there|spite|which|particular|detail|total|order|short|kürze|ordnung|der (?:regel|lage)|diesem|zukunft|bezug|(?:termin)?kalender|calendar|diary)\b/iu
const ROOM =
  /\b(?:room|office|building|hall|lobby|floor|suite|center|centre|raum|büro|saal|haus|kantine|café|cafe|restaurant|library|closet|park)\b/i
/** "(Room 4.12)", ", Raum 3": a room with its number needs no preposition. */
const NUMBERED_ROOM =
  /(?<=[(,|]\s{0,3})(?:(?:Conference|Meeting|Board|Besprechungs|Konferenz)\s?)?(?:[Rr]oom|[Rr]aum|Saal|Zimmer)\s(?:\d[\w.-]{0,8}\w|\d|[A-Z](?!\p{L}))/u
const LONGEST = 60

const placeFrom = (text: string, start: number): Piece | undefined => {
  const rest = text.slice(start, start + LONGEST + 20)
  const stop = STOP.exec(rest)
  const first = stop ? stop.index : Math.min(rest.length, LONGEST)
  // An address in brackets is kept whole, or left out.
  const opened = rest.slice(0, first).lastIndexOf('(')
  const closed = opened < 0 ? -1 : text.slice(start + opened, start + opened + LONGEST).search(/[)\n]/)
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

const isPlace = (preposition: string, piece: Piece, covered: string, plain: boolean): boolean => {
  const { text, offset } = piece
  if (/^\d{1,2}$/.test(text) || text.length < 2) return false
  if (/^(?:at|@|bei)$/i.test(preposition)) return !NOT_AT.test(text)
  if (/^on$/i.test(preposition))
    return /^(?:Mt|Mount)\b/.test(text) || /\b(?:street|st|avenue|ave|road|rd|floor)\.?$/i.test(text)
  if (NOT_IN.test(text)) return false
  return (
    /^\p{Lu}/u.test(text) ||
    ROOM.test(text) ||
    ((plain || covered.slice(0, offset).trimEnd().endsWith(`${COVER} ${preposition}`)) &&
      /^\p{L}+(?:\s\p{L}+)?$/u.test(text))
  )
}

const PREPOSITION =
  /(?<=^|[\s|(,])(at|@|in|on|bei|im|located (?:at|in|on)|held (?:at|in)|location:|venue:|place:|where:|ort:|raum:|room:)\s+(?=[^\s|])/giu

/** Where it takes place: what follows "at", "in" and their like and is no time. */
export const findPlace = (covered: string, plain: boolean): (Piece & { from: number }) | undefined => {
  for (const match of covered.matchAll(PREPOSITION)) {
    const word = match[1] as string
    const piece = placeFrom(covered, match.index + match[0].length)
    if (!piece) continue
    const labelled = word.length > 3
    if (labelled || isPlace(word, piece, covered, plain)) return { ...piece, from: match.index }
  }
  const room = NUMBERED_ROOM.exec(covered)
  return room ? { text: room[0], offset: room.index, from: room.index } : undefined
}
