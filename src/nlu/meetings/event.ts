import { durationSeconds } from '../dates/outcome.ts'
import { endOf, type ReadOptions, readTimes, type TimeExpression } from '../dates/read.ts'
import type { Moment } from '../dates/values.ts'
import { tagArguments } from '../tagger/tagger.ts'
import { fitting } from '../text.ts'
import { findPlace } from './places.ts'
import { findTitle, maskRange, type Piece, pieceAt } from './title.ts'

/** Words for unspecific persons. They are not attendees, but may be part of the title. */
const UNSPECIFIC_PERSONS = new Set(
  `a an all another any anyone are as at be both but by can client clients colleague colleagues coworkers customer customers dad
  everybody everyone family for friend friends from group her him his hubby husband i if in is it its kids me mom mum my myself next
  no not of on or our out parents partner people so some someone somebody staff team that the their them then there they this those to
  today tomorrow us we what when where who wife will with yes you your yourself boss manager teacher doctor dentist mother father
  brother sister daughter son uncle aunt girlfriend boyfriend please meeting lunch dinner breakfast about regarding
  der die das den dem des ein eine einer meinem meiner meinen ihrem ihnen dir mir uns team chef kunden kollegen allen bitte
  named called titled soon again regarding asap and
  zoom teams skype meet phone video cream cheese`.split(/\s+/),
)

/** Words before a name that are not part of it. */
const LEAD =
  /^(?:(?:the|my|our|both|also|just|only|dem|der|den|frau|herrn?)\s+)?(?:(?:good |old |best )?friends?|colleagues?|clerks?|boss(?: whose name is)?|manager|client|partner|co-?worker|neighbou?r)\s+(?=\p{Lu})|^(?:the|both|boss whose name is|my boss whose name is)\s+(?=\p{Lu}|\p{Ll}+\s*$)|^(?:frau|herrn?)\s+(?=\p{Lu})/iu

const TITLED = /^(?:(?:dr|mr|mrs|ms|prof|doctor|sir)\.?\s?)+(?=\p{L})/iu
const PROPER =
  /^(?!ASAP|I\b)\p{Lu}[\p{L}'’-]*(?:\s(?:\p{Lu}\.(?=\s\p{Lu})|(?:de|van|von|der|la|bin|al)\s\p{Lu}[\p{L}'’-]+|(?!ASAP|AM\b|PM\b)\p{Lu}[\p{L}'’-]*))*/u
const PLAIN = /^\p{Ll}[\p{L}'’-]+/u
const AND = /^\s*(?:,\s*(?:and\s+|und\s+|&\s*)?|\s(?:and|und|an|plus|as well as|sowie)\s+|&\s*|\+\s*)/i

interface NameList {
  names: Piece[]
  end: number
}

const nameAt = (text: string, offset: number, plain: boolean): Piece | undefined => {
  const rest = text.slice(offset, offset + 80)
  const titled = TITLED.exec(rest)
  const after = rest.slice(titled?.[0].length ?? 0)
  const proper = PROPER.exec(after)?.[0]
  const found = proper ?? (plain || titled ? PLAIN.exec(after)?.[0] : undefined)
  if (!found) return undefined
  const bare = found.replace(/['’]s?$/, '')
  const first = (bare.split(' ')[0] as string).toLowerCase()
  if (!titled && UNSPECIFIC_PERSONS.has(first)) return undefined
  const length = (titled?.[0].length ?? 0) + bare.length
  // In a text without capitals, a second word belongs to the name if nothing follows it.
  const second = /^\s(\p{Ll}{2,}|\p{Lu})(?=\s*(?:[|,.?!]|$|and\s))/u.exec(rest.slice(length))
  const more = second && !UNSPECIFIC_PERSONS.has(second[1] as string) ? second[0].length : 0
  return { text: rest.slice(0, length + more), offset }
}

/**
 * Reads a list of names such as "Ann, Bob Miller and Dr. Snow". In a text without capitals, plain words are
 * names.
 */
const namesAt = (text: string, start: number, plain: boolean): NameList => {
  const names: Piece[] = []
  let at = start
  let end = start
  for (let count = 0; count < 30; count++) {
    at += LEAD.exec(text.slice(at, at + 60))?.[0].length ?? 0
    const name = nameAt(text, at, plain)
    if (!name) {
      // "with Ann, myself and Bob": skip the user and keep the others.
      const own = /^(?:me|myself|us)\b/i.exec(text.slice(at, at + 10))
      if (!own) break
      at += own[0].length
    } else {
      const piece = pieceAt(text, name.offset, name.offset + name.text.length)
      if (piece) names.push(piece)
      at = name.offset + name.text.length
      const owned = /^['’]s?(?=\s)/.exec(text.slice(at, at + 3))
      if (owned) return { names, end: at + owned[0].length }
    }
    end = at
    const and = AND.exec(text.slice(at, at + 20))
    if (!and) break
    at += and[0].length
  }
  return { names, end }
}

/** True if capitals do not indicate names: the text has no capitalized words, or only capitals. */
const hasPlainNames = (text: string): boolean =>
  !/(?<![.!?]\s|^)\b(?!I\b|AM\b|PM\b|OK\b)\p{Lu}\p{Ll}/u.test(text)

const isUnspecificPerson = (word: string): boolean => UNSPECIFIC_PERSONS.has(word.toLowerCase())

interface Start extends Moment {
  dated: boolean
  timed: boolean
}

/** One event that a text requests or mentions. */
export interface EventReading {
  title?: Piece
  people: Piece[]
  place?: Piece
  /** `dated` is false if the text names only a time of day. */
  start?: Start
  end?: Moment
  minutes?: number
  allDay?: true
  times: TimeExpression[]
}

const LEAD_IN =
  /(?:\b(?:on|at|for|from|by|around|about|starting|beginning|begins|starts|during|in|sometime|until|till|to|the|every|this|scheduled|set|@|am|um|ab|gegen|von|vom)\s+){1,4}$/iu
const ALL_DAY = /\b(?:all[ -]day|full[ -]day|whole day|entire day|ganztägig|den ganzen tag)\b/i

/**
 * Keeps the times that say when the event is. "with June" is a person, and a holiday next to a date is the
 * occasion.
 */
const timesOf = (text: string, times: readonly TimeExpression[]): TimeExpression[] => {
  const isDated = times.some(({ dated, name, kind }) => dated && !name && kind !== 'duration')
  return times.filter(
    ({ offset, kind, grain, name }) =>
      !(name && isDated) &&
      !(
        kind === 'daterange' &&
        grain === 'month' &&
        /\b(?:with|mit)\s$/i.test(text.slice(Math.max(0, offset - 6), offset))
      ),
  )
}

const coverTimes = (text: string, times: readonly TimeExpression[]): string => {
  let covered = text
  for (const time of times) {
    const lead = LEAD_IN.exec(text.slice(Math.max(0, time.offset - 40), time.offset))?.[0].length ?? 0
    covered = maskRange(covered, time.offset - lead, endOf(time))
  }
  return covered.replace(ALL_DAY, (words) => '|'.repeat(words.length))
}

interface Timing {
  start?: Start
  end?: Moment
  minutes?: number
}

/** Combines the times of a sentence into one start: a date and an hour may be named separately. */
const timingOf = (text: string, times: readonly TimeExpression[]): Timing => {
  const fitted = times.map((time) => fitting(time, text))
  const length = fitted.find(({ kind }) => kind === 'duration')
  const points = fitted.filter(
    ({ start, kind, duration }) => start && kind !== 'recurrence' && duration?.n !== 0,
  )
  const ends = points.find(({ offset }) =>
    /\bend(?:s|ing)?(?: at| by)?\s$/i.test(text.slice(Math.max(0, offset - 12), offset)),
  )
  const main = points.filter((point) => point !== ends)
  const clock = main.find(({ start }) => start?.seconds !== undefined)
  const day =
    main.find(({ dated, start }) => dated && start?.seconds === undefined) ?? main.find(({ dated }) => dated)
  const first = clock ?? day
  const minutes = length?.duration ? durationSeconds(length.duration) / 60 : undefined
  if (!first?.start) return { ...(ends?.start ? { end: ends.start } : {}), ...(minutes ? { minutes } : {}) }
  const date = clock && !clock.dated && day ? day : first
  const shift = (date.start?.day ?? first.start.day) - first.start.day
  const start = {
    ...first.start,
    day: first.start.day + shift,
    dated: date.dated,
    timed: first.start.seconds !== undefined,
  }
  const lasts =
    first.duration && first.end && first.duration.n > 0 ? durationSeconds(first.duration) / 60 : minutes
  const end =
    ends?.start ??
    (first.end &&
    !lasts &&
    !first.bound &&
    (first.start.seconds !== undefined || first.inclusive) &&
    !first.part
      ? first.end
      : undefined)
  return {
    start,
    ...(end ? { end: { ...end, day: end.day + shift } } : {}),
    ...(lasts && lasts < 24 * 60 ? { minutes: lasts } : {}),
  }
}

const WITH =
  /(?:^|[\s|(])(?:with|w\/|woth|invite|inviting|including|include|meet(?! (?:with|up)\b)|(?:need|want|have|like|wanna) to see|saw|met|calling|between|mit|and add)\s+(?=\S)/giu
/** "The design team" is not a person. */
const GROUP =
  /^(?:the|our|my|whole)\s(?:\p{Ll}[\p{L}-]*\s){1,2}(?:team|group|crew|board|committee|department|staff)\b/u
const THERE =
  /(?:^|[.!?,]\s)(\p{Lu}[\p{L}'-]{1,40}(?:(?:,? and |, )\p{Lu}[\p{L}'-]{1,40}){0,8})(?: from \w+)? (?:might|will|should|can) (?:also )?(?:be there|come|join|attend)/gu

const findPeople = (text: string, covered: string): { people: Piece[]; covered: string } => {
  const plain = hasPlainNames(text)
  const people: Piece[] = []
  let rest = covered
  for (const match of covered.matchAll(WITH)) {
    const verb = match[0].trim().toLowerCase()
    const start = match.index + match[0].length
    if (GROUP.test(covered.slice(start, start + 60))) continue
    // Verbs take any object, so only a proper name makes it a person.
    const sure = /\b(?:with|woth|mit|invite)$|w\/$/i.test(verb)
    const { names, end } = namesAt(covered, start, plain && sure)
    const known = names.filter(({ text: name }) => !/^(?:the|a|an|my)$/i.test(name))
    if (known.length === 0) continue
    people.push(...known)
    rest = maskRange(rest, match.index + (/^[\s|(]/.test(match[0]) ? 1 : 0), end)
  }
  const together = /^[\s|]*(?=\p{Lu})/u.exec(covered)
  if (together && /^[^.!?|]{2,60} and I\b/.test(covered))
    people.push(...namesAt(covered, together[0].length, false).names)
  for (const match of covered.matchAll(THERE)) {
    const start = match.index + match[0].indexOf(match[1] as string)
    people.push(...namesAt(covered, start, false).names)
  }
  const seen = new Set<string>()
  const unique = people.filter(({ text: name }) => {
    const key = name.toLowerCase()
    if (seen.has(key) || isUnspecificPerson(key)) return false
    seen.add(key)
    return true
  })
  return { people: unique, covered: rest }
}

/** Longer texts are truncated. A few sentences describe an event. */
const MAX_TEXT_LENGTH = 2000

/** Reads one event from a request or a note: "lunch with Ann on Friday at noon at the Ritz". */
export const readEvent = (text: string, options: ReadOptions): EventReading => {
  const start = text.slice(0, MAX_TEXT_LENGTH)
  return readEventWith(start, readTimes(start, options))
}

/** Hides what is read before the place and the title: the times, the people and a quoted title. */
export const coverKnown = (
  text: string,
  read: readonly TimeExpression[],
): { times: TimeExpression[]; people: Piece[]; covered: string } => {
  const times = timesOf(text, read)
  const quoted = /["“][^"“”\n]{2,100}["”]/u.exec(text)
  const free = quoted
    ? times.filter(({ offset }) => offset < quoted.index || offset >= quoted.index + quoted[0].length)
    : times
  const withoutQuote = quoted ? maskRange(text, quoted.index, quoted.index + quoted[0].length) : text
  const timeless = coverTimes(withoutQuote, free)
  // "remind me to speak with Ann": Ann is part of the task and is not invited.
  const chore = /\bremind(?:er|s)?\b[^.|]{0,20}\bto\b/i.test(timeless)
  return {
    times: free,
    ...(chore ? { people: [], covered: timeless } : findPeople(withoutQuote, timeless)),
  }
}

/** A title with a word of a sentence was not cut out right. */
const SENTENCE_WORD =
  /(?<!\p{L})(?:i|i['’](?:m|ll|ve|d)|we|you|it|he|she|they|will|is|are|am|be|have|has|had|was|were|need|before|after|things?|stuff|going|want|that|ich|wir|du|es|ist|sind|war|habe|haben|hat|wird|muss)(?!\p{L})/iu

/** Takes the title from the tagger if the sentence around it was not recognized. */
const chooseTitle = (text: string, title: Piece | undefined): Piece | undefined => {
  if (!title || /["“]/.test(text[title.offset - 1] ?? '') || !SENTENCE_WORD.test(title.text)) return title
  const tagged = tagArguments(text).find(({ role }) => role === 'title')
  return tagged ? { text: tagged.text, offset: tagged.start } : title
}

/** Reads one event from a text whose times were already parsed. */
export const readEventWith = (text: string, read: readonly TimeExpression[]): EventReading => {
  const { times, people, covered } = coverKnown(text, read)
  const place = findPlace(covered)
  const rest = place ? maskRange(covered, place.from, place.offset + place.text.length) : covered
  const title = chooseTitle(text, findTitle(text, rest))
  return {
    ...(title ? { title } : {}),
    people,
    ...(place ? { place: { text: place.text, offset: place.offset } } : {}),
    ...timingOf(text, times),
    ...(ALL_DAY.test(text) ? { allDay: true } : {}),
    times,
  }
}

/*
 * Decides whether a request asks to create an event, not to query, move, answer or cancel one. The first
 * words decide. If they do not, an occasion with a time does.
 */
const POLITE =
  /^[\s|]*(?:(?:(?:hi|hello|hey)(?: there)?|yes|yeah|yep|ok|okay|so|oh|well|please|pls|pleas|kindly|cortana|alexa|good (?:morning|afternoon|evening)|hallo|bitte|thanks|thank you|sure|great|also|now|then|and)\b[\s,.!:–-]*)+/iu
const OFFER =
  /^(?:(?:can|could|would|will) (?:you|we|u)(?: please| kindly| help me(?: to)?| be able to)?|i(?:'d| would)? (?:like|love|want|need|wanna|have)(?: (?:you|for you))?(?: to)?|i (?:wish|want) to|help me(?: to)?|let(?:'s| us|s)|i need your help (?:to|on)|go ahead and|make sure (?:to|that)|it would be (?:great|nice) (?:to|if you could)|kannst du|könntest du|ich (?:möchte|will|muss|brauche))\b[\s,]*(?:please\b[\s,]*)?/iu

const MAKE =
  /^(?:add|schedule|create|creat|make|set ?up|setup|set|put|book|plan|arrange|organi[sz]e|mark|block|reserve|enter|insert|pencil|fix|note|indicate|remind me|show me as|have the team|register|plot|trag|erstelle?|plane|vereinbare|buche|notiere|erinnere)\b/iu
const CHANGING =
  'cancel|delete|remove|get rid of|erase|clear (?:my|the|all|out|tuesday|monday|friday)|drop|re-?schedule|move|postpone|put off|push (?:back|my|the|it)|change|update|modify|edit|extend|shorten|rename|replace|swap|switch|defer|delay|bump|shift|decline|accept|rsvp|forward|undo|take (?:off|\\p{L}+(?: and \\p{L}+)? off)|absagen|löschen|verschieben|verschiebe|lösche|storniere|sag'
/** Matches only at the start of a clause, where it is the request. */
const CHANGE = new RegExp(
  `(?:^|[.!?,;:]\\s*|\\b(?:to|and|please|you|then|also|just|need|help|ahead and|let's|lets)\\s+)(?:${CHANGING})\\b`,
  'iu',
)
/** The text reports a change to an existing event. */
const OTHERWISE =
  /\b(?:instead|can(?:'|no)?t make it|won'?t (?:be|come|make)|(?:was|got|been|be|is) (?:moved|cancel\w*|postponed|deleted|changed|invited)|need help|(?:was|is) (?:at|with|on) [^.]{1,40}?,? not )\b/iu
const ASK =
  /^(?:what|whats|what's|when|whens|when's|where|wheres|where's|who|whos|who's|whom|whose|which|why|any|anything|how|hows|how's|is|isn't|are|aren't|am|was|were|do|does|did|has|had|will (?!you\b|we\b)|would (?!you\b)|should|may i|could i|can i|can (?:anyone|someone)|have i|have you|wann|wer|wie|welche|ist|habe ich|gibt es)\b/iu
const LOOK =
  /^(?:show|tell|list|find(?! (?:me |us )?(?:a |some |the )?(?:time|slot|spot|\d+|an hour|half|space|room|opening))|give|check|look|search|read|display|pull|view|see (?:if|what|when|my|who)|let me know|know|count|get (?:me )?(?:the|my|a list|info)|call (?!it\b)|email|send|text|message|contact|ask|open (?:my|the)|go (?:to|over)|review my|remember when|thank|weather|forecast|directions|navigate|play|turn|search|zeige?|liste)\b/iu
const OCCASION =
  /\b(?:meeting|metting|meet|event|appointment|apointment|appt|lunch|dinner|breakfast|brunch|coffee|drinks|party|call|interview|session|class|lesson|game|match|practice|rehearsal|concert|conference|workshop|seminar|presentation|review|demo|trip|vacation|holiday|flight|visit|date|birthday|wedding|doctor|dentist|haircut|gym|yoga|hike|movie|show|reservation|deadline|due|exam|test|shopping|pick ?up|drop ?off|standup|sync|1:1|one[- ]on[- ]one|out of (?:the )?office|termin|treffen|besprechung|mittagessen|abendessen|essen)\b/iu
const NOT_ONE =
  /\b(?:my (?:next|last|first|second|third)|the (?:next|last|first) (?:meeting|event|appointment))\b/iu
const TO_EVENT =
  /\b(?:to|from|off|in) (?:my|the|tomorrow'?s|today'?s|monday'?s|this|that|our) (?!(?:\w+ )?(?:calend|schedule|agenda|diary))[\w' ]{0,40}\b(?:meeting|event|appointment|lunch|dinner|party|call|invite|guest list|list)\b/iu

export interface ParsedRequest {
  wanted: boolean
  confidence: number
}

/** `timed` is true if the text contains a time. */
export const asksForEvent = (text: string, timed: boolean): ParsedRequest => {
  const say = (wanted: boolean, confidence: number): ParsedRequest => ({ wanted, confidence })
  const bare = text.trim().replace(POLITE, '')
  if (bare === '') return say(false, 0.9)
  const inner = bare.replace(OFFER, '')
  const offered = inner.length < bare.length
  if (ASK.test(bare) && !offered) return say(false, 0.9)
  const sentences = inner.split(/(?<=[.?!])\s+/u)
  const first = sentences[0] as string
  if (CHANGE.test(inner.slice(0, 400)) || OTHERWISE.test(bare.slice(0, 400))) return say(false, 0.8)
  if (MAKE.test(inner)) {
    if (
      /^(?:add|put|invite)\b/i.test(inner) &&
      TO_EVENT.test(first) &&
      !/\bto (?:my|the) (?:\w+ )?(?:calend|schedule)/i.test(first)
    )
      return say(false, 0.6)
    if (
      /^(?:set|make|create) (?:a |an |my |the )?(?:alarm|timer|call to|list|playlist|preferences?|calend[ae]r)\b(?! (?:event|appointment|for))/i.test(
        inner,
      )
    )
      return say(false, 0.6)
    return say(true, OCCASION.test(inner) || timed ? 0.95 : 0.8)
  }
  if (LOOK.test(inner)) return say(false, 0.8)
  if (/\b(?:weather|temperature|rain|the forecast|email address|phone number)\b/i.test(bare))
    return say(false, 0.8)
  if (/\?\s*$/.test(bare) && !offered) {
    const asks = sentences.some((sentence) => MAKE.test(sentence.replace(POLITE, '').replace(OFFER, '')))
    return say(asks, 0.6)
  }
  if (
    sentences.some(
      (sentence) => sentence !== first && MAKE.test(sentence.replace(POLITE, '').replace(OFFER, '')),
    )
  )
    return say(true, 0.8)
  const occasion = OCCASION.test(inner)
  if (NOT_ONE.test(inner) && !timed) return say(false, 0.6)
  if (occasion && timed) return say(true, 0.8)
  if (offered && (occasion || timed)) return say(true, 0.75)
  if (timed && inner.split(/\s+/u).length >= 2) return say(true, 0.6)
  if (occasion && /\b(?:with|mit)\b/i.test(inner)) return say(true, 0.6)
  return say(occasion && offered, 0.5)
}
