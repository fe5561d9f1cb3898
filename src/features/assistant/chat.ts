import { isPrivate } from '../../nlu/mail/facts.ts'
import { type Caller, hasScope, tokenIdOf, userIdOf } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import type { LanguageOf } from '../../platform/language.ts'
import type { Contacts } from '../contacts/contacts.ts'
import type { ReplyDrafter } from '../mail-analysis/reply-drafts.ts'
import type { ModelName } from '../models/language-models.ts'
import type { ModelRouter, ResolvedEngine } from '../models/model-router.ts'
import type { FallbackReason } from '../models/schema.ts'
import type { SentEvent } from '../models/server-sent.ts'
import type { Actions } from '../undo/journal.ts'
import { type AgentState, buildHistory, createSystemPrompt, runAgent, type TagsOf } from './agent.ts'
import type { PendingActions } from './confirmations.ts'
import { type ChatMessage, type Conversations, type Turn, toPublicQuestion } from './conversations.ts'
import type { WriteAnswer } from './interpreter/context.ts'
import type { Control } from './interpreter/control.ts'
import { findAnswerLanguage, interpret, readTurnControl } from './interpreter/interpret.ts'
import {
  describeMemory,
  EMPTY_MEMORY,
  forgetChanges,
  type Memory,
  openPage,
  rememberChanges,
  updateMemory,
} from './interpreter/memory.ts'
import { createToolCalls } from './interpreter/tool-calls.ts'
import { getReplyTexts } from './interpreter/words.ts'
import type { PageContext, ResolveContext } from './page-context.ts'
import { type ToolCallOutcome, toPublicAction } from './tools/outcome.ts'
import type { Registry } from './tools/registry.ts'
import type { ToolCallContext, ToolRunner } from './tools/runner.ts'
import { createWriteGuard, type WriteGuard } from './tools/write-guard.ts'

export interface ChatInput {
  message: string
  conversationId?: string | undefined
  model?: ModelName | undefined
  context?: PageContext | undefined
  /** Removes the last message of the person and its answer. */
  replacesLast?: boolean | undefined
}

export interface ChatCaller {
  caller: Caller
  signal: AbortSignal
}

/** Collects the answer of one turn while it is being produced. */
interface TurnState extends AgentState {
  actions: ToolCallOutcome[]
  fallbackReason: FallbackReason | null
  isPrivate: boolean
  /** The state of the conversation after this turn. */
  memory: Memory
}

/** Groups the data needed to answer one turn. */
interface TurnContext {
  turn: Turn
  chatInput: ChatInput
  chatCaller: ChatCaller
  /** The state of the conversation before this turn, with the open page. */
  memory: Memory
  /** The language of the answer and of proposals. */
  language: 'en' | 'de'
  /** The open page is private, so models must not know of it. */
  isPagePrivate: boolean
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
  pendingActions: Pick<PendingActions, 'confirm' | 'reject' | 'get'>
  undoJournal: Pick<Actions, 'undo' | 'list'>
  languageOf: LanguageOf
  resolveContext: ResolveContext
  contacts: Pick<Contacts, 'list'>
}

/** Returns the account and the token whose usage a request counts for. */
const identify = ({ caller }: ChatCaller) => ({ userId: userIdOf(caller), tokenId: tokenIdOf(caller) })

const toChatMessage = ({ fallbackReason, ...state }: TurnState, isBroken: boolean): ChatMessage => ({
  role: 'assistant',
  ...state,
  because: fallbackReason,
  isBroken,
})

const toReply = (
  { conversationId }: Turn,
  { text, actions, made, fallbackReason, notice, memory }: TurnState,
) => ({
  reply: text,
  conversationId,
  fallbackReason,
  notice,
  ...made,
  actions: actions.map(toPublicAction),
  question: toPublicQuestion(memory),
})

/** Persists the conversation before a tool runs, because a pending action refers to it. */
const beginToolCalls = async (
  { turn, chatCaller, language }: TurnContext,
  writeGuard: WriteGuard | null,
): Promise<ToolCallContext> => {
  await turn.begin()
  return {
    use: {
      caller: chatCaller.caller,
      userId: userIdOf(chatCaller.caller),
      sendsToModel: writeGuard !== null,
      language,
    },
    writeGuard,
    source: 'chat',
    conversationId: turn.conversationId,
  }
}

/** Runs a tool and adds the outcome to the answer. Calls of a model have a guard. */
const runTool = async <O extends ToolCallOutcome>(
  context: TurnContext,
  writeGuard: WriteGuard | null,
  run: (from: ToolCallContext) => Promise<O>,
): Promise<O> => {
  const outcome = await run(await beginToolCalls(context, writeGuard))
  context.state.actions.push(outcome)
  return outcome
}

/** Drafts replies with the built-in engine alone, so private mail can be answered too. */
const createReplyWriter =
  ({ replyDrafter }: ChatDeps, caller: Caller, isGerman: boolean): WriteAnswer =>
  async (emailId, says) => {
    const mail = await replyDrafter.find(userIdOf(caller), { emailId })
    const withCalendar = says === undefined && hasScope(caller, 'calendar:read')
    const { draft } = await replyDrafter.write(mail, {}, { userId: userIdOf(caller), withCalendar })
    if (draft.unanswerable !== null) {
      const { unanswerable } = getReplyTexts(isGerman).abilities
      return { refusal: unanswerable?.[draft.unanswerable] ?? draft.notices.join(' ') }
    }
    if (says === undefined) return draft
    const paragraphs = draft.text.split('\n\n')
    return { text: [paragraphs[0], says, paragraphs.at(-1)].join('\n\n'), gaps: [] }
  }

/** Returns the state of the conversation before this turn. */
const recall = ({ history }: Turn): Memory =>
  history.flatMap((one) => (one.role === 'assistant' && one.memory) || []).at(-1) ?? EMPTY_MEMORY

/** Actions that the person has confirmed with a button since are changes of the conversation. */
const rememberConfirmed = async (
  { pendingActions }: Pick<ChatDeps, 'pendingActions'>,
  userId: number,
  memory: Memory,
): Promise<Memory> => {
  const changes: Parameters<typeof rememberChanges>[1][number][] = []
  for (const id of memory.actionIds) {
    const action = await pendingActions.get(userId, id).catch(() => undefined)
    if (action?.status === 'done' && action.undoId !== null)
      changes.push({
        undoIds: [action.undoId],
        names: [action.summary],
        tool: action.tool,
        result: action.result,
      })
  }
  return rememberChanges(memory, changes)
}

/** Personal access tokens can neither undo nor confirm. */
const requirePerson = ({ kind }: Caller): void => {
  if (kind === 'token') throw forbidden('A personal access token cannot undo or confirm actions.')
}

const runInterpret = async (
  deps: ChatDeps,
  context: TurnContext,
  fallbackReason: FallbackReason,
  control: Control | undefined,
): Promise<string> => {
  const { chatInput, chatCaller, memory, language, state } = context
  const { caller } = chatCaller
  const { text, exchange } = await interpret({
    message: chatInput.message,
    memory,
    control,
    toolCalls: createToolCalls(
      (tool, input) => runTool(context, null, (from) => deps.toolRunner.call(tool, input, from)),
      async (tool, input) => deps.toolRunner.call(tool, input, await beginToolCalls(context, null)),
    ),
    now: deps.clock.now().getTime(),
    timezone: await deps.zoneOf(userIdOf(caller)),
    fallbackReason,
    writeAnswer: createReplyWriter(deps, caller, language === 'de'),
    language,
    async undo(id) {
      requirePerson(caller)
      await deps.undoJournal.undo(userIdOf(caller), id)
    },
    confirm: (id) => deps.pendingActions.confirm(id, undefined, caller, undefined),
    async reject(id) {
      requirePerson(caller)
      await deps.pendingActions.reject(id, caller, undefined)
    },
  })
  const { listedItems, question, lookup, confirmed, undoneChanges } = exchange
  state.memory = updateMemory(forgetChanges(memory, undoneChanges), state.actions, {
    ...(listedItems && { listedItems }),
    question,
    lookup,
    confirmed,
    hasModelSteps: state.steps.length > 0,
  })
  return text
}

/** Answers without a model. */
async function* runInterpreter(
  deps: ChatDeps,
  context: TurnContext,
  { model }: ResolvedEngine,
  fallbackReason: FallbackReason,
): AsyncGenerator<SentEvent> {
  const { turn, chatCaller, state } = context
  state.fallbackReason = fallbackReason
  state.notice = null
  await turn.begin()
  state.text = await runInterpret(deps, context, fallbackReason, await readTurnReply(deps, context))
  for (const outcome of state.actions) yield { event: 'action', data: toPublicAction(outcome) }
  for (const outcome of state.actions) {
    state.isPrivate ||= outcome.isPrivate
    for (const id of outcome.emails)
      state.isPrivate ||= isPrivate(await deps.tagsOf(userIdOf(chatCaller.caller), id))
  }
  state.made = await deps.modelRouter.builtin({ purpose: 'chat', ...identify(chatCaller) }, model)
  yield { event: 'delta', data: { text: state.text } }
}

const readTurnReply = async (
  { clock, zoneOf, undoJournal }: ChatDeps,
  { memory, chatInput, chatCaller }: TurnContext,
): Promise<Control | undefined> => {
  const userId = userIdOf(chatCaller.caller)
  const reply = await readTurnControl(chatInput.message, memory, {
    now: clock.now().getTime(),
    timezone: await zoneOf(userId),
  })
  if (reply?.kind !== 'undo') return reply
  // Something else was changed since, here or elsewhere, so "that" may mean the other change.
  const [latest] = (await undoJournal.list(userId, { limit: 1 })).actions
  return latest && latest.id > Math.max(...memory.undoIds) ? { kind: 'ask_undo' } : reply
}

/** Replies that need no model: only the person can undo, confirm, and answer a question of the built-in engine. */
const NEEDS_NO_MODEL: ReadonlySet<Control['kind']> = new Set([
  'undo',
  'ask_undo',
  'confirm',
  'press_button',
  'reject',
  'choose',
  'send',
])

/** A yes after the answer of a model is for the model: only the button confirms what waits there. */
const needsNoModel = ({ kind }: Control, { isModelAnswer = false }: Memory): boolean =>
  NEEDS_NO_MODEL.has(kind) && !(kind === 'press_button' && isModelAnswer)

/** Lists what the model has read of others: results in the history, and titles of open pages. */
const listForeignTexts = ({ registry }: ChatDeps, { turn, memory }: TurnContext): unknown[] => [
  ...(memory.page ? [memory.page] : []),
  ...turn.history.flatMap((one): readonly unknown[] =>
    one.role === 'user'
      ? [one.context ?? []].flat()
      : one.actions.filter(registry.isForeign).map(({ result }) => result),
  ),
]

const createTurnGuard = async (deps: ChatDeps, context: TurnContext): Promise<WriteGuard> => {
  const userId = userIdOf(context.chatCaller.caller)
  return createWriteGuard({
    message: context.chatInput.message,
    memory: context.memory,
    now: deps.clock.now().getTime(),
    timezone: await deps.zoneOf(userId),
    foreignTexts: listForeignTexts(deps, context),
    async findKnownName(address) {
      const { contacts } = await deps.contacts.list(userId, { q: address, known: true, limit: 5 })
      const isSame = (one: { address: string }): boolean => one.address.toLowerCase() === address
      return contacts.find(({ addresses }) => addresses.some(isSame))?.name
    },
  })
}

async function* runTurn(
  deps: ChatDeps & { systemPrompt: ReturnType<typeof createSystemPrompt> },
  context: TurnContext,
  isStreamed: boolean,
): AsyncGenerator<SentEvent> {
  const { modelRouter, registry, systemPrompt, clock, zoneOf } = deps
  const { turn, chatInput, chatCaller, memory, isPagePrivate, state } = context
  const asker = identify(chatCaller)
  const tagsOf: TagsOf = (id) => deps.tagsOf(asker.userId, id)
  const hasMemory = turn.history.length > 0 || memory.page
  const reply = hasMemory ? await readTurnReply(deps, context) : undefined
  // A private answer is withheld from models, and so are the items that it names.
  const isHidden = isPagePrivate || turn.history.some((one) => one.role === 'assistant' && one.isPrivate)
  const note = isHidden ? '' : describeMemory(memory)
  const prompt = systemPrompt(clock.now(), await zoneOf(asker.userId))
  const resolved = await modelRouter.resolve({
    purpose: 'chat',
    ...asker,
    signal: chatCaller.signal,
    model: chatInput.model,
    ...(reply && needsNoModel(reply, memory) && { builtinReason: 'not_needed' as const }),
    system: note === '' ? prompt : `${prompt}\n${note}`,
    messages: [...(await buildHistory(turn.history, tagsOf)), { role: 'user', text: chatInput.message }],
  })
  if (resolved.engine === 'builtin')
    return yield* runInterpreter(deps, context, resolved, resolved.fallbackReason)
  try {
    const writeGuard = await createTurnGuard(deps, context)
    yield* runAgent(resolved, {
      state,
      tools: registry.offer(chatCaller.caller),
      isStreamed,
      callTool: (tool, input) =>
        runTool(context, writeGuard, (from) => deps.toolRunner.run(tool, input, from)),
    })
    state.memory = updateMemory(memory, state.actions, { isModel: true })
  } catch (error) {
    const fallbackReason = modelRouter.fallbackReason(error)
    const hasBegun = state.text.trim() !== '' || state.actions.length > 0
    if (fallbackReason === null || (fallbackReason === 'provider_failed' && hasBegun)) throw error
    yield* runInterpreter(deps, context, resolved, fallbackReason)
  }
}

async function* runChat(
  deps: Parameters<typeof runTurn>[0],
  chatInput: ChatInput,
  chatCaller: ChatCaller,
  isStreamed: boolean,
): AsyncGenerator<SentEvent> {
  const { caller } = chatCaller
  const page = chatInput.context && (await deps.resolveContext(caller, chatInput.context))
  const turn = await deps.conversations.open({ ...chatInput, page: page?.item ?? null }, caller)
  const known = await rememberConfirmed(deps, userIdOf(caller), recall(turn))
  const memory = openPage(known, page?.item ?? null)
  const state: TurnState = {
    text: '',
    actions: [],
    steps: [],
    made: null,
    notice: null,
    fallbackReason: null,
    isPrivate: page?.isPrivate ?? false,
    memory,
  }
  let isDone = false
  let isBegun = false
  // Store the message while the model is being asked.
  if (isStreamed) turn.begin().catch(() => undefined)
  try {
    const isPagePrivate = page?.isPrivate ?? false
    const personLanguage = await deps.languageOf(userIdOf(caller))
    const language = await findAnswerLanguage(chatInput.message, memory, personLanguage)
    const context = { turn, chatInput, chatCaller, memory, language, isPagePrivate, state }
    for await (const event of runTurn(deps, context, isStreamed)) {
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
