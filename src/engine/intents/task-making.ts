import { readTimes } from '../dates/read.ts'
import { readQuickTask } from '../quick-task.ts'
import { minutesOf, wallText } from './moments.ts'
import { TASK } from './picks.ts'
import { draft, proof, type Request, type Rule } from './request.ts'
import { LEVEL, listIn, PRIORITIES, type Priority, priorityIn } from './task-words.ts'
import type { Wall } from './vocabulary.ts'

/** "a weekly reminder". */
const OFTEN =
  'daily|weekly|monthly|yearly|annual|recurring|repeating|tägliche|wöchentliche|monatliche|jährliche'
const EVERY: readonly (readonly [RegExp, string])[] = [
  [/\b(?:daily|tägliche)\b/iu, 'every day'],
  [/\b(?:weekly|wöchentliche)\b/iu, 'every week'],
  [/\b(?:monthly|monatliche)\b/iu, 'every month'],
  [/\b(?:yearly|annual|jährliche)\b/iu, 'every year'],
]

const NEW = new RegExp(
  `^(?:(?:add|create|make|set(?: up)?|put|new|insert|enter|log|record|open|i need|give me|have|neue?|erstelle?|lege?|füge?|mache?|notiere?)\\s+)?(?:(?:an?|the|another|new|my|me|eine?|neue|die|quick|(?:${LEVEL})[- ]priority|(?:${LEVEL})|${OFTEN})\\s+)*(?:${TASK.slice(3, -1)}|reminder|erinnerung)(?:\\s+(?:in|to|on) (?:my|the) (?:${TASK.slice(3, -1)})?\\s?(?:list)?)?(?:\\s*[:–-]\\s*|\\s+(?:to|for|about|called|named|titled|that says|saying|of|that|which says|zu|an|für|namens)\\s+|\\s*,\\s*|\\s+(?=["“#])|\\s+)`,
  'iu',
)
const NEW_VERB =
  /^(?:add|create|make|set|put|new|insert|enter|log|record|neue?|erstelle?|lege?|füge?|notiere?|(?:a |an |the |my )?(?:tasks?|to-?dos?|reminder|aufgabe)\s*[:–-])/iu
const REMIND =
  /^(?:i(?:'d| would)? (?:need|want|like) a reminder|remind(?: me| us)?|give me a reminder|set (?:me )?a reminder|don'?t let me forget|do not let me forget|remember|don'?t forget|i (?:must|should|can)(?: not|n'?t|not) forget|ich darf nicht vergessen|note to self|note(?=\s*:)|notiz(?=\s*:)|make a note|jot down|write down|note down|schreib auf|ping me|nudge me|erinnere?(?: mich| uns)?|denk(?:e)? daran|vergiss nicht|merke? dir|notiere?(?: dir)?)(?![\p{L}])[\s,:]*(?:(?:(?:about|of|that|daran|dran|an (?:den|die|das|meinen?)|an|ans|zu)(?![\p{L}])|to(?= \p{L}))[\s,]*)?/iu
const WHEN_FIRST = /^\|[|\s,]*(?:please\s+)?(?=remind|erinnere)/iu
const MUST =
  /^(?:i (?:need|have|must|ought|got|gotta|still need|still have)(?: to)?|(?:need|have|got|gotta|remember) to|i should|i must|ich muss|ich sollte|todo|to do|task|aufgabe)(?![\p{L}])[\s,:]*/iu
/** "I should call the plumber tomorrow, can you remind me". */
const TRAILING =
  /^(?:(?:i think|i guess|maybe)\s+)?(?:i\s+)?(?:should|need to|have to|must|gotta|ought to|want to|ich muss|ich sollte|ich will)\s+(.+?)[\s,.;]+(?:so\s+)?(?:(?:can|could|would) you\s+|kannst du mich\s+)?(?:please\s+|bitte\s+)?(?:remind me|erinnere? mich|erinnern)(?:\s+(?:about|of) (?:it|that)|\s+then|\s+daran|\s+bitte)?[.!?]?$/iu
/** 'add "buy tickets" as a task for Thursday'. */
const AS_TASK = new RegExp(
  `^(?:add|put|save|note|file|log|create|trage?|füge?)\\s+(.+?)\\s+(?:as|als)\\s+(?:(?:an?|new|eine|neue|(?:${LEVEL}))\\s+)*(${TASK}|reminder|erinnerung)(?![\\p{L}])(.*)$`,
  'iu',
)
const ADD_TO_LIST =
  /^(?:add|put|write|place|include|throw|setze?|schreibe?|packe?|füge?|stick|note)\s+(.+)$/iu

export const wallDue = (
  request: Request,
  text: string,
): { due?: Wall; quick: ReturnType<typeof readQuickTask> } => {
  const quick = readQuickTask(text, request.context)
  return { quick, ...(quick.due ? { due: wallText(quick.due) } : {}) }
}

const TITLE_HEAD =
  /^(?:(?:an (?:den|die|das|meinen?|unsere?n?)|ans|to|that i (?:need|have) to|that i should|that|about|of|for|me|dass ich|daran|zu|an|on|by|at|and|hinzu|down)(?![\p{L}])[\s,:]+)+/iu
const TITLE_TAIL =
  /(?:[\s,;:–-]|\b(?:by|on|at|due|for|with|and|to|mit|bis|am|um|hinzu|an|auf|ein|zu erinnern)(?![\p{L}]))+$/iu
/** ", about two hours": how long it takes. */
const TAKING =
  /[,;(]\s*(?:it )?(?:takes?|needs?|for)?\s*(?:about|approx\.?|around|roughly|ca\.?|etwa|ungefähr|takes|dauert(?: etwa)?)\s+([\p{L}\d.,½ ]{1,24}(?:h|hours?|minutes?|mins?|stunden?|minuten))\s*\)?(?=\s*(?:[,;.!]|$))/iu
const CHORE_PARTICLE = /\b(?:an|auf|ein)$/iu

const without = (text: string, from: number, to: number): string => `${text.slice(0, from)} ${text.slice(to)}`

/** What is left of a line when its frame is taken off: what there is to do, until when, how often. */
const taskOf = (request: Request, body: string, reminder: boolean) => {
  let rest = body
  const list = listIn(rest)
  if (list) rest = without(rest, list.from, list.to)
  const level = priorityIn(rest)
  if (level) rest = without(rest, level.from, level.to)
  const taking = TAKING.exec(rest)
  const estimate = taking ? minutesOf(readTimes(taking[1] as string, request.context)[0]) : undefined
  if (taking && estimate) rest = without(rest, taking.index, taking.index + taking[0].length)
  const { due, quick } = wallDue(request, rest.trim())
  const strip = (title: string): string => {
    const bare = title
      .replace(/["”“.!?]+$/gu, '')
      .replace(TITLE_HEAD, '')
      .trim()
    return (CHORE_PARTICLE.test(bare) && !request.german ? bare : bare.replace(TITLE_TAIL, ''))
      .replace(/^["“„]|["”“.!?]+$/gu, '')
      .replace(/^'(.+)'$/u, '$1')
      .trim()
  }
  const title = strip(quick.title)
  const left = quick.understood.reduceRight(
    (words, { text, offset }) => without(words, offset, offset + text.length),
    rest.trim(),
  )
  const onlyTime =
    quick.understood.length > 0 &&
    !/[\p{L}\d]/u.test(left.replace(TITLE_HEAD, '').replace(/\b(?:to|about|it|me|again|at|on|by)\b/giu, ''))
  const priority =
    level?.priority ??
    priorityIn(request.text)?.priority ??
    (quick.priority === 'normal' ? undefined : quick.priority)
  return {
    title: onlyTime ? '' : title,
    more: {
      ...(due ? { due } : {}),
      ...(reminder && due?.includes('T') ? { remindAt: due } : {}),
      ...(quick.recurrence ? { recurrence: quick.recurrence } : {}),
      ...(priority ? { priority } : {}),
      ...(quick.tags.length > 0 ? { tags: quick.tags } : {}),
      ...(list?.name ? { list: list.name } : {}),
      ...((estimate ?? quick.estimateMinutes)
        ? { estimateMinutes: (estimate ?? quick.estimateMinutes) as number }
        : {}),
    },
  }
}

const created = (request: Request, body: string, confidence: number, reminder: boolean, level?: Priority) => {
  const { title, more: said } = taskOf(request, body, reminder)
  const more = level && !said.priority ? { ...said, priority: level } : said
  const pointed = title === '' || /^(?:it|that|this|about it|of it|das|daran|me|mich)$/iu.test(title)
  const evidence = proof(request, 'due', request.times)
  if (pointed && request.before && more.due)
    return draft(
      'update_task',
      { task: request.before, due: more.due, ...(more.remindAt ? { remindAt: more.remindAt } : {}) },
      0.8,
      evidence,
    )
  if (pointed) return { lacks: 'what there is to do' }
  return draft('create_task', { title, ...more }, confidence, evidence)
}

export const CALENDAR =
  /\b(?:calendar|calender|schedule|agenda|diary|kalender|meeting|event|appointment|termin)\b/iu

export const createTask: Rule = (request) => {
  const { text } = request
  // "every weekday at 9 remind me to …": the time may come first.
  const first = WHEN_FIRST.exec(request.timeless)
  if (first) {
    const later = REMIND.exec(text.slice(first[0].length))
    if (later)
      return created(
        request,
        `${text.slice(first[0].length + later[0].length)} ${text.slice(0, first[0].length)}`,
        0.92,
        true,
      )
  }
  const remind = REMIND.exec(text)
  if (remind)
    return created(request, text.slice(remind[0].length), 0.93, /remind|erinner|ping|nudge/iu.test(remind[0]))
  const fresh = NEW.exec(text)
  if (fresh && NEW_VERB.test(text)) {
    const often = EVERY.find(([form]) => form.test(fresh[0]))?.[1]
    const level = new RegExp(`\\b(${LEVEL})\\b`, 'iu').exec(fresh[0])?.[1]?.toLowerCase()
    return created(
      request,
      `${text.slice(fresh[0].length)}${often ? ` ${often}` : ''}`,
      0.94,
      /reminder|erinnerung/iu.test(fresh[0]),
      level === undefined ? undefined : PRIORITIES[level],
    )
  }
  const as = AS_TASK.exec(text)
  if (as) return created(request, `${as[1]} ${as[3]}`, 0.93, /reminder|erinnerung/iu.test(as[2] as string))
  const list = listIn(text)
  const added = ADD_TO_LIST.exec(text)
  if (list && added && !/\b(?:guest|mailing|contact|play|email)\s?list\b/iu.test(text))
    return created(request, added[1] as string, 0.92, false)
  const trailing = TRAILING.exec(text)?.[1]
  if (trailing) return created(request, trailing, 0.92, true)
  const must = MUST.exec(text)
  if (must && !CALENDAR.test(text) && !/^i (?:have|need|got)\s+(?!to\b)/iu.test(text) && !text.endsWith('?'))
    return created(
      request,
      text.slice(must[0].length),
      request.times.length > 0 || /^(?:todo|to do|task|aufgabe|i still (?:need|have) to)/iu.test(text)
        ? 0.9
        : 0.75,
      false,
    )
  return undefined
}
