import type { Intent } from '../../../engine/intents/vocabulary.ts'
import { toWall } from '../../../engine/time-zones.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { hasScope } from '../../../platform/access/scopes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Because } from '../asking.ts'
import type { Drafting } from '../replies/drafting.ts'
import { type Act, createDesk } from './interpreting/desk.ts'
import { createEventWork } from './interpreting/events.ts'
import { createMailWork, type WriteAnswer } from './interpreting/mails.ts'
import { createOverviewWork } from './interpreting/overview.ts'
import { createTaskWork } from './interpreting/tasks.ts'
import { wordsIn } from './interpreting/words.ts'

/** The engine and its models are loaded with the first sentence: a start need not wait for them. */
const loadEngine = async () => {
  const [{ readIntent }, { isGermanRequest }] = await Promise.all([
    import('../../../engine/intents/read.ts'),
    import('../../../engine/intents/request.ts'),
  ])
  return { readIntent, isGermanRequest }
}

/** Understands a message without a model, does what it says, and answers; where it does not, `because` says why it tried. */
export type Interpreter = (message: string, act: Act, caller: Caller, because: Because) => Promise<string>

/** What is refused is said, as tools say it. */
const tellRefusal = (error: unknown): string => {
  if (error instanceof AppError && error.kind !== 'unavailable') return error.message
  throw error
}

/** Somebody who wants to know what there is. */
const HELP =
  /^(?:help(?: me)?|hilfe|what (?:can|do) you do|what can i (?:ask|say|do)(?: here)?|was kannst du|hi|hello|hey|hallo|thanks?(?: you)?|danke)[\s.!?]*$/i

/** The built-in engine in the place of a model: it reads the sentence, finds what is meant, and uses the same tools. */
export const createInterpreter = (deps: {
  clock: Clock
  timezone: () => Promise<string>
  drafting: Pick<Drafting, 'find' | 'write'>
}): Interpreter => {
  const { clock, drafting } = deps

  /** By the engine alone: what is private may be answered too. */
  const answering =
    (caller: Caller): WriteAnswer =>
    async (emailId, says) => {
      const mail = await drafting.find({ emailId })
      const withCalendar = says === undefined && hasScope(caller, 'calendar:read')
      const { draft } = await drafting.write(mail, {}, { withCalendar })
      if (says === undefined || draft.unanswerable !== null) return draft
      const paragraphs = draft.text.split('\n\n')
      return { text: [paragraphs[0], says, paragraphs.at(-1)].join('\n\n'), gaps: [] }
    }

  return async (message, act, caller, because) => {
    const { readIntent, isGermanRequest } = await loadEngine()
    const timezone = await deps.timezone()
    const now = clock.now().getTime()
    const words = wordsIn(isGermanRequest(message))
    const desk = createDesk({ act, now, timezone, words })
    const tasks = createTaskWork(desk)
    const events = createEventWork(desk)
    const mails = createMailWork(desk, answering(caller))
    const overview = createOverviewWork(desk, { tasks, events, mails })

    const carryOut = async (intent: Intent): Promise<string> => {
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
          return overview.tellDate(intent.arguments)
      }
    }

    const { intents, abstained } = readIntent(message, { now: toWall(now, timezone), timezone })
    const said: string[] = []
    for (const intent of intents) said.push(await carryOut(intent).catch(tellRefusal))
    if (intents.length === 0) {
      if (HELP.test(message.trim())) return words.hint
      const [first] = abstained
      return `${words.because[because]} ${words.reasons[first?.reason ?? 'unclear']}. ${words.hint}`
    }
    for (const { reason, text } of abstained) said.push(`${words.reasons[reason]}: “${text}”.`)
    return said.join('\n')
  }
}
