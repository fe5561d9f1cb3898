import { isPrivate } from '../../../engine/mail/private-tag.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { findUnkeepable } from '../../../platform/http/text.ts'
import type { Acted, Acting } from '../acting/acting.ts'
import type { Asking, Because, Line, Made } from '../asking.ts'
import type { ToolCall } from '../language-models.ts'
import type { ModelName } from '../providers.ts'
import { quote } from '../quoting.ts'
import type { SentEvent } from '../server-sent.ts'
import type { Registry } from '../tools/registry.ts'
import type { Conversations, Said, Step, Turn } from './conversations.ts'
import { messagesOf, recallHistory } from './history.ts'
import type { Interpreter } from './interpreter.ts'
import { languageOf } from './language.ts'
import { createSystemPrompt } from './prompt.ts'

const MOST_STEPS = 8
const MOST_CALLS = 16
/** What came of the tools is told beside it. */
const SILENT = 'The assistant used its tools and added no words: see what came of them.'

const ENDLESS =
  'The assistant used its tools again and again and came to no end: see what came of them, and ask again.'

export interface ChatWish {
  message: string
  conversationId?: string | undefined
  model?: ModelName | undefined
}

export interface Chatter {
  caller: Caller
  tokenId: string | null
  signal: AbortSignal
}

type OpenStep = { -readonly [K in keyof Step]: Step[K] }

/** One turn while it is under way. */
interface Work {
  text: string
  actions: Acted[]
  steps: Step[]
  made: Made | null
  because: Because | null
  isPrivate: boolean
}

const add = (before: Made | null, made: Made): Made => ({
  ...made,
  usage: {
    inputTokens: (before?.usage.inputTokens ?? 0) + made.usage.inputTokens,
    outputTokens: (before?.usage.outputTokens ?? 0) + made.usage.outputTokens,
  },
  costUsd: before?.costUsd === null || made.costUsd === null ? null : (before?.costUsd ?? 0) + made.costUsd,
})

/** What a model writes comes through no door: what a request may not have in it is left as text, which no tool takes. */
const parse = (text: string): unknown => {
  try {
    const value = text.trim() === '' ? {} : JSON.parse(text)
    return findUnkeepable(value) === undefined ? value : text
  } catch {
    return text
  }
}

/** Everything that one turn needs to be answered. */
interface Job {
  turn: Turn
  wish: ChatWish
  chatter: Chatter
  work: Work
}

/** A whole answer, as if it were streamed. */
async function* atOnce(line: Extract<Line, { engine: 'llm' }>): ReturnType<typeof line.stream> {
  const { text, calls, made, isCut } = await line.answer()
  if (text !== '') yield { type: 'text', text }
  for (const call of calls) yield { type: 'call', call }
  yield { type: 'made', made, isCut }
}

/** Which e-mails are in it is for us alone. */
const shownOf = ({ emails: _, isPrivate: __, ...action }: Acted) => action

export type Chat = ReturnType<typeof createChat>

/** The assistant: a model that may use the tools, or the built-in engine in its place. */
export const createChat = (deps: {
  asking: Asking
  acting: Acting
  registry: Registry
  conversations: Conversations
  clock: Clock
  timezone: () => Promise<string>
  tagsOf: (emailId: number) => Promise<readonly string[]>
  interpret: Interpreter
}) => {
  const { asking, acting, registry, conversations, clock } = deps
  const systemPrompt = createSystemPrompt()

  const saidOf = (work: Work, isBroken: boolean): Said => ({ role: 'assistant', ...work, isBroken })

  const answerOf = ({ conversationId }: Turn, { text, actions, made, because }: Work) => ({
    ...{ reply: text, conversationId, because, ...made },
    actions: actions.map(shownOf),
  })

  const isWithheld = async (id: number): Promise<boolean> => isPrivate(await deps.tagsOf(id))

  async function* builtin({ turn, wish, chatter, work }: Job, { model }: Line): AsyncGenerator<SentEvent> {
    await turn.begin()
    const { conversationId } = turn
    const language = await languageOf(wish.message)
    const use = { caller: chatter.caller, leaves: false, language }
    const from = { use, source: 'chat' as const, conversationId }
    const act = async (tool: string, input: unknown): Promise<Acted> => {
      const acted = await acting.act(tool, input, from)
      work.actions.push(acted)
      return acted
    }
    work.text = await deps.interpret(wish.message, act, chatter.caller, work.because ?? 'no_key')
    for (const acted of work.actions) yield { event: 'action', data: shownOf(acted) }
    for (const acted of work.actions) {
      work.isPrivate ||= acted.isPrivate
      for (const id of acted.emails) work.isPrivate ||= await isWithheld(id)
    }
    work.made = await asking.builtin({ purpose: 'chat', tokenId: chatter.tokenId }, model)
    yield { event: 'delta', data: { text: work.text } }
  }

  async function* useTools({ turn, wish, chatter, work }: Job, step: OpenStep): AsyncGenerator<SentEvent> {
    await turn.begin()
    const { conversationId } = turn
    const use = { caller: chatter.caller, leaves: true, language: await languageOf(wish.message) }
    const from = { use, source: 'chat' as const, conversationId }
    const results: Step['results'][number][] = []
    step.results = results
    for (const [index, { id, name, input }] of step.calls.entries()) {
      chatter.signal.throwIfAborted()
      if (index >= MOST_CALLS) {
        results.push({ id, name, output: 'Too many calls at once: this one was not made.', emails: [] })
        continue
      }
      const acted = await acting.act(name, parse(input), from)
      work.actions.push(acted)
      results.push({ id, name, output: quote(acted), emails: acted.emails })
      yield { event: 'action', data: shownOf(acted) }
    }
  }

  /** One answer of the model: what it says goes out, what it calls is collected. */
  async function* listen(
    line: Extract<Line, { engine: 'llm' }>,
    work: Work,
    step: OpenStep,
    isStreamed: boolean,
  ): AsyncGenerator<SentEvent> {
    const calls: ToolCall[] = []
    step.calls = calls
    for await (const event of isStreamed ? line.stream() : atOnce(line)) {
      if (event.type === 'text') {
        // What was said before the tools and after them are two paragraphs.
        const text = step.text === '' && work.text !== '' ? `\n\n${event.text}` : event.text
        step.text += event.text
        work.text += text
        yield { event: 'delta', data: { text } }
      } else if (event.type === 'call') calls.push(event.call)
      else work.made = add(work.made, event.made)
    }
  }

  async function* think(job: Job, isStreamed: boolean): AsyncGenerator<SentEvent> {
    const { wish, work } = job
    const { tokenId, signal, caller } = job.chatter
    const system = systemPrompt(clock.now(), await deps.timezone())
    const tools = registry.offer(caller)
    const before = [
      ...(await recallHistory(job.turn.history, deps.tagsOf)),
      { role: 'user' as const, text: wish.message },
    ]
    for (let count = 1; count <= MOST_STEPS; count++) {
      const line = await asking.open({
        ...{ purpose: 'chat', tokenId, signal, model: wish.model, system },
        messages: [...before, ...work.steps.flatMap(messagesOf)],
        // The last step is for saying what came of it.
        tools: count < MOST_STEPS ? tools : [],
        maySayNothing: work.actions.length > 0,
      })
      if (line.engine === 'builtin') {
        work.because = line.because
        return yield* builtin(job, line)
      }
      const step: OpenStep = { text: '', calls: [], results: [] }
      try {
        yield* listen(line, work, step, isStreamed)
      } catch (error) {
        if (work.text.trim() !== '' || work.actions.length > 0 || !asking.fallsBack(error)) throw error
        work.text = ''
        work.because = 'provider_failed'
        return yield* builtin(job, line)
      }
      work.steps.push(step)
      if (step.calls.length > 0) {
        yield* useTools(job, step)
        continue
      }
      if (work.text.trim() !== '') return
      work.text = SILENT
      yield { event: 'delta', data: { text: SILENT } }
      return
    }
    // It went on calling to the last, where no tool was offered any more.
    if (work.text.trim() !== '') return
    work.text = ENDLESS
    yield { event: 'delta', data: { text: ENDLESS } }
  }

  async function* run(wish: ChatWish, chatter: Chatter, isStreamed: boolean): AsyncGenerator<SentEvent> {
    const turn = await conversations.open(wish, chatter.caller)
    const work: Work = { text: '', actions: [], steps: [], made: null, because: null, isPrivate: false }
    let isDone = false
    let isBegun = false
    // While the model is asked, what it was asked is written down.
    if (isStreamed) turn.begin().catch(() => undefined)
    try {
      for await (const event of think({ turn, wish, chatter, work }, isStreamed)) {
        if (!isBegun && isStreamed) {
          // Once it is named, it is there.
          await turn.begin()
          yield { event: 'start', data: { conversationId: turn.conversationId } }
        }
        isBegun = true
        yield event
      }
      isDone = true
      await turn.end(saidOf(work, false))
      yield { event: 'done', data: answerOf(turn, work) }
    } finally {
      // Whatever was done is remembered, also when the model failed or the person hung up.
      if (!isDone) await turn.end(saidOf(work, true))
    }
  }

  return {
    stream: (wish: ChatWish, chatter: Chatter) => run(wish, chatter, true),

    async answer(wish: ChatWish, chatter: Chatter) {
      let last: SentEvent | undefined
      for await (const event of run(wish, chatter, false)) last = event
      return last?.data as ReturnType<typeof answerOf>
    },
  }
}
