import { useQuery } from '@tanstack/react-query'
import { Sparkles, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { Done, Waiting } from './actions.tsx'
import { Composer } from './composer.tsx'
import { Conversations } from './conversations.tsx'
import { useConversationPlace } from './place.ts'
import { type ChatAction, useChat } from './use-chat.ts'
import './assistant.css'

const EXAMPLES = [
  'What do I have tomorrow?',
  'Who is waiting for an answer?',
  'Remind me to water the plants on Friday',
  'When am I free this week?',
]

/** Further away than this from the end, one is reading what was said before. */
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
    <Done actions={actions} />
    {text !== '' && <p>{text}</p>}
    {interrupted && <p className="chat-note">This answer was not finished.</p>}
    {engine === 'builtin' && <p className="chat-note">By the built-in engine, without a model.</p>}
  </li>
)

const Beginning = ({ onChoose }: { onChoose: (text: string) => void }) => (
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

/** Shows the end when a conversation is opened, and follows it while one is looking there. */
const useEnd = (conversationId: string | null, length: number) => {
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
  const place = useConversationPlace()
  const chat = useChat(place.id, (id) => place.go(id, { replace: true }))
  const { underway } = chat
  const field = useRef<HTMLTextAreaElement>(null)
  const conversation = useConversation(place.id)
  const { data: waiting } = useQuery({
    queryKey: ['waiting-actions'],
    queryFn: () =>
      unwrap(client.GET('/api/ai/actions', { params: { query: { status: 'pending', limit: 50 } } })),
  })
  const kept = (place.id !== null && conversation.data?.messages) || NO_MESSAGES
  // What is being said is shown as it comes, not a second time when it has been kept.
  const before = useRef(0)
  const messages = underway ? kept.slice(0, before.current) : kept
  const end = useEnd(place.id, messages.length + (underway ? 1 + underway.text.length : 0))

  const say = (text: string): Promise<boolean> => {
    before.current = messages.length
    return chat.say(text)
  }
  const open = (id: string | null) => {
    place.go(id)
    if (id === null) field.current?.focus()
  }
  const begin = (text: string) => {
    if (!field.current) return
    field.current.value = text
    field.current.focus()
  }
  const isLoading = place.id !== null && conversation.isPending && !underway
  return (
    <Page title="Assistant" about="Ask about your mail, tasks and calendar, or say what should be done.">
      <div className="chat">
        <Conversations current={place.id} open={open} close={() => place.go(null)} />
        <div className="chat-room">
          <div className="chat-said">
            {isLoading && <Skeleton lines={4} />}
            {conversation.isError && !conversation.data && !underway && (
              <Failure error={conversation.error} onRetry={() => void conversation.refetch()} />
            )}
            {place.id === null && !underway && <Beginning onChoose={begin} />}
            <ol
              className="chat-messages"
              aria-live="polite"
              aria-busy={underway !== null}
              aria-label="Conversation"
            >
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
            {chat.failure !== null && (
              <div role="alert">
                <Notice tone="bad" icon={TriangleAlert}>
                  {chat.failure}
                </Notice>
              </div>
            )}
            <Waiting actions={waiting?.actions ?? []} />
            <div ref={end} className="chat-end" />
          </div>
          <Composer
            field={field}
            onSay={say}
            onStop={chat.stop}
            isAnswering={underway !== null}
            isBusy={chat.isBusy}
          />
        </div>
      </div>
    </Page>
  )
}
