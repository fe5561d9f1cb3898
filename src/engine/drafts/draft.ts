import { ownText } from '../history.ts'
import type { ActionItem, MailAnalysis } from '../mail/analysis.ts'
import { NOTICES, type Unanswerable, unanswerable } from './answerable.ts'
import { type Person, personOf } from './person.ts'
import { type Stretch, writeDate, writeSlot } from './times.ts'
import { type Language, type Tone, type Words, wordsFor } from './words.ts'

export interface DraftMail {
  subject: string
  text: string
  from: { name: string; address: string }
  /** When it was written, an instant in ms. */
  date: number
  headers?: Readonly<Record<string, string>>
}

export interface DraftOptions {
  tone: Tone
  /** The language of the mail unless told. */
  language?: Language
  /** Who answers; empty when that is not known. */
  me: string
  timezone: string
  /** Of the meetings that the analysis found, by their place: whether the person is free then. */
  free?: readonly boolean[]
  /** Times to propose. */
  slots?: readonly Stretch[]
  /** In the person's words. Yes and no are understood; the rest becomes a gap. */
  instructions?: string
}

export interface Draft {
  subject: string
  text: string
  html: string
  language: Language
  tone: Tone
  /** What the person still has to say, as it stands in the text. */
  gaps: string[]
  /** Set when an answer would reach no person. */
  unanswerable: Unanswerable | null
  notices: string[]
}

const PREFIX = /^\s*(?:(?:re|aw|antw|sv|vs|odp|ref?)(?:\[\d{1,3}\])?\s?:\s*)+/i

/** RFC 5322, 3.6.5: one "Re: ", however often and in whatever language it was answered before. */
export const replySubject = (subject: string): string => {
  const bare = subject.slice(0, 1000).replace(PREFIX, '').replace(/\s+/g, ' ').trim()
  return bare === '' ? 'Re:' : `Re: ${bare}`
}

const FAMILIAR = /\b(?:du|dir|dich|dein(?:e[mnrs]?)?|euch|ihr habt|hast du|kannst du)\b/iu
const POLITE = /\b(?:Sie|Ihnen|Ihre[mnrs]?|Ihr)\b/gu

/** By the first name, and not as Herr or Frau. */
const BY_FIRST_NAME =
  /^\s*(?:hallo|hi|hey|moin|servus|liebe[rs]?|na|grüß dich)\s+(?!(?:herr|frau|zusammen|team|alle|allerseits|kolleg|dr|prof)\p{L}*\b)\p{L}+\s*[,!\n]/iu

const isFamiliar = (own: string): boolean =>
  (FAMILIAR.test(own) || BY_FIRST_NAME.test(own)) &&
  !/[\p{Ll},] (?:Sie|Ihnen|Ihre[mnrs]?)\b/u.test(own) &&
  (own.match(POLITE)?.length ?? 0) < 3

const MEETS =
  /\b(?:(?:when|what (?:time|day)s?) (?:are|would|could|do|works?|suits?|is) [^.?!\n]{0,60}(?:free|available|work|suit|time|meet|talk|good|you)|(?:can|could|shall|should) (?:we|you) (?:\w+ ){0,3}(?:meet|talk|speak|catch up|hop on|have a (?:call|chat|meeting)|find a time)|find (?:a|some) time|set up a (?:call|meeting)|your availability|(?:do|would|will) you have (?:any |some |a |a few )?(?:time|minutes?|moment)|(?:hätten?|hättest|hast|haben|habt) (?:du|sie|ihr) [^.?!\n]{0,60}zeit|wann (?:hätten?|hättest|hast|haben) (?:du|sie|ihr) [^.?!\n]{0,40}zeit|wann (?:würde es |passt )[^.?!\n]{0,40}|wann (?:können|könnten|wollen|sollen) wir [^.?!\n]{0,60}|wann (?:kannst|könntest) du(?=\?| am| nächste| diese| mal)|wann bist du frei|(?:wollen|können|sollen) wir uns [^.?!\n]{0,60}(?:treffen|sprechen|zusammensetzen)|termin (?:finden|vereinbaren|ausmachen)|telefonieren)\b/iu

/** The mail wants the person's time, with or without saying when. */
export const asksForTime = (text: string, analysis: Pick<MailAnalysis, 'meetings'>): boolean =>
  analysis.meetings.length > 0 || MEETS.test(ownText(text.slice(0, 30_000)).slice(0, 20_000))

const YES = /\b(?:accept|agree|confirm|say yes|yes|zusagen|zustimmen|bestätigen|annehmen|ja)\b/iu
const NO = /\b(?:decline|refuse|reject|turn (?:it |this |them )?down|say no|no|absagen|ablehnen|nein)\b/iu

const stanceOf = (instructions: string): 'yes' | 'no' | undefined =>
  NO.test(instructions) ? 'no' : YES.test(instructions) ? 'yes' : undefined

const LONGEST_QUOTE = 240
const MOST_POINTS = 8

const short = (text: string): string =>
  text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')} …` : text

const greetingName = (person: Person, tone: Tone, language: Language, familiar: boolean): string => {
  if (person.title !== '' && person.last !== '' && !familiar) return `${person.title} ${person.last}`
  if (tone === 'formal') return person.full
  return language === 'de' && !familiar ? person.full : person.first
}

/** What the mail says about meeting: these points need no answer of their own. */
const isAboutMeeting = (offset: number, text: string, { meetings }: MailAnalysis): boolean =>
  MEETS.test(text.slice(0, 600)) ||
  meetings.some(({ evidence }) =>
    evidence.some((piece) => piece.offset >= offset && piece.offset < offset + text.length),
  )

const meetingLines = (
  analysis: MailAnalysis,
  options: DraftOptions,
  words: Words,
  language: Language,
): string[] => {
  const { timezone, free, slots = [] } = options
  const written = analysis.meetings.map((meeting) => writeSlot(meeting, timezone, language, meeting.allDay))
  const fitting = written.filter((_, index) => free?.[index] === true)
  if (fitting.length > 0) return [words.fits(fitting)]
  const lines = free !== undefined && written.length > 0 ? [words.fitsNot(written.length)] : []
  if (slots.length === 0) return [...lines, words.noSlots]
  const times = slots.map((slot) => `- ${writeSlot(slot, timezone, language)}`).join('\n')
  return [...lines, `${words.slots}\n${times}\n${words.zone(timezone)}`]
}

const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string,
  )

/** The same in HTML, paragraph by paragraph. */
export const htmlOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n')

export const gapsIn = (text: string): string[] => [...new Set(text.match(/\[[^[\]\n]{1,300}\]/g) ?? [])]

const bracketless = (text: string): string => text.replace(/[[\]]/g, (sign) => (sign === '[' ? '(' : ')'))

/** An answer to a mail, as far as it can be written without knowing what the person thinks. Nothing in it is invented. */
export const draftReply = (mail: DraftMail, analysis: MailAnalysis, options: DraftOptions): Draft => {
  const { tone } = options
  const language = options.language ?? analysis.language
  const nobody = unanswerable(mail.from.address, analysis.category, mail.headers)
  const subject = replySubject(mail.subject)
  if (nobody) {
    const notice = NOTICES[nobody]
    const text = `[${notice}]`
    return {
      subject,
      text,
      html: htmlOf(text),
      language,
      tone,
      gaps: [text],
      unanswerable: nobody,
      notices: [notice],
    }
  }
  const own = ownText(mail.text.slice(0, 30_000))
  const familiar = tone !== 'formal' && (language === 'en' || isFamiliar(own))
  const words = wordsFor(language, tone, familiar)
  const person = personOf(mail.from.name, mail.text)
  const instructions = options.instructions?.replace(/\s+/g, ' ').trim().slice(0, 1000) ?? ''
  const stance = stanceOf(instructions)
  const notices: string[] = []

  const points: string[] = []
  if (stance === 'no') points.push(words.decline)
  else if (stance === 'yes') points.push(words.accept)
  const meets = asksForTime(mail.text, analysis)
  if (meets && stance !== 'no') points.push(...meetingLines(analysis, options, words, language))
  const aside = (offset: number, text: string): boolean => meets && isAboutMeeting(offset, text, analysis)
  const questions = analysis.questions.filter(({ offset, text }) => !aside(offset, text))
  // A yes or a no answers the one thing that was asked.
  const asked = stance && analysis.questions.length === 1 ? [] : questions
  const wanted = analysis.actionItems.filter(
    ({ offset, text, owner }: ActionItem) =>
      owner === 'me' &&
      !aside(offset, text) &&
      !analysis.questions.some((question) => question.offset === offset),
  )
  const open = [
    ...asked.map(({ offset, text }) => ({
      offset,
      lead: words.question(bracketless(short(text))),
      gap: words.answer,
    })),
    ...wanted.map(({ offset, text }) => ({
      offset,
      lead: words.request(bracketless(short(text))),
      gap: words.handling,
    })),
  ]
  for (const { lead, gap } of open.sort((a, b) => a.offset - b.offset).slice(0, MOST_POINTS))
    points.push(`${lead}\n${gap}`)
  if (instructions !== '' && !/^(?:please )?[\p{L} ]{1,20}$/iu.test(stance ? instructions : '')) {
    points.push(`[${bracketless(instructions)}]`)
    notices.push(
      'Your instructions beyond yes and no stand in the draft as a gap: no model is there to word them.',
    )
  }
  if (points.length === 0) points.push(words.reply)

  const closing = [words.close, options.me.trim() || words.me].filter((line) => line !== '').join('\n')
  const paragraphs = [
    words.hello(greetingName(person, tone, language, familiar)),
    words.thanks(writeDate(mail.date, options.timezone, language)),
    ...points,
    closing,
  ]
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
  return {
    subject,
    text,
    html: htmlOf(text),
    language,
    tone,
    gaps: gapsIn(text),
    unanswerable: null,
    notices,
  }
}
