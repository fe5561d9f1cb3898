import { toWall } from '../../recurrence/time-zones.ts'
import { ownText } from '../history.ts'
import { isReadable, unreadableNotice } from '../language.ts'
import type { ActionItem, MailAnalysis } from '../mail/analysis.ts'
import type { Piece } from '../meetings/title.ts'
import { findAddressee, type Person } from './addressee.ts'
import { fitLength, readLength } from './length.ts'
import { type TimeSlot, writeDate, writeForWriter } from './slots.ts'
import { NOTICES, type Unanswerable, unanswerable } from './unanswerable.ts'
import { joinWithOr, type Language, type Tone, type Words, wordsFor } from './words.ts'

export interface DraftMail {
  subject: string
  text: string
  from: { name: string; address: string }
  /** The instant of writing, in ms. */
  date: number
  headers?: Readonly<Record<string, string>>
}

export interface DraftOptions {
  tone: Tone
  /** Defaults to the language of the email. */
  language?: Language
  /** The name of the user; empty if unknown. */
  me: string
  timezone: string
  /** Tells for each meeting of the analysis, by index, whether the user is free. */
  free?: readonly boolean[]
  /** A free slot within each meeting of the analysis that names a window, by index. */
  within?: readonly (TimeSlot | null)[]
  /** Slots to propose. */
  slots?: readonly TimeSlot[]
  /** Instructions of the user. Only yes, no and the length are interpreted; anything else becomes a placeholder. */
  instructions?: string
}

export interface Draft {
  subject: string
  text: string
  html: string
  language: Language
  tone: Tone
  /** Placeholders that the user must fill in, as they occur in the text. */
  gaps: string[]
  /** Set if no person would read a reply. */
  unanswerable: Unanswerable | null
  notices: string[]
}

const PREFIX = /^\s*(?:(?:re|aw|antw|sv|vs|odp|ref?)(?:\[\d{1,3}\])?\s?:\s*)+/i

/** RFC 5322, 3.6.5: writes a single "Re: ", regardless of earlier prefixes in any language. */
export const replySubject = (subject: string): string => {
  const bare = subject.slice(0, 1000).replace(PREFIX, '').replace(/\s+/g, ' ').trim()
  return bare === '' ? 'Re:' : `Re: ${bare}`
}

const FAMILIAR = /\b(?:du|dir|dich|dein(?:e[mnrs]?)?|euch|ihr habt|hast du|kannst du)\b/iu
const POLITE = /\b(?:Sie|Ihnen|Ihre[mnrs]?|Ihr)\b/gu

/** Matches a German greeting by first name, without "Herr" or "Frau". */
const BY_FIRST_NAME =
  /^\s*(?:hallo|hi|hey|moin|servus|liebe[rs]?|na|grüß dich)\s+(?!(?:herr|frau|zusammen|team|alle|allerseits|kolleg|dr|prof)\p{L}*\b)\p{L}+\s*[,!\n]/iu

const isFamiliar = (own: string): boolean =>
  (FAMILIAR.test(own) || BY_FIRST_NAME.test(own)) &&
  !/[\p{Ll},] (?:Sie|Ihnen|Ihre[mnrs]?)\b/u.test(own) &&
  (own.match(POLITE)?.length ?? 0) < 3

const MEETING_REQUEST =
  /\b(?:(?:when|what (?:time|day)s?) (?:are|would|could|do|works?|suits?|is) [^.?!\n]{0,60}(?:free|available|work|suit|time|meet|talk|good|you)|(?:can|could|shall|should) (?:we|you) (?:\w+ ){0,3}(?:meet|talk|speak|catch up|hop on|have a (?:call|chat|meeting)|find a time)|find (?:a|some) time|set up a (?:call|meeting)|your availability|(?:do|would|will) you have (?:any |some |a |a few )?(?:time|minutes?|moment)|(?:hätten?|hättest|hast|haben|habt) (?:du|sie|ihr) [^.?!\n]{0,60}zeit|wann (?:hätten?|hättest|hast|haben) (?:du|sie|ihr) [^.?!\n]{0,40}zeit|wann (?:würde es |passt )[^.?!\n]{0,40}|wann (?:können|könnten|wollen|sollen) wir [^.?!\n]{0,60}|wann (?:kannst|könntest) du(?=\?| am| nächste| diese| mal)|wann bist du frei|(?:wollen|können|sollen) wir uns [^.?!\n]{0,60}(?:treffen|sprechen|zusammensetzen)|termin (?:finden|vereinbaren|ausmachen)|telefonieren)\b/iu

/** Tells whether the email asks for a meeting, with or without a proposed time. */
export const asksForTime = (text: string, analysis: Pick<MailAnalysis, 'meetings'>): boolean =>
  analysis.meetings.length > 0 || MEETING_REQUEST.test(ownText(text.slice(0, 30_000)).slice(0, 20_000))

const YES = /\b(?:accept|agree|confirm|say yes|yes|zusagen|zustimmen|bestätigen|annehmen|ja)\b/iu
const NO = /\b(?:decline|refuse|reject|turn (?:it |this |them )?down|say no|no|absagen|ablehnen|nein)\b/iu

const readStance = (instructions: string): 'yes' | 'no' | undefined =>
  NO.test(instructions) ? 'no' : YES.test(instructions) ? 'yes' : undefined

const MAX_QUOTE_LENGTH = 240
const MAX_POINTS = 8

const truncate = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).replace(/\s+\S*$/, '')} …` : text

const greetingName = (person: Person, tone: Tone, language: Language, familiar: boolean): string => {
  if (person.title !== '' && person.last !== '' && !familiar) return `${person.title} ${person.last}`
  if (tone === 'formal') return person.full
  return language === 'de' && !familiar ? person.full : person.first
}

/** Sentences about the meeting need no separate answer. */
const isAboutMeeting = (offset: number, text: string, { meetings }: MailAnalysis): boolean =>
  MEETING_REQUEST.test(text.slice(0, 600)) ||
  meetings.some(({ evidence }) =>
    evidence.some((piece) => piece.offset >= offset && piece.offset < offset + text.length),
  )

/** Accepts what is certain and free, proposes a time within a window, asks back about the rest. */
const meetingLines = (
  analysis: MailAnalysis,
  options: DraftOptions,
  words: Words,
  language: Language,
): string[] => {
  const { timezone, free, within = [], slots = [] } = options
  const { meetings } = analysis
  const writer = meetings.find((meeting) => meeting.timezone !== timezone)?.timezone ?? timezone
  const write = (slot: TimeSlot & { allDay?: boolean; endStated?: boolean }, zone = writer): string =>
    writeForWriter(slot, { reader: timezone, writer: zone }, language, words)
  const fitting = meetings.filter(
    ({ isCertain, isWindow }, index) => isCertain && !isWindow && free?.[index] === true,
  )
  if (fitting.length > 0)
    return [
      words('fits', {
        times: joinWithOr(
          fitting.map((meeting) => write(meeting, meeting.timezone)),
          words,
        ),
      }),
    ]
  const suggested = meetings.flatMap((meeting, index) => {
    const slot = within[index]
    return slot ? [write(slot, meeting.timezone)] : []
  })
  if (suggested.length > 0) return [words('suggest', { times: joinWithOr(suggested, words) })]
  const doubtful = meetings.find(
    ({ isCertain, isWindow, allDay }, index) => !isCertain && !isWindow && !allDay && free?.[index] === true,
  )
  const isTaken = free !== undefined && meetings.length > 0 && !free.includes(true)
  const lines = isTaken
    ? [words(meetings.length > 1 ? 'fits none' : 'fits not')]
    : doubtful
      ? [
          words('confirm', {
            words: replaceBrackets(doubtful.evidence[0]?.text ?? ''),
            time: write(doubtful, doubtful.timezone),
          }),
        ]
      : []
  if (slots.length === 0) return doubtful && !isTaken ? lines : [...lines, words('no slots')]
  const times = slots.map((slot) => `- ${write(slot)}`).join('\n')
  const isSame = slots.every(({ start }) => toWall(start, writer) === toWall(start, timezone))
  return [...lines, `${words('slots')}\n${times}${isSame ? `\n${words('zone', { name: timezone })}` : ''}`]
}

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string,
  )

/** Converts plain text to HTML paragraphs. */
export const htmlOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n')

export const gapsIn = (text: string): string[] => [...new Set(text.match(/\[[^[\]\n]{1,300}\]/g) ?? [])]

const replaceBrackets = (text: string): string => text.replace(/[[\]]/g, (sign) => (sign === '[' ? '(' : ')'))

const createUnanswered = (
  subject: string,
  reason: Unanswerable,
  { tone, language }: { tone: Tone; language: Language },
): Draft => ({
  subject,
  text: '',
  html: '',
  language,
  tone,
  gaps: [],
  unanswerable: reason,
  notices: [NOTICES[reason]],
})

/** True if instructions hold nothing besides yes or no. */
const isOnlyStance = (instructions: string): boolean =>
  /^(?:please |bitte )?[\p{L} ]{1,20}$/iu.test(instructions)

/** Drafts a reply from the analysis alone. Anything that only the user knows becomes a placeholder. */
export const draftReply = (mail: DraftMail, analysis: MailAnalysis, options: DraftOptions): Draft => {
  const { tone } = options
  const isUnread = !isReadable(analysis.language)
  const language = options.language ?? (analysis.language === 'de' ? 'de' : 'en')
  const { from } = mail
  const { text: mailText, headers = {} } = mail
  const subject = replySubject(mail.subject)
  const reason = unanswerable(
    { from: from.address, text: mailText, subject: mail.subject, headers },
    analysis,
  )
  if (reason) return createUnanswered(subject, reason, { tone, language })
  const own = ownText(mailText.slice(0, 30_000))
  const familiar = tone !== 'formal' && (language === 'en' || isFamiliar(own))
  const words = wordsFor(language, tone, familiar)
  const name = greetingName(findAddressee(from.name, mailText), tone, language, familiar)
  const { instructions, limit } = readLength(
    options.instructions?.replace(/\s+/g, ' ').trim().slice(0, 1000) ?? '',
  )
  const stance = readStance(instructions)
  const notices: string[] = isUnread && analysis.language ? [unreadableNotice(analysis.language)] : []

  const points: string[] = []
  if (stance === 'no') points.push(words('decline'))
  else if (stance === 'yes') points.push(words('accept'))
  const isMeetingRequest = !isUnread && asksForTime(mailText, analysis)
  if (isMeetingRequest && stance !== 'no') points.push(...meetingLines(analysis, options, words, language))
  points.push(...openPoints(analysis, words, { stance, isMeetingRequest }))
  if (instructions !== '' && !(stance && isOnlyStance(instructions))) {
    points.push(`[${replaceBrackets(instructions)}]`)
    notices.push(
      'The draft contains your instructions as a placeholder, because no language model is available to write them out.',
    )
  }
  if (points.length === 0) points.push(words('reply'))

  const closing = [words('close'), options.me.trim() || words('me')].filter((line) => line !== '').join('\n')
  const text = fitLength(
    {
      greeting: name === '' ? words('hello nobody') : words('hello', { name }),
      thanks: words('thanks', { date: writeDate(mail.date, options.timezone, language) }),
      points,
      closing,
    },
    limit,
  )
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

/** Returns a quote and a placeholder for each question and request that the draft does not answer. */
const openPoints = (
  analysis: MailAnalysis,
  words: Words,
  { stance, isMeetingRequest }: { stance: 'yes' | 'no' | undefined; isMeetingRequest: boolean },
): string[] => {
  const isCovered = (offset: number, text: string): boolean =>
    isMeetingRequest && isAboutMeeting(offset, text, analysis)
  const questions = analysis.questions.filter(({ offset, text }) => !isCovered(offset, text))
  // A yes or a no answers the only question.
  const openQuestions = stance && analysis.questions.length === 1 ? [] : questions
  const wanted = analysis.actionItems.filter(
    ({ offset, text, owner }: ActionItem) =>
      owner === 'me' &&
      !isCovered(offset, text) &&
      !analysis.questions.some(
        (question) => offset >= question.offset && offset < question.offset + question.text.length,
      ),
  )
  const toPoint = (kind: 'question' | 'request', { text }: Piece): string =>
    `${words(kind, { words: replaceBrackets(truncate(text)) })}\n${words(kind === 'question' ? 'answer' : 'handling')}`
  return [
    ...openQuestions.map((piece) => ({ offset: piece.offset, point: toPoint('question', piece) })),
    ...wanted.map((piece) => ({ offset: piece.offset, point: toPoint('request', piece) })),
  ]
    .sort((a, b) => a.offset - b.offset)
    .slice(0, MAX_POINTS)
    .map(({ point }) => point)
}
