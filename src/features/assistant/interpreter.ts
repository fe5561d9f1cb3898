import type { Intent } from '../../nlu/intents/features.ts'
import { toWall } from '../../nlu/time-zones.ts'
import { type Caller, hasScope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReplyDrafter } from '../mail-analysis/reply-drafts.ts'
import type { FallbackReason } from '../models/model-router.ts'
import { type CallTool, createInterpreterContext, createOverviewHandler } from './interpreter/context.ts'
import { createEventHandler } from './interpreter/events.ts'
import { createMailHandler, type WriteAnswer } from './interpreter/mails.ts'
import { createTaskHandler } from './interpreter/tasks.ts'
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
    const tasks = createTaskHandler(context)
    const events = createEventHandler(context)
    const mails = createMailHandler(context, createReplyWriter(caller))
    const overview = createOverviewHandler(context, { tasks, events, mails })

    const runIntent = async (intent: Intent): Promise<string> => {
      switch (intent.tool) {
        case 'create_task':
          return tasks.create(intent.arguments)
        case 'complete_task':
          return tasks.complete(intent.arguments)
        case 'delete_task':
          return tasks.remove(intent.arguments)
        case 'update_task':
          return tasks.update(intent.arguments)
        case 'list_tasks':
          return tasks.list(intent.arguments)
        case 'list_events':
          return events.list(intent.arguments)
        case 'create_event':
          return events.create(intent.arguments)
        case 'move_event':
          return events.move(intent.arguments, tasks.moveTo)
        case 'update_event':
          return events.update(intent.arguments)
        case 'cancel_event':
          return events.cancel(intent.arguments)
        case 'find_free_time':
          return overview.freeTime(intent.arguments)
        case 'find_emails':
          return mails.find(intent.arguments)
        case 'read_email':
          return mails.read(intent.arguments)
        case 'tag_email':
          return mails.mark(intent.arguments)
        case 'delete_email':
          return mails.remove(intent.arguments)
        case 'draft_email':
          return mails.write(intent.arguments)
        case 'get_briefing':
          return overview.briefing(intent.arguments)
        case 'get_statistics':
          return overview.statistics(intent.arguments)
        case 'tell_date':
          return overview.describeDate(intent.arguments)
      }
    }

    const { intents, abstained } = readIntent(message, { now: toWall(now, timezone), timezone })
    const replies: string[] = []
    for (const intent of intents) replies.push(await runIntent(intent).catch(toRefusalText))
    if (intents.length === 0) {
      if (HELP.test(message.trim())) return texts.hint
      const [first] = abstained
      return `${texts.because[because]} ${texts.reasons[first?.reason ?? 'unclear']}. ${texts.hint}`
    }
    for (const { reason, text } of abstained) replies.push(`${texts.reasons[reason]}: “${text}”.`)
    return replies.join('\n')
  }
}
