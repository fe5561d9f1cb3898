import type { Piece } from '../meetings/title.ts'
import { isOneTypo } from '../typos.ts'
import { TELLS } from './mail-rules.ts'
import { isGermanRequest } from './request.ts'

const OPENING =
  /^(?:[\s,.!:–-]*(?:(?:hi|hello|hey|hallo|moin)(?: (?:there|assistant|factotum|siri|alexa|google))?|ok(?:ay)?|so|oh|well|also|now|then|and|und|dann|next|finally|(?:good|guten) (?:morning|afternoon|evening|morgen|tag|abend)|thanks|thank you|danke|yes|ja|sure|great|please|pls|plz|kindly|bitte|quickly|quick|just|mal)(?![\p{L}\d'’]))+[\s,.!:–-]*/iu
const ASKING =
  /^(?:(?:can|could|shall|should) we(?=\s(?:please )?(?:move|reschedule|postpone|push|shift|cancel|delay|rename|extend|shorten|put off|add|schedule)\b)|(?:can|could|would|will|won'?t) (?:you|u)(?: please| pls| kindly| quickly| just| help me(?: to)?| be able to| mind)?|do you mind|would you mind|i(?:'d| would)? (?:like|love|want|need)(?: for)? you to|i(?:'d| would) (?:like|love) to(?! (?:know|see)\b)|i (?:want|wanna|wish) to|i want|help me(?: to)?|let'?s|go ahead and|make sure (?:to|that you)|be so kind (?:as )?(?:to|and)|kannst du|könntest du|würdest du|kannst du mir bitte|ich möchte(?:,? dass du)?|ich hätte gerne?|ich würde gerne?|(?:please|pls|bitte)(?: also| mal)?)(?![\p{L}\d'’])[\s,]*/iu
const CLOSING =
  /[\s,]*(?:\b(?:please|pls|plz|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|bitte|danke(?: dir| schön)?|for me|if you can|if possible|will you|would you|can you|asap please|cheers)\b[\s.!?]*)+$/iu

/**
 * A word before the closing: in "reply saying thanks", "thanks" is the content of the reply, not courtesy.
 */
const SAID = /(?:\b(?:saying|say|says|write|tell|that|sag|sage|schreib|schreibe)|:)\s*["“„]?$/iu

/** Removes the polite words before and after a request. */
export const stripCourtesies = ({ text, offset }: Piece): Piece => {
  let from = 0
  for (let again = true; again; ) {
    again = false
    for (const pattern of [OPENING, ASKING]) {
      const match = pattern.exec(text.slice(from, from + 200))
      if (match && match[0].length > 0 && from + match[0].length < text.length) {
        from += match[0].length
        again = true
      }
    }
  }
  const rest = text.slice(from)
  const tail = CLOSING.exec(rest.slice(-200))
  const isReplyContent = tail !== null && SAID.test(rest.slice(0, rest.length - tail[0].length))
  const end =
    tail && !isReplyContent && tail.index + Math.max(0, rest.length - 200) > 0
      ? rest.length - tail[0].length
      : rest.length
  const bare = rest.slice(0, end).replace(/[\s,;:]+$/u, '')
  return { text: bare, offset: offset + from }
}

/** Words that start a request to an assistant. They rarely start the second half of a chore. */
const COMMAND =
  "(?:please |also |then |can you |could you |bitte |dann )*(?:remind me|schedule|reschedule|add (?:(?:a|an|the|another|new) )*(?:task|to-?do|meeting|event|reminder|appointment)|add [^.;]{1,60} to (?:my|the)|create (?:a|an|the|new)|set up (?:a|an)|book (?:a|an|me|lunch|dinner|breakfast|coffee)|move (?:my|the|it)|cancel (?:my|the|all)|delete (?:my|the|all)|draft|reply|answer (?:\\p{L}+['’]s|the)|write (?:a|an|to|back)|email |e-mail |send |tag |label |archive|mark |star |show (?:me|my)|list (?:my|all|the)|tell me|find (?:me|a|an|my|the|some)|what(?:'s| is| do| are| did)|when (?:is|am|do|are)|which |how many|who |is there|do i|am i|block |put [^.;]{1,60} (?:on|in) (?:my|the)|check (?:my|if|off|the|whether)|read (?:me|my|the)|give me|make a (?:note|task)|complete |search |look |erinnere|trage?\\b|erstelle?|lösche|verschiebe|schreibe?\\b|zeige?\\b|sage? |setze? |was |wann |welche |wie viele|plane |markiere )"

const BETWEEN = new RegExp(
  `(?:[.;!?]+\\s+|\\s*\\n+\\s*|,?\\s+(?:and(?: then| also)?|then|und(?: dann)?|plus|as well as)\\s+|,\\s+(?:then\\s+|dann\\s+)?)(?=${COMMAND})`,
  'giu',
)
/**
 * Splits "Move it to four and tell the team". It applies only after a change to an event, because a chore may
 * contain "and tell".
 */
const AND_TELL = /,?\s+(?:and(?: then| also)?|then|und(?: dann)?)\s+(?=[tilnusgb])/giu
const CHANGED =
  /(?:^|[.;!?]\s|\b(?:and|then|please|you|und|dann|bitte)\s)\s*(?:move|reschedule|postpone|push|shift|delay|bring|cancel|call off|scrap|verschiebe?|verlege?|schiebe?|sage?|streiche?|storniere?)\s[^.;!?]*$/iu

/** Does not split "Der 24. Dezember" and "10.12. Abnahme". */
const SENTENCE =
  /(?<!\d\.\d{1,2})(?<!\b(?:[Dd]r|[Mm]r|[Mm]rs|[Mm]s|St|No|Nr|a|p|m|\d))(?!(?<=\b\d\d)\.\s(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|um|ab|bis|des|jeden|im|und|von|nach))[.;!?]+\s+(?=\p{L})|\s*\n+\s*/gu

const isQuoted = (text: string, at: number): boolean =>
  ((text.slice(0, at).match(/["“„”]/gu)?.length ?? 0) & 1) === 1

const MAX_CUTS = 12

/** Splits a text into requests, each with its offset. */
export const clausesOf = (text: string): Piece[] => {
  const cuts: { at: number; end: number }[] = []
  const add = (pattern: RegExp, fits = (_at: number, _end: number): boolean => true): void => {
    for (const match of text.matchAll(pattern)) {
      const [at, end] = [match.index, match.index + match[0].length]
      if (!fits(at, end)) continue
      if (at === 0 || isQuoted(text, at) || cuts.some((cut) => at < cut.end && cut.at < end)) continue
      cuts.push({ at, end })
      if (cuts.length >= MAX_CUTS) return
    }
  }
  add(BETWEEN)
  add(SENTENCE)
  add(AND_TELL, (at, end) => TELLS.test(text.slice(end, end + 60)) && CHANGED.test(text.slice(0, at)))
  cuts.sort((a, b) => a.at - b.at)
  const pieces: Piece[] = []
  let from = 0
  for (const { at, end } of [...cuts, { at: text.length, end: text.length }]) {
    // Keep the question mark of a question.
    const mark = text[at] === '?' ? 1 : 0
    const piece = { text: text.slice(from, at + mark), offset: from }
    const bare = piece.text.trimStart()
    if (bare.trim() !== '')
      pieces.push({ text: bare.trimEnd(), offset: piece.offset + piece.text.length - bare.length })
    from = end
  }
  return pieces
}

/** Keywords of requests whose typos are corrected. */
const WORDS =
  'remind reminder schedule reschedule meeting meetings calendar cancel appointment unread delete message shopping tomorrow please erinnere kalender verschiebe termin'.split(
    ' ',
  )
/** Words that look like a typo of a keyword but are correct. */
const NOT_TYPOS = new Set(
  'rewind remand melting cancer cancers massage deplete stopping shipping calender kalender termini'.split(
    ' ',
  ),
)

/**
 * Returns the keyword that a word misspells. Inflected forms such as "scheduled" are not typos, and the first
 * letter must match.
 */
const correctWord = (word: string): string | undefined => {
  if (word.length < 5 || NOT_TYPOS.has(word)) return undefined
  return WORDS.find(
    (meant) =>
      word[0] === meant[0] && !word.startsWith(meant) && !meant.startsWith(word) && isOneTypo(word, meant),
  )
}

/** Spelled-out fractions of an hour. */
const FRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:a |one )?(?:half|half an|half-an|half of an)[- ]hour\b(?! (?:later|earlier))/giu, '30 minutes'],
  [/\bthree[- ]quarters? of an hour\b|\b(?:einer )?dreiviertelstunde\b/giu, '45 minutes'],
  [/\b(?:a |one )?quarter(?: of an|-| of)?[- ]hour\b/giu, '15 minutes'],
  [/\b(?:einer |eine )?viertelstunde\b/giu, '15 Minuten'],
]

/** Spoken German articles. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L}\s)ne(?=\s\p{L})/giu, 'eine'],
  [/(?<=\p{L}\s)nen(?=\s\p{L})/giu, 'einen'],
]

const FILLER = /(?<=^|\s)(?:uh+|uhm+|erm+|hmm+|äh+m?|ehm?|öhm?)(?:,\s*|\s+)/giu
const UM = /(?<=^|\s)um(?:,\s*|\s+)(?!\d)/giu

interface Change {
  from: number
  to: number
  text: string
}

interface Corrected {
  text: string
  /** Maps an offset in the corrected text to the offset in the original text. */
  at: (offset: number) => number
}

/** Corrects typos in keywords and removes filler words such as "uhm". */
export const correctSpelling = (written: string): Corrected => {
  const changes: Change[] = []
  const drop = (pattern: RegExp): void => {
    for (const { 0: words, index } of written.matchAll(pattern))
      changes.push({ from: index, to: index + words.length, text: '' })
  }
  drop(FILLER)
  for (const [pattern, meaning] of FRACTIONS)
    for (const { 0: words, index } of written.matchAll(pattern))
      changes.push({ from: index, to: index + words.length, text: meaning })
  // "um" is a filler only in English.
  if (/(?:^|\s)um\s/iu.test(written) && !isGermanRequest(written.replace(/\bum\b/giu, ' '))) drop(UM)
  for (const [form, meaning] of SPOKEN)
    for (const { 0: words, index } of written.matchAll(form))
      changes.push({ from: index, to: index + words.length, text: meaning })
  for (const { 0: word, index } of written.matchAll(
    /(?<![\p{L}\d"“„'’@#._-])\p{Ll}{5,14}(?![\p{L}\d"”'’@._-])/gu,
  )) {
    const meant = correctWord(word)
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
