import { ownText, splitMail } from '../history.ts'
import type { ActionItem, MailAnalysis } from '../mail/analysis.ts'
import type { Category } from '../mail/category.ts'
import { toWall } from '../time-zones.ts'

type Language = 'en' | 'de'
type Tone = 'formal' | 'friendly' | 'brief'

/** The phrases of a reply. Brackets mark placeholders that the user fills in. */
interface Words {
  hello(name: string): string
  thanks(date: string): string
  question(words: string): string
  request(words: string): string
  fits(times: readonly string[]): string
  fitsNot(count: number): string
  slots: string
  noSlots: string
  zone(name: string): string
  accept: string
  decline: string
  answer: string
  reply: string
  handling: string
  me: string
  close: string
}

const list = (items: readonly string[], and: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`

const ENGLISH: Words = {
  hello: (name) => (name === '' ? 'Hello,' : `Hi ${name},`),
  thanks: () => 'Thanks for your message.',
  question: (words) => `You asked: “${words}”`,
  request: (words) => `You wrote: “${words}”`,
  fits: (times) => `${list(times, 'or')} works for me.`,
  fitsNot: (count) => `I am afraid I am not free at the time${count > 1 ? 's' : ''} you suggest.`,
  slots: 'Would one of these times suit you?',
  noSlots: 'When would suit you? [times when you are free]',
  zone: (name) => `(Times are in ${name}.)`,
  accept: 'Yes, gladly.',
  decline: 'I am afraid I have to say no. [reason, if you want to give one]',
  answer: '[your answer]',
  reply: '[your reply]',
  handling: '[whether and when you will do this]',
  me: '[your name]',
  close: 'Best,',
}

const ENGLISH_FORMAL: Words = {
  ...ENGLISH,
  hello: (name) => (name === '' ? 'Hello,' : `Dear ${name},`),
  thanks: (date) => `Thank you for your message of ${date}.`,
  question: (words) => `Regarding your question “${words}”:`,
  request: (words) => `Regarding your request “${words}”:`,
  fits: (times) => `${list(times, 'or')} would suit me well.`,
  fitsNot: (count) => `Unfortunately I am not available at the time${count > 1 ? 's' : ''} you suggest.`,
  slots: 'Would one of the following times be convenient for you?',
  accept: 'I am happy to confirm.',
  decline: 'Unfortunately I have to decline. [reason, if you want to give one]',
  close: 'Kind regards,',
}

const ENGLISH_BRIEF: Words = {
  ...ENGLISH,
  thanks: () => '',
  question: (words) => `> ${words}`,
  request: (words) => `> ${words}`,
  fitsNot: (count) => (count > 1 ? 'Those times do not work for me.' : 'That time does not work for me.'),
  slots: 'I could do:',
  accept: 'Yes.',
  decline: 'No, sorry. [reason, if you want to give one]',
  close: '',
}

const GERMAN_DU: Words = {
  hello: (name) => (name === '' ? 'Hallo,' : `Hallo ${name},`),
  thanks: () => 'danke für deine Nachricht.',
  question: (words) => `Du fragst: „${words}“`,
  request: (words) => `Du schreibst: „${words}“`,
  fits: (times) => `${list(times, 'oder')} passt mir gut.`,
  fitsNot: (count) =>
    `Zu ${count > 1 ? 'den vorgeschlagenen Zeiten' : 'der vorgeschlagenen Zeit'} kann ich leider nicht.`,
  slots: 'Würde dir einer dieser Termine passen?',
  noSlots: 'Wann würde es dir passen? [Zeiten, zu denen du kannst]',
  zone: (name) => `(Alle Zeiten in ${name}.)`,
  accept: 'Ja, sehr gern.',
  decline: 'Leider muss ich absagen. [Grund, wenn du einen nennen willst]',
  answer: '[deine Antwort]',
  reply: '[deine Antwort]',
  handling: '[ob und bis wann du das erledigst]',
  me: '[dein Name]',
  close: 'Viele Grüße',
}

const GERMAN_SIE: Words = {
  ...GERMAN_DU,
  hello: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  thanks: () => 'vielen Dank für Ihre Nachricht.',
  question: (words) => `Sie fragen: „${words}“`,
  request: (words) => `Sie schreiben: „${words}“`,
  slots: 'Würde Ihnen einer dieser Termine passen?',
  noSlots: 'Wann würde es Ihnen passen? [Zeiten, zu denen du kannst]',
}

const GERMAN_FORMAL: Words = {
  ...GERMAN_SIE,
  thanks: (date) => `vielen Dank für Ihre Nachricht vom ${date}.`,
  question: (words) => `Zu Ihrer Frage „${words}“:`,
  request: (words) => `Zu Ihrem Anliegen „${words}“:`,
  fits: (times) => `${list(times, 'oder')} würde mir gut passen.`,
  fitsNot: (count) =>
    `Zu ${count > 1 ? 'den vorgeschlagenen Zeiten' : 'der vorgeschlagenen Zeit'} bin ich leider verhindert.`,
  slots: 'Wäre Ihnen einer der folgenden Termine recht?',
  accept: 'Das bestätige ich Ihnen gern.',
  close: 'Mit freundlichen Grüßen',
}

const germanBrief = (words: Words): Words => ({
  ...words,
  thanks: () => '',
  question: (text) => `> ${text}`,
  request: (text) => `> ${text}`,
  fitsNot: () => 'Da kann ich leider nicht.',
  slots: 'Möglich wäre:',
  accept: 'Ja.',
  decline: 'Leider nein. [Grund, wenn du einen nennen willst]',
  close: '',
})

/** `familiar` selects the German "du" instead of "Sie". */
const wordsFor = (language: Language, tone: Tone, familiar: boolean): Words => {
  if (language === 'en')
    return tone === 'formal' ? ENGLISH_FORMAL : tone === 'brief' ? ENGLISH_BRIEF : ENGLISH
  if (tone === 'formal') return GERMAN_FORMAL
  const words = familiar ? GERMAN_DU : GERMAN_SIE
  return tone === 'brief' ? germanBrief(words) : words
}

const MINUTE = 60_000
const DAY = 86_400_000
const QUARTER = 15 * MINUTE

const NAMES: Record<Language, { days: readonly string[]; months: readonly string[] }> = {
  en: {
    days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    months: 'January February March April May June July August September October November December'.split(
      ' ',
    ),
  },
  de: {
    days: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  },
}

export interface TimeSlot {
  /** Instants in ms. */
  start: number
  end: number
}

const formatClock = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** Formats a date as "12 November 2026" or "12. November 2026". */
export const writeDate = (instant: number, timezone: string, language: Language): string => {
  const wall = new Date(toWall(instant, timezone))
  const month = NAMES[language].months[wall.getUTCMonth()]
  return `${wall.getUTCDate()}${language === 'de' ? '.' : ''} ${month} ${wall.getUTCFullYear()}`
}

/** Formats a slot as "Thursday, 12 November, 14:00–15:00". */
export const writeSlot = (
  { start, end }: TimeSlot,
  timezone: string,
  language: Language,
  allDay = false,
): string => {
  const [from, until] = [toWall(start, timezone), toWall(end, timezone)]
  const wall = new Date(from)
  const { days, months } = NAMES[language]
  const day = `${days[wall.getUTCDay()]}, ${wall.getUTCDate()}${language === 'de' ? '.' : ''} ${months[wall.getUTCMonth()]}`
  if (allDay) return day
  return language === 'de'
    ? `${day}, ${formatClock(from)}–${formatClock(until)} Uhr`
    : `${day}, ${formatClock(from)}–${formatClock(until)}`
}

/** Recipients need time to reply, so proposed slots start later than this. */
const MIN_NOTICE_MS = 2 * 60 * MINUTE

/** Picks free slots to propose, on different days if possible, earliest first. */
export const chooseSlots = (
  free: readonly TimeSlot[],
  { minutes, now, timezone, most = 3 }: { minutes: number; now: number; timezone: string; most?: number },
): TimeSlot[] => {
  const lengthMs = minutes * MINUTE
  const candidates = free.flatMap(({ start, end }) => {
    const from = Math.ceil(Math.max(start, now + MIN_NOTICE_MS) / QUARTER) * QUARTER
    return from + lengthMs <= end ? [{ start: from, end: from + lengthMs }] : []
  })
  const dayOf = ({ start }: TimeSlot): number => Math.floor(toWall(start, timezone) / DAY)
  const firsts = candidates.filter(
    (slot, index) => index === candidates.findIndex((other) => dayOf(other) === dayOf(slot)),
  )
  const others = candidates.filter((slot) => !firsts.includes(slot))
  return [...firsts, ...others].slice(0, most).sort((a, b) => a.start - b.start)
}

/** The person that a reply addresses. */
interface Person {
  /** For example "Ana Bell"; empty if the name is unknown. */
  full: string
  /** For example "Ana". */
  first: string
  /** For example "Bell"; empty if unknown. */
  last: string
  /** For example "Dr." or "Prof. Dr."; empty if there is none. */
  title: string
}

const NO_PERSON: Person = { full: '', first: '', last: '', title: '' }

const TITLES = /^(?:(?:prof|dr|dipl|ing|mag|mr|mrs|ms|miss|herr|frau|hr|fr)\.?(?:-ing\.?)?\s+)+/iu
/** A prefix such as "i. A." marks a signature on behalf of somebody. */
const FOR_ANOTHER = /^(?:i\.?\s?[av]\.?|ppa\.?|p\.?p\.?)\s+(?=\p{Lu})/iu
const ACADEMIC_TITLE = /\b(?:prof|dr)\b\.?/giu
const ORGANIZATION =
  /\b(?:team|support|service|services|sales|info|office|büro|newsletter|news|billing|accounts?|help|helpdesk|desk|admin|group|gmbh|inc|llc|ltd|ag|kg|ug|corp|company|shop|store|hr|jobs|career|kontakt|contact|vertrieb|buchhaltung|kundenservice|notifications?|alerts?|no-?reply|system|bot|mailer|daemon|department|abteilung|praxis|bank|university|universität|hotel|restaurant|einkauf|verkauf|personal|verwaltung|sekretariat|marketing|finance|procurement|reception|empfang|redaktion|versand|logistik|booking|bookings|firma|care|customer|editors?|journal|kundenbetreuung)\b/iu
const WORD = /^\p{Lu}[\p{L}'’.-]{0,29}$/u
const PARTICLE = /^(?:von|van|de|der|den|del|della|di|da|dos|zu|zur|bin|al|el|la|le|ten|ter)$/iu

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Parses a personal name. Returns `NO_PERSON` for an organization, an address or other text. */
export const readName = (text: string): Person => {
  const plain = text
    .slice(0, 100)
    .replace(/["“”„(<[].*?[)>\]"“”]|["“”„]/gu, (part) => (/^["“„]/.test(part) ? part.slice(1, -1) : ''))
  const reordered = plain.includes(',') ? plain.split(',').slice(0, 2).toReversed().join(' ') : plain
  const cleaned = reordered.replace(/\s+/g, ' ').trim().replace(FOR_ANOTHER, '')
  if (cleaned === '' || /[@\d|/\\]/.test(cleaned) || ORGANIZATION.test(cleaned)) return NO_PERSON
  const title = (TITLES.exec(cleaned)?.[0].match(ACADEMIC_TITLE) ?? [])
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase().replace(/\.?$/, '.')}`)
    .join(' ')
  const written = splitWords(cleaned.replace(TITLES, ''))
  // Some people sign in lower case. Accept this for names of one or two words.
  const isLowerCase = written.length <= 2 && written.every((word) => /^\p{Ll}[\p{Ll}'’-]{1,19}$/u.test(word))
  const names = isLowerCase ? written.map((word) => word.charAt(0).toUpperCase() + word.slice(1)) : written
  if (names.length === 0 || names.length > 5) return NO_PERSON
  if (!names.every((word) => WORD.test(word) || PARTICLE.test(word))) return NO_PERSON
  // Capitalize a name that is written in upper case.
  const capitalized = names.map((word) =>
    word.length > 2 && word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word,
  )
  const [first = '', ...rest] = capitalized
  const from = rest.findIndex((word) => PARTICLE.test(word))
  const last = from >= 0 ? rest.slice(from).join(' ') : (rest.at(-1) ?? '')
  return { full: capitalized.join(' '), first, last, title }
}

/** Finds the signer: the first line after the closing, if it is a name. */
export const findSigner = (text: string): Person => {
  const lines = splitMail(text.slice(0, 30_000))
    .filter(({ kind }) => kind === 'signature')
    .slice(1, 6)
    .map(({ from, to }) => text.slice(from, Math.min(to, from + 100)).trim())
  const line = lines.find((each) => each !== '')
  return line === undefined ? NO_PERSON : readName(line.replace(/[,.]$/, ''))
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Picks the person to address. This is the signer if the sender is an organization or if the signature has
 * the full name. Otherwise it is the sender.
 */
export const findAddressee = (fromName: string, text: string): Person => {
  const [sender, signer] = [readName(fromName), findSigner(text)]
  if (sender.full === '') return signer
  if (signer.last === '' && isSame(signer.first, sender.first)) return sender
  if (sender.last === '' && isSame(signer.first, sender.first)) return signer
  // "Bob" may sign an email from Robert Miller. An assistant signs with another full name.
  return signer.full !== '' && signer.last === '' ? { ...sender, first: signer.first } : sender
}

const NO_REPLY_ADDRESS =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|noreply[\w.+-]*|[\w.+-]*[-_.+]no-?reply|bounces?|mailer-daemon|postmaster|notifications?|alerts?|automated|auto)(?:[+@.-]|$)/i

/** The reason why no person would read a reply. */
type Unanswerable =
  | 'no-reply'
  | Extract<Category, 'newsletter' | 'notification' | 'shipping' | 'security' | 'auto-reply' | 'bounce'>

const AUTOMATIC_CATEGORIES: readonly Category[] = [
  'newsletter',
  'notification',
  'shipping',
  'security',
  'auto-reply',
  'bounce',
]

/**
 * Returns the reason why no person would read a reply, or undefined. RFC 3834: do not reply to automatic
 * mail.
 */
export const unanswerable = (
  from: string,
  category: Category,
  headers: Readonly<Record<string, string>> = {},
): Unanswerable | undefined => {
  if (NO_REPLY_ADDRESS.test(from.trim())) return 'no-reply'
  if (/^auto-/i.test(headers['auto-submitted'] ?? '')) return category === 'bounce' ? 'bounce' : 'auto-reply'
  return AUTOMATIC_CATEGORIES.includes(category) ? (category as Unanswerable) : undefined
}

const NOTICES: Readonly<Record<Unanswerable, string>> = {
  'no-reply': 'The sender address does not accept email. A reply would not reach anyone.',
  newsletter: 'This is a newsletter. Nobody expects a reply.',
  notification: 'This is an automatic notification. Nobody expects a reply.',
  shipping: 'This is an automatic shipping notification. Nobody expects a reply.',
  security: 'This is an automatic security notification. Never send a code or a password in a reply.',
  'auto-reply':
    'This is an automatic reply. The sender has not read your email yet and does not expect a reply.',
  bounce: 'This is a delivery failure report. Nobody expects a reply.',
}

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
  /** Slots to propose. */
  slots?: readonly TimeSlot[]
  /** Instructions of the user. Only yes and no are interpreted; anything else becomes a placeholder. */
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

/** Drafts a reply from the analysis alone. Anything that only the user knows becomes a placeholder. */
export const draftReply = (mail: DraftMail, analysis: MailAnalysis, options: DraftOptions): Draft => {
  const { tone } = options
  const language = options.language ?? analysis.language
  const reason = unanswerable(mail.from.address, analysis.category, mail.headers)
  const subject = replySubject(mail.subject)
  if (reason) {
    const notice = NOTICES[reason]
    const text = `[${notice}]`
    return {
      subject,
      text,
      html: htmlOf(text),
      language,
      tone,
      gaps: [text],
      unanswerable: reason,
      notices: [notice],
    }
  }
  const own = ownText(mail.text.slice(0, 30_000))
  const familiar = tone !== 'formal' && (language === 'en' || isFamiliar(own))
  const words = wordsFor(language, tone, familiar)
  const person = findAddressee(mail.from.name, mail.text)
  const instructions = options.instructions?.replace(/\s+/g, ' ').trim().slice(0, 1000) ?? ''
  const stance = readStance(instructions)
  const notices: string[] = []

  const points: string[] = []
  if (stance === 'no') points.push(words.decline)
  else if (stance === 'yes') points.push(words.accept)
  const isMeetingRequest = asksForTime(mail.text, analysis)
  if (isMeetingRequest && stance !== 'no') points.push(...meetingLines(analysis, options, words, language))
  const isCovered = (offset: number, text: string): boolean =>
    isMeetingRequest && isAboutMeeting(offset, text, analysis)
  const questions = analysis.questions.filter(({ offset, text }) => !isCovered(offset, text))
  // A yes or a no answers the only question.
  const openQuestions = stance && analysis.questions.length === 1 ? [] : questions
  const wanted = analysis.actionItems.filter(
    ({ offset, text, owner }: ActionItem) =>
      owner === 'me' &&
      !isCovered(offset, text) &&
      !analysis.questions.some((question) => question.offset === offset),
  )
  const open = [
    ...openQuestions.map(({ offset, text }) => ({
      offset,
      lead: words.question(replaceBrackets(truncate(text))),
      gap: words.answer,
    })),
    ...wanted.map(({ offset, text }) => ({
      offset,
      lead: words.request(replaceBrackets(truncate(text))),
      gap: words.handling,
    })),
  ]
  for (const { lead, gap } of open.sort((a, b) => a.offset - b.offset).slice(0, MAX_POINTS))
    points.push(`${lead}\n${gap}`)
  if (instructions !== '' && !/^(?:please )?[\p{L} ]{1,20}$/iu.test(stance ? instructions : '')) {
    points.push(`[${replaceBrackets(instructions)}]`)
    notices.push(
      'The draft contains your instructions as a placeholder, because no language model is available to write them out.',
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
