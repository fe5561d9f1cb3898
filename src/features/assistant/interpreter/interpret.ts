import type {
  EmailPick,
  EventPick,
  Intent,
  IntentReading,
  IntentTool,
  ToolArguments,
} from '../../../nlu/intents/intent.ts'
import { AppError } from '../../../platform/errors.ts'
import { toWall } from '../../../recurrence/time-zones.ts'
import type { FallbackReason } from '../../models/schema.ts'
import { runAbility } from './abilities.ts'
import { isAbility, type RunnableRequest } from './ability.ts'
import { answerCommitmentRequest, readCommitmentRequest } from './commitments.ts'
import {
  createInterpreterContext,
  type Exchange,
  type Handler,
  type InterpreterContext,
  type InterpreterOptions,
  refusalOf,
  toIso,
} from './context.ts'
import type { Control } from './control.ts'
import {
  cancelEvent,
  createEvent,
  describeNewEvent,
  lacksTime,
  listEvents,
  moveEvent,
  updateEvent,
} from './events.ts'
import type { ItemRequest } from './follow-ups.ts'
import { understandItem } from './follow-ups.ts'
import { answerKnown } from './known.ts'
import { AND_SEND, deleteMails, findMails, markMails, readMail, writeMail } from './mails.ts'
import { findPageTarget, type Item, listChanges, type Memory, type Option } from './memory.ts'
import { describeDate, findFreeTime, getBriefing, getStatistics } from './overview.ts'
import { describeTaskDetails } from './readback.ts'
import { resolveReferences } from './references.ts'
import {
  completeTask,
  createTask,
  deleteTask,
  findDueTasks,
  findLists,
  listTasks,
  moveTask,
  offerTasks,
  updateTask,
} from './tasks.ts'
import { getReplyTexts, type ReplyTexts } from './words.ts'

/** Loads the language engine and its model with the first message, so that the server starts faster. */
const loadEngine = async () => {
  const [
    { readIntent, isWrite },
    { readLanguage },
    { toGermanImperative },
    { readControl, continueRequest, readFollowUpQuestion },
    { readAbility },
  ] = await Promise.all([
    import('../../../nlu/intents/read.ts'),
    import('../../../nlu/requests/language.ts'),
    import('../../../nlu/intents/german-imperative.ts'),
    import('./control.ts'),
    import('./ability-reader.ts'),
  ])
  const control = { readControl, continueRequest, readFollowUpQuestion }
  return { readIntent, isWrite, readLanguage, toGermanImperative, readAbility, ...control }
}

/** Reads a message as an answer to the last turn. */
export const readTurnControl = async (
  message: string,
  memory: Memory,
  at: { now: number; timezone: string },
): Promise<Control | undefined> => {
  const { readControl } = await loadEngine()
  return readControl(message, { now: toWall(at.now, at.timezone), timezone: at.timezone }, memory)
}

/** Turns a refused tool call into a text for the user. */
const toRefusalText =
  (texts: ReplyTexts) =>
  (error: unknown): string => {
    if (error instanceof AppError && error.kind !== 'unavailable')
      return refusalOf(texts, error.message, error.code)
    throw error
  }

/** Matches greetings and requests for help. */
const HELP =
  /^(?:help(?: me)?|hilfe|what (?:can|do) you do|what can i (?:ask|say|do)(?: here)?|was kannst du|hi|hello|hey|hallo|thanks?(?: you)?|danke)[\s.!?]*$/i

/** Matches thanks, which need no list of abilities. */
const THANKS =
  /^(?:(?:ok(?:ay)?|great|perfect|super|prima|toll|nice|cool)[\s,!.]+)?(?:many thanks|thanks?(?: you)?|thx|cheers|vielen dank|danke)(?:[\s,]+(?:a lot|so much|very much|schön|dir|sehr|that(?: i|')s (?:great|perfect|all)|das war(?: e|')s))?[\s.!]*$/iu

/** Finds the language of the answer. A short answer such as "ok" keeps the language of the question before it. */
export const findAnswerLanguage = async (
  message: string,
  memory: Memory,
  personLanguage: 'en' | 'de',
): Promise<'en' | 'de'> => {
  const { readLanguage } = await loadEngine()
  const before = memory.question && readLanguage(memory.question.text)
  return readLanguage(message) ?? before ?? personLanguage
}

const HANDLERS: {
  readonly [Tool in IntentTool]: Handler<Tool>
} = {
  create_task: createTask,
  complete_task: completeTask,
  delete_task: deleteTask,
  update_task: updateTask,
  list_tasks: listTasks,
  list_events: (context, given) => listEvents(context, given, findDueTasks),
  create_event: createEvent,
  move_event: (context, given) => moveEvent(context, given, moveTask),
  update_event: updateEvent,
  cancel_event: cancelEvent,
  find_free_time: findFreeTime,
  find_emails: findMails,
  read_email: readMail,
  tag_email: markMails,
  delete_email: deleteMails,
  draft_email: writeMail,
  get_briefing: getBriefing,
  get_statistics: getStatistics,
  tell_date: describeDate,
}

/** Runs one request of a message and returns the answer. */
const runIntent = <Tool extends IntentTool>(
  context: InterpreterContext,
  tool: Tool,
  given: ToolArguments[Tool],
): Promise<string> => HANDLERS[tool](context, given)

/** Describes a doubtful change, so that the person can confirm it. */
const describeIntent = (context: InterpreterContext, intent: Intent): string => {
  const { texts } = context
  const { quote } = texts
  const nameEvent = ({ title, person }: EventPick): string => quote(title ?? person ?? '')
  const nameEmail = ({ about, sender }: EmailPick): string => quote(about ?? sender ?? '')
  switch (intent.tool) {
    case 'create_task': {
      const details = describeTaskDetails(context, intent.arguments)
      return texts.shall.task(`${quote(intent.arguments.title)}${details === '' ? '' : ` (${details})`}`)
    }
    case 'create_event':
      return texts.shall.event(describeNewEvent(context, intent.arguments))
    case 'draft_email':
      return texts.shall.mail(quote(intent.arguments.says ?? intent.arguments.about ?? ''))
    case 'move_event': {
      const { event, start } = intent.arguments
      return start === undefined
        ? texts.shall.change(nameEvent(event))
        : texts.shallMove(nameEvent(event), context.formatWall(start))
    }
    case 'update_event':
      return texts.shall.change(nameEvent(intent.arguments.event))
    case 'cancel_event':
      return texts.shall.cancel(nameEvent(intent.arguments.event))
    case 'update_task': {
      const { task, due } = intent.arguments
      return due === undefined
        ? texts.shall.change(quote(task))
        : texts.shallMove(quote(task), context.formatWall(due))
    }
    case 'complete_task':
      return texts.shall.complete(quote(intent.arguments.task))
    case 'delete_task':
      return texts.shall.delete(quote(intent.arguments.task))
    case 'tag_email':
      return texts.shall.change(nameEmail(intent.arguments.email))
    case 'delete_email':
      return texts.shall.delete(nameEmail(intent.arguments.email))
    default:
      return ''
  }
}

const shiftHours = (wall: string | undefined, hours: number): string | undefined =>
  wall && wall.length > 10
    ? new Date(Date.parse(`${wall}:00Z`) + hours * 3_600_000).toISOString().slice(0, 16)
    : wall

/** Moves all times of a request by half a day. */
const shiftIntent = (intent: Intent, hours: number): Intent => {
  const given = intent.arguments as Record<string, unknown>
  const shifted = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      ['start', 'end', 'due', 'remindAt'].includes(name) ? shiftHours(value as string, hours) : value,
    ]),
  )
  return { ...intent, arguments: shifted } as Intent
}

/** Asks about a doubtful change. Nothing is written before the answer. */
const askAbout = (context: InterpreterContext, { doubts = [], otherTitle, ...sure }: Intent): string => {
  const { texts, ask, formatWall } = context
  const intent = sure as Intent
  const no: Option = { label: texts.no, intent: null }
  const { start, due } = intent.arguments as { start?: string; due?: string }
  const at = start ?? due
  if (otherTitle) {
    const { title } = intent.arguments as { title?: string }
    const other = { ...intent, arguments: { ...intent.arguments, title: otherTitle } } as Intent
    return ask(describeIntent(context, other), [
      { label: texts.yes, intent: other },
      { label: texts.quote(title ?? ''), intent },
      no,
    ])
  }
  if (doubts[0] === 'half_of_day' && doubts.length === 1 && at) {
    const other = shiftIntent(intent, Number(at.slice(11, 13)) < 12 ? 12 : -12)
    const [first, second] = [intent, other]
      .map((one) => {
        const times = one.arguments as { start?: string; due?: string }
        return { label: formatWall((times.start ?? times.due) as string), intent: one }
      })
      .toSorted((a, b) => a.label.localeCompare(b.label)) as [Option, Option]
    const { title } = intent.arguments as { title?: string }
    return ask(texts.whichHour(texts.quote(title ?? '')), [first, second, no])
  }
  return ask(describeIntent(context, intent), [{ label: texts.yes, intent }, no])
}

/**
 * Changes of a named event or task. If the classifier alone doubts them, the calendar decides: a unique match proves that the
 * person means it.
 */
const NAMED_CHANGES: ReadonlySet<Intent['tool']> = new Set([
  'move_event',
  'update_event',
  'cancel_event',
  'update_task',
  'complete_task',
])

const isProvenByMatch = ({ tool, arguments: given, doubts = [] }: Intent): boolean => {
  const { task, event } = given as { task?: string; event?: EventPick }
  const isNamed = (task ?? event?.title ?? event?.person) !== undefined
  return NAMED_CHANGES.has(tool) && isNamed && doubts.every((doubt) => doubt === 'models')
}

const LOOKUPS = new Set(['list_events', 'list_tasks', 'find_emails', 'find_free_time'])

interface InterpretOptions extends Omit<InterpreterOptions, 'texts' | 'exchange'> {
  message: string
  memory: Memory
  /** An answer to the last turn, or undefined. */
  control: Control | undefined
  fallbackReason: FallbackReason
  /** The language of the answer. */
  language: 'en' | 'de'
  undo: (id: number) => Promise<unknown>
  confirm: (
    id: string,
  ) => Promise<{ status: string; error: string | null; undoId: number | null; summary: string }>
  reject: (id: string) => Promise<unknown>
}

interface Turn {
  context: InterpreterContext
  exchange: Exchange
  options: InterpretOptions
}

const runSteps = async (
  { context, exchange }: Turn,
  intents: readonly RunnableRequest[],
  target: Item | null,
): Promise<string[]> => {
  const { isWrite } = await loadEngine()
  const replies: string[] = []
  for (const intent of intents) {
    exchange.intent = intent
    exchange.target = target
    if (isAbility(intent)) {
      replies.push(await runAbility(context, intent).catch(toRefusalText(context.texts)))
      continue
    }
    if (LOOKUPS.has(intent.tool)) exchange.lookup = intent
    const isMissing = intent.tool === 'create_event' && lacksTime(intent.arguments)
    const isDoubtful =
      intent.doubts !== undefined && isWrite(intent.tool) && !isMissing && !isProvenByMatch(intent)
    replies.push(
      isDoubtful
        ? askAbout(context, intent)
        : await runIntent(context, intent.tool, intent.arguments).catch(toRefusalText(context.texts)),
    )
  }
  return replies
}

/** Asks for the missing part of a request. The next message is read as its continuation. */
const askForMissing = async (
  { context, exchange }: Turn,
  { detail, text }: IntentReading['abstained'][number],
): Promise<string> => {
  const { texts, ask } = context
  if (detail === 'which task') {
    const tool = /^(?:delete|remove|clear|erase|lösche?|entferne|leere)/iu.test(text)
      ? 'delete_task'
      : 'complete_task'
    return offerTasks(context, tool)
  }
  // The answer is not read together with clauses that were understood.
  return ask(texts.missing(detail), [], exchange.intent ? text : exchange.written)
}

const runReading = async (turn: Turn, { intents, abstained }: IntentReading): Promise<string> => {
  const { context, exchange, options } = turn
  const { texts } = context
  const replies = await runSteps(turn, intents, findPageTarget(options.message, options.memory))
  const [first] = abstained
  if (intents.length === 0 && first?.reason !== 'incomplete') {
    if (THANKS.test(options.message.trim())) return texts.welcome
    if (HELP.test(options.message.trim())) return texts.hint
    const reason = `${texts.reasons[first?.reason ?? 'unclear']}. ${texts.examples}`
    // Without a model, the built-in assistant always answers.
    return options.fallbackReason === 'no_key' ? reason : `${texts.because[options.fallbackReason]} ${reason}`
  }
  for (const one of abstained) {
    if (exchange.question && one.reason === 'incomplete') continue
    replies.push(
      one.reason === 'incomplete'
        ? await askForMissing(turn, one).catch(toRefusalText(texts))
        : `${texts.reasons[one.reason]}: ${texts.quote(one.text)}.`,
    )
  }
  return replies.join('\n\n')
}

const nameChanges = ({ context, options }: Turn, count: number): string =>
  listChanges(options.memory)
    .slice(0, count)
    .flatMap(({ names }) => names)
    .join(', ') || context.texts.lastChange

const undoLast = async (turn: Turn, count: number): Promise<string> => {
  const { context, exchange, options } = turn
  for (const { undoIds } of listChanges(options.memory).slice(0, count))
    for (const id of undoIds.toReversed()) await options.undo(id)
  exchange.undoneChanges = count
  return context.texts.undone(nameChanges(turn, count))
}

const runControl = async (turn: Turn, control: Control): Promise<string> => {
  const { context, exchange, options } = turn
  const { texts, callTool, formatOutcome } = context
  const { memory, confirm, reject } = options
  switch (control.kind) {
    case 'undo':
      return undoLast(turn, control.count)
    case 'ask_undo': {
      const yes: Option = { label: texts.yes, intent: null, isUndo: true }
      return context.ask(texts.askUndo(nameChanges(turn, 1)), [yes, { label: texts.no, intent: null }])
    }
    case 'confirm': {
      const { status, error, undoId, summary } = await confirm(control.actionId)
      if (undoId !== null) exchange.confirmed = { undoId, name: summary }
      return status === 'done' ? texts.confirmed : (error ?? texts.unknown.event)
    }
    case 'press_button':
      return texts.pressButton
    case 'reject':
      for (const id of memory.actionIds) await reject(id)
      return texts.rejected
    case 'nothing_to_undo':
      return texts.nothingToUndo
    case 'nothing_to_send':
      return texts.nothingToSend
    case 'nothing':
      return texts.nothingDone
    case 'send':
      return formatOutcome(await callTool('send_draft', { id: control.draft.id }), texts.confirmed)
    case 'choose':
      if (control.option.isUndo) return undoLast(turn, 1)
      return control.option.intent === null
        ? texts.nothingDone
        : (await runSteps(turn, [control.option.intent], control.option.target ?? null)).join('\n')
  }
}

/** Carries out requests about items, one after the other. */
const runItems = async (turn: Turn, requests: readonly ItemRequest[]): Promise<string> => {
  const replies: string[] = []
  for (const { request, item } of requests) replies.push(...(await runSteps(turn, [request], item)))
  return replies.join('\n')
}

/** "Write to Ana that … and send it" is one request. */
const sendIfAsked = (message: string, { intents, ...reading }: IntentReading): IntentReading => ({
  ...reading,
  intents: intents.map((intent) =>
    intent.tool === 'draft_email' && AND_SEND.test(message)
      ? { ...intent, arguments: { ...intent.arguments, send: true } }
      : intent,
  ),
})

/** Reads a message that stands alone. */
const runRequests = async (turn: Turn, message: string): Promise<string> => {
  const { readIntent, readAbility } = await loadEngine()
  const { context } = turn
  const at = { now: toWall(context.now, context.timezone), timezone: context.timezone }
  const ability = readAbility(message, at)
  if (ability) return (await runSteps(turn, [ability], null)).join('\n')
  const lists = (await findLists(context)).map(({ name }) => name)
  return runReading(turn, sendIfAsked(message, readIntent(message.replace(AND_SEND, ''), { ...at, lists })))
}

/** Repeats the last question with another time: "and on Friday?". */
const readSameQuestion = async (turn: Turn, message: string): Promise<Intent | undefined> => {
  const { readFollowUpQuestion } = await loadEngine()
  const { context, options } = turn
  const at = { now: toWall(context.now, context.timezone), timezone: context.timezone }
  return readFollowUpQuestion(message, at, options.memory)
}

/**
 * Replaces a model. The first step that understands the message answers. The steps are an answer to the last turn, a stored
 * fact, an item of the account, and a request that stands alone.
 */
const understand = async (turn: Turn): Promise<string> => {
  const { context, exchange, options } = turn
  const { memory, control, language } = options
  if (control) return runControl(turn, control)
  const { toGermanImperative, continueRequest } = await loadEngine()
  const at = { now: context.wall(toIso(context.now)), timezone: context.timezone }
  const continued = continueRequest(options.message, memory)
  if (continued !== undefined) {
    exchange.written = continued
    return runRequests(turn, continued)
  }
  const resolved = resolveReferences(options.message, language, at, memory, context.wall)
  const known = await answerKnown(context, resolved.text, memory)
  if (known?.isFound) return known.text
  const understood = await understandItem(context, resolved, memory)
  if (understood !== undefined)
    return typeof understood === 'string' ? understood : runItems(turn, understood)
  const same = await readSameQuestion(turn, resolved.text)
  if (same) return (await runSteps(turn, [same], null)).join('\n')
  const message = toGermanImperative(resolved.text)
  const promises = readCommitmentRequest(message)
  if (promises) return answerCommitmentRequest(context, promises)
  return known ? known.text : runRequests(turn, message)
}

/** Answers a message without a model. */
export const interpret = async (options: InterpretOptions): Promise<{ text: string; exchange: Exchange }> => {
  const texts = getReplyTexts(options.language === 'de')
  const exchange: Exchange = {
    written: options.message,
    intent: null,
    target: null,
    question: null,
    lookup: null,
    confirmed: null,
    undoneChanges: 0,
  }
  const context = createInterpreterContext({ ...options, texts, exchange })
  const text = await understand({ context, exchange, options }).catch(toRefusalText(texts))
  return { text, exchange }
}
