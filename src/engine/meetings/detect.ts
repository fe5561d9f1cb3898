import type { Order } from '../dates/formats.ts'
import { durationSeconds, type Moment } from '../dates/outcome.ts'
import { readTimes, type TimeExpression } from '../dates/read.ts'
import { fitting } from '../half-of-day.ts'
import { ownText } from '../history.ts'
import { type Sentence, sentenceAt, sentencesOf } from '../sentences.ts'
import { toInstant, toWall } from '../time-zones.ts'
import { confidenceOf, SPEAKS_FOR } from './confidence.ts'
import { type EventReading, readEventWith } from './event.ts'
import { joinTimes } from './join-times.ts'
import { findLinks } from './links.ts'
import type { Piece } from './piece.ts'
import { findSignals, type Signal } from './signals.ts'
import { afterMoves, begun, inOneWeek, isRefused, toOtherWeeks } from './standing-times.ts'
import { occasionAt } from './subject.ts'

export interface DetectOptions {
  /** The reader's now, an instant in ms. */
  now: number
  /** The reader's zone, an IANA name. */
  timezone: string
  /** What the mail is about, when it has a subject. */
  subject?: string
  /** The zone in which the writer lives, if it is known: "my time" is theirs. */
  writerTimezone?: string
  order?: Order
}

export interface DetectedMeeting {
  title: string
  /** Instants in ms. */
  start: number
  end: number
  /** The end is said; otherwise it is the usual length. */
  endStated: boolean
  allDay: boolean
  /** The zone understood from the text, else the reader's. */
  timezone: string
  location: string | null
  meetingUrl: string | null
  attendees: string[]
  /** RFC 5545, when it comes back. */
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

const MINUTE = 60_000
const DAY = 86_400_000
const USUAL_MINUTES = 60
/** Below this, a time and a place are a coincidence. */
const LIKELY = 0.5
const MOST_MEETINGS = 50
const LONGEST_TEXT = 60_000

const OWN_DEED = /\b(?:[Ii]['’]ll|[Ii] will|[Ii]ch werde)\b/
const TOGETHER =
  /\b(?:you|your|we|us|our|together|join|ihnen|sie|dich|dir|euch|wir|uns|zusammen|gemeinsam)\b/iu
const ADDRESSES = /https?:\/\/[^\s<>"]{1,2000}/g

const momentMs = ({ day, seconds }: Moment): number => day * DAY + (seconds ?? 0) * 1000

const zoneOf = (time: TimeExpression, options: DetectOptions): { name: string; minutes?: number } => {
  const { zone } = time
  if (!zone) return { name: options.timezone }
  if (zone.name === '') return { name: options.writerTimezone ?? options.timezone }
  return {
    name: zone.name ?? options.timezone,
    ...(zone.minutes !== undefined ? { minutes: zone.minutes } : {}),
  }
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

/** The times of one sentence, as if it stood alone. */
export const timesWithin = (times: readonly TimeExpression[], { from, to }: Sentence): TimeExpression[] =>
  times
    .filter(({ offset }) => offset >= from && offset < to)
    .map((time) => ({ ...time, offset: time.offset - from }))

/** "3 or 4pm" proposes two. */
const withAlternatives = (time: TimeExpression): TimeExpression[] => {
  const { alternatives = [], ...first } = time
  return [first, ...alternatives.map((start) => ({ ...first, start }))]
}

const lengthIn = (times: readonly TimeExpression[], { from, to }: Sentence): number | undefined => {
  const found = times.find(({ kind, offset }) => kind === 'duration' && offset >= from && offset < to)
  const minutes = found?.duration ? durationSeconds(found.duration) / 60 : undefined
  return minutes && minutes <= 24 * 60 ? minutes : undefined
}

/** A sentence without an end is cut to what stands around the time. */
const WIDEST = 600

const around = ({ from, to }: Sentence, offset: number): Sentence => ({
  from: Math.max(from, offset - WIDEST),
  to: Math.min(to, offset + WIDEST),
})

/** An item of a list, or what is said in case that the one before does not suit. */
const ITEM =
  /^\s*(?:[-*•–·]|\d{1,2}[.)]|[a-h]\)|(?:otherwise|alternatively|or|oder|sonst|ansonsten|alternativ|if not),?)\s/i
const MOST_ITEMS = 12

/** A list of times is led by the line before it: "I'm free:", and a line for each. */
const leadOf = (text: string, sentences: readonly Sentence[], at: number): number => {
  const isItem = (index: number): boolean => {
    const { from, to } = sentences[index] as Sentence
    return ITEM.test(text.slice(from, Math.min(to, from + 20)))
  }
  let lead = at
  while (lead > 0 && at - lead < MOST_ITEMS && isItem(lead)) lead--
  return lead
}

const MOST_BESIDE = 4

/** "Thursday 4pm then?", "Friday 12:30 at Luigi's?": nothing else is said. */
const isLittleElse = (sentence: string, { text, dated, start, part, bound }: TimeExpression): boolean =>
  dated &&
  start?.seconds !== undefined &&
  !part &&
  !bound &&
  (sentence.replace(text, ' ').match(/[\p{L}\d]+/gu)?.length ?? 0) <= MOST_BESIDE

/** Finds the meetings that a text proposes, invites to or confirms; what is quoted or signed is not looked at. */
export const detectMeetings = (text: string, options: DetectOptions): Detection => {
  const own = ownText(text.slice(0, LONGEST_TEXT))
  const now = toWall(options.now, options.timezone)
  return meetingsIn(own, readTimes(own, { ...options, now }), options)
}

/** The same, where the writer's own words are known and their times have been read already. */
export const meetingsIn = (
  own: string,
  all: readonly TimeExpression[],
  options: DetectOptions,
): Detection => {
  const times = inOneWeek(
    own,
    joinTimes(own, all.filter((time) => time.kind !== 'duration').flatMap(withAlternatives)),
  )
  // An address says nothing about what happens.
  const signals = findSignals(
    own.includes('://') ? own.replace(ADDRESSES, (address) => ' '.repeat(address.length)) : own,
  )
  const links = findLinks(own)
  const sentences = sentencesOf(own)
  const meetings: DetectedMeeting[] = []
  const events = new Map<number, EventReading>()
  /** A sentence that proposes three times is read once. */
  const eventIn = (sentence: Sentence): EventReading => {
    const key = sentence.from * LONGEST_TEXT + sentence.to
    const event =
      events.get(key) ?? readEventWith(own.slice(sentence.from, sentence.to), timesWithin(all, sentence))
    events.set(key, event)
    return event
  }

  const moments = toOtherWeeks(own, times).filter(isMoment).slice(0, MOST_MEETINGS)
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
    const isOnlyAsked = isAsked && isLittleElse(own.slice(sentence.from, sentence.to), said)
    // A time alone, with nothing around it that speaks for a meeting, never is one, unless it is all that is asked.
    if (!link && !isOnlyAsked && !near.some(({ kind }) => SPEAKS_FOR.has(kind))) continue
    const time = fitting(
      begun(said, times, line),
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
    const told = lead < at ? { from: (sentences[lead] as Sentence).from, to: sentence.to } : sentence
    const words = own.slice(sentence.from, sentence.to)
    const promised = OWN_DEED.test(words) && !TOGETHER.test(words)
    const confidence = confidenceOf(time, told, near, link, { future, asked: isAsked, isOnlyAsked, promised })
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
    const place = event.place ?? labelled(own, sentences, at)
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
        ? [{ text: place.text, offset: event.place ? place.offset + sentence.from : place.offset }]
        : []),
      ...(link ? [{ text: link.text, offset: link.offset }] : []),
    ]
    meetings.push({
      title: subject || occasion || 'Meeting',
      start: startMs,
      end: end > startMs ? end : startMs + USUAL_MINUTES * MINUTE,
      endStated: stated !== undefined || minutes !== undefined,
      allDay: !timed,
      timezone: zone.name,
      location: place?.text ?? null,
      meetingUrl: link && link.kind !== 'phone' ? link.text : null,
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

/** What calendars put around a title: "Invitation: Sync @ Thu Mar 12, 2026 2pm - 3pm (CET) (me@example.org)". */
const INVITED =
  /^(?:updated |aktualisierte )?(?:invitation|einladung|accepted|declined|tentative|zugesagt|terminänderung|reminder|erinnerung)\s?:\s*(?=\S)/i
const AT_TIME = /\s@\s(?=[^@]{0,40}\d)[^\n]*$/

const subjectOf = (written: string | undefined): string => {
  const bare = (written ?? '').slice(0, 500).replace(/^\s*(?:(?:re|aw|fwd?|wg|antw)\s?:\s*)+/i, '')
  const named = bare.replace(INVITED, '')
  return (named === bare ? bare : named.replace(AT_TIME, '')).trim()
}

/** A name has no @ in it, whatever is written before it. */
const ADDRESS = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/

const LABEL = /^[^\S\n]*(?:where|location|place|venue|room|wo|ort|raum)\s?:\s*(\S[^\n]{0,80})/imu

/** "Where: Room 5", on a line of its own close by. */
const labelled = (text: string, sentences: readonly Sentence[], at: number): Piece | undefined => {
  const from = (sentences[Math.max(0, at - 4)] as Sentence).from
  const to = (sentences[Math.min(sentences.length - 1, at + 6)] as Sentence).to
  const match = LABEL.exec(text.slice(from, to))
  if (!match || /^https?:/.test(match[1] as string)) return undefined
  const words = (match[1] as string).trim().replace(/[.,;]$/, '')
  return { text: words, offset: from + match.index + match[0].indexOf(match[1] as string) }
}
