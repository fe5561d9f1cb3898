import type { Intent } from '../../nlu/intents/features.ts'
import { toWall } from '../../nlu/time-zones.ts'
import { type Caller, hasScope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReplyDrafter } from '../mail-analysis/reply-drafts.ts'
import type { FallbackReason } from '../models/model-router.ts'
import { type CallTool, createInterpreterContext, type InterpreterContext } from './interpreter/context.ts'
import { cancelEvent, createEvent, listEvents, moveEvent, updateEvent } from './interpreter/events.ts'
import {
  deleteMails,
  findMails,
  markMails,
  readMail,
  type WriteAnswer,
  writeMail,
} from './interpreter/mails.ts'
import { describeDate, findFreeTime, getBriefing, getStatistics } from './interpreter/overview.ts'
import { completeTask, createTask, deleteTask, listTasks, moveTask, updateTask } from './interpreter/tasks.ts'
import { getReplyTexts } from './interpreter/words.ts'

/** Loads the engine and its models with the first message, so that the server starts faster. */
const loadEngine = async () => {
  const [{ readIntent }, { isGermanRequest }] = await Promise.all([
    import('../../nlu/intents/read.ts'),
    import('../../nlu/intents/request.ts'),
  ])
  return { readIntent, isGermanRequest }
}

/**
 * Understands a message without a model, runs its requests and writes an answer.
 * `because` explains to the user why no model answered.
 */
export type Interpreter = (
  message: string,
  callTool: CallTool,
  caller: Caller,
  because: FallbackReason,
) => Promise<string>

/** Turns a refused tool call into a text for the user. */
const toRefusalText = (error: unknown): string => {
  if (error instanceof AppError && error.kind !== 'unavailable') return error.message
  throw error
}

/** Matches greetings and requests for help. */
const HELP =
  /^(?:help(?: me)?|hilfe|what (?:can|do) you do|what can i (?:ask|say|do)(?: here)?|was kannst du|hi|hello|hey|hallo|thanks?(?: you)?|danke)[\s.!?]*$/i

/** Runs one request of a message and returns the answer. */
const runIntent = async (
  context: InterpreterContext,
  intent: Intent,
  writeAnswer: WriteAnswer,
): Promise<string> => {
  switch (intent.tool) {
    case 'create_task':
      return createTask(context, intent.arguments)
    case 'complete_task':
      return completeTask(context, intent.arguments)
    case 'delete_task':
      return deleteTask(context, intent.arguments)
    case 'update_task':
      return updateTask(context, intent.arguments)
    case 'list_tasks':
      return listTasks(context, intent.arguments)
    case 'list_events':
      return listEvents(context, intent.arguments)
    case 'create_event':
      return createEvent(context, intent.arguments)
    case 'move_event':
      return moveEvent(context, intent.arguments, moveTask)
    case 'update_event':
      return updateEvent(context, intent.arguments)
    case 'cancel_event':
      return cancelEvent(context, intent.arguments)
    case 'find_free_time':
      return findFreeTime(context, intent.arguments)
    case 'find_emails':
      return findMails(context, intent.arguments)
    case 'read_email':
      return readMail(context, intent.arguments)
    case 'tag_email':
      return markMails(context, intent.arguments)
    case 'delete_email':
      return deleteMails(context, intent.arguments)
    case 'draft_email':
      return writeMail(context, intent.arguments, writeAnswer)
    case 'get_briefing':
      return getBriefing(context, intent.arguments)
    case 'get_statistics':
      return getStatistics(context, intent.arguments)
    case 'tell_date':
      return describeDate(context, intent.arguments)
  }
}

/** Replaces a model: parses the message, finds the items it refers to and calls the same tools. */
export const createInterpreter = (deps: {
  clock: Clock
  timezone: () => Promise<string>
  replyDrafter: Pick<ReplyDrafter, 'find' | 'write'>
}): Interpreter => {
  const { clock, replyDrafter } = deps

  /** Drafts the reply with the built-in engine alone, so private mail can be answered too. */
  const createReplyWriter =
    (caller: Caller): WriteAnswer =>
    async (emailId, says) => {
      const mail = await replyDrafter.find({ emailId })
      const withCalendar = says === undefined && hasScope(caller, 'calendar:read')
      const { draft } = await replyDrafter.write(mail, {}, { withCalendar })
      if (says === undefined || draft.unanswerable !== null) return draft
      const paragraphs = draft.text.split('\n\n')
      return { text: [paragraphs[0], says, paragraphs.at(-1)].join('\n\n'), gaps: [] }
    }

  return async (message, callTool, caller, because) => {
    const { readIntent, isGermanRequest } = await loadEngine()
    const timezone = await deps.timezone()
    const now = clock.now().getTime()
    const texts = getReplyTexts(isGermanRequest(message))
    const context = createInterpreterContext({ callTool, now, timezone, texts })
    const writeAnswer = createReplyWriter(caller)
    const { intents, abstained } = readIntent(message, { now: toWall(now, timezone), timezone })
    const replies: string[] = []
    for (const intent of intents)
      replies.push(await runIntent(context, intent, writeAnswer).catch(toRefusalText))
    if (intents.length === 0) {
      if (HELP.test(message.trim())) return texts.hint
      const [first] = abstained
      return `${texts.because[because]} ${texts.reasons[first?.reason ?? 'unclear']}. ${texts.hint}`
    }
    for (const { reason, text } of abstained) replies.push(`${texts.reasons[reason]}: “${text}”.`)
    return replies.join('\n')
  }
}
