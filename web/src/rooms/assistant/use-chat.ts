import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, tell } from '../../api/problem.ts'

export type ChatAction = Shape<'ChatAction'>

interface Underway {
  /** None until the first words of a new one are taken. */
  conversationId: string | null
  question: string
  text: string
  actions: readonly ChatAction[]
}

const CHANGED = ['conversations', 'conversation', 'waiting-actions', 'tasks', 'calendar', 'emails', 'stats']

/** The events of an answer, as they come. */
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

/** Says something to the assistant, and follows what it says and does. */
export const useChat = (conversationId: string | null, onBegun: (id: string) => void) => {
  const client = useClient()
  const queries = useQueryClient()
  const [underway, setUnderway] = useState<Underway | null>(null)
  const [failure, setFailure] = useState<{ at: string | null; words: string } | null>(null)
  const stopping = useRef<AbortController | null>(null)
  const here = useRef(conversationId)
  here.current = conversationId

  /** Resolves to whether it was taken: what was not can be said again. */
  const say = async (question: string): Promise<boolean> => {
    let now: Underway = { conversationId, question, text: '', actions: [] }
    let isTaken = false
    const follow = (change: Partial<Underway>) => {
      now = { ...now, ...change }
      setUnderway(now)
    }
    setFailure(null)
    follow({})
    const ending = new AbortController()
    stopping.current = ending
    try {
      const stream = await unwrap(
        client.POST('/api/ai/chat', {
          body: { message: question, ...(conversationId !== null && { conversationId }) },
          ...{ headers: { accept: 'text/event-stream' }, parseAs: 'stream' },
          signal: ending.signal,
        }),
      )
      for await (const { event, data } of eventsOf(stream as unknown as ReadableStream<Uint8Array>)) {
        if (event === 'start') {
          isTaken = true
          const id = (data as { conversationId: string }).conversationId
          // Whoever has gone elsewhere meanwhile stays there.
          if (conversationId === null && here.current === null) onBegun(id)
          follow({ conversationId: id })
        }
        if (event === 'delta') follow({ text: now.text + (data as { text: string }).text })
        if (event === 'action') follow({ actions: [...now.actions, data as ChatAction] })
        if (event === 'error')
          throw new ApiError({
            status: 502,
            code: 'upstream_failed',
            message: (data as { detail: string }).detail,
          })
      }
    } catch (error) {
      if (!ending.signal.aborted)
        setFailure({
          at: now.conversationId,
          words:
            error instanceof ApiError || !isTaken
              ? tell(error)
              : 'The connection broke before the answer was finished.',
        })
    }
    await Promise.all(CHANGED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    setUnderway(null)
    return isTaken
  }

  return {
    say,
    stop: () => stopping.current?.abort(),
    isBusy: underway !== null,
    underway: underway?.conversationId === conversationId ? underway : null,
    failure: failure?.at === conversationId ? failure.words : null,
  }
}
