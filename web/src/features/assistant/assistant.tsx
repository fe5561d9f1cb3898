import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Send, Sparkles, Square, Trash2, TriangleAlert } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { setControlValue } from '../../ui/form-controls.ts'
import { Empty, Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { useSavedForm } from '../../ui/use-saved-form.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import { ActionList, PendingActions } from './actions.tsx'
import { type ChatAction, useChat } from './use-chat.ts'
import './assistant.css'

const KIND = 'conversation'

interface ConversationsProps {
  current: string | null
  open: (id: string | null) => void
  /** Called when the open conversation is deleted. */
  close: () => void
}

const Conversations = ({ current, open, close }: ConversationsProps) => {
  const client = useClient()
  const queries = useQueryClient()
  const deleteWithUndo = useUndoableDelete()
  const { data } = useQuery({
    queryKey: ['conversations'],
    queryFn: () => unwrap(client.GET('/api/ai/conversations', { params: { query: { limit: 50 } } })),
  })
  const pendingIds = usePendingDeletionIds<string>(KIND)
  const visible = data?.conversations.filter(({ id }) => !pendingIds.has(id)) ?? []
  const remove = ({ id, title }: { id: string; title: string }): void => {
    if (id === current) close()
    deleteWithUndo({
      kind: KIND,
      target: id,
      toastText: `“${title}” is deleted. What was done stays done.`,
      undoneText: `“${title}” is back.`,
      async send() {
        const params = { path: { id } }
        await unwrap(client.DELETE('/api/ai/conversations/{id}', { params, keepalive: true }))
        await queries.invalidateQueries({ queryKey: ['conversations'] })
      },
    })
  }
  return (
    <nav className="chat-list" aria-label="Conversations">
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        New conversation
      </Button>
      <ul>
        {visible.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              title={title}
              aria-current={id === current ? 'true' : undefined}
              onClick={() => open(id)}
            >
              {title}
            </button>
            <Button
              kind="quiet"
              shape="icon"
              size="small"
              aria-label={`Delete “${title}”`}
              onClick={() => remove({ id, title })}
            >
              <Trash2 size={15} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** Resolves to whether the message was accepted. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
  /** An answer is streaming, here or in another conversation. */
  isAnswering: boolean
  isBusy: boolean
}

/** Message field. A rejected message is restored, unless the user has typed something else meanwhile. */
const Composer = ({ field, onSend, onStop, isAnswering, isBusy }: ComposerProps) => {
  const form = useRef<HTMLFormElement>(null)
  const savedForm = useSavedForm('chat', { silent: true })
  useEffect(() => {
    const words = savedForm.read()?.message?.now
    if (field.current && typeof words === 'string') setControlValue(field.current, words)
  }, [savedForm, field])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text === '' || isBusy || !field.current) return
    field.current.value = ''
    savedForm.discard()
    const isAccepted = await onSend(text)
    if (!isAccepted && field.current?.value === '') setControlValue(field.current, text)
  }
  return (
    <form className="chat-form" ref={form} onSubmit={(event) => void submit(event)}>
      <label className="only-heard" htmlFor="chat-message">
        Message
      </label>
      <textarea
        className="input"
        id="chat-message"
        ref={field}
        rows={2}
        maxLength={20_000}
        placeholder="Ask, or say what should be done"
        enterKeyHint="send"
        onInput={({ currentTarget: { value } }) =>
          savedForm.save(value.trim() === '' ? {} : { message: { was: '', now: value } })
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          form.current?.requestSubmit()
        }}
      />
      {isAnswering ? (
        <Button onClick={onStop}>
          <Square size={16} aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <Button kind="primary" type="submit" busy={isBusy}>
          <Send size={16} aria-hidden="true" />
          Send
        </Button>
      )}
    </form>
  )
}

const BASE_PATH = '/assistant'

/** The open conversation, stored in the URL, so that reload and Back work. */
const useConversationUrl = () => {
  const [, navigate] = useLocation()
  const id = new URLSearchParams(useSearch()).get('conversation')
  return {
    id,
    go(next: string | null, options: { replace?: boolean } = {}): void {
      navigate(
        next === null ? BASE_PATH : `${BASE_PATH}?${new URLSearchParams({ conversation: next })}`,
        options,
      )
    },
  }
}

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
