import { useQuery } from '@tanstack/react-query'
import { Sparkles, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { ActionList, PendingActions } from './actions.tsx'
import { Composer } from './composer.tsx'
import { useConversationUrl } from './conversation-url.ts'
import { Conversations } from './conversations.tsx'
import { type ChatAction, useChat } from './use-chat.ts'
import './assistant.css'

const EXAMPLES = [
  'What do I have tomorrow?',
  'Who is waiting for an answer?',
  'Remind me to water the plants on Friday',
  'When am I free this week?',
]

/** Beyond this distance from the end, the user is reading earlier messages. */
const NEAR_PX = 240

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
    <ActionList actions={actions} />
    {text !== '' && <p>{text}</p>}
    {interrupted && <p className="chat-note">This answer was not finished.</p>}
    {engine === 'builtin' && <p className="chat-note">By the built-in engine, without a model.</p>}
  </li>
)

const EmptyConversation = ({ onChoose }: { onChoose: (text: string) => void }) => (
  <Empty icon={Sparkles} title="What can be done for you?">
    <p>
      It knows your mail, tasks and calendar. It asks before it sends, deletes, or changes events with guests.
    </p>
    <ul className="chat-examples">
      {EXAMPLES.map((text) => (
        <li key={text}>
          <Button size="small" onClick={() => onChoose(text)}>
            {text}
          </Button>
        </li>
      ))}
    </ul>
  </Empty>
)

const useConversation = (id: string | null) => {
  const client = useClient()
  return useQuery({
    queryKey: ['conversation', id],
    enabled: id !== null,
    queryFn: () =>
      unwrap(client.GET('/api/ai/conversations/{id}', { params: { path: { id: id as string } } })),
  })
}

/** Scrolls to the end when a conversation opens, and follows new text while the end is near. */
const useScrollToEnd = (conversationId: string | null, length: number) => {
  const end = useRef<HTMLDivElement>(null)
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (length === 0 || !end.current) return
    const isNear = end.current.getBoundingClientRect().top < window.innerHeight + NEAR_PX
    if (isNear || opened.current !== conversationId) end.current.scrollIntoView({ block: 'nearest' })
    opened.current = conversationId
  }, [conversationId, length])
  return end
}

const NO_MESSAGES: readonly Shape<'ChatMessage'>[] = []

export const Assistant = () => {
  const client = useClient()
  const urlState = useConversationUrl()
  const chat = useChat(urlState.id, (id) => urlState.go(id, { replace: true }))
  const { exchange } = chat
  const field = useRef<HTMLTextAreaElement>(null)
  const conversation = useConversation(urlState.id)
  const { data: waiting } = useQuery({
    queryKey: ['waiting-actions'],
    queryFn: () =>
      unwrap(client.GET('/api/ai/actions', { params: { query: { status: 'pending', limit: 50 } } })),
  })
  const storedMessages = (urlState.id !== null && conversation.data?.messages) || NO_MESSAGES
  // Hides stored messages of the running exchange, which is displayed separately while it streams.
  const before = useRef(0)
  const messages = exchange ? storedMessages.slice(0, before.current) : storedMessages
  const end = useScrollToEnd(urlState.id, messages.length + (exchange ? 1 + exchange.text.length : 0))

  const sendMessage = (text: string): Promise<boolean> => {
    before.current = messages.length
    return chat.sendMessage(text)
  }
  const open = (id: string | null) => {
    urlState.go(id)
    if (id === null) field.current?.focus()
  }
  const begin = (text: string) => {
    if (!field.current) return
    field.current.value = text
    field.current.focus()
  }
  const isLoading = urlState.id !== null && conversation.isPending && !exchange
  return (
    <Page title="Assistant" about="Ask about your mail, tasks and calendar, or say what should be done.">
      <div className="chat">
        <Conversations current={urlState.id} open={open} close={() => urlState.go(null)} />
        <div className="chat-room">
          <div className="chat-said">
            {isLoading && <Skeleton lines={4} />}
            {conversation.isError && !conversation.data && !exchange && (
              <Failure error={conversation.error} onRetry={() => void conversation.refetch()} />
            )}
            {urlState.id === null && !exchange && <EmptyConversation onChoose={begin} />}
            <ol
              className="chat-messages"
              aria-live="polite"
              aria-busy={exchange !== null}
              aria-label="Conversation"
            >
              {messages.map(({ role, text, at, actions, engine, interrupted }) => (
                <Bubble
                  key={`${at}${role}`}
                  text={text}
                  engine={engine}
                  interrupted={interrupted}
                  by={role}
                  actions={actions ?? []}
                />
              ))}
              {exchange && (
                <>
                  <Bubble by="user" text={exchange.question} />
                  <Bubble by="assistant" text={exchange.text || '…'} actions={exchange.actions} />
                </>
              )}
            </ol>
            {chat.failure !== null && (
              <div role="alert">
                <Notice tone="bad" icon={TriangleAlert}>
                  {chat.failure}
                </Notice>
              </div>
            )}
            <PendingActions actions={waiting?.actions ?? []} />
            <div ref={end} className="chat-end" />
          </div>
          <Composer
            field={field}
            onSend={sendMessage}
            onStop={chat.stop}
            isAnswering={exchange !== null}
            isBusy={chat.isBusy}
          />
        </div>
      </div>
    </Page>
  )
}
