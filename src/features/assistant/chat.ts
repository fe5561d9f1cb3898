import type { Intent } from '../../nlu/intents/intent.ts'
import { isPrivate } from '../../nlu/mail/facts.ts'
import { toWall } from '../../nlu/time-zones.ts'
import { type Caller, hasScope, tokenIdOf, userIdOf } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReplyDrafter } from '../mail-analysis/reply-drafts.ts'
import type { ModelName } from '../models/language-models.ts'
import type { FallbackReason, ModelRouter, ResolvedEngine } from '../models/model-router.ts'
import type { SentEvent } from '../models/server-sent.ts'
import { type AgentState, buildHistory, createSystemPrompt, runAgent, type TagsOf } from './agent.ts'
import type { ChatMessage, Conversations, Turn } from './conversations.ts'
import {
  createInterpreterContext,
  defined,
  failureOf,
  type InterpreterContext,
} from './interpreter/context.ts'
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
import {
  type Registry,
  type ToolCallContext,
  type ToolCallOutcome,
  type ToolRunner,
  toPublicAction,
} from './tools/registry.ts'

export interface ChatInput {
  message: string
  conversationId?: string | undefined
  model?: ModelName | undefined
}

export interface ChatCaller {
  caller: Caller
  signal: AbortSignal
}

/** Collects the answer of one turn while it is being produced. */
interface TurnState extends AgentState {
  actions: ToolCallOutcome[]
  because: FallbackReason | null
  isPrivate: boolean
}

/** Groups the data needed to answer one turn. */
interface TurnContext {
  turn: Turn
  chatInput: ChatInput
  chatCaller: ChatCaller
  state: TurnState
}

interface ChatDeps {
  modelRouter: ModelRouter
  toolRunner: ToolRunner
  registry: Registry
  conversations: Conversations
  clock: Clock
  zoneOf: (userId: number) => Promise<string>
  tagsOf: (userId: number, emailId: number) => ReturnType<TagsOf>
  replyDrafter: Pick<ReplyDrafter, 'find' | 'write'>
}

/** Returns the account and the token whose usage a request counts for. */
const identify = ({ caller }: ChatCaller) => ({ userId: userIdOf(caller), tokenId: tokenIdOf(caller) })

const toChatMessage = (state: TurnState, isBroken: boolean): ChatMessage => ({
  role: 'assistant',
  ...state,
  isBroken,
})

const toReply = ({ conversationId }: Turn, { text, actions, made, because }: TurnState) => ({
  reply: text,
  conversationId,
  because,
  ...made,
  actions: actions.map(toPublicAction),
})

/** Loads the language engine and its models with the first message, so that the server starts faster. */
const loadEngine = async () => {
  const [{ readIntent }, { isGermanRequest }] = await Promise.all([
    import('../../nlu/intents/read.ts'),
    import('../../nlu/intents/request.ts'),
  ])
  return { readIntent, isGermanRequest }
}

/** Persists the conversation before a tool runs, because a pending action refers to it. */
const beginToolCalls = async (
  { turn, chatInput, chatCaller }: TurnContext,
  sendsToModel: boolean,
): Promise<ToolCallContext> => {
  await turn.begin()
  const { isGermanRequest } = await import('../../nlu/intents/request.ts')
  const language = isGermanRequest(chatInput.message) ? 'de' : 'en'
  return {
    use: { caller: chatCaller.caller, sendsToModel, language },
    source: 'chat',
    conversationId: turn.conversationId,
  }
}

type CallTool = (tool: string, input: unknown) => Promise<ToolCallOutcome>

/** Returns a function that runs a tool and adds the outcome to the answer. */
const createCallTool =
  ({ toolRunner }: ChatDeps, context: TurnContext, sendsToModel: boolean): CallTool =>
  async (tool, input) => {
    const outcome = await toolRunner.run(tool, input, await beginToolCalls(context, sendsToModel))
    context.state.actions.push(outcome)
    return outcome
  }

export type ToolCalls = ReturnType<typeof createToolCalls>

/** The tool calls of the interpreter. */
const createToolCalls = (callTool: CallTool) => {
  /** Runs a read tool. Throws on failure, so that a failed search is not reported as an empty result. */
  const callReadTool = async <T>(tool: string, input: object): Promise<T> => {
    const outcome = await callTool(tool, defined(input))
    if (outcome.status === 'failed') throw new AppError('forbidden', 'forbidden', failureOf(outcome))
    return outcome.result as T
  }

  /** `more` tells whether there are more results than requested. */
  const findWithMore = async <T>(
    tool: string,
    input: object,
    key: string,
  ): Promise<{ items: T[]; more: boolean }> => {
    const result = await callReadTool<Record<string, T[] | undefined> & { more?: boolean }>(tool, input)
    return { items: result[key] ?? [], more: result.more === true }
  }

  const search = async <T>(tool: string, input: object, key: string): Promise<T[]> =>
    (await findWithMore<T>(tool, input, key)).items

  return { callTool, callReadTool, findWithMore, search }
}

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

/** Drafts replies with the built-in engine alone, so private mail can be answered too. */
const createReplyWriter =
  ({ replyDrafter }: ChatDeps, caller: Caller): WriteAnswer =>
  async (emailId, says) => {
    const mail = await replyDrafter.find(userIdOf(caller), { emailId })
    const withCalendar = says === undefined && hasScope(caller, 'calendar:read')
    const { draft } = await replyDrafter.write(mail, {}, { userId: userIdOf(caller), withCalendar })
    if (says === undefined || draft.unanswerable !== null) return draft
    const paragraphs = draft.text.split('\n\n')
    return { text: [paragraphs[0], says, paragraphs.at(-1)].join('\n\n'), gaps: [] }
  }

/**
 * Replaces a model: parses the message, finds the items it refers to, calls the same tools and returns the
 * answer. `because` explains to the user why no model answered.
 */
const interpret = async (
  deps: ChatDeps,
  turnContext: TurnContext,
  because: FallbackReason,
): Promise<string> => {
  const { message } = turnContext.chatInput
  const { readIntent, isGermanRequest } = await loadEngine()
  const timezone = await deps.zoneOf(userIdOf(turnContext.chatCaller.caller))
  const now = deps.clock.now().getTime()
  const texts = getReplyTexts(isGermanRequest(message))
  const toolCalls = createToolCalls(createCallTool(deps, turnContext, false))
  const context = createInterpreterContext({ toolCalls, now, timezone, texts })
  const writeAnswer = createReplyWriter(deps, turnContext.chatCaller.caller)
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

/** Answers without a model. */
async function* runInterpreter(
  deps: ChatDeps,
  context: TurnContext,
  { model }: ResolvedEngine,
  because: FallbackReason,
): AsyncGenerator<SentEvent> {
  const { turn, chatCaller, state } = context
  state.because = because
  await turn.begin()
  state.text = await interpret(deps, context, because)
  for (const outcome of state.actions) yield { event: 'action', data: toPublicAction(outcome) }
  for (const outcome of state.actions) {
    state.isPrivate ||= outcome.isPrivate
    for (const id of outcome.emails)
      state.isPrivate ||= isPrivate(await deps.tagsOf(userIdOf(chatCaller.caller), id))
  }
  state.made = await deps.modelRouter.builtin({ purpose: 'chat', ...identify(chatCaller) }, model)
  yield { event: 'delta', data: { text: state.text } }
}

async function* runTurn(
  deps: ChatDeps & { systemPrompt: ReturnType<typeof createSystemPrompt> },
  context: TurnContext,
  isStreamed: boolean,
): AsyncGenerator<SentEvent> {
  const { modelRouter, registry, systemPrompt, clock, zoneOf } = deps
  const { turn, chatInput, chatCaller, state } = context
  const asker = identify(chatCaller)
  const tagsOf: TagsOf = (id) => deps.tagsOf(asker.userId, id)
  const resolved = await modelRouter.resolve({
    purpose: 'chat',
    ...asker,
    signal: chatCaller.signal,
    model: chatInput.model,
    system: systemPrompt(clock.now(), await zoneOf(asker.userId)),
    messages: [...(await buildHistory(turn.history, tagsOf)), { role: 'user', text: chatInput.message }],
  })
  if (resolved.engine === 'builtin') return yield* runInterpreter(deps, context, resolved, resolved.because)
  try {
    yield* runAgent(resolved, {
      state,
      tools: registry.offer(chatCaller.caller),
      isStreamed,
      callTool: createCallTool(deps, context, true),
    })
  } catch (error) {
    const because = modelRouter.fallbackReason(error)
    const hasBegun = state.text.trim() !== '' || state.actions.length > 0
    if (because === null || (because === 'provider_failed' && hasBegun)) throw error
    yield* runInterpreter(deps, context, resolved, because)
  }
}

async function* runChat(
  deps: Parameters<typeof runTurn>[0],
  chatInput: ChatInput,
  chatCaller: ChatCaller,
  isStreamed: boolean,
): AsyncGenerator<SentEvent> {
  const turn = await deps.conversations.open(chatInput, chatCaller.caller)
  const state: TurnState = { text: '', actions: [], steps: [], made: null, because: null, isPrivate: false }
  let isDone = false
  let isBegun = false
  // Store the message while the model is being asked.
  if (isStreamed) turn.begin().catch(() => undefined)
  try {
    for await (const event of runTurn(deps, { turn, chatInput, chatCaller, state }, isStreamed)) {
      if (!isBegun && isStreamed) {
        // Persist the conversation before sending its id, so that the client can fetch it at once.
        await turn.begin()
        yield { event: 'start', data: { conversationId: turn.conversationId } }
      }
      isBegun = true
      yield event
    }
    isDone = true
    await turn.end(toChatMessage(state, false))
    yield { event: 'done', data: toReply(turn, state) }
  } finally {
    // Store completed work even if the model failed or the client disconnected.
    if (!isDone) await turn.end(toChatMessage(state, true))
  }
}

export type Chat = ReturnType<typeof createChat>

/** Answers chat messages with a model that can use the tools, or with the built-in engine. */
export const createChat = (chatDeps: ChatDeps) => {
  const deps = { ...chatDeps, systemPrompt: createSystemPrompt() }
  return {
    stream: (chatInput: ChatInput, chatCaller: ChatCaller) => runChat(deps, chatInput, chatCaller, true),

    async answer(chatInput: ChatInput, chatCaller: ChatCaller) {
      let last: SentEvent | undefined
      for await (const event of runChat(deps, chatInput, chatCaller, false)) last = event
      return last?.data as ReturnType<typeof toReply>
    },
  }
}
