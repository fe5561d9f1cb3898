import { isGerman } from '../dates/read.ts'

/** A part of a text with its offset. */
export interface Piece {
  text: string
  offset: number
}

/** Masks the parts of a text that were already read, without changing offsets. */
export const MASK = '|'

export const maskRange = (text: string, from: number, to: number): string =>
  text.slice(0, from) + MASK.repeat(Math.max(0, to - from)) + text.slice(to)

/** Returns the text between two offsets without surrounding whitespace and punctuation. */
export const pieceAt = (text: string, from: number, to: number): Piece | undefined => {
  let [start, end] = [from, to]
  while (start < end && /[\s,.;:!?|"“”()–—-]/.test(text[start] as string)) start++
  while (end > start && /[\s,;:!?|"“”(–—-]/.test(text[end - 1] as string)) end--
  if (
    end > start &&
    text[end - 1] === '.' &&
    !/\b(?:\p{Lu}|St|Dr|Inc|Jr|Sr|Co)\.$/u.test(text.slice(start, end))
  )
    end--
  if (end > start && text[end - 1] === ')' && !text.slice(start, end).includes('(')) end--
  return end > start ? { text: text.slice(start, end), offset: start } : undefined
}

export type LinkKind = 'meet' | 'zoom' | 'teams' | 'webex' | 'jitsi' | 'whereby' | 'skype' | 'phone' | 'other'

export interface MeetingLink extends Piece {
  kind: LinkKind
}

const HOSTS: readonly (readonly [LinkKind, RegExp])[] = [
  ['meet', /^https:\/\/(?:meet\.google\.com\/[\w-]|g\.co\/meet\/)/i],
  ['zoom', /^https:\/\/(?:[\w-]+\.)*zoom(?:gov)?\.(?:us|com)\/(?:j|my|w|s|wc)\//i],
  ['teams', /^https:\/\/(?:teams\.microsoft\.com\/(?:l\/meetup-join|meet)|teams\.live\.com\/meet)\//i],
  ['webex', /^https:\/\/[\w.-]+\.webex\.com\//i],
  ['jitsi', /^https:\/\/(?:meet\.jit\.si|[\w.-]*jitsi[\w.-]*|8x8\.vc)\//i],
  ['whereby', /^https:\/\/(?:[\w-]+\.)?whereby\.com\//i],
  ['skype', /^https:\/\/join\.skype\.com\//i],
  [
    'other',
    /^https:\/\/(?:[\w.-]*gotomeet(?:ing)?\.(?:com|me)|bluejeans\.com|[\w.-]*bbb[\w.-]*|app\.slack\.com\/huddle|discord\.gg)\//i,
  ],
]

const URL = /https:\/\/[^\s<>"'|)\]]{4,500}/gi
const DIAL =
  /\b(?:dial[- ]?in|call(?: me| us)?(?: at| on)?|phone|tel(?:ephone|efon)?|einwahl|ruf(?:en sie)? (?:mich )?(?:an )?(?:unter)?)\b[^\d+\n]{0,20}(\+?\d[\d\s()./-]{6,20}\d)/gi

/** Finds all links and phone numbers to join a call, in order. */
export const findLinks = (text: string): MeetingLink[] => {
  const found: MeetingLink[] = []
  for (const match of text.matchAll(URL)) {
    const url = match[0].replace(/[.,;:!?]+$/, '')
    const kind = HOSTS.find(([, pattern]) => pattern.test(url))?.[0]
    if (kind) found.push({ kind, text: url, offset: match.index })
  }
  for (const match of text.matchAll(DIAL)) {
    const number = match[1] as string
    found.push({ kind: 'phone', text: number.trim(), offset: match.index + match[0].indexOf(number) })
  }
  return found.sort((a, b) => a.offset - b.offset)
}

const CALENDAR = '(?:calend\\w*|caland\\w*|caldend\\w*|schedule|agenda|diary|kalender|terminkalender)'
const ON_CALENDAR = new RegExp(
  `\\s(?:on|to|in|into|onto|for|at)\\s(?:(?:my|the|our|your|a|\\|+(?:'s)?)\\s)?(?:(?:personal|work|private|outlook|google)\\s)?${CALENDAR}\\b|\\s(?:in|auf) (?:meinen|den|meinem) kalender`,
  'giu',
)
const GREETING =
  /^[\s|]*(?:(?:(?:hi|hello|hey)(?: there)?|yes|yeah|yeh|yep|ok|okay|oh|so|well|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen)|thanks|thank you|again|cortana|alexa)\b[\s,.!–-]*)+/iu
const ASKING =
  /^[\s|]*(?:(?:can|could|would|will) (?:you|we|i)(?: please| kindly)?|please|pleas|pls|bitte|kannst du|könntest du|can i|may i|i(?:'d| would| ?d)? (?:like|love)(?: (?:you|for you))?(?: to| an?)?|i(?:'m| am)? (?:want|wanna|wan|need|have|gotta|wish)(?: (?:you|for you))?(?: to)?|i(?:'ve| have) got(?: to)?|i (?:went(?: on| to)?|had|can|must|should)|i(?:'ll| will) (?:have|be (?:having|attending|going to|at|in|out for|on))|i(?:'m| am) (?:going to(?: have| be)?|going(?! to)|gonna|having|attending|meeting|planning)|we(?:'re| are)? (?:need(?: to)?|have|going to have|having|want to)|there(?:'s| is| will be)|let(?:'s|s| us)|help me(?: to)?|go ahead and|make sure(?: to)?|just|also|see if (?:the team|we|you) (?:is|are|can)(?: available for)?|how about|what about|ich (?:möchte|will|muss|brauche|habe)|wir (?:haben|brauchen|müssen)|trag(?:e)?|my)\b[\s,]*/iu
const DOING =
  /^[\s|]*(?:add(?: in)?|schedule|sched|create|make|set ?up|setup|set|put (?:me|us) down for|put(?: down| in)?|book(?: me| us)?(?: for)?|plan|arrange|organi[sz]e|mark(?: down)?|block(?: off| out)?|reserve|enter|insert|note(?: down)?(?: that)?|indicate|fix|find(?: me| us)?|get|open|save|pencil in|remind me (?:to|about|of)|remember to|show me as|mark me(?: as| down)?|send (?:an? )?invit\w+ (?:for|to)|erstelle|erstell|plane|plan|blocke|blockiere|leg(?:e)?|vereinbare|buche|mach(?:e)?|erinnere mich (?:an|daran)|notiere)\b[\s,]*/iu
const FOR_ME = /^[\s|]*(?:(?:me|us)(?: in| down)?(?: for)?|mir|uns|down|in|up|that|as|on)\s+/iu
const DETERMINER =
  /^[\s|]*(?:a|an|the|my|our|another|some|new|next|one|those|this|teh|mein(?:e|en|em)?|ein(?:e|en|em)?|der|die|das|den|neuen|neues)\s+/iu
const GENERIC =
  /^(?:(?:new|next|quick|short|calendar|all day|full day|whole day|a|an|one|my|the|day|brief|another|tentative|recurring|weekly|daily|monthly)\s+)*(?:meeting|meetings|metting|meet|meeting appointment|event|events|even|appointment|apointment|appointments|appt|calendar|calender|calendar event|calender event|item|entry|something|time|slot|spot|reminder|a reminder|reservation|block|schedule|invite|invitation|plan|plans|room|conference room|a room|termin|treffen|besprechung|ereignis|eintrag|one on one|1 on 1|1:1|one-on-one|alert|an alert|it|that|free time|some time|stuff|thing|out of office|busy|status|new|call it|up|need|to|be|see|meeting time|opening|memo to|me|us|myself|i|department)$/iu
/** "an event for lunch", "a meeting to discuss plans", "time for a walk", "a reminder to call". */
const PURPOSE =
  /^(?:(?:new|quick|short|calendar|all day|full day|a|an|my|the|long|brief)\s+)*(?:meeting|metting|meet|event|even|appointment|appt|calendar event|calender event|calendar|schedule|item|entry|something|time|slot|spot|reminder|alert|reservation|block|room|conference room|session|break|plan|plans|note|memo|call|space|invite|termin|treffen|besprechung|status|need)(?:\s(?:appointment|time|off|slot|open))?[\s|]+(?:for|to|about|regarding|re|on|of|called|titled|named|subject|that says|:|,|-|as|für|zum|zur|wegen|über)\s+/iu
const TAIL =
  /(?<![\p{L}\d-])[\s|,]*(?:\b(?:please|thanks|thank you|for me|for us|for that|as well|too|now|right away|asap|soon|event|begins?|starts?|starting|beginning|ending|is|will be|at|on|in|for|with|to|from|of|and|the|a|by|that|which|will|this|around|about|sometime|early|it|lasting|bitte|am|um|ein)\s*[.?!,|\s]*)+$/iu
const CLAUSE =
  /\s(?:and (?:set|show|mark|invite|add|let|i|make|put|schedule|it|we|please|remind|block|send)|that (?:i|isn|is|will|should|starts|begins|lasts?|ends?)|so (?:that|i)|which|it(?:'s| is| will| should)|i(?:'ll| will| think| need)|because|but (?:not|without|i)|lasting|starting|beginning|show me|if |(?:right )?(?:after|before|between) )(?=\b)|[.?!](?=\s|$)|;|\n/iu
const NAMED =
  /\b(?:called|titled|named|entitled|call it|title it|name it|with (?:the )?(?:title|subject|name)(?: of)?|(?:event|meeting|title|subject|betreff|titel)\s?(?:is|:|subject)|subject|namens|mit dem titel)[\s:]+(?=[^\s|])/iu
/** "event Make Budget": the word "event" is not part of the name. */
const EVENT =
  /^(?:(?:new|calendar)\s)*(?:event,?\s+(?!(?:on|at|for|with|to|in|from|about|called|that|is)\b)|termin\s+(?!(?:am|um|mit|für|bei|beim|zum|zur|im|in|namens|wegen|und)\b))(?=[\p{L}\d])/iu
const COMPANY =
  /\s(?:with|mit)\s(?:(?:my|the|our|his|her|their|all|meinem|meiner|dem)\s)?(?:whole\s|entire\s|direct\s)?(?:boss|(?:[\p{L}-]+\s){0,2}(?:team|group|crew|board|committee)|manager|skip|supervisor|department|reports|staff|chef|chefin|vorgesetzten)\b/giu
const QUOTED = /["“]([^"“”|\n]{2,100})["”]/u

const strip = (text: string, at: number, ...patterns: RegExp[]): number => {
  let offset = at
  for (let again = true; again; ) {
    again = false
    for (const pattern of patterns) {
      const match = pattern.exec(text.slice(offset, offset + 200))
      if (match && match[0].length > 0) {
        offset += match[0].length
        again = true
      }
    }
  }
  return offset
}

const endOf = (covered: string, from: number): number => {
  const bar = covered.indexOf(MASK, from)
  const clause = CLAUSE.exec(covered.slice(from, from + 300))
  return Math.min(bar < 0 ? covered.length : bar, clause ? from + clause.index : covered.length)
}

const trimmed = (covered: string, from: number, to: number): Piece | undefined => {
  const raw = covered.slice(from, to)
  const tail = TAIL.exec(raw)
  const piece = pieceAt(covered, from, tail ? from + tail.index : to)
  if (!piece) return undefined
  const start = strip(covered, piece.offset, DETERMINER)
  return start < piece.offset + piece.text.length
    ? pieceAt(covered, start, piece.offset + piece.text.length)
    : undefined
}

const isEmpty = (piece: Piece | undefined): boolean =>
  !piece || GENERIC.test(piece.text) || !/[\p{L}\d]/u.test(piece.text)

const named = (covered: string): Piece | undefined => {
  const match = NAMED.exec(covered)
  if (!match) return undefined
  const from = match.index + match[0].length
  return pieceAt(covered, from, endOf(covered, from))
}

/** Finds the title in a sentence whose times, people and location are masked. */
export const findTitle = (text: string, covered: string): Piece | undefined => {
  const quoted = QUOTED.exec(text)
  if (quoted) return { text: (quoted[1] as string).trim(), offset: quoted.index + 1 }
  const hide = (words: string): string => MASK.repeat(words.length)
  const clean = covered.replace(ON_CALENDAR, hide).replace(COMPANY, hide)
  const called = named(clean)
  if (called && !isEmpty(called)) return called
  for (const sentence of sentencesOf(clean)) {
    const found = inSentence(clean, sentence)
    if (found) return found
  }
  return undefined
}

const SENTENCE_END = /(?=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms|Mt|St|vs|No|a|p|m))[.?!]+(?=\s|$)|\n/gu

interface Sentence {
  from: number
  to: number
}

/** Splits a text into sentences. Requests come first, then sentences with a time. */
const sentencesOf = (clean: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  for (const match of clean.matchAll(SENTENCE_END)) {
    sentences.push({ from, to: match.index })
    from = match.index + match[0].length
  }
  sentences.push({ from, to: clean.length })
  const worth = ({ from: start, to }: Sentence): number => {
    const text = clean.slice(start, to)
    const asked = strip(text, 0, GREETING, ASKING)
    return (DOING.test(text.slice(asked)) ? 2 : 0) + (text.includes(MASK) ? 1 : 0) + (asked > 0 ? 0.5 : 0)
  }
  return sentences
    .filter(({ from: start, to }) => /\p{L}/u.test(clean.slice(start, to)))
    .slice(0, 20)
    .sort((a, b) => worth(b) - worth(a) || a.from - b.from)
}

const inSentence = (all: string, { from, to }: Sentence): Piece | undefined => {
  const clean = all.slice(0, to)
  let at = strip(clean, from, GREETING, ASKING)
  at = strip(clean, at, DOING, FOR_ME, ASKING)
  at = strip(clean, at, DETERMINER, EVENT)
  for (let segment = 0; segment < 8 && at < clean.length; segment++) {
    const end = endOf(clean, at)
    const purpose = PURPOSE.exec(clean.slice(at, at + 200))
    if (purpose && at + purpose[0].length < clean.length) {
      const from = strip(clean, at + purpose[0].length, DETERMINER)
      const piece = trimmed(clean, from, endOf(clean, from))
      if (!isEmpty(piece)) return piece
    }
    const piece = trimmed(clean, at, Math.max(end, at))
    if (!isEmpty(piece)) return piece
    // The title may follow the next mask, as in "a meeting at 3 to discuss plans".
    const next =
      /[|\s.,;?!]+(?:(?:for|to|about|regarding|as|called|with|für|zum|wegen|and|it's|it is|,)\s+)*/iu.exec(
        clean.slice(end),
      )
    if (!next || next[0] === '') break
    at = strip(clean, end + next.index + next[0].length, ASKING, DOING, DETERMINER)
  }
  return undefined
}

/** Titles for generic words, which do not name a meeting. */
const PLAIN: Readonly<Record<string, string>> = {
  meet: 'Meeting',
  'meet up': 'Meeting',
  meeting: 'Meeting',
  meetings: 'Meeting',
  'get together': 'Get-together',
  call: 'Call',
  calls: 'Call',
  talk: 'Talk',
  speak: 'Talk',
  chat: 'Chat',
  treffen: 'Treffen',
  termin: 'Termin',
  telefonieren: 'Telefonat',
  'sehen uns': 'Treffen',
  'sehen wir uns': 'Treffen',
}

/** The words before these verbs belong to the sentence, not to a title. German nouns start with a capital. */
const VERB = /^(?:meet(?: up)?|Meet(?: up)?|treffen|telefonieren|[Ss]ehen (?:wir )?uns)$/

/** Matches backwards from the end of the string. */
const QUALIFIER = /$(?<=((?:[\p{L}\d&-]+\s){0,3}))/u
const FILLER =
  /^(?:a|an|the|our|my|your|this|that|next|another|quick|short|brief|for|to|in|on|of|at|have|had|and|or|is|are|we|you|i|it|can|could|let's|lets|some|any|do|up|with|by|about|new|first|last|schedule|book|arrange|plan|set|join|us|me|please|minute|hour|hours|minutes|min|\d.*|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s)?|today'?s?|tomorrow'?s?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|move|push|fancy|grab|grabbing|getting|having|doing|want|wanna|zum|zur|ein|eine|einen|einem|der|die|das|den|dem|unser|unsere|unserem|unseren|unserer|ihr|ihre|ihren|ihrem|ihrer|mein|meine|meinen|meinem|meiner|dein|deine|deinen|deinem|deiner|kurzes|kurzen|nächstes|nächsten|für|im|am|wir|uns|zu|quick|possible|another)$/iu

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Builds a title from the occasion nearest to a time: "quarterly review", "Lunch with Ann". */
export const occasionAt = (
  text: string,
  occasions: readonly Piece[],
  offset: number,
  people: readonly Piece[],
): string | undefined => {
  const nearest = occasions.toSorted((a, b) => Math.abs(a.offset - offset) - Math.abs(b.offset - offset))[0]
  if (!nearest) return undefined
  const word = nearest.text.toLowerCase()
  const before =
    QUALIFIER.exec(text.slice(Math.max(0, nearest.offset - 60), nearest.offset))?.[1]?.trim() ?? ''
  const kept: string[] = []
  for (const piece of before.split(/\s+/).toReversed()) {
    if (piece === '' || FILLER.test(piece)) break
    kept.unshift(piece)
  }
  const base =
    kept.length > 0 && !VERB.test(nearest.text)
      ? `${kept.join(' ')} ${nearest.text}`
      : (PLAIN[word] ?? nearest.text)
  const names = people.slice(0, 3).map(({ text: name }) => name)
  if (names.length === 0 || kept.length > 0) return capital(base)
  const along = isGerman(text.slice(Math.max(0, offset - 500), offset + 500)) ? 'mit' : 'with'
  return capital(`${base} ${along} ${names.join(', ')}`)
}
