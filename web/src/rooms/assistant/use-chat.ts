import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, tell } from '../../api/problem.ts'

export type ChatAction = Shape<'ChatAction'>

interface Underway {
  question: string
  text: string
  actions: readonly ChatAction[]
}

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
export const useChat = (conversationId: string | null, onConversation: (id: string) => void) => {
  const client = useClient()
  const queries = useQueryClient()
  const [underway, setUnderway] = useState<Underway | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const stopping = useRef<AbortController | null>(null)

  const follow = async (stream: ReadableStream<Uint8Array>, question: string): Promise<string | null> => {
    let [text, id] = ['', conversationId]
    let actions: readonly ChatAction[] = []
    for await (const { event, data } of eventsOf(stream)) {
      if (event === 'start') id = (data as { conversationId: string }).conversationId
      if (event === 'delta') text += (data as { text: string }).text
      if (event === 'action') actions = [...actions, data as ChatAction]
      if (event === 'error')
        throw new ApiError({
          status: 502,
          code: 'upstream_failed',
          message: (data as { detail: string }).detail,
        })
      setUnderway({ question, text, actions })
    }
    return id
  }

  const say = async (message: string): Promise<void> => {
    setFailure(null)
    setUnderway({ question: message, text: '', actions: [] })
    stopping.current = new AbortController()
    try {
      const body = { message, ...(conversationId !== null && { conversationId }) }
      const stream = await unwrap(
        client.POST('/api/ai/chat', {
          ...{ body, headers: { accept: 'text/event-stream' }, parseAs: 'stream' },
          signal: stopping.current.signal,
        }),
      )
      const id = await follow(stream as unknown as ReadableStream<Uint8Array>, message)
      if (id !== null) {
        await queries.fetchQuery({
          queryKey: ['conversation', id],
          queryFn: () => unwrap(client.GET('/api/ai/conversations/{id}', { params: { path: { id } } })),
        })
        onConversation(id)
      }
    } catch (error) {
      if (!stopping.current.signal.aborted) setFailure(tell(error))
    }
    await Promise.all(
      [['conversations'], ['conversation'], ['waiting-actions'], ['tasks'], ['events'], ['emails']].map(
        (queryKey) => queries.invalidateQueries({ queryKey }),
      ),
    )
    setUnderway(null)
  }

  return { say, stop: () => stopping.current?.abort(), underway, failure }
}
