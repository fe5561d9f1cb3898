import { atHome, wallOf } from './dates/home-clock.ts'
import type { Moment } from './dates/outcome.ts'
import type { TimeExpression } from './dates/read.ts'
import { ruleAtHome } from './recurrence/home-rule.ts'
import { dueOf, type LineOptions, nowOf, taskTimes } from './task-times.ts'

export type Priority = 'low' | 'normal' | 'high' | 'urgent'

/** What was understood of a line that becomes a task, each with its place in it. */
export interface Understood {
  kind: 'due' | 'zone' | 'recurrence' | 'priority' | 'tag' | 'estimate'
  text: string
  offset: number
}

export interface QuickTask {
  title: string
  /** On the wall clock of the person; without seconds when no hour was said. */
  due?: Moment
  /** RFC 5545. */
  recurrence?: string
  priority: Priority
  tags: string[]
  estimateMinutes?: number
  understood: Understood[]
}

const TAG = /(?<=^|\s)#(\p{L}[\p{L}\d_/-]{0,49})/gu
const PRIORITY =
  /(?<=[\p{L}\d])!{2,3}(?=\s*$)|(?<=^|\s)(?:!(urgent|high|normal|medium|low|dringend|hoch|mittel|niedrig)\b|(!{1,3})(?=\s|$)|!?p([0-4])(?=\s|$)|(?:priority|prio|priorität)[\s:]+(urgent|high|normal|medium|low|dringend|hoch|mittel|niedrig|[0-4])\b|\(?(urgent|high|normal|medium|low|hohe|mittlere|niedrige)[ -](?:priority|prio|priorität)\b\)?:?)/giu
const ASIDE =
  /\((urgent|dringend|asap|important|wichtig)\)|(?<=^|\s)(asap|dringend|urgent|important|wichtig)(?=\s*[:!]|\s*$)[:!]?|^\s*(dringend)(?=\s)/giu

const PRIORITIES: Readonly<Record<string, Priority>> = {
  urgent: 'urgent',
  dringend: 'urgent',
  high: 'high',
  hoch: 'high',
  hohe: 'high',
  normal: 'normal',
  medium: 'normal',
  mittel: 'normal',
  mittlere: 'normal',
  low: 'low',
  niedrig: 'low',
  niedrige: 'low',
  '!!!': 'urgent',
  '!!': 'high',
  '!': 'high',
  '0': 'urgent',
  '1': 'urgent',
  '2': 'high',
  '3': 'normal',
  '4': 'low',
}

/** Words that lead to a time and go with it. */
const LEAD =
  /(?<=^|[\s([])(?:(?:due:?|by|on|at|for|until|before|from|starting|bis(?: zum)?|am|um|ab|im|in|für|zum|fällig:?|every|this|the|@)\s+){1,3}$/iu
const POLITE =
  /^\s*(?:(?:please|pls|bitte)\s+)?(?:(?:remind me|remember|don'?t forget|nicht vergessen|vergiss nicht|erinnere mich|denk daran|ich muss|i (?:need|have) to|reminder|erinnerung|to-?do|task|aufgabe)\b[:,]?\s*(?:to\s|daran,?\s|an\s)?)?/iu

/** What is longer is no line. */
const LONGEST_LINE = 5000

const DAY_MS = 86_400_000

interface Cut extends Understood {
  end: number
}

/** The dot of "am 1." goes with the number: it is no end of a sentence. */
const withDot = (text: string, time: TimeExpression): number =>
  /^\d\.(?=\s|$)/u.test(text.slice(time.offset + time.text.length - 1))
    ? time.text.length + 1
    : time.text.length

const cutOf = (kind: Understood['kind'], text: string, offset: number, length: number): Cut => ({
  kind,
  text: text.slice(offset, offset + length),
  offset,
  end: offset + length,
})

/** The words of a time, with those that lead to it, and apart from them the zone by which it was said. */
const cutsOf = (kind: Understood['kind'], text: string, time: TimeExpression): Cut[] => {
  const lead = LEAD.exec(text.slice(0, time.offset))?.[0].length ?? 0
  const [from, to] = [time.offset - lead, time.offset + withDot(text, time)]
  const { zone, zoneOffset } = time
  if (!zone || zoneOffset === undefined) return [cutOf(kind, text, from, to - from)]
  const before = text.slice(from, Math.min(to, zoneOffset)).replace(/[\s,(]+$/u, '')
  const after = zoneOffset + zone.text.length
  const rest = text.slice(after, Math.max(to, after))
  const skipped = /^[\s,)]*/u.exec(rest)?.[0].length ?? 0
  return [
    cutOf(kind, text, from, before.length),
    cutOf('zone', text, zoneOffset, zone.text.length),
    ...(skipped < rest.length ? [cutOf(kind, text, after + skipped, rest.length - skipped)] : []),
  ]
}

const isSameHour = (time: TimeExpression, home: Moment | undefined, timezone: string | undefined): boolean =>
  time.zone !== undefined &&
  time.start?.seconds !== undefined &&
  timezone !== undefined &&
  atHome(time.start, time.zone, timezone).seconds === home?.seconds

/** A time inside quotation marks is part of the title. */
const isQuoted = (text: string, offset: number): boolean =>
  (text.slice(0, offset).match(/["“„”]/gu)?.length ?? 0) % 2 === 1

/** "From 3 to 4pm", "at 5 for 30 minutes": how long it takes is said with when it is. */
const lengthOf = (time: TimeExpression | undefined): number => {
  if (!time?.start || !time.end || time.part || time.end.seconds === undefined) return 0
  const [from, to] = [time.start, time.end].map(({ day, seconds = 0 }) => day * 86_400 + seconds)
  return Math.max(0, Math.round(((to as number) - (from as number)) / 60))
}

/** "Update the CV (1h)". */
const isBracketed = (text: string, { offset, text: words }: TimeExpression): boolean =>
  /[([]~?$/u.test(text.slice(Math.max(0, offset - 2), offset)) &&
  /^[)\]]/u.test(text.slice(offset + words.length))

/** "30 min run": how long, before what. */
const isMeasure = (text: string, { offset, text: words, grain }: TimeExpression): boolean =>
  (grain === 'minute' || grain === 'hour') &&
  text.slice(0, offset).trim() === '' &&
  /^\s+(?!of\b|or\b|before\b|after\b|late|early|ago\b|from\b|vor\b|nach\b)\p{L}/iu.test(
    text.slice(offset + words.length),
  )

/** Of what comes back, the first day; not today when the hour is over. */
const firstFrom = (text: string, options: LineOptions, clock: TimeExpression): Moment | undefined => {
  const midnight = (Math.floor(options.now / DAY_MS) + 1) * DAY_MS
  const isOver = (clock.start?.seconds ?? 0) * 1000 < nowOf(clock, options) % DAY_MS
  const times = taskTimes(text, { ...options, now: isOver ? midnight : options.now })
  return times.find(({ kind }) => kind === 'recurrence')?.start
}

const OF_A_MONTH = /\b(?:im|des|of the|in the|of this)\s+(?:monats?|month)$/iu
/** "On the first Monday of the month", said in the middle of one: nobody captures what is over. */
const isOver = (time: TimeExpression | undefined, due: Moment | undefined, now: number): boolean =>
  time !== undefined && due !== undefined && due.day < Math.floor(now / DAY_MS) && OF_A_MONTH.test(time.text)

const nextMonth = (now: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** A line such as "pay rent every month on the 1st !high #home", taken apart. */
export const readQuickTask = (line: string, options: LineOptions, isMoved = false): QuickTask => {
  const text = line.slice(0, LONGEST_LINE)
  const cuts: Cut[] = []
  const tags: string[] = []
  for (const match of text.matchAll(TAG)) {
    cuts.push(cutOf('tag', text, match.index, match[0].length))
    const tag = (match[1] as string).toLowerCase()
    if (!tags.includes(tag)) tags.push(tag)
  }
  let priority: Priority = 'normal'
  const found = text.matchAll(PRIORITY).next().value
  const aside = found ? undefined : text.matchAll(ASIDE).next().value
  if (found) {
    priority =
      PRIORITIES[(found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? found[0]).toLowerCase()] ??
      'normal'
    cuts.push(cutOf('priority', text, found.index, found[0].length))
  } else if (aside) {
    priority = /^(?:important|wichtig)$/iu.test(aside[1] ?? aside[2] ?? '') ? 'high' : 'urgent'
    cuts.push(cutOf('priority', text, aside.index, aside[0].length))
  }
  const free = (time: TimeExpression): boolean =>
    !isQuoted(text, time.offset) &&
    !cuts.some(({ offset, end }) => time.offset < end && offset < time.offset + time.text.length)
  const times = taskTimes(text, options).filter(free)
  const set = times.find(({ kind }) => kind === 'recurrence')
  const points = times.filter((time) => time !== set && time.kind !== 'duration' && time.start)
  // The last time that is named is when it is due; the ones before belong to what there is to do.
  const clock = points.findLast(({ start, kind }) => start?.seconds !== undefined && kind !== 'daterange')
  const day = points.findLast(({ dated, start }) => dated && start?.seconds === undefined)
  const main = clock?.dated ? clock : (day ?? clock)
  const due = main ? dueOf(main, options.now) : set ? set.start : undefined
  const joined =
    due && main === day && clock && !clock.dated && clock.start
      ? { ...due, seconds: clock.start.seconds as number }
      : due
  const timed =
    set && clock?.start?.seconds !== undefined && !clock.dated && set.start
      ? { ...(firstFrom(text, options, clock) ?? set.start), seconds: clock.start.seconds }
      : joined
  if (!isMoved && isOver(main, due, options.now))
    return readQuickTask(line, { ...options, now: nextMonth(options.now) }, true)
  const zone = (clock ?? set)?.zone
  const home = timed && options.timezone ? atHome(timed, zone, options.timezone) : timed
  for (const time of new Set([main, main === day && !clock?.dated ? clock : undefined]))
    if (time) cuts.push(...cutsOf('due', text, time))
  if (set) cuts.push(...cutsOf('recurrence', text, set))
  // "9am PT / 12pm ET": the same hour, told again.
  for (const time of points)
    if (zone && time !== main && time !== clock && isSameHour(time, home, options.timezone))
      cuts.push(...cutsOf('due', text, time))
  const length = times.find(
    (time) =>
      time.kind === 'duration' &&
      (/(?:\bfor|\bfür|~|\btakes|\bdauert)\s*$/iu.test(text.slice(0, time.offset)) ||
        isBracketed(text, time) ||
        isMeasure(text, time)),
  )
  const minutes =
    length?.duration && length.duration.months === 0
      ? Math.round((length.duration.days * 86_400 + length.duration.seconds) / 60)
      : lengthOf(clock) || lengthOf(set)
  if (length && minutes > 0 && minutes <= 6000) {
    const lead = /(?:for|für|~|takes|dauert|[([])\s*$/iu.exec(text.slice(0, length.offset))?.[0].length ?? 0
    const tail = isBracketed(text, length) ? 1 : 0
    cuts.push({
      ...cutOf('estimate', text, length.offset, length.text.length + tail),
      offset: length.offset - lead,
    })
  }
  return {
    title: titleOf(text, cuts),
    ...(home ? { due: home } : {}),
    ...(set?.rule
      ? { recurrence: timed && home ? ruleAtHome(set.rule, wallOf(timed), wallOf(home)) : set.rule }
      : {}),
    priority,
    tags,
    ...(minutes > 0 && minutes <= 6000 ? { estimateMinutes: minutes } : {}),
    understood: cuts
      .map(({ kind, offset, end }) => ({ kind, text: text.slice(offset, end), offset }))
      .sort((a, b) => a.offset - b.offset),
  }
}

/** What is left between the pieces that were understood. Brackets and slashes that held nothing else go with them. */
const titleOf = (text: string, cuts: readonly Cut[]): string => {
  let rest = ''
  let at = 0
  const ordered = [...cuts].sort((a, b) => a.offset - b.offset)
  for (const [index, { offset, end }] of ordered.entries()) {
    const between = text.slice(at, Math.max(at, offset))
    const isJoined = index > 0 && /^\s*[/|=]?\s*$/u.test(between)
    if (!isJoined) rest += `${between} `
    at = Math.max(at, end)
    const next = ordered[index + 1]
    const close = /^\s*[)\]]/u.exec(text.slice(at, next?.offset))?.[0].length ?? 0
    const open = close > 0 ? /[([]\s*$/u.exec(rest) : null
    if (open) {
      rest = rest.slice(0, open.index)
      at += close
    }
  }
  rest += text.slice(at)
  const bare = rest
    .replace(/\s+/gu, ' ')
    .replace(/\s+([,.;:!?])(?=\s|$)/gu, '$1')
    .trim()
  const short = bare.replace(POLITE, '').replace(/^[\s,;:–-]+|[\s,;:–-]+$/gu, '')
  return short !== '' ? short : bare !== '' ? bare : text.trim()
}
