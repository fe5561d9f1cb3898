import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Send, Square, Trash2, TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { Done, Waiting } from './actions.tsx'
import { type ChatAction, useChat } from './use-chat.ts'
import './assistant.css'

interface BubbleProps {
  by: string
  text: string
  actions?: readonly ChatAction[]
  engine?: string | undefined
  interrupted?: boolean | undefined
}

const Bubble = ({ by, text, actions = [], engine, interrupted }: BubbleProps) => (
  <li className="chat-message" data-role={by}>
    <span className="only-heard">{by === 'user' ? 'You' : 'Assistant'}:</span>
    <Done actions={actions} />
    {text !== '' && <p>{text}</p>}
    {interrupted && <p className="chat-note">This answer was not finished.</p>}
    {engine === 'builtin' && <p className="chat-note">By the built-in engine, without a model.</p>}
  </li>
)

const Conversations = ({ current, open }: { current: string | null; open: (id: string | null) => void }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { data } = useQuery({
    queryKey: ['conversations'],
    queryFn: () => unwrap(client.GET('/api/ai/conversations', { params: { query: { limit: 50 } } })),
  })
  const remove = async (id: string) => {
    try {
      await unwrap(client.DELETE('/api/ai/conversations/{id}', { params: { path: { id } } }))
    } catch (error) {
      notify(tell(error), { failed: true })
    }
    if (id === current) open(null)
    await queries.invalidateQueries({ queryKey: ['conversations'] })
  }
  return (
    <nav className="chat-list" aria-label="Conversations">
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        New conversation
      </Button>
      <ul>
        {data?.conversations.map(({ id, title }) => (
          <li key={id}>
            <button type="button" aria-current={id === current ? 'true' : undefined} onClick={() => open(id)}>
              {title}
            </button>
            <Button
              kind="quiet"
              shape="icon"
              size="small"
              aria-label={`Delete “${title}”`}
              onClick={() => void remove(id)}
            >
              <Trash2 size={15} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export const Assistant = () => {
  const client = useClient()
  const [conversationId, setConversationId] = useState<string | null>(null)
  const { say, stop, underway, failure } = useChat(conversationId, setConversationId)
  const form = useRef<HTMLFormElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const { data: conversation } = useQuery({
    queryKey: ['conversation', conversationId],
    enabled: conversationId !== null,
    queryFn: () =>
      unwrap(
        client.GET('/api/ai/conversations/{id}', { params: { path: { id: conversationId as string } } }),
      ),
  })
  const { data: waiting } = useQuery({
    queryKey: ['waiting-actions'],
    queryFn: () =>
      unwrap(client.GET('/api/ai/actions', { params: { query: { status: 'pending', limit: 50 } } })),
  })
  const kept = conversationId === null ? [] : (conversation?.messages ?? [])
  // What is being said is shown as it comes, not a second time when it has been kept.
  const before = useRef(0)
  const messages = underway ? kept.slice(0, before.current) : kept
  const length = messages.length + (underway?.text.length ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something is added, it is shown
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [length])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const field = form.current?.elements.namedItem('message') as HTMLTextAreaElement
    const message = field.value.trim()
    if (message === '' || underway) return
    field.value = ''
    before.current = messages.length
    void say(message)
  }
  return (
    <Page title="Assistant" about="Ask about your mail, tasks and calendar, or say what should be done.">
      <div className="chat">
        <Conversations current={conversationId} open={setConversationId} />
        <div className="chat-room">
          <ol className="chat-messages" aria-live="polite" aria-label="Conversation">
            {messages.map(({ role, text, at, actions, engine, interrupted }) => (
              <Bubble
                key={`${at}${role}`}
                {...{ text, engine, interrupted }}
                by={role}
                actions={actions ?? []}
              />
            ))}
            {underway && (
              <>
                <Bubble by="user" text={underway.question} />
                <Bubble by="assistant" text={underway.text || '…'} actions={underway.actions} />
              </>
            )}
          </ol>
          {failure !== null && (
            <div role="alert">
              <Notice tone="bad" icon={TriangleAlert}>
                {failure}
              </Notice>
            </div>
          )}
          <Waiting actions={waiting?.actions ?? []} />
          <div ref={end} />
          <form className="chat-form" ref={form} onSubmit={submit}>
            <label className="only-heard" htmlFor="chat-message">
              Message
            </label>
            <textarea
              className="input"
              id="chat-message"
              name="message"
              rows={2}
              maxLength={20_000}
              placeholder="What do I have tomorrow?"
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
              }}
            />
            {underway ? (
              <Button onClick={stop}>
                <Square size={16} aria-hidden="true" />
                Stop
              </Button>
            ) : (
              <Button kind="primary" type="submit">
                <Send size={16} aria-hidden="true" />
                Send
              </Button>
            )}
          </form>
        </div>
      </div>
    </Page>
  )
}
