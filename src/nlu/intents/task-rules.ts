import { readQuickTask } from '../quick-task.ts'
import type { ToolArguments, Wall } from './intent.ts'
import {
  draft,
  minutesOf,
  momentOf,
  pickTask,
  type Request,
  type Rule,
  rangeOf,
  TASK,
  toEvidence,
  wallText,
} from './request.ts'

export type Priority = NonNullable<ToolArguments['create_task']['priority']>

export const PRIORITIES: Readonly<Record<string, Priority>> = {
  urgent: 'urgent',
  top: 'urgent',
  highest: 'urgent',
  critical: 'urgent',
  dringend: 'urgent',
  höchste: 'urgent',
  höchster: 'urgent',
  high: 'high',
  important: 'high',
  hoch: 'high',
  hohe: 'high',
  hoher: 'high',
  wichtig: 'high',
  normal: 'normal',
  medium: 'normal',
  mittel: 'normal',
  mittlere: 'normal',
  mittlerer: 'normal',
  low: 'low',
  lowest: 'low',
  niedrig: 'low',
  niedrige: 'low',
  niedriger: 'low',
}
const LEVEL = Object.keys(PRIORITIES).join('|')
const LIST =
  /\b(?:(?:on|to|onto|in|into|auf|zu)\s+(?:my|the|our|a|die|meine|unsere|der|meiner|unserer)|zur|(?:to|onto|on|auf)(?=\s+(?:shopping|groceries|grocery|packing|wish|to-?do|reading|einkaufs?)[ -]?list))\s+(?:(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)|tasks|to-?dos|aufgaben|todos)\b/iu
const TODO = /^(?:to-?do|to do|task|tasks|aufgaben|todo)s?-?$/iu

/** Normalizes a list name: the "einkaufs" in "Einkaufsliste" becomes "einkauf". */
export const listName = (words: string | undefined): string | undefined => {
  const name = words
    ?.trim()
    .replace(/-$/u, '')
    .toLowerCase()
    .replace(/^(?:einkauf|geburtstag|arbeit|urlaub)s$/u, (word) => word.slice(0, -1))
  return name && !TODO.test(name) && !/^(?:of )?my$/u.test(name) ? name : undefined
}

export const listIn = (text: string): { name?: string; from: number; to: number } | undefined => {
  const match = LIST.exec(text)
  if (!match) return undefined
  const name = listName(match[1])
  return { ...(name ? { name } : {}), from: match.index, to: match.index + match[0].length }
}

/** Matches the frequency in "a weekly reminder". */
export const wallDue = (
  request: Request,
  text: string,
): { due?: Wall; quick: ReturnType<typeof readQuickTask> } => {
  const quick = readQuickTask(text, request.context)
  return { quick, ...(quick.due ? { due: wallText(quick.due) } : {}) }
}

export const CALENDAR =
  /\b(?:calendar|calender|schedule|agenda|diary|kalender|meeting|event|appointment|termin)\b/iu

/** "And remind me at six", after a new task. */
const remindOf: Rule = (request) => {
  const due = momentOf(request.times, request.context.timezone)
  return request.lastTask &&
    /^(?:remind|erinnere?)(?!\p{L})/iu.test(request.text) &&
    due?.seconds !== undefined
    ? draft('update_task', { task: request.lastTask, due: wallText(due), remindAt: wallText(due) }, 0.8)
    : undefined
}

const DONE =
  '(?:done|complete|completed|finished|closed|ticked off|checked off|erledigt|fertig|abgeschlossen|abgehakt)'
const MARK_DONE = new RegExp(
  `^(?:mark|set|check|tick|cross|consider|flag|markiere?|setze?|hake?|kreuze?)\\s+(?:off\\s+)?(.+?)(?:\\s+(?:as|to|is|als|auf)\\s+(?:being\\s+)?${DONE}|\\s+${DONE}|\\s+off(?: (?:my|the) (?:\\p{L}+ )?list)?|\\s+ab)[.!]?$`,
  'iu',
)
const CHECK_OFF =
  /^(?:check|tick|cross|strike) off\s+(.+?)(?:\s+(?:from|on|off) (?:my|the) (?:[\p{L}-]+ )?(?:list|tasks?))?[.!]?$/iu
const COMPLETE =
  /^(?:complete|finish|close|resolve|erledige|schließe?)\s+(?!by\b|before\b)(.+?)(?:\s+ab)?[.!]?$/iu
const DID =
  /^(?:done with|done:|finished with|finished|i(?:'ve| have| just|'m| am)?(?: already| just| finally)?\s+(?:finished|completed|done(?: with)?|did|taken care of|checked off)|ich habe?|ich bin mit)\s+(.+?)(?:\s+(?:erledigt|fertig|gemacht|abgeschlossen))?[.!]?$/iu
const IS_DONE = new RegExp(
  `^(?:the\\s+|my\\s+|die\\s+|das\\s+)?(.+?)\\s+(?:is|are|has been|was|ist|sind|wurde)\\s+(?:now\\s+|already\\s+|schon\\s+)?${DONE}[.!]?$`,
  'iu',
)

const completeTask: Rule = (request) => {
  const { text } = request
  if (text.endsWith('?') || /^(?:what|which|how|when|was|welche|wie)\b/iu.test(text)) return undefined
  const german =
    /^ich ha(?:be|b)\b/iu.test(text) && !/\b(?:erledigt|fertig|gemacht|abgeschlossen)\b/iu.test(text)
  const named =
    CHECK_OFF.exec(text)?.[1] ??
    MARK_DONE.exec(text)?.[1] ??
    (german ? undefined : DID.exec(text)?.[1]) ??
    IS_DONE.exec(text)?.[1]
  const done = named ?? COMPLETE.exec(text)?.[1]
  if (!done) return undefined
  const task = pickTask(done)
  return task
    ? draft('complete_task', { task }, named || new RegExp(`\\b${TASK}\\b`, 'iu').test(text) ? 0.92 : 0.82)
    : { missing: 'which task' }
}

const DROP =
  /^(?:delete|remove|erase|drop|scrap|take|cross|get rid of|clear|lösche?|entferne|streiche?|nimm)\s+(.+)$/iu
const FROM_LIST =
  /\s+(?:from|off(?: of)?|out of|von|aus)\s+(?:my|the|our|der|meiner|unserer)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste|tasks|to-?dos)\b/iu

const deleteTask: Rule = (request) => {
  const dropped = DROP.exec(request.text)?.[1]
  if (!dropped) return undefined
  const list = FROM_LIST.exec(dropped)
  const tasky = new RegExp(`\\b${TASK}\\b|\\breminder\\b|\\berinnerung\\b`, 'iu').test(dropped)
  if (!list && !tasky) return undefined
  const task = pickTask(list ? dropped.slice(0, list.index) : dropped)
  if (!task || /^(?:all|every|everything|alle)\b/iu.test(task)) return { missing: 'which task' }
  const name = listName(list?.[1])
  return draft('delete_task', { task, ...(name ? { list: name } : {}) }, 0.9)
}

const SET =
  /^(?:set|change|update|raise|lower|bump|make|give|turn|move|push|postpone|reschedule|shift|delay|snooze|put off|rename|call|tag|label|setze?|ändere?|verschiebe?|verlege?|benenne?|add (?:the )?tag)\s+(.+)$/iu
const PRIORITY_OF = new RegExp(
  `^(?:the\\s+)?(?:priority|prio|priorität)\\s+(?:of|for|on|von|der)\\s+(.+?)\\s+(?:to|as|auf)\\s+(${LEVEL})`,
  'iu',
)
const TO_PRIORITY = new RegExp(
  `^(.+?)\\s+(?:(?:to|as|a|with|auf|mit)\\s+)*(?:an?\\s+)?(?:(${LEVEL})[- ]?(?:priority|prio|priorität)|(?:priority|prio|priorität)\\s+(${LEVEL})|(urgent|important|dringend|wichtig))(?:\\s+\\p{L}+)?$`,
  'iu',
)
const DUE_OF =
  /^(?:the\s+)?(?:due date|deadline|date|fälligkeit|frist)\s+(?:of|for|on|von|der|für)\s+(.+?)(?:\s+(?:to|back to|auf)\b|\s*\||$)/iu
const NAME_TO = /^(.+?)\s+(?:to|into|in|zu|um in)\s+["“]?([^"”]+?)["”]?[.!]?$/iu

const LATER =
  /^(?:move|push|postpone|reschedule|shift|delay|snooze|put off|bump|verschiebe?|verlege?)(?![\p{L}])/iu
/** Matches "start the garage task" and "set the garage task to in progress". */
const STARTED =
  /^(?:start(?: on| working on)?|begin|beginne(?: mit)?)\s+(.+?)[.!]?$|^(?:set|mark|move)\s+(.+?)\s+(?:to|as)\s+(?:in progress|doing|started)[.!]?$/iu
const TURNED =
  /^(lower|reduce|decrease|raise|increase|erhöhe|senke)\s+(?:the\s+|die\s+)?(?:priority|prio|priorität)\s+(?:of|for|on|von|der)\s+(.+?)[.!]?$/iu
const TAG_TO = new RegExp(
  `^(?:add|put|give)\\s+(?:the\\s+)?(?:tag|label)\\s+["“#]?([\\p{L}\\d_/-]+)["”]?\\s+(?:to|on|onto)\\s+(.*\\b${TASK}\\b.*)$`,
  'iu',
)
const REOPEN = /^(?:re-?open|uncheck|untick|öffne)\s+(.+?)(?:\s+(?:again|wieder))?[.!]?$/iu

const updateTask: Rule = (request) => {
  const { text, timeless } = request
  const again = REOPEN.exec(text)?.[1]
  if (again && new RegExp(`\\b${TASK}\\b`, 'iu').test(again)) {
    const task = pickTask(again)
    return task ? draft('update_task', { task, status: 'todo' }, 0.92) : { missing: 'which task' }
  }
  const begun = STARTED.exec(text)?.[1] ?? STARTED.exec(text)?.[2]
  if (begun && new RegExp(`\\b${TASK}\\b`, 'iu').test(begun)) {
    const task = pickTask(begun)
    return task ? draft('update_task', { task, status: 'doing' }, 0.92) : { missing: 'which task' }
  }
  const turned = TURNED.exec(text)
  const judged = turned?.[2] ? pickTask(turned[2]) : undefined
  if (turned && judged) {
    const priority = /^(?:lower|reduce|decrease|senke)/iu.test(text) ? ('low' as const) : ('high' as const)
    return draft('update_task', { task: judged, priority }, 0.92)
  }
  const given = TAG_TO.exec(text)
  const marked = given?.[2] ? pickTask(given[2]) : undefined
  if (given && marked) return draft('update_task', { task: marked, tag: given[1] as string }, 0.92)
  const set = SET.exec(text)
  if (!set || /^(?:make|set|add|give)(?: up)?\s+(?:me\s+)?(?:an?|another|new)(?![\p{L}])/iu.test(text))
    return undefined
  const body = set[1] as string
  const covered = timeless.slice(text.length - body.length)
  const tasky = new RegExp(`\\b${TASK}\\b|\\bdue\\b|\\bdeadline\\b|\\bfällig|^snooze\\b`, 'iu').test(text)
  const of = PRIORITY_OF.exec(body)
  const level =
    of ?? (tasky || /\b(?:priority|prio|priorität)\b/iu.test(body) ? TO_PRIORITY.exec(body) : null)
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
  const tagged =
    /^(?:tag|label)\b/iu.test(text) && tasky
      ? /^(.+?)\s+(?:as|with|als|mit)\s+#?([\p{L}\d_/-]+)$/iu.exec(body)
      : null
  const labelled = tagged && pickTask(tagged[1] as string)
  if (tagged && labelled) return draft('update_task', { task: labelled, tag: tagged[2] as string }, 0.92)
  const length = request.times.find(({ kind }) => kind === 'duration')
  const shiftMinutes = request.times.some(({ start, kind }) => start && kind !== 'duration')
    ? undefined
    : minutesOf(length)
  if (tasky && length && shiftMinutes && LATER.test(text)) {
    const words = /^(.+?)(?:\s+(?:by|for|back|out|um|another|noch)\b|\s*\||$)/iu.exec(covered)?.[1]
    const task = words ? pickTask(words) : undefined
    const sign = /\b(?:forward|earlier|früher|vor)\b/iu.test(text) ? -1 : 1
    return task
      ? draft(
          'update_task',
          { task, shiftMinutes: sign * shiftMinutes },
          0.92,
          toEvidence(request, 'due', [length]),
        )
      : { missing: 'which task' }
  }
  if (!tasky || request.times.length === 0 || CALENDAR.test(text)) return undefined
  const named =
    DUE_OF.exec(covered)?.[1] ??
    /^(.+?)(?:\s+(?:to|back|until|till|due|by|auf|bis)\b|\s*\||$)/iu.exec(covered)?.[1]
  const task = named ? pickTask(named) : undefined
  const { due } = wallDue(request, text)
  if (!due) return undefined
  return task
    ? draft('update_task', { task, due }, 0.91, toEvidence(request, 'due', request.times))
    : { missing: 'which task' }
}

const TASKS = new RegExp(
  `(?<![\\p{L}])(?:${TASK.slice(3, -1)}|(?:to-?do|to do|task|shopping|grocery|packing|wish|bucket|aufgaben|einkaufs)[ -]?lists?|einkaufsliste|aufgabenliste|todo-?liste|reminders|erinnerungen)(?![\\p{L}])`,
  'iu',
)
const ASKS =
  /^(?:show|list|what|whats|what's|which|tell|give|display|do i|have i|are there|is there|any|open|see|view|check|read|get|find|anything|when|zeige?|liste|welche|was|habe ich|gibt es|wann|let me see|my|meine|all|everything|alles)(?![\p{L}])/iu
const DUE = /(?<![\p{L}])(?:due|overdue|late|behind on|fällig|überfällig)(?![\p{L}])/iu
const TODO_ASK =
  /\b(?:(?:do|must|should) i (?:still )?(?:have|need|do)(?: left)? to (?:do|finish|get done)|(?:have|need) to (?:do|get done|finish)|(?:should|must) i (?:do|work on|finish|focus on)|left to do|to be done|(?:is|'s|are|ist) (?:still |noch )*(?:open|outstanding|pending|unfinished|offen)\b|(?:still )?needs? (?:doing|to be done)|muss ich(?: \p{L}+){0,3} (?:machen|erledigen|tun)|(?:zu|noch) (?:tun|erledigen)|habe ich(?: \p{L}+){0,3} zu tun|(?:is|'s) on my plate|am i (?:supposed to do|behind on))\b/iu
const ON_LIST =
  /\b(?:on|in|auf)\s+(?:my|the|our|meiner|der|unserer)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)\b/iu
const MY_LIST = /\b(?:my|the|our|meine|die|unsere)\s+(?:([\p{L}][\p{L}' -]{0,30}?)[ -]?)?(?:list|liste)\b/iu

/** Matches "what did I finish this week". */
const FINISHED =
  /^(?:what|which (?:tasks|things)|was)(?: all)? (?:did|have|had|habe) (?:i|ich)\b.{0,40}\b(?:finish(?:ed)?|complete[d]?|accomplish(?:ed)?|get done|got done|done|erledigt|geschafft)\b/iu
/** Matches "everything tagged home". */
const TAGGED =
  /\b(?:everything|anything|things?|all|alles|was)\s+(?:(?:that is|that's|is)\s+)?(?:tagged|labell?ed|with the (?:tag|label)|mit dem tag)\b/iu

const listTasks: Rule = (request) => {
  const { text, context } = request
  const list = ON_LIST.exec(text) ?? MY_LIST.exec(text)
  const asks = ASKS.test(text)
  const isTodo = TODO_ASK.test(text)
  const late =
    /\b(?:late|behind on)\b/iu.test(text) && !/^(?:what|which|am i|anything|show|list)/iu.test(text)
  if (late || /^tell (?!me\b)/iu.test(text)) return undefined
  const finished = FINISHED.test(text)
  const tagged = asks && TAGGED.test(text)
  if (
    !(asks && (TASKS.test(text) || DUE.test(text) || list || tagged)) &&
    !finished &&
    !(isTodo && /^(?:what|was|which|is|anything|tell|show|do|how)/iu.test(text))
  )
    return undefined
  if (CALENDAR.test(text) && !TASKS.test(text)) return undefined
  const time = request.times.find(({ kind, start }) => kind !== 'duration' && kind !== 'recurrence' && start)
  const range = rangeOf(time, context)
  const level = new RegExp(`\\b(${LEVEL})(?:[- ](?:priority|prio))?\\b`, 'iu').exec(text)?.[1]?.toLowerCase()
  const state = /(?<![\p{L}])(?:overdue|late|behind|überfällig\p{L}*)(?![\p{L}])/iu.test(text)
    ? ('overdue' as const)
    : finished ||
        (/\b(?:done|completed?|finished|erledigte?n?)\b/iu.test(text) &&
          !/\b(?:to be|get|not) (?:done|completed)\b/iu.test(text) &&
          !isTodo)
      ? ('done' as const)
      : /\b(?:open|pending|outstanding|unfinished|remaining|left|offenen?|noch)\b/iu.test(text)
        ? ('open' as const)
        : undefined
  const name = listName(list?.[1])
  const tag =
    /#([\p{L}\d_/-]+)|\b(?:tagged|labell?ed|with (?:the )?tag)\s+(?:as |with )?([\p{L}\d_/-]+)/iu.exec(text)
  const query =
    /(?<!\p{L})(?:about|regarding|containing|for|über|zum?)\s+(?!(?:today|me|tomorrow)\b)([\p{L}][\p{L}\d' -]*?)\s*(?:[|?.!]|$)/iu.exec(
      request.timeless,
    )?.[1]
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
    TASKS.test(text) || DUE.test(text) || isTodo || tagged || finished ? 0.92 : 0.85,
    time ? toEvidence(request, 'from', [time]) : [],
  )
}

export const TASK_RULES: { complete: Rule; remove: Rule; update: Rule; remindOf: Rule; list: Rule } = {
  complete: completeTask,
  remove: deleteTask,
  update: updateTask,
  remindOf,
  list: listTasks,
}
