import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { Order } from '../dates/formats.ts'
import { durationSeconds } from '../dates/outcome.ts'
import { readTimes, type TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { ownText } from '../history.ts'
import { compilePatterns } from '../lexicon/patterns.ts'
import { smallOf } from '../lower-case.ts'
import { fitting, phraseFinder, type Sentence, sentenceAt, sentencesOf } from '../text.ts'
import { type EventReading, readEventWith } from './event.ts'
import { inheritTimes } from './inherit.ts'
import { afterMoves, applySeriesStart, inOneWeek, isRefused, joinTimes, toOtherWeeks } from './times.ts'
import { capital, findLinks, type MeetingLink, occasionAt, type Piece } from './title.ts'

/** A word or phrase that speaks for or against a meeting, with its offset. */
export interface Signal {
  kind:
    | 'occasion'
    | 'proposal'
    | 'invitation'
    | 'acceptance'
    | 'link'
    | 'time'
    | 'past'
    | 'deadline'
    | 'bill'
    | 'hours'
    | 'offer'
    | 'cancellation'
  text: string
  offset: number
}

const PATTERNS = [...compilePatterns(new URL('../lexicon/meeting-signs.txt', import.meta.url))] as [
  Signal['kind'],
  RegExp,
][]

const findPhrases = phraseFinder(PATTERNS.map(([, pattern]) => pattern))

/** The label of a line, such as "When:". */
const SIGNAL_LABEL = /^[^\S\n]*(?:when|date|time|where|location|place|wann|wo|datum|uhrzeit|ort)\s?:/gm

/** German compound nouns: Arzttermin, Teambesprechung, Weihnachtsfeier. */
const COMPOUND =
  /(?:termin(?:e|en|s)?|treffens?|besprechung(?:en)?|gespräch(?:e|en|s)?|telefonat(?:e|s)?|konferenz(?:en)?|sitzung(?:en)?|versammlung(?:en)?|besichtigung(?:en)?|begehung|abnahme|untersuchung|verhandlung|vorstellung|probe|seminare?|workshops?|training|interviews?|feier|meetings?)(?![a-zß-ÿ])/g
const MAX_WORD_LENGTH = 60

/** Limit for hostile texts. Ordinary mail stays far below it. */
const MAX_SIGNALS = 2000

/** Finds all signals for and against a meeting, in order. */
export const findSignals = (text: string): Signal[] => {
  const small = smallOf(text)
  const found: Signal[] = []
  const add = (kind: Signal['kind'], offset: number, to: number): void => {
    if (found.length < MAX_SIGNALS) found.push({ kind, text: text.slice(offset, to), offset })
  }
  findPhrases(small, (pattern, from, to) =>
    add((PATTERNS[pattern] as (typeof PATTERNS)[number])[0], from, to),
  )
  for (const { 0: label, index } of small.matchAll(SIGNAL_LABEL))
    add('invitation', index + label.search(/\S/), index + label.length)
  for (const { 0: head, index } of small.matchAll(COMPOUND)) {
    const [lead = ''] = /[a-zß-ÿ]*$/.exec(small.slice(Math.max(0, index - MAX_WORD_LENGTH), index)) ?? []
    if (lead !== '') add('occasion', index - lead.length, index + head.length)
  }
  // "Conference: 14–16 September".
  for (const { kind, text: words, offset } of [...found])
    if (kind === 'occasion' && small[offset + words.length] === ':')
      add('invitation', offset, offset + words.length)
  return found.sort((a, b) => a.offset - b.offset)
}

/** A phone number is no link to join. */
export const toJoinLink = (links: readonly MeetingLink[]): Pick<DetectedMeeting, 'meetingUrl'> => ({
  meetingUrl: links.find(({ kind }) => kind !== 'phone')?.text ?? null,
})

/** A time without one of these signals, or a link, is not a meeting. */
const MEETING_SIGNALS: ReadonlySet<Signal['kind']> = new Set([
  'occasion',
  'proposal',
  'invitation',
  'acceptance',
])

/** Proposals that concern a time, not an action: "can you restart it at 9?" does not propose a meeting. */
const FINDS_A_TIME =
  /(?:you|we|u) (?:do|make|manage)|confirm|bestätig|i (?:see|come|visit|drop|stop)|be (?:ok|fine|good|poss|conv)|day\b|tag\b|schlage|slot|date|push|move|shift|about|free|availab|then|around|up for|work|suit|time|moment|passt|passen|wie wäre|ginge|\bwe\b|\bwir\b|\buns\b|see you|i (?:can|could)|ich (?:k|h)|könnte|hast|hätte|haben|moved|reschedul|postpon|verschob|verschieb|verleg/

const isAboutTime = ({ kind, text }: Signal): boolean =>
  (kind === 'proposal' || kind === 'acceptance') && FINDS_A_TIME.test(text.toLowerCase())

interface Manner {
  future: boolean
  asked: boolean
  /** The question consists of little more than the time. */
  isOnlyAsked: boolean
  /** The writer announces an action that involves nobody else. */
  promised: boolean
}

/** Weighs the signals for and against a meeting. The sentence itself counts more than its neighbours. */
const confidenceOf = (
  time: TimeExpression,
  sentence: Sentence,
  near: readonly Signal[],
  link: MeetingLink | undefined,
  { future, asked, isOnlyAsked, promised }: Manner,
): number => {
  const isHere = ({ offset }: Signal): boolean => offset >= sentence.from && offset < sentence.to
  const here = (kind: Signal['kind']): boolean =>
    near.some((signal) => signal.kind === kind && isHere(signal))
  const around = (kind: Signal['kind']): boolean => near.some((signal) => signal.kind === kind)
  let sure = 0.1
  if (here('occasion')) sure += 0.3
  else if (around('occasion')) sure += 0.2
  if (here('proposal')) sure += 0.25
  else if (around('proposal')) sure += 0.12
  if (here('invitation')) sure += 0.3
  else if (around('invitation')) sure += 0.15
  if (here('acceptance')) sure += 0.2
  if (asked && here('occasion') && time.start?.seconds !== undefined) sure += 0.1
  const timed = time.start?.seconds !== undefined && !time.part
  if (asked && here('occasion') && time.kind === 'date') sure += 0.1
  if (asked && !here('occasion') && around('occasion') && timed && time.dated) sure += 0.15
  if (timed && time.dated && near.some((signal) => isHere(signal) && isAboutTime(signal))) sure += 0.1
  if (timed && time.end && here('occasion')) sure += 0.05
  if (isOnlyAsked) sure += 0.35
  if (link) sure += 0.2
  if (timed) sure += 0.15
  if (time.kind === 'date') sure += 0.05
  // "Lunch with Ana on Thursday at 12:30". The doubt between noon and midnight concerns the time, not the
  // meeting.
  const isPlain =
    (here('occasion') || here('invitation')) && time.dated && time.start?.seconds !== undefined && !time.part
  if (isPlain) sure += time.either ? 0.1 : 0.05
  // A time with seconds such as 3:50:52 comes from a log, not from a meeting.
  if ((time.start?.seconds ?? 0) % 60 !== 0) sure -= 0.5
  if (!future) sure -= 0.6
  if (here('past') && !here('proposal') && !here('invitation')) sure -= 0.35
  if (here('deadline') || time.bound === 'by' || time.bound === 'before' || time.bound === 'until')
    sure -= here('occasion') && here('proposal') ? 0.1 : 0.35
  if (here('bill')) sure -= 0.4
  else if (around('bill')) sure -= 0.15
  if (here('hours')) sure -= 0.6
  else if (around('hours')) sure -= 0.3
  if (around('offer')) sure -= 0.25
  if (here('cancellation')) sure -= 0.5
  if (promised) sure -= 0.3
  return Math.max(0, Math.min(0.99, sure * (0.5 + 0.5 * time.confidence)))
}

export interface DetectOptions {
  /** Current time of the reader in epoch milliseconds. */
  now: number
  /** IANA time zone of the reader. */
  timezone: string
  /** Subject of the mail. */
  subject?: string
  /** Time zone of the writer, if known. "my time" refers to it. */
  writerTimezone?: string
  order?: Order
}

export interface DetectedMeeting {
  title: string
  /** Epoch milliseconds. */
  start: number
  end: number
  /** False if the end is the default length. */
  endStated: boolean
  /** The day, the hour and the zone are beyond doubt, so that the time can be accepted. */
  isCertain: boolean
  /** Start and end are the limits within which a meeting is proposed: "between 2 and 4". */
  isWindow: boolean
  allDay: boolean
  /** The zone named in the text, otherwise the zone of the reader. */
  timezone: string
  location: string | null
  meetingUrl: string | null
  attendees: string[]
  /** An RFC 5545 recurrence rule. */
  recurrence: string | null
  confidence: number
  evidence: Piece[]
}

export interface Detection {
  detected: boolean
  confidence: number
  meetings: DetectedMeeting[]
  signals: Signal[]
}

const OCCASION = new RegExp(`^(?:${(PATTERNS[0] as (typeof PATTERNS)[number])[1].source})$`)

/** Returns the word for the occasion of the first meeting: "dinner". */
export const findOccasion = ([first]: readonly DetectedMeeting[]): string | undefined =>
  first?.evidence.map(({ text }) => text.toLowerCase()).find((words) => OCCASION.test(words))

const MINUTE = 60_000
const DAY = 86_400_000
const USUAL_MINUTES = 60
/** Meetings below this confidence are discarded. */
const LIKELY = 0.5
const MAX_MEETINGS = 50
const MAX_TEXT_LENGTH = 60_000

const OWN_ACTION = /\b(?:[Ii]['’]ll|[Ii] will|[Ii]ch werde)\b/
const TOGETHER =
  /\b(?:you|your|we|us|our|together|join|ihnen|sie|dich|dir|euch|wir|uns|zusammen|gemeinsam)\b/iu
const ADDRESSES = /https?:\/\/[^\s<>"]{1,2000}/g

const momentMs = ({ day, seconds }: Moment): number => day * DAY + (seconds ?? 0) * 1000

interface MeetingZone {
  name: string
  minutes?: number
  /** The writer means a zone that nobody named. */
  isUnknown?: true
}

const zoneOf = (time: TimeExpression, options: DetectOptions): MeetingZone => {
  const { zone } = time
  if (!zone) return { name: options.timezone }
  if (zone.name === '')
    return options.writerTimezone === undefined
      ? { name: options.timezone, isUnknown: true }
      : { name: options.writerTimezone }
  return {
    name: zone.name ?? options.timezone,
    ...(zone.minutes !== undefined ? { minutes: zone.minutes } : {}),
  }
}

const WORKING_HOURS = { from: 8, to: 18 } as const
const MIN_CERTAINTY = 0.8
const MIN_AMBIGUOUS_CERTAINTY = 0.6

/** "How about Thursday at 3?" and "are you around at 3?" propose a time, which is not approximate. */
const PROPOSAL = /(?<!\p{L})(?:(?:how|what)\s+about|(?:are|will|be)(?:\s+you)?\s+around)(?!\p{L})/iu

/** An hour that may be a.m. or p.m. is certain only within working hours. */
const isCertainTime = (text: string, time: TimeExpression, zone: ReturnType<typeof zoneOf>): boolean => {
  const { start, dated, part, bound, offset, kind, either, confidence } = time
  const isAbout = time.around && !PROPOSAL.test(text.slice(Math.max(0, offset - 20), offset + 10))
  if (start?.seconds === undefined || !dated || part || bound || isAbout) return false
  if (zone.isUnknown || kind === 'recurrence') return false
  if (!either) return confidence >= MIN_CERTAINTY
  const hour = start.seconds / 3600
  return hour >= WORKING_HOURS.from && hour <= WORKING_HOURS.to && confidence >= MIN_AMBIGUOUS_CERTAINTY
}

const BETWEEN = /(?<!\p{L})(?:between|zwischen|any ?time|sometime|irgendwann)(?!\p{L})/iu
const LONG_WINDOW_SECONDS = 3 * 3600

/** True for a time within which the meeting may take place, such as "between 2 and 4" or "in the afternoon". */
const isWindow = (
  text: string,
  { text: words, offset, start, end, part, bound }: TimeExpression,
): boolean => {
  if (start?.seconds === undefined) return false
  if (part !== undefined || bound === 'after' || bound === 'since') return true
  if (end?.seconds === undefined) return false
  const length = (end.day - start.day) * 86_400 + end.seconds - start.seconds
  return length >= LONG_WINDOW_SECONDS || BETWEEN.test(text.slice(Math.max(0, offset - 20), offset) + words)
}

const instantOf = (moment: Moment, zone: { name: string; minutes?: number }): number =>
  zone.minutes === undefined
    ? toInstant(momentMs(moment), zone.name)
    : momentMs(moment) - zone.minutes * MINUTE

const isMoment = (time: TimeExpression): boolean =>
  time.start !== undefined &&
  time.duration?.n !== 0 &&
  !/^(?:since|seit)\b/i.test(time.text) &&
  (time.kind === 'date' ||
    time.kind === 'time' ||
    time.kind === 'datetime' ||
    time.kind === 'datetimerange' ||
    time.kind === 'timerange' ||
    (time.kind === 'recurrence' && time.start.seconds !== undefined) ||
    (time.kind === 'daterange' && time.inclusive === true && time.count === undefined))

/** Returns the times in one sentence, with offsets relative to it. */
export const timesWithin = (times: readonly TimeExpression[], { from, to }: Sentence): TimeExpression[] =>
  times
    .filter(({ offset }) => offset >= from && offset < to)
    .map((time) => ({ ...time, offset: time.offset - from }))

/** "3 or 4pm" proposes two times. */
const withAlternatives = (time: TimeExpression): TimeExpression[] => {
  const { alternatives = [], ...first } = time
  return [first, ...alternatives.map((start) => ({ ...first, start }))]
}

const lengthIn = (times: readonly TimeExpression[], { from, to }: Sentence): number | undefined => {
  const found = times.find(({ kind, offset }) => kind === 'duration' && offset >= from && offset < to)
  const minutes = found?.duration ? durationSeconds(found.duration) / 60 : undefined
  return minutes && minutes <= 24 * 60 ? minutes : undefined
}

/** Maximum context around a time in a text without sentence ends. */
const WIDEST = 600

const around = ({ from, to }: Sentence, offset: number): Sentence => ({
  from: Math.max(from, offset - WIDEST),
  to: Math.min(to, offset + WIDEST),
})

/** A list item, or an alternative such as "otherwise …". */
const ITEM =
  /^\s*(?:[-*•–·]|\d{1,2}[.)]|[a-h]\)|(?:otherwise|alternatively|or|oder|sonst|ansonsten|alternativ|if not),?)\s/i
const MAX_ITEMS = 12

/** Returns the index of the sentence that introduces a list of times, such as "I'm free:". */
const leadOf = (text: string, sentences: readonly Sentence[], at: number): number => {
  const isItem = (index: number): boolean => {
    const { from, to } = sentences[index] as Sentence
    return ITEM.test(text.slice(from, Math.min(to, from + 20)))
  }
  let lead = at
  while (lead > 0 && at - lead < MAX_ITEMS && isItem(lead)) lead--
  return lead
}

const MAX_BESIDE = 4

/** True if the sentence holds little besides the time: "Thursday 4pm then?", "Friday 12:30 at Luigi's?". */
const isMostlyTime = (sentence: string, { text, dated, start, part, bound }: TimeExpression): boolean =>
  dated &&
  start?.seconds !== undefined &&
  !part &&
  !bound &&
  (sentence.replace(text, ' ').match(/[\p{L}\d]+/gu)?.length ?? 0) <= MAX_BESIDE

/** Finds the meetings that a text proposes or confirms. Ignores quoted text and the signature. */
export const detectMeetings = (text: string, options: DetectOptions): Detection => {
  const own = ownText(text.slice(0, MAX_TEXT_LENGTH))
  const now = toWall(options.now, options.timezone)
  return meetingsIn(own, inheritTimes(own, readTimes(own, { ...options, now }), now), options)
}

/** Finds meetings in a text without quoted history, whose times were already parsed. */
export const meetingsIn = (
  own: string,
  all: readonly TimeExpression[],
  options: DetectOptions,
): Detection => {
  const times = inOneWeek(
    own,
    joinTimes(own, all.filter((time) => time.kind !== 'duration').flatMap(withAlternatives)),
  )
  // Mask URLs, because words in them are not signals.
  const signals = findSignals(
    own.includes('://') ? own.replace(ADDRESSES, (address) => ' '.repeat(address.length)) : own,
  )
  const links = findLinks(own)
  const sentences = sentencesOf(own)
  const meetings: DetectedMeeting[] = []
  const events = new Map<number, EventReading>()
  /** Cached, because a sentence may propose several times. */
  const eventIn = (sentence: Sentence): EventReading => {
    const key = sentence.from * MAX_TEXT_LENGTH + sentence.to
    const event =
      events.get(key) ?? readEventWith(own.slice(sentence.from, sentence.to), timesWithin(all, sentence))
    events.set(key, event)
    return event
  }

  /** "Are you free on Tuesday? I booked the large room in the town hall." */
  const placeAfter = (sentence: Sentence): Piece | undefined => {
    const { place, times: others } = eventIn(sentence)
    const isNamed = place && others.length === 0 && HAS_VENUE.test(own.slice(sentence.from, sentence.to))
    return isNamed ? { text: place.text, offset: place.offset + sentence.from } : undefined
  }

  const moments = toOtherWeeks(own, times).filter(isMoment).slice(0, MAX_MEETINGS)
  const placed = Map.groupBy(moments, ({ offset }) => sentenceAt(sentences, offset))
  const standing = [...placed].flatMap(([at, found]) =>
    afterMoves(own, sentences[at] as Sentence, found).map((said) => ({ at, said })),
  )
  for (const { at, said } of standing) {
    const line = sentences[at] as Sentence
    const sentence = around(line, said.offset)
    if (isRefused(own, sentence, said)) continue
    const lead = leadOf(own, sentences, at)
    const [before, after] = [
      sentences[lead - 1] ?? (sentences[lead] as Sentence),
      sentences[at + 1] ?? sentence,
    ]
    const near = signals.filter(({ offset }) => offset >= before.from && offset < after.to)
    const link = links.find(({ offset }) => offset >= said.offset) ?? links[0]
    const isAsked = /\?["')\]]*\s*$/.test(own.slice(Math.max(sentence.from, sentence.to - 20), sentence.to))
    const isOnlyAsked = isAsked && isMostlyTime(own.slice(sentence.from, sentence.to), said)
    // Skip a time without any signal for a meeting, unless the time is the whole question.
    if (!link && !isOnlyAsked && !near.some(({ kind }) => MEETING_SIGNALS.has(kind))) continue
    const time = fitting(
      applySeriesStart(said, times, line),
      own.slice(sentence.from, sentence.to),
      toWall(options.now, options.timezone),
    )
    const zone = zoneOf(time, options)
    const start = time.start as Moment
    const timed = start.seconds !== undefined
    const startMs = instantOf(
      { day: start.day, seconds: start.seconds ?? 0 },
      timed ? zone : { name: options.timezone },
    )
    const recurring = time.kind === 'recurrence'
    const future = recurring || startMs > options.now - DAY / 2
    const context = lead < at ? { from: (sentences[lead] as Sentence).from, to: sentence.to } : sentence
    const words = own.slice(sentence.from, sentence.to)
    const promised = OWN_ACTION.test(words) && !TOGETHER.test(words)
    const confidence = confidenceOf(time, context, near, link, {
      future,
      asked: isAsked,
      isOnlyAsked,
      promised,
    })
    if (confidence < LIKELY) continue
    const event = eventIn(sentence)
    const minutes =
      (time.end && time.duration ? durationSeconds(time.duration) / 60 : undefined) ??
      lengthIn(all, sentence) ??
      lengthIn(all, after) ??
      lengthIn(all, before)
    const stated =
      time.end && !time.part
        ? instantOf(
            time.inclusive ? { day: time.end.day + 1 } : time.end,
            timed ? zone : { name: options.timezone },
          )
        : undefined
    const end = stated ?? startMs + (timed ? (minutes ?? USUAL_MINUTES) * MINUTE : DAY)
    const place =
      event.place ??
      labelled(own, sentences, at) ??
      (near.some(({ kind }) => kind === 'offer') ? undefined : placeAfter(after)) ??
      (link ? undefined : linkNear(own, { from: sentence.from, to: after.to }))
    const subject = subjectOf(options.subject)
    const occasion = occasionAt(
      own,
      near.filter(({ kind }) => kind === 'occasion'),
      time.offset,
      event.people,
    )
    const evidence: Piece[] = [
      { text: time.text, offset: time.offset },
      ...near
        .filter(
          ({ kind }) =>
            kind === 'occasion' || kind === 'proposal' || kind === 'invitation' || kind === 'acceptance',
        )
        .slice(0, 6)
        .map(({ text: words, offset }) => ({ text: words, offset })),
      ...(place
        ? [{ text: place.text, offset: place === event.place ? place.offset + sentence.from : place.offset }]
        : []),
      ...(link ? [{ text: link.text, offset: link.offset }] : []),
    ]
    meetings.push({
      title: subject || occasion || 'Meeting',
      start: startMs,
      end: end > startMs ? end : startMs + USUAL_MINUTES * MINUTE,
      endStated: stated !== undefined || minutes !== undefined,
      isCertain: isCertainTime(own, time, zone),
      isWindow: isWindow(own, time),
      allDay: !timed,
      timezone: zone.name,
      location: place?.text ?? null,
      ...toJoinLink(link ? [link] : []),
      attendees: event.people
        .map(({ text: name }) => (ADDRESS.test(name) ? name : name.replaceAll('@', '').trim()))
        .filter((name) => name !== ''),
      recurrence: time.rule ?? null,
      confidence: Math.round(confidence * 100) / 100,
      evidence,
    })
  }
  const unique = meetings.filter(
    (meeting, index) =>
      meetings.findIndex(
        ({ start, recurrence }) => start === meeting.start && recurrence === meeting.recurrence,
      ) === index,
  )
  const confidence = Math.max(0, ...unique.map((meeting) => meeting.confidence))
  return {
    detected: unique.length > 0,
    confidence,
    meetings: unique,
    signals: [
      ...signals,
      ...times.map(({ text: words, offset }) => ({ kind: 'time' as const, text: words, offset })),
      ...links.map(({ text: words, offset }) => ({ kind: 'link' as const, text: words, offset })),
    ].sort((a, b) => a.offset - b.offset),
  }
}

/**
 * Prefixes and suffixes that calendars add to a title: "Invitation: Sync @ Thu Mar 12, 2026 2pm - 3pm (CET)
 * (me@example.org)".
 */
const INVITED =
  /^(?:updated |aktualisierte )?(?:invitation|einladung|accepted|declined|tentative|zugesagt|terminänderung|reminder|erinnerung)\s?:\s*(?=\S)/i
const AT_TIME = /\s@\s(?=[^@]{0,40}\d)[^\n]*$/

/** The event has its date. */
const ON_DATE =
  /\s(?:am|vom|on|of)\s\d{1,2}[./]\s?(?:\d{1,2}|\p{L}+)[./]?\s?(?:\d{4})?(?:\s(?:um|at)\s[\d:.]+(?:\s?(?:uhr|[ap]m))?)?$/iu
/** "Moving the interview" is about the interview. */
const MOVED =
  /^(?:(?:moving|rescheduling|postponing|(?:new|changed) (?:time|date) (?:for|of)|change of (?:time|date) (?:for|of)|verschiebung|verlegung|verschoben|terminverschiebung|terminänderung|neue (?:uhrzeit|zeit) für|neuer termin(?: für)?)\s?:?)\s+(?:(?:the|our|your|my|unser|unsere|die|das|der|den)\s+)?(?=\p{L}{3})/iu

const subjectOf = (written: string | undefined): string => {
  const bare = (written ?? '').slice(0, 500).replace(/^\s*(?:(?:re|aw|fwd?|wg|antw)\s?:\s*)+/i, '')
  const named = bare.replace(INVITED, '')
  const timeless = named === bare ? bare.replace(ON_DATE, '') : named.replace(AT_TIME, '')
  const moved = timeless.replace(MOVED, '').replace(/!+$/, '').trim()
  return capital(moved === '' ? bare.trim() : moved)
}

/** Distinguishes an email address from a name, which contains no "@". */
const ADDRESS = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/

/** The writer has a place for the meeting. */
const HAS_VENUE =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:booked|reserved|got|found|arranged|rented)|(?:room|table|hall|venue) is|(?:ich|wir) (?:habe|haben)[^.?!]{0,120}(?:bekommen|reserviert|gebucht|gemietet|bestellt|organisiert)|treffpunkt|wir treffen uns|we(?:['’]ll| will) meet|(?:raum|saal|tisch) ist)\b/iu

const VIDEO_LINK =
  /(?<!\p{L})(?:video|online|virtual(?:ly)?|virtuell|call|join|link|remote)(?!\p{L})[^.?!\n]{0,60}?(https:\/\/[^\s<>"')\]]{4,300})/iu

/** A video meeting takes place at its link. An unknown host is no link to join. */
const linkNear = (text: string, { from, to }: Sentence): Piece | undefined => {
  const match = VIDEO_LINK.exec(text.slice(from, Math.min(to, from + WIDEST)))
  if (!match) return undefined
  const url = (match[1] as string).replace(/[.,;:!?]+$/, '')
  return { text: url, offset: from + match.index + match[0].indexOf(url) }
}

const LABEL = /^[^\S\n]*(?:where|location|place|venue|room|wo|ort|raum)\s?:\s*(\S[^\n]{0,80})/imu

/** Finds a labelled location such as "Where: Room 5" on a line nearby. */
const labelled = (text: string, sentences: readonly Sentence[], at: number): Piece | undefined => {
  const from = (sentences[Math.max(0, at - 4)] as Sentence).from
  const to = (sentences[Math.min(sentences.length - 1, at + 6)] as Sentence).to
  const match = LABEL.exec(text.slice(from, to))
  const words = match?.[1]
  if (!match || words === undefined || /^https?:/.test(words)) return undefined
  return { text: words.trim().replace(/[.,;]$/, ''), offset: from + match.index + match[0].indexOf(words) }
}
