import { sentencesOf } from '../sentences.ts'
import { type createKnowledge, unprovenIn } from './unproven.ts'

type Known = ReturnType<typeof createKnowledge>

/** Signs that are not seen: control, zero width, direction and tags. A line may end. */
const UNSEEN = /\p{Cc}|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u{e0000}-\u{e007f}]/gu

export const visible = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (sign) => (sign === '\n' ? sign : ''))
    .toWellFormed()
    .trim()

/** Without the marks that a page or a mail program would make a picture, a link or a program of. */
const withoutMarkup = (text: string): string =>
  visible(
    text
      .replace(/<(script|style)\b[^<>]{0,500}>[^<]{0,5000}<\/\1>/gi, '')
      .replace(/<[^<>\n]{1,500}>/g, '')
      .replace(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,1000}\)/g, '$1')
      .replace(/[<>`]/g, ''),
  )

/** A summary, an advice or a title is no longer. */
const LONGEST = 4_000

/** The sentences that say nothing which is not known, and those that do. */
export const provenSentences = (
  words: string,
  known: Known,
  now: number,
): { kept: string; dropped: string[] } => {
  const text = withoutMarkup(words.slice(0, LONGEST))
  const unproven = unprovenIn(text, known, now)
  const kept: string[] = []
  const dropped: string[] = []
  let next = 0
  for (const { from, to } of sentencesOf(text)) {
    const first = next
    while ((unproven[next]?.offset ?? to) < to) next++
    const sentence = text.slice(from, to).trim()
    if (sentence === '') continue
    const isInvented = next > first
    ;(isInvented ? dropped : kept).push(sentence)
  }
  return { kept: kept.join(' '), dropped }
}

const MOST_MARKS = 200

/** What is not known is marked where it stands, so that a person looks at it before it goes out. */
export const markUnproven = (text: string, known: Known, now: number): { text: string; marked: string[] } => {
  const gaps = [...text.matchAll(/\[[^[\]\n]{1,300}\]/g)].map(({ index, 0: gap }) => [
    index,
    index + gap.length,
  ])
  const marked: string[] = []
  let written = text
  for (const { text: piece, offset } of unprovenIn(text, known, now).slice(0, MOST_MARKS).toReversed()) {
    if (gaps.some(([from, to]) => offset >= (from as number) && offset < (to as number))) continue
    marked.unshift(piece)
    written = `${written.slice(0, offset)}[check: ${piece.replace(/[[\]]/g, '')}]${written.slice(offset + piece.length)}`
  }
  return { text: written, marked }
}
