import { stripCourtesies } from '../../../nlu/intents/clauses.ts'
import {
  createRequest,
  type IntentContext,
  lengthIn,
  momentOf,
  namesOf,
  pickEmail,
  rangeOf,
  toPastTime,
  wallText,
} from '../../../nlu/intents/request.ts'
import type { WeekdayName } from '../tools/contracts/calendar.ts'
import type { Ability, AbilityArguments, AbilityName, RuleChange } from './ability.ts'

/*
 * Reads requests that the classifier has no class for. The wording must be unmistakable, because these rules come before the
 * classifier, which otherwise keeps sentences of other subjects out. Everything that changes several items waits for a
 * confirmation.
 */

const toAbility = <Name extends AbilityName>(ability: Name, given: AbilityArguments[Name]): Ability =>
  ({ ability, arguments: given }) as Ability

type Reader = (text: string, context: IntentContext) => Ability | undefined

const MAILS = '(?:e-?mails?|mails?|messages?|inbox|nachrichten|posteingang)'
const UNREAD = /(?<!\p{L})(?:unread|new|ungelesenen?|neuen?)(?!\p{L})/iu

const SUMMARIZE = new RegExp(
  `^(?:(?:summari[sz]e|sum up|recap|(?:give me |write |show me )?(?:a |the )?(?:summary|digest|recap) of)\\s+.*(?<!\\p{L})${MAILS}(?!\\p{L})|(?:fasse?|gib mir eine zusammenfassung)(?!\\p{L}).*(?<!\\p{L})${MAILS}(?!\\p{L}).*)`,
  'iu',
)
const SUMMARIZE_WRITER =
  /^(?:summari[sz]e|sum up|recap)\s+(?:everything\s+|all\s+)?(?:that\s+)?(?:what\s+)?(\p{L}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)?)\s+(?:wrote|sent|said|has written|has sent)(?!\p{L})|^(?:fasse?)\s+(?:mir\s+)?(?:bitte\s+)?zusammen,?\s+was\s+(\p{L}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)?)\s+.*(?:geschrieben|geschickt|gesagt)\s+hat/iu

const SEVERAL = /(?<!\p{L})(?:mails|emails|e-mails|messages|nachrichten|inbox|posteingang)(?!\p{L})/iu

const readSummary: Reader = (text, context) => {
  const writer = SUMMARIZE_WRITER.exec(text)
  if (!writer && !SUMMARIZE.test(text)) return undefined
  const request = createRequest(text, 0, context)
  // A name is capitalized; the words after it belong to the sentence.
  const named = (writer?.[1] ?? writer?.[2])?.replace(/\s\p{Ll}.*$/u, '')
  const said = request.times.find(({ start, kind }) => start && kind !== 'recurrence')
  const { pick } = pickEmail(request)
  const sender = named ?? pick.sender?.replace(/\s+zusammen$/iu, '')
  if (!writer && !UNREAD.test(text) && !SEVERAL.test(text))
    return toAbility('summarize_email', { email: { ...pick, ...(sender && { sender }) } })
  return toAbility('summarize_emails', {
    ...(UNREAD.test(text) && { unread: true as const }),
    ...(sender && { sender }),
    ...rangeOf(toPastTime(said, context.now), context),
  })
}

const SUGGEST_REPLY =
  /^(?:what|how) (?:should|can|could|do) [iI] (?:answer|reply|respond|write back)(?: to)?(?:\s+(\p{Lu}[\p{L}.'-]*))?[\s.!?]*$/u
const GERMAN_SUGGEST_REPLY =
  /^(?:was|wie) (?:soll|sollte|kann|könnte) ich (?:darauf |hierauf )?(?:(\p{Lu}[\p{L}.'-]*) )?(?:antworten|zurückschreiben)[\s.!?]*$/u

const readSuggestion: Reader = (text) => {
  const plain = text.charAt(0).toLowerCase() + text.slice(1)
  const match = SUGGEST_REPLY.exec(plain) ?? GERMAN_SUGGEST_REPLY.exec(plain)
  if (!match) return undefined
  return toAbility('suggest_reply', { email: match[1] ? { sender: match[1], latest: true } : {} })
}

const PRIORITIES =
  /^(?:what (?:needs|requires|deserves) my attention|what should i (?:(?:work on|do|tackle|start with|focus on|look at)(?: (?:first|now|next|today|this morning|this afternoon)){1,2}|focus on|start with|prioriti[sz]e)|where (?:should|do) i (?:start|begin)|what(?:'s| is) (?:the )?(?:most )?(?:important|urgent)(?: (?:today|now|right now|for me today))?|what are my (?:top )?priorities|(?:show (?:me )?)?my priorities)(?: (?:today|now|right now|first|this morning))?[\s.!?]*$|^(?:was ist (?:heute |gerade |jetzt )?(?:am )?(?:wichtig(?:sten)?|dringend(?:sten)?)(?: heute)?|womit (?:soll|sollte) ich (?:heute |jetzt |zuerst )?(?:anfangen|beginnen)|was (?:soll|sollte|muss) ich (?:heute |jetzt )?(?:zuerst|als erstes|als nächstes) (?:machen|tun|erledigen|angehen)|was braucht (?:heute )?meine aufmerksamkeit(?: heute)?|worum (?:muss|sollte|soll) ich mich (?:heute |zuerst )?kümmern|was hat (?:heute )?priorität)[\s.!?]*$/iu
const FIRST = /(?:first|start|begin|next|anfangen|beginnen|zuerst|als erstes|als nächstes)/iu

const readPriorities: Reader = (text) =>
  PRIORITIES.test(text) ? toAbility('get_priorities', FIRST.test(text) ? { isFirst: true } : {}) : undefined

const PLAN =
  /^(?:(?:plan|schedule|block time for|find time for|make time for|fit in)\s+(?:all\s+)?(?:of\s+)?my\s+(?:open\s+)?(?:tasks?|to-?dos?|work)|(?:plane?|verplane?|terminiere)\s+(?:mir\s+)?(?:bitte\s+)?(?:alle\s+)?meine\s+(?:offenen\s+)?(?:aufgaben|to-?dos|arbeit)|(?:finde?|suche?)\s+(?:mir\s+)?zeit\s+für\s+meine\s+(?:offenen\s+)?aufgaben)(?!\p{L})/iu

const readPlan: Reader = (text, context) => {
  if (!PLAN.test(text)) return undefined
  const { times } = createRequest(text, 0, context)
  const said = times.find(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  return toAbility('plan_tasks', rangeOf(said, context))
}

const SNOOZE =
  /^(?:snooze|schlummere?)\s+(?:the\s+|die\s+|das\s+|my\s+|meine\s+)?(.*)$|^(?:stelle?|leg(?:e)?)\s+(?:die\s+|das\s+|meine\s+)?((?:e-?mail|mail|nachricht|konversation)(?!\p{L}).*?)\s+(?:zurück|auf wiedervorlage)[.!]?$/iu

const readSnooze: Reader = (text, context) => {
  const match = SNOOZE.exec(text)
  if (!match) return undefined
  const request = createRequest(text, 0, context)
  const { pick } = pickEmail(request)
  const isMail = new RegExp(`(?<!\\p{L})${MAILS}(?!\\p{L})`, 'iu').test(text)
  // "Snooze the alarm" concerns no email.
  if (!isMail && pick.sender === undefined) return undefined
  const at = momentOf(request.times, context.timezone)
  return toAbility('snooze_email', { email: pick, ...(at && { until: wallText(at) }) })
}

const UNSUBSCRIBE =
  /^(?:unsubscribe(?:\s+me)?\s+from|get me off|take me off|remove me from|stop)\s+(?:the\s+|all\s+|my\s+)?(.+?)(?:['’]s?)?(?:\s+(?:newsletters?|mailing lists?|list|mails?|emails?))?[\s.!]*$/iu
const GERMAN_UNSUBSCRIBE =
  /^(?:melde?\s+mich\s+(?:bitte\s+)?(?:von|vom|aus)\s+(?:dem|den|der)?\s*(.+?)\s+ab|bestelle?\s+(?:bitte\s+)?(?:den|die|das)?\s*(.+?)\s+ab|(?:den\s+|die\s+)?(.+?)\s+abbestellen)[\s.!]*$/iu
const LIST_WORD = /[\s-]*(?:newsletters?|mailing-?liste?|mailingliste|mails?|verteiler)$/iu

const readUnsubscribe: Reader = (text) => {
  const english = UNSUBSCRIBE.exec(text)
  // "Stop the music" and "remove me from the list" need a newsletter to be meant.
  if (english && !/^unsubscribe/iu.test(text) && !/newsletter|mailing list/iu.test(text)) return undefined
  const german = english ? null : GERMAN_UNSUBSCRIBE.exec(text)
  const named = english?.[1] ?? german?.[1] ?? german?.[2] ?? german?.[3]
  if (!named || (german && !/newsletter|verteiler|mailing|abbestell|bestell/iu.test(text))) return undefined
  const list = named
    .replace(LIST_WORD, '')
    .replace(/^(?:(?:newsletters?|mailing lists?|of|from|by|den|die|das|der|dem|the|von|vom)\s+)+/iu, '')
    .trim()
  return /^(?:pizza|taxi|tisch|termin|this|it|that|das)$/iu.test(list) || list === ''
    ? undefined
    : toAbility('unsubscribe', { list })
}

const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?'

const RULE_VERBS: readonly (readonly [RuleChange, RegExp])[] = [
  ['read', /(?<!\p{L})(?:mark\p{L}*|markiere?)(?!\p{L}).*(?:as read|als gelesen)/iu],
  ['tag', /(?<!\p{L})(?:tag|label|tagge|markiere?)(?!\p{L}).*(?:with|as|mit|als)\s+#/iu],
  ['archive', /(?<!\p{L})(?:archive|archiviere?)(?!\p{L})/iu],
  ['trash', /(?<!\p{L})(?:delete|trash|remove|lösche?|entferne?)(?!\p{L})/iu],
  ['star', /(?<!\p{L})(?:star|flag|(?:markiere?)(?=.*stern))(?!\p{L})/iu],
  ['move', /(?<!\p{L})(?:move|file|put|verschiebe?|sortiere?|leg(?:e)?)(?!\p{L})/iu],
]
const ALWAYS =
  /(?<!\p{L})(?:always|automatically|from now on|in (?:the )?future|every time|whenever|immer|automatisch|künftig|zukünftig|ab jetzt|ab sofort|in zukunft|jedes mal)(?!\p{L})/iu
const SENDER =
  /(?<!\p{L})(?:from|by|von|vom)\s+((?!now\b)[\p{L}\d@][\p{L}\d@.&'_+-]*(?:\s(?!(?:to|into|in|ins|straight|directly|direkt|as|with|that|older|nach|als|mit|immer|automatisch|künftig|always|automatically|and|und)(?!\p{L}))[\p{L}\d@][\p{L}\d@.&'_+-]*){0,3})/iu
const TARGET =
  /(?<!\p{L})(?:to|into|in|ins|nach)\s+(?:the\s+|my\s+|den\s+|meinen\s+)?(?:folder\s+|ordner\s+)?["“„]?([\p{L}\d][\p{L}\d /&_-]*?)["”“]?(?:\s+folder|-ordner)?(?:\s+(?:immer|automatisch|künftig|always|automatically))?[\s.!]*$/iu
/** The sender without an article. Days and the calendar send no email. */
const findSender = (text: string): string | undefined => {
  const name = SENDER.exec(text)?.[1]
    ?.replace(/^(?:the|my|our|der|dem|den|die|meine[mrn]?)\s+/iu, '')
    .trim()
  return name === undefined || NO_SENDER.test(name) ? undefined : name
}
const NO_SENDER = new RegExp(
  `^(?:${DAY}|today|tomorrow|yesterday|heute|morgen|gestern|calendar|kalender|list|liste|inbox|posteingang|last|next|this|letzte\\p{L}*|nächste\\p{L}*|diese\\p{L}*)(?!\\p{L})`,
  'iu',
)
const EVERYTHING = /(?<!\p{L})(?:everything|alles)\s+(?:from|von|vom)(?!\p{L})/iu
const TAG_NAME = /#([\p{L}\d_/-]+)/u

const readRule: Reader = (text) => {
  const isAlways = ALWAYS.test(text)
  const target = TARGET.exec(text.replace(ALWAYS, '').replace(/\s+/gu, ' ').trim())?.[1]
  const change = RULE_VERBS.find(([, pattern]) => pattern.test(text))?.[0]
  if (!change || (change === 'move' && !target)) return undefined
  // "Move everything from Ana to Receipts" means future mail as well.
  const isMove =
    change === 'move' && EVERYTHING.test(text) && /^(?:move|file|put|verschiebe?|sortiere?)/iu.test(text)
  const plain = text.replace(ALWAYS, ' ').replace(/\s+/gu, ' ')
  const sender = findSender(plain)
  const tag = TAG_NAME.exec(text)?.[1]
  if (!sender || !(isAlways || isMove) || (change === 'tag' && !tag)) return undefined
  if (
    !isMove &&
    !/(?<!\p{L})(?:e-?mails?|mails?|messages?|newsletters?|nachrichten|everything|anything|alles)(?!\p{L})/iu.test(
      text,
    )
  )
    return undefined
  return toAbility('create_rule', {
    sender,
    change,
    ...(change === 'move' && target && { folder: target.trim() }),
    ...(change === 'tag' && tag && { tag }),
  })
}

const ALL = /(?<!\p{L})(?:all|every|everything|alle[ns]?|sämtliche[ns]?)(?!\p{L})/iu
const TASKS = /(?<!\p{L})(?:tasks?|to-?dos?|aufgaben|todos)(?!\p{L})/iu
const MAIL_WORD = new RegExp(`(?<!\\p{L})(?:${MAILS.slice(3, -1)}|newsletters?)(?!\\p{L})`, 'iu')
const OLDER =
  /(?<!\p{L})(?:older than|älter als|before|vor)\s+(?:(an?|one|ein|einem?|einer|eine[nr]?|\d{1,3}|two|three|six|zwei|drei|sechs)\s+)(days?|weeks?|months?|years?|tagen?|tage?|wochen?|monate?n?|jahre?n?)(?!\p{L})/iu
const NUMBERS: Readonly<Record<string, number>> = { two: 2, three: 3, six: 6, zwei: 2, drei: 3, sechs: 6 }
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:day|tag)/iu, 'd'],
  [/^(?:week|woche)/iu, 'w'],
  [/^(?:month|monat)/iu, 'm'],
  [/^(?:year|jahr)/iu, 'y'],
]

/** "older than a month" becomes `before:1m`. */
const readAge = (text: string): string | undefined => {
  const [, count = '1', unit = ''] = OLDER.exec(text) ?? []
  const letter = UNITS.find(([pattern]) => pattern.test(unit))?.[1]
  if (letter === undefined) return undefined
  return `before:${/^\d+$/.test(count) ? count : (NUMBERS[count.toLowerCase()] ?? 1)}${letter}`
}

const BULK_MAIL_VERBS: readonly (readonly [AbilityArguments['change_emails']['change'], RegExp])[] = [
  ['unread', /^(?:mark|markiere?|set)(?!\p{L}).*(?:as unread|als ungelesen)/iu],
  ['read', /^(?:mark|markiere?|set)(?!\p{L}).*(?:as read|als gelesen)/iu],
  ['unstar', /^(?:unstar|unflag)(?!\p{L})/iu],
  ['star', /^(?:star|flag)(?!\p{L})/iu],
  ['tag', /^(?:tag|label|tagge)(?!\p{L}).*#/iu],
  ['archive', /^(?:archive|archiviere?)(?!\p{L})/iu],
  ['trash', /^(?:delete|trash|remove|erase|lösche?|entferne?)(?!\p{L})/iu],
]

const readBulkMails: Reader = (text) => {
  const change = BULK_MAIL_VERBS.find(([, pattern]) => pattern.test(text))?.[0]
  if (!change || !ALL.test(text) || TASKS.test(text)) return undefined
  const plain = text.replace(OLDER, ' ')
  const sender = findSender(plain)
  if (/voice ?mail|mailbox/iu.test(text)) return undefined
  const isMail = MAIL_WORD.test(text) || (EVERYTHING.test(text) && sender !== undefined)
  if (!isMail) return undefined
  const tag = TAG_NAME.exec(text)?.[1]
  if (change === 'tag' && !tag) return undefined
  const isNewsletter = /newsletter/iu.test(text)
  const age = readAge(text)
  const isRead =
    change !== 'read' && change !== 'unread' && /(?<!\p{L})(?:read|gelesenen?)(?!\p{L})/iu.test(plain)
  const isUnread = UNREAD.test(plain) && change !== 'unread'
  const query = [
    sender && `from:"${sender.replaceAll('"', '')}"`,
    isNewsletter && !sender && 'list:*',
    age,
    isRead && 'is:read',
  ]
    .filter(Boolean)
    .join(' ')
  return toAbility('change_emails', {
    change,
    ...(tag && change === 'tag' && { tag }),
    ...(query !== '' && { query }),
    ...((isUnread || change === 'read') && { unread: true as const }),
  })
}

const BULK_TASK_VERBS: readonly (readonly [AbilityArguments['change_tasks']['change'], RegExp])[] = [
  [
    'complete',
    /^(?:complete|finish|check off|tick off|close|erledige?|schließe?)(?!\p{L})|^(?:mark|markiere?)(?!\p{L}).*(?:as (?:done|complete[d]?)|als erledigt)/iu,
  ],
  ['delete', /^(?:delete|remove|clear|erase|trash|lösche?|entferne?)(?!\p{L})/iu],
  ['move', /^(?:move|postpone|reschedule|push|shift|verschiebe?|verlege?)(?!\p{L})/iu],
]
const TASK_LIST =
  /(?<!\p{L})(?:in|on|from|of|auf|aus|von)\s+(?:the\s+|my\s+|der\s+|meiner\s+|die\s+)?(?:list\s+|liste\s+)["“„]?([\p{L}\d][\p{L}\d _-]*?)["”“]?[\s.!]*$|(?<!\p{L})(?:in|on|from|of|auf|aus|von)\s+(?:the\s+|my\s+|der\s+|meiner\s+)?["“„]?([\p{L}\d][\p{L}\d _-]*?)["”“]?[ -](?:list|liste)(?!\p{L})/iu

const readBulkTasks: Reader = (text, context) => {
  const change = BULK_TASK_VERBS.find(([, pattern]) => pattern.test(text))?.[0]
  if (!change || !ALL.test(text) || !TASKS.test(text)) return undefined
  const found = TASK_LIST.exec(text)
  const list = (found?.[1] ?? found?.[2])?.replace(/^list\s+|^liste\s+/iu, '').trim()
  const status = /(?<!\p{L})(?:overdue|überfälligen?)(?!\p{L})/iu.test(text)
    ? 'overdue'
    : change === 'delete' && /(?<!\p{L})(?:done|completed|finished|erledigten?)(?!\p{L})/iu.test(text)
      ? 'done'
      : 'open'
  const { times } = createRequest(text, 0, context)
  const due = change === 'move' ? momentOf(times, context.timezone) : undefined
  // "Move today's tasks to tomorrow" names a second day, which no filter covers.
  if (change === 'move' && (!due || times.length > 1)) return undefined
  return toAbility('change_tasks', {
    change,
    status,
    ...(due && { due: wallText(due) }),
    ...(list && !TASKS.test(list) && { list }),
  })
}

const NOT_BEFORE =
  /,?\s*(?:but\s+|aber\s+)?(?:not before|no earlier than|not earlier than|nicht vor|frühestens(?: um| ab)?)\s+(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|uhr|o'clock)?(?!\p{L})/iu
const NOT_AFTER =
  /,?\s*(?:but\s+|aber\s+)?(?:not after|no later than|not later than|nicht nach|spätestens(?: bis| um)?)\s+(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?|uhr|o'clock)?(?!\p{L})/iu
const DAY_NAMES: readonly (readonly [WeekdayName, RegExp])[] = [
  ['monday', /^(?:mon|montag)/iu],
  ['tuesday', /^(?:tue|dienstag)/iu],
  ['wednesday', /^(?:wed|mittwoch)/iu],
  ['thursday', /^(?:thu|donnerstag)/iu],
  ['friday', /^(?:fri|freitag)/iu],
  ['saturday', /^(?:sat|samstag|sonnabend)/iu],
  ['sunday', /^(?:sun|sonntag)/iu],
]
const NOT_ON = new RegExp(
  `,?\\s*(?:but\\s+|aber\\s+)?(?:not on|except(?: on| for)?|nicht am|außer(?: am)?)\\s+((?:${DAY})(?:\\s*(?:,|or|and|oder|und)\\s*(?:on\\s+|am\\s+)?(?:${DAY}))*)(?!\\p{L})`,
  'iu',
)
const MEET =
  /^(?:when (?:can|could|should|are) (.{1,80}?) and i (?:both )?(?:meet|talk|speak|get together|free|available)|when (?:can|could) i (?:meet|see|talk to|speak with|meet with) (\p{Lu}.{0,80}?)(?=\s*[,?|]|\s+(?:next|this|on|for|in|tomorrow|today|not)(?!\p{L})|$)|wann (?:können|könnten|sollen) (.{1,80}?) und ich (?:uns )?.*(?:treffen|sprechen|telefonieren|sehen)|wann (?:haben|hätten) (.{1,80}?) und ich .*zeit)/iu
const FIND_TIME =
  /^(?:find|when am i free|when do i have|finde?|suche?|wann habe ich|wann bin ich)(?!\p{L})/iu

/** A part of each day of a longer time, such as "next week in the afternoon". */
const PART_OF_DAY =
  /(?<!\p{L})(?:in the (mornings?|afternoons?)|am (vormittag|nachmittag)|(vormittags|nachmittags))(?!\p{L})/iu

const hoursOfPart = (match: RegExpExecArray | null): { notBefore?: string; notAfter?: string } => {
  const part = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').toLowerCase()
  if (part === '') return {}
  return /^(?:morning|vormittag)/.test(part) ? { notAfter: '12:00' } : { notBefore: '12:00' }
}

const readHour = (match: RegExpExecArray | null): string | undefined => {
  if (!match) return undefined
  const half = match[3]?.toLowerCase() ?? ''
  const hour = Number(match[1]) + (half.startsWith('p') && Number(match[1]) < 12 ? 12 : 0)
  return hour > 23 ? undefined : `${String(hour).padStart(2, '0')}:${match[2] ?? '00'}`
}

const readDays = (words: string | undefined): WeekdayName[] =>
  (words ?? '').split(/\s*(?:,|\bor\b|\band\b|\boder\b|\bund\b)\s*/iu).flatMap((word) => {
    const bare = word.replace(/^(?:on|am)\s+/iu, '')
    return DAY_NAMES.find(([, pattern]) => pattern.test(bare))?.[0] ?? []
  })

const readMeeting: Reader = (text, context) => {
  const [before, after, except] = [NOT_BEFORE.exec(text), NOT_AFTER.exec(text), NOT_ON.exec(text)]
  const part = PART_OF_DAY.exec(text)
  const meet = MEET.exec(text)
  if (!meet && !(FIND_TIME.test(text) && (before || after || except || part))) return undefined
  const rest = [NOT_BEFORE, NOT_AFTER, NOT_ON, PART_OF_DAY].reduce(
    (left, each) => left.replace(each, ' '),
    text,
  )
  const request = createRequest(rest, 0, context)
  if (
    !meet &&
    !/(?<!\p{L})(?:time|free|slot|hours?|minutes?|zeit|frei\p{L}*|stunden?|minuten)(?!\p{L})/iu.test(rest)
  )
    return undefined
  const said = request.times.find(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  const named = meet?.[1] ?? meet?.[2] ?? meet?.[3] ?? meet?.[4]
  const minutes = lengthIn(request)
  const inPart = hoursOfPart(part)
  const notBefore = readHour(before) ?? inPart.notBefore
  const notAfter = readHour(after) ?? inPart.notAfter
  const exceptDays = readDays(except?.[1])
  return toAbility('find_meeting', {
    ...rangeOf(said, context),
    ...(minutes && { minutes }),
    ...(named && { people: namesOf(named) }),
    ...(notBefore && { notBefore }),
    ...(notAfter && { notAfter }),
    ...(exceptDays.length > 0 && { exceptDays }),
  })
}

const ANSWER_YES_NO =
  /^(?:tell|answer|reply to|let)\s+(\p{Lu}[\p{L}.'-]+)\s+(?:know\s+)?(yes|no)(?:\s+(?:for|to|about)\s+(.+?))?[\s.!]*$/u
const GERMAN_ANSWER = /^[Ss]age?\s+(\p{Lu}[\p{L}.'-]+)\s+(?:bitte\s+)?(?:für\s+(.+?)\s+)?(zu|ab)[\s.!]*$/u
const NO_PERSON = /^(?:Termin|Treffen|Meeting|Besprechung|Alle|Alles)/u

const readAnswer: Reader = (text) => {
  const english = ANSWER_YES_NO.exec(text.charAt(0).toLowerCase() + text.slice(1))
  if (english?.[1])
    return toAbility('answer_proposal', {
      person: english[1],
      isYes: english[2] === 'yes',
      ...(english[3] && { when: english[3] }),
    })
  const german = GERMAN_ANSWER.exec(text)
  if (!german?.[1] || NO_PERSON.test(german[1])) return undefined
  // "Sage Tom ab" without a day cancels an event.
  if (german[3] === 'ab' && !german[2]) return undefined
  return toAbility('answer_proposal', {
    person: german[1],
    isYes: german[3] === 'zu',
    ...(german[2] && { when: german[2] }),
  })
}

const READERS: readonly Reader[] = [
  readPriorities,
  readSuggestion,
  readSummary,
  readPlan,
  readSnooze,
  readUnsubscribe,
  readRule,
  readBulkTasks,
  readBulkMails,
  readMeeting,
  readAnswer,
]

const MAX_LENGTH = 300

/** Reads a request for one of the abilities. Returns undefined if the classifier has to decide. */
export const readAbility = (message: string, context: IntentContext): Ability | undefined => {
  const written = message.trim().replace(/[’‘]/gu, "'")
  if (written.length > MAX_LENGTH || written.includes('\n')) return undefined
  const { text } = stripCourtesies({ text: written, offset: 0 })
  for (const read of READERS) {
    const ability = read(text, context)
    if (!ability) continue
    context.note?.(`rule ${read.name}: ${JSON.stringify(ability)}`)
    return ability
  }
  return undefined
}
