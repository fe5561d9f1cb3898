import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import * as t from '#locale/assistant'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient, useServices, useSessionState, useStore } from '../../api/context.tsx'
import { ApiError, describeError, toErrorText } from '../../api/problem.ts'
import { createStore } from '../../api/store.ts'
import type { PageSubject } from '../../shell/page-subject.ts'

export type ChatAction = Shape<'ChatAction'>
export type Message = Shape<'ChatMessage'>

export interface Question {
  text: string
  context: PageSubject | null
  /** The message replaces the last one, which was edited or gets another answer. */
  replacesLast?: boolean
  /** Number of stored messages before this one. */
  before: number
}

interface Exchange extends Question {
  userId: string
  /** Null until the server has created a new conversation. */
  conversationId: string | null
  answer: string
  actions: readonly ChatAction[]
}

interface Failure {
  userId: string
  conversationId: string | null
  text: string
  question: Question
  /** The server stored the message, so a retry replaces it. */
  isStored: boolean
}

// The panel and the page of the assistant show the same exchange, which continues when either closes.
const running = createStore<Exchange | null>(null)
const failed = createStore<Failure | null>(null)
let stopping: AbortController | null = null

const CHANGED = [
  'conversations',
  'conversation',
  'waiting-actions',
  'assistant-item',
  'tasks',
  'calendar',
  'emails',
  'stats',
]

/** Yields the events of an answer as they arrive. */
async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: unknown }> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? []
      if (event !== '') yield { event, data: JSON.parse(data) as unknown }
    }
  }
}

const readConversation = (client: Client, id: string) =>
  unwrap(client.GET('/api/ai/conversations/{id}', { params: { path: { id } } }))

export const conversationKey = (id: string | null) => ['conversation', id] as const

const ATTEMPTS = 20
const ATTEMPT_MS = 150

/** Waits until the server has stored a stopped answer. Until then it rejects the next message. */
const waitForStoredAnswer = async (client: Client, queries: QueryClient, id: string): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const conversation = await readConversation(client, id).catch(() => null)
    if (conversation?.messages.at(-1)?.role === 'assistant') {
      queries.setQueryData(conversationKey(id), conversation)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS))
  }
}

/** The server stores a message before it asks a model. */
const isStoredFailure = (error: unknown, conversationId: string | null): boolean =>
  conversationId !== null && error instanceof ApiError && [502, 504].includes(error.status)

/** Sends a message to the assistant and streams the answer and its actions. */
export const useChat = (conversationId: string | null, onConversationCreated: (id: string) => void) => {
  const client = useClient()
  const { session } = useServices()
  const queries = useQueryClient()
  const state = useSessionState()
  const userId = state.status === 'in' ? state.userId : ''
  const exchange = useStore(running)
  const failure = useStore(failed)
  const here = useRef(conversationId)
  here.current = conversationId
  const created = useRef(onConversationCreated)
  created.current = onConversationCreated

  /** Resolves to whether the server stored the message. A rejected one can be sent again. */
  const sendMessage = async (question: Question): Promise<boolean> => {
    if (running.get() !== null) return false
    const { text, context, replacesLast = false } = question
    let now: Exchange = { ...question, userId, conversationId, answer: '', actions: [] }
    let isStored = false
    const follow = (change: Partial<Exchange>) => {
      now = { ...now, ...change }
      running.set(now)
    }
    failed.set(null)
    follow({})
    const ending = new AbortController()
    stopping = ending
    const endOnSignOut = () => ending.abort()
    session.signOutSignal().addEventListener('abort', endOnSignOut)
    try {
      const stream = await unwrap(
        client.POST('/api/ai/chat', {
          body: {
            message: text,
            ...(conversationId !== null && { conversationId }),
            ...(replacesLast && { replacesLast }),
            ...(context && {
              context: {
                type: context.type,
                id: context.id,
                ...(context.occurrence && { occurrence: context.occurrence }),
              },
            }),
          },
          headers: { accept: 'text/event-stream' },
          parseAs: 'stream',
          signal: ending.signal,
        }),
      )
      for await (const { event, data } of eventsOf(stream as unknown as ReadableStream<Uint8Array>)) {
        if (event === 'start') {
          isStored = true
          const id = (data as { conversationId: string }).conversationId
          // Opens the new conversation only if the user has not opened another one meanwhile.
          if (conversationId === null && here.current === null) created.current(id)
          follow({ conversationId: id })
        }
        if (event === 'delta') follow({ answer: now.answer + (data as { text: string }).text })
        if (event === 'action') follow({ actions: [...now.actions, data as ChatAction] })
        if (event === 'error')
          throw new ApiError({
            status: 502,
            code: 'upstream_failed',
            message: await toErrorText({ code: 'upstream_failed', ...(data as { detail: string }) }),
          })
      }
    } catch (error) {
      const id = now.conversationId
      if (ending.signal.aborted) {
        if (id !== null) await waitForStoredAnswer(client, queries, id)
        isStored ||= id !== null
      } else {
        const described = error instanceof ApiError || !isStored ? describeError(error) : t.connectionLost
        isStored ||= isStoredFailure(error, id)
        failed.set({ userId, conversationId: id, text: described, question, isStored })
      }
    }
    session.signOutSignal().removeEventListener('abort', endOnSignOut)
    // An invalidation does not repeat a first fetch that is running, and that one may lack the answer.
    await queries.cancelQueries({ queryKey: ['conversation'] })
    await Promise.all(CHANGED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    running.set(null)
    return isStored
  }

  const own = exchange?.userId === userId ? exchange : null
  const ownFailure = failure?.userId === userId ? failure : null
  return {
    sendMessage,
    stop: () => stopping?.abort(),
    isBusy: own !== null,
    exchange: own?.conversationId === conversationId ? own : null,
    failure: ownFailure?.conversationId === conversationId ? ownFailure : null,
  }
}
