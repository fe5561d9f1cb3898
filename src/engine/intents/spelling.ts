import { isGermanRequest } from './request.ts'

/** Words on which a request turns, and that fingers get wrong. */
const WORDS =
  'remind reminder schedule reschedule meeting meetings calendar cancel appointment unread delete message shopping tomorrow please erinnere kalender verschiebe termin'.split(
    ' ',
  )
/** Words of their own that only look like one of them. */
const OTHERS = new Set(
  'rewind remand melting cancer cancers massage deplete stopping shipping calender kalender termini'.split(
    ' ',
  ),
)

/** Letter by letter: one is missing, too many, another, or two have changed places. */
const isOneSlip = (word: string, meant: string): boolean => {
  if (word === meant || Math.abs(word.length - meant.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === meant[at]) at++
  const [rest, wanted] = [word.slice(at), meant.slice(at)]
  if (rest.length > wanted.length) return rest.slice(1) === wanted
  if (rest.length < wanted.length) return rest === wanted.slice(1)
  if (rest.slice(1) === wanted.slice(1)) return true
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2)
}

/** What is meant by a word; "scheduled" and "reminds" are no slips, and the first letter is seldom wrong. */
const meantBy = (word: string): string | undefined => {
  if (word.length < 5 || OTHERS.has(word)) return undefined
  return WORDS.find(
    (meant) =>
      word[0] === meant[0] && !word.startsWith(meant) && !meant.startsWith(word) && isOneSlip(word, meant),
  )
}

const FILLER = /(?<=^|\s)(?:uh+|uhm+|erm+|hmm+|äh+m?|ehm?|öhm?)(?:,\s*|\s+)/giu
const UM = /(?<=^|\s)um(?:,\s*|\s+)(?!\d)/giu

interface Change {
  from: number
  to: number
  text: string
}

export interface Mended {
  text: string
  /** Where a place of the mended text stands in what was written. */
  at: (offset: number) => number
}

/** A sentence as it was meant: without what is said while one thinks, and with the words of a request put right. */
export const mend = (written: string): Mended => {
  const changes: Change[] = []
  const drop = (pattern: RegExp): void => {
    for (const { 0: words, index } of written.matchAll(pattern))
      changes.push({ from: index, to: index + words.length, text: '' })
  }
  drop(FILLER)
  // In German it is a word.
  if (/(?:^|\s)um\s/iu.test(written) && !isGermanRequest(written.replace(/\bum\b/giu, ' '))) drop(UM)
  for (const { 0: word, index } of written.matchAll(
    /(?<![\p{L}\d"“„'’@#._-])\p{Ll}{5,14}(?![\p{L}\d"”'’@._-])/gu,
  )) {
    const meant = meantBy(word)
    if (meant) changes.push({ from: index, to: index + word.length, text: meant })
  }
  if (changes.length === 0) return { text: written, at: (offset) => offset }
  changes.sort((a, b) => a.from - b.from)
  let text = ''
  let last = 0
  const marks: { here: number; there: number }[] = []
  for (const { from, to, text: meant } of changes) {
    if (from < last) continue
    text += written.slice(last, from) + meant
    last = to
    marks.push({ here: text.length, there: to })
  }
  text += written.slice(last)
  return {
    text,
    at: (offset) => {
      const mark = marks.findLast(({ here }) => here <= offset)
      return mark ? mark.there + offset - mark.here : Math.min(offset, changes[0]?.from ?? offset)
    },
  }
}
