import { readQuickTask } from '../quick-task.ts'
import { atHome, rangeOf, wallText } from './moments.ts'
import { pickTask, TASK } from './picks.ts'
import { draft, proof, type Request, type Rule } from './request.ts'
import type { ToolArguments, Wall } from './vocabulary.ts'

type Priority = NonNullable<ToolArguments['create_task']['priority']>

const PRIORITIES: Readonly<Record<string, Priority>> = {
  urgent: 'urgent', top: 'urgent', highest: 'urgent', critical: 'urgent', dringend: 'urgent', höchste: 'urgent', höchster: 'urgent',
  high: 'high', important: 'high', hoch: 'high', hohe: 'high', hoher: 'high', wichtig: 'high',
  normal: 'normal', medium: 'normal', mittel: 'normal', mittlere: 'normal', mittlerer: 'normal',
  low: 'low', lowest: 'low', niedrig: 'low', niedrige: 'low', niedriger: 'low',
}
const LEVEL = Object.keys(PRIORITIES).join('|')
const PRIORITY = new RegExp(
  `[,;]?\\s*(?:\\b(?:with|at|as|mit|and|make it|it'?s|it is|set (?:it )?to)\\s+)?(?:a\\s+)?(?:\\b(${LEVEL})[- ]?(?:priority|prio|priorität)\\b|\\b(?:priority|prio|priorität)\\s*(?:is|:|of|=|to|auf)?\\s*(${LEVEL})\\b|,\\s*(urgent|important|dringend|wichtig)\\b(?=\\s*[.,!]?$)|\\((urgent|important|high|low|dringend)\\))`,
  'iu',
)

const priorityIn = (text: string): { priority: Priority; from: number; to: number } | undefined => {
  const match = PRIORITY.exec(text)
  const word = match && (match[1] ?? match[2] ?? match[3] ?? match[4])
  return match && word
    ? { priority: PRIORITIES[word.toLowerCase()] as Priority, from: match.index, to: match.index + match[0].length }
    : undefined
}

const LIST = /\b(?:(?:on|to|onto|in|into|auf|zu)\s+(?:my|the|our|a|die|meine|unsere|der|meiner|unserer)|zur)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)\b/iu
const TODO = /^(?:to-?do|to do|task|tasks|aufgaben|todo)s?-?$/iu

/** "einkaufs" of "Einkaufsliste" is "einkauf". */
const listName = (words: string | undefined): string | undefined => {
  const name = words?.trim().replace(/-$/u, '').toLowerCase().replace(/^(?:einkauf|geburtstag|arbeit|urlaub)s$/u, (word) => word.slice(0, -1))
  return name && !TODO.test(name) && !/^(?:of )?my$/u.test(name) ? name : undefined
}

const listIn = (text: string): { name?: string; from: number; to: number } | undefined => {
  const match = LIST.exec(text)
  if (!match) return undefined
  const name = listName(match[1])
  return { ...(name ? { name } : {}), from: match.index, to: match.index + match[0].length }
}

const NEW = new RegExp(
  `^(?:(?:add|create|make|set(?: up)?|put|new|insert|enter|log|record|open|i need|give me|have|neue?|erstelle?|lege?|füge?|mache?|notiere?)\\s+)?(?:(?:an?|the|another|new|my|me|eine?|neue|die|quick|(?:${LEVEL})[- ]priority|(?:${LEVEL}))\\s+)*(?:${TASK.slice(3, -1)}|reminder|erinnerung)(?:\\s+(?:in|to|on) (?:my|the) (?:${TASK.slice(3, -1)})?\\s?(?:list)?)?(?:\\s*[:–-]\\s*|\\s+(?:to|for|about|called|named|titled|that says|saying|of|that|which says|zu|an|für|namens)\\s+|\\s*,\\s*|\\s+(?=["“#])|\\s+)`,
  'iu',
)
const NEW_VERB = /^(?:add|create|make|set|put|new|insert|enter|log|record|neue?|erstelle?|lege?|füge?|notiere?|(?:a |an |the |my )?(?:tasks?|to-?dos?|reminder|aufgabe)\s*[:–-])/iu
const REMIND =
  /^(?:remind(?: me| us)?|give me a reminder|set (?:me )?a reminder|don'?t let me forget|do not let me forget|remember|don'?t forget|note to self|make a note|ping me|nudge me|erinnere?(?: mich| uns)?|denk(?:e)? daran|vergiss nicht|merke? dir|notiere?(?: dir)?)(?![\p{L}])[\s,:]*(?:(?:(?:about|of|that|daran|dran|an (?:den|die|das|meinen?)|an|ans|zu)(?![\p{L}])|to(?= \p{L}))[\s,]*)?/iu
const MUST = /^(?:i (?:need|have|must|ought|got|gotta|still need|still have)(?: to)?|i should|i must|ich muss|ich sollte|todo|to do|task|aufgabe)(?![\p{L}])[\s,:]*/iu
const ADD_TO_LIST = /^(?:add|put|write|place|include|throw|setze?|schreibe?|packe?|füge?|stick|note)\s+(.+)$/iu

const wallDue = (request: Request, text: string): { due?: Wall; quick: ReturnType<typeof readQuickTask> } => {
  const { context } = request
  const quick = readQuickTask(text, { now: context.now, ...(context.order ? { order: context.order } : {}) })
  const zoned = request.times.find(({ zone }) => zone)
  return {
    quick,
    ...(quick.due ? { due: wallText(zoned ? atHome(quick.due, zoned, context.timezone) : quick.due) } : {}),
  }
}

const TITLE_HEAD = /^(?:(?:an (?:den|die|das|meinen?|unsere?n?)|ans|to|that i (?:need|have) to|that i should|that|about|of|for|me|dass ich|daran|zu|an|on|by|at|and)(?![\p{L}])[\s,:]+)+/iu
const TITLE_TAIL = /(?:[\s,;:–-]|\b(?:by|on|at|due|for|with|and|to|mit|bis|am|um|hinzu|an|auf|ein|zu erinnern)(?![\p{L}]))+$/iu
const CHORE_PARTICLE = /\b(?:an|auf|ein)$/iu

const without = (text: string, from: number, to: number): string => `${text.slice(0, from)} ${text.slice(to)}`

/** What is left of a line when its frame is taken off: what there is to do, until when, how often. */
const taskOf = (request: Request, body: string, reminder: boolean) => {
  let rest = body
  const list = listIn(rest)
  if (list) rest = without(rest, list.from, list.to)
  const level = priorityIn(rest)
  if (level) rest = without(rest, level.from, level.to)
  const { due, quick } = wallDue(request, rest.trim())
  const strip = (title: string): string => {
    const bare = title.replace(/["”“.!?]+$/gu, '').replace(TITLE_HEAD, '').trim()
    return (CHORE_PARTICLE.test(bare) && !request.german ? bare : bare.replace(TITLE_TAIL, '')).replace(/^["“„]|["”“.!?]+$/gu, '').trim()
  }
  const title = strip(quick.title)
  const left = quick.understood.reduceRight((words, { text, offset }) => without(words, offset, offset + text.length), rest.trim())
  const onlyTime = quick.understood.length > 0 && !/[\p{L}\d]/u.test(left.replace(TITLE_HEAD, '').replace(/\b(?:to|about|it|me|again|at|on|by)\b/giu, ''))
  const priority = level?.priority ?? priorityIn(request.text)?.priority ?? (quick.priority === 'normal' ? undefined : quick.priority)
  return {
    title: onlyTime ? '' : title,
    more: {
      ...(due ? { due } : {}),
      ...(reminder && due?.includes('T') ? { remindAt: due } : {}),
      ...(quick.recurrence ? { recurrence: quick.recurrence } : {}),
      ...(priority ? { priority } : {}),
      ...(quick.tags.length > 0 ? { tags: quick.tags } : {}),
      ...(list?.name ? { list: list.name } : {}),
      ...(quick.estimateMinutes ? { estimateMinutes: quick.estimateMinutes } : {}),
    },
  }
}

const created = (request: Request, body: string, confidence: number, reminder: boolean) => {
  const { title, more } = taskOf(request, body, reminder)
  const pointed = title === '' || /^(?:it|that|this|about it|of it|das|daran|me|mich)$/iu.test(title)
  const evidence = proof(request, 'due', request.times)
  if (pointed && request.before && more.due)
    return draft('update_task', { task: request.before, due: more.due, ...(more.remindAt ? { remindAt: more.remindAt } : {}) }, 0.8, evidence)
  if (pointed) return { lacks: 'what there is to do' }
  return draft('create_task', { title, ...more }, confidence, evidence)
}

const CALENDAR = /\b(?:calendar|calender|schedule|agenda|diary|kalender|meeting|event|appointment|termin)\b/iu

const createTask: Rule = (request) => {
  const { text } = request
  const remind = REMIND.exec(text)
  if (remind) return created(request, text.slice(remind[0].length), 0.93, /remind|erinner|ping|nudge/iu.test(remind[0]))
  const fresh = NEW.exec(text)
  if (fresh && NEW_VERB.test(text)) return created(request, text.slice(fresh[0].length), 0.94, /reminder|erinnerung/iu.test(fresh[0]))
  const list = listIn(text)
  const added = ADD_TO_LIST.exec(text)
  if (list && added && !/\b(?:guest|mailing|contact|play|email)\s?list\b/iu.test(text)) return created(request, added[1] as string, 0.92, false)
  const must = MUST.exec(text)
  if (must && !CALENDAR.test(text) && !/^i (?:have|need|got)\s+(?!to\b)/iu.test(text) && !text.endsWith('?'))
    return created(request, text.slice(must[0].length), 0.7, false)
  return undefined
}

const DONE = '(?:done|complete|completed|finished|closed|ticked off|checked off|erledigt|fertig|abgeschlossen|abgehakt)'
const MARK_DONE = new RegExp(`^(?:mark|set|check|tick|cross|consider|flag|markiere?|setze?|hake?|kreuze?)\\s+(?:off\\s+)?(.+?)(?:\\s+(?:as|to|is|als|auf)\\s+(?:being\\s+)?${DONE}|\\s+${DONE}|\\s+off(?: (?:my|the) (?:\\p{L}+ )?list)?|\\s+ab)[.!]?$`, 'iu')
const CHECK_OFF = /^(?:check|tick|cross|strike) off\s+(.+?)(?:\s+(?:from|on|off) (?:my|the) (?:[\p{L}-]+ )?(?:list|tasks?))?[.!]?$/iu
const COMPLETE = /^(?:complete|finish|close|resolve|erledige|schließe?)\s+(?!by\b|before\b)(.+?)(?:\s+ab)?[.!]?$/iu
const DID = new RegExp(`^(?:i(?:'ve| have| just|'m| am)?(?: already| just| finally)?\\s+(?:finished|completed|done(?: with)?|did|taken care of|checked off)|ich habe?|ich bin mit)\\s+(.+?)(?:\\s+(?:erledigt|fertig|gemacht|abgeschlossen))?[.!]?$`, 'iu')
const IS_DONE = new RegExp(`^(?:the\\s+|my\\s+|die\\s+|das\\s+)?(.+?)\\s+(?:is|are|has been|was|ist|sind|wurde)\\s+(?:now\\s+|already\\s+|schon\\s+)?${DONE}[.!]?$`, 'iu')

const completeTask: Rule = (request) => {
  const { text } = request
  if (text.endsWith('?') || /^(?:what|which|how|when|was|welche|wie)\b/iu.test(text)) return undefined
  const german = /^ich ha(?:be|b)\b/iu.test(text) && !/\b(?:erledigt|fertig|gemacht|abgeschlossen)\b/iu.test(text)
  const named =
    CHECK_OFF.exec(text)?.[1] ?? MARK_DONE.exec(text)?.[1] ?? (german ? undefined : DID.exec(text)?.[1]) ?? IS_DONE.exec(text)?.[1]
  const done = named ?? COMPLETE.exec(text)?.[1]
  if (!done) return undefined
  const task = pickTask(done)
  return task ? draft('complete_task', { task }, named || new RegExp(`\\b${TASK}\\b`, 'iu').test(text) ? 0.92 : 0.82) : { lacks: 'which task' }
}

const DROP = /^(?:delete|remove|erase|drop|scrap|take|cross|get rid of|clear|lösche?|entferne|streiche?|nimm)\s+(.+)$/iu
const FROM_LIST = /\s+(?:from|off(?: of)?|out of|von|aus)\s+(?:my|the|our|der|meiner|unserer)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste|tasks|to-?dos)\b/iu

const deleteTask: Rule = (request) => {
  const dropped = DROP.exec(request.text)?.[1]
  if (!dropped) return undefined
  const list = FROM_LIST.exec(dropped)
  const tasky = new RegExp(`\\b${TASK}\\b|\\breminder\\b|\\berinnerung\\b`, 'iu').test(dropped)
  if (!list && !tasky) return undefined
  const task = pickTask(list ? dropped.slice(0, list.index) : dropped)
  if (!task) return { lacks: 'which task' }
  const name = listName(list?.[1])
  return draft('delete_task', { task, ...(name ? { list: name } : {}) }, 0.9)
}

const SET = new RegExp(`^(?:set|change|update|raise|lower|bump|make|give|turn|move|push|postpone|reschedule|shift|delay|put off|rename|call|tag|label|setze?|ändere?|verschiebe?|verlege?|benenne?|add (?:the )?tag)\\s+(.+)$`, 'iu')
const PRIORITY_OF = new RegExp(`^(?:the\\s+)?(?:priority|prio|priorität)\\s+(?:of|for|on|von|der)\\s+(.+?)\\s+(?:to|as|auf)\\s+(${LEVEL})`, 'iu')
const TO_PRIORITY = new RegExp(`^(.+?)\\s+(?:(?:to|as|a|with|auf|mit)\\s+)*(?:an?\\s+)?(?:(${LEVEL})[- ]?(?:priority|prio|priorität)|(?:priority|prio|priorität)\\s+(${LEVEL})|(urgent|important|dringend|wichtig))(?:\\s+\\p{L}+)?$`, 'iu')
const DUE_OF = /^(?:the\s+)?(?:due date|deadline|date|fälligkeit|frist)\s+(?:of|for|on|von|der|für)\s+(.+?)(?:\s+(?:to|back to|auf)\b|\s*\||$)/iu
const NAME_TO = /^(.+?)\s+(?:to|into|in|zu|um in)\s+["“]?([^"”]+?)["”]?[.!]?$/iu

const updateTask: Rule = (request) => {
  const { text, timeless, context } = request
  const set = SET.exec(text)
  if (!set || /^(?:make|set|add|give)(?: up)?\s+(?:me\s+)?(?:an?|another|new)(?![\p{L}])/iu.test(text)) return undefined
  const body = set[1] as string
  const covered = timeless.slice(text.length - body.length)
  const tasky = new RegExp(`\\b${TASK}\\b|\\bdue\\b|\\bdeadline\\b|\\bfällig`, 'iu').test(text)
  const of = PRIORITY_OF.exec(body)
  const level = of ?? (tasky || /\b(?:priority|prio|priorität)\b/iu.test(body) ? TO_PRIORITY.exec(body) : null)
  if (level) {
    const task = pickTask(level[1] as string)
    const word = (level[2] ?? level[3] ?? level[4]) as string
    if (task) return draft('update_task', { task, priority: PRIORITIES[word.toLowerCase()] as Priority }, 0.9)
  }
  if (/^(?:rename|benenne)/iu.test(text) && tasky) {
    const named = NAME_TO.exec(body)
    const task = named && pickTask(named[1] as string)
    if (named && task) return draft('update_task', { task, title: named[2] as string }, 0.92)
  }
  const tagged = /^(?:tag|label)\b/iu.test(text) && tasky ? /^(.+?)\s+(?:as|with|als|mit)\s+#?([\p{L}\d_/-]+)$/iu.exec(body) : null
  const labelled = tagged && pickTask(tagged[1] as string)
  if (tagged && labelled) return draft('update_task', { task: labelled, tag: tagged[2] as string }, 0.92)
  if (!tasky || request.times.length === 0 || CALENDAR.test(text)) return undefined
  const named = DUE_OF.exec(covered)?.[1] ?? /^(.+?)(?:\s+(?:to|back|until|till|due|by|auf|bis)\b|\s*\||$)/iu.exec(covered)?.[1]
  const task = named ? pickTask(named) : undefined
  const { due } = wallDue(request, text)
  if (!due) return undefined
  return task ? draft('update_task', { task, due }, 0.91, proof(request, 'due', request.times)) : { lacks: 'which task' }
}

const TASKS = new RegExp(`(?<![\\p{L}])(?:${TASK.slice(3, -1)}|(?:to-?do|to do|task|shopping|grocery|packing|wish|bucket|aufgaben|einkaufs)[ -]?lists?|einkaufsliste|aufgabenliste|todo-?liste|reminders|erinnerungen)(?![\\p{L}])`, 'iu')
const ASKS =
  /^(?:show|list|what|whats|what's|which|tell|give|display|do i|have i|are there|is there|any|open|see|view|check|read|get|find|anything|when|zeige?|liste|welche|was|habe ich|gibt es|wann|let me see|my|meine|all)(?![\p{L}])/iu
const DUE = /(?<![\p{L}])(?:due|overdue|late|behind on|fällig|überfällig)(?![\p{L}])/iu
const TODO_ASK =
  /\b(?:(?:do|must|should) i (?:still )?(?:have|need|do)(?: left)? to (?:do|finish|get done)|(?:have|need) to (?:do|get done|finish)|(?:should|must) i (?:do|work on|finish|focus on)|left to do|to be done|muss ich(?: \p{L}+){0,3} (?:machen|erledigen|tun)|(?:zu|noch) (?:tun|erledigen)|habe ich(?: \p{L}+){0,3} zu tun|is on my plate|am i (?:supposed to do|behind on))\b/iu
const ON_LIST = /\b(?:on|in|auf)\s+(?:my|the|our|meiner|der|unserer)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)\b/iu
const MY_LIST = /\b(?:my|the|our|meine|die|unsere)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)\b/iu

const listTasks: Rule = (request) => {
  const { text, context } = request
  const list = ON_LIST.exec(text) ?? MY_LIST.exec(text)
  const asks = ASKS.test(text)
  const isTodo = TODO_ASK.test(text)
  if (!(asks && (TASKS.test(text) || DUE.test(text) || list)) && !(isTodo && /^(?:what|was|which|is|anything|tell|show|do|how)/iu.test(text)))
    return undefined
  if (CALENDAR.test(text) && !TASKS.test(text)) return undefined
  const time = request.times.find(({ kind, start }) => kind !== 'duration' && kind !== 'recurrence' && start)
  const range = rangeOf(time, context)
  const level = new RegExp(`\\b(${LEVEL})(?:[- ](?:priority|prio))?\\b`, 'iu').exec(text)?.[1]?.toLowerCase()
  const state = /(?<![\p{L}])(?:overdue|late|behind|überfällig\p{L}*)(?![\p{L}])/iu.test(text)
    ? ('overdue' as const)
    : /\b(?:done|completed?|finished|erledigte?n?)\b/iu.test(text) && !/\b(?:to be|get|not) (?:done|completed)\b/iu.test(text) && !isTodo
      ? ('done' as const)
      : /\b(?:open|pending|outstanding|unfinished|remaining|left|offenen?|noch)\b/iu.test(text)
        ? ('open' as const)
        : undefined
  const name = listName(list?.[1])
  const tag = /#([\p{L}\d_/-]+)|\b(?:tagged|labell?ed|with (?:the )?tag)\s+(?:as |with )?([\p{L}\d_/-]+)/iu.exec(text)
  const query = /\b(?:about|regarding|containing|for|über|zum?)\s+(?!(?:today|me|tomorrow)\b)([\p{L}][\p{L}\d' -]*?)\s*(?:[|?.!]|$)/iu.exec(request.timeless)?.[1]
  return draft(
    'list_tasks',
    {
      ...(state === 'overdue' ? {} : range),
      ...(state ? { state } : {}),
      ...(level && PRIORITIES[level] ? { priority: PRIORITIES[level] } : {}),
      ...(name ? { list: name } : {}),
      ...(tag ? { tag: (tag[1] ?? tag[2]) as string } : {}),
      ...(query && TASKS.test(text) && !list ? { query } : {}),
    },
    TASKS.test(text) || DUE.test(text) ? 0.92 : 0.85,
    time ? proof(request, 'from', [time]) : [],
  )
}

export const TASK_RULES: { complete: Rule; remove: Rule; update: Rule; create: Rule; list: Rule } = {
  complete: completeTask,
  remove: deleteTask,
  update: updateTask,
  create: createTask,
  list: listTasks,
}
