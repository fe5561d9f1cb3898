import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as t from '#locale/assistant'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, describeError, toErrorText } from '../../api/problem.ts'

export type ChatAction = Shape<'ChatAction'>

interface Exchange {
  /** Null until the server has created a new conversation. */
  conversationId: string | null
  question: string
  text: string
  actions: readonly ChatAction[]
}

const CHANGED = ['conversations', 'conversation', 'waiting-actions', 'tasks', 'calendar', 'emails', 'stats']

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

/** Sends a message to the assistant and streams the answer and its actions. */
export const useChat = (conversationId: string | null, onConversationCreated: (id: string) => void) => {
  const client = useClient()
  const queries = useQueryClient()
  const [exchange, setExchange] = useState<Exchange | null>(null)
  const [failure, setFailure] = useState<{ at: string | null; words: string } | null>(null)
  const stopping = useRef<AbortController | null>(null)
  const here = useRef(conversationId)
  here.current = conversationId

  /** Resolves to whether the message was accepted. A rejected one can be sent again. */
  const sendMessage = async (question: string): Promise<boolean> => {
    let now: Exchange = { conversationId, question, text: '', actions: [] }
    let isAccepted = false
    const follow = (change: Partial<Exchange>) => {
      now = { ...now, ...change }
      setExchange(now)
    }
    setFailure(null)
    follow({})
    const ending = new AbortController()
    stopping.current = ending
    try {
      const stream = await unwrap(
        client.POST('/api/ai/chat', {
          body: { message: question, ...(conversationId !== null && { conversationId }) },
          headers: { accept: 'text/event-stream' },
          parseAs: 'stream',
          signal: ending.signal,
        }),
      )
      for await (const { event, data } of eventsOf(stream as unknown as ReadableStream<Uint8Array>)) {
        if (event === 'start') {
          isAccepted = true
          const id = (data as { conversationId: string }).conversationId
          // Navigates to the new conversation only if the user has not opened another one meanwhile.
          if (conversationId === null && here.current === null) onConversationCreated(id)
          follow({ conversationId: id })
        }
        if (event === 'delta') follow({ text: now.text + (data as { text: string }).text })
        if (event === 'action') follow({ actions: [...now.actions, data as ChatAction] })
        if (event === 'error')
          throw new ApiError({
            status: 502,
            code: 'upstream_failed',
            message: await toErrorText({ code: 'upstream_failed', ...(data as { detail: string }) }),
          })
      }
    } catch (error) {
      if (!ending.signal.aborted)
        setFailure({
          at: now.conversationId,
          words: error instanceof ApiError || !isAccepted ? describeError(error) : t.connectionLost,
        })
    }
    await Promise.all(CHANGED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    setExchange(null)
    return isAccepted
  }

  return {
    sendMessage,
    stop: () => stopping.current?.abort(),
    isBusy: exchange !== null,
    exchange: exchange?.conversationId === conversationId ? exchange : null,
    failure: failure?.at === conversationId ? failure.words : null,
  }
}
