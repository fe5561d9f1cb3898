import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus, Send, Sparkles, Square, Trash2, TriangleAlert } from 'lucide-react'
import { type FormEvent, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import * as t from '#locale/assistant'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { setControlValue } from '../../ui/form-controls.ts'
import { Empty, Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { useSavedForm } from '../../ui/use-saved-form.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import { ActionList, PendingActions, type WaitingAction } from './actions.tsx'
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
      toastText: t.conversationDeleted(title),
      undoneText: t.conversationRestored(title),
      async send() {
        const params = { path: { id } }
        await unwrap(client.DELETE('/api/ai/conversations/{id}', { params, keepalive: true }))
        await queries.invalidateQueries({ queryKey: ['conversations'] })
      },
    })
  }
  return (
    <nav className="chat-list" aria-label={t.conversations}>
      <Button wide onClick={() => open(null)}>
        <MessageSquarePlus size={16} aria-hidden="true" />
        {t.newConversation}
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
              aria-label={t.deleteConversation(title)}
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
      <label className="visually-hidden" htmlFor="chat-message">
        {t.message}
      </label>
      <textarea
        className="input"
        id="chat-message"
        ref={field}
        rows={2}
        maxLength={20_000}
        placeholder={t.askOrTell}
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
          {t.stop}
        </Button>
      ) : (
        <Button kind="primary" type="submit" busy={isBusy}>
          <Send size={16} aria-hidden="true" />
          {t.send}
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

/** Beyond this distance from the end, the user is reading earlier messages. */
const NEAR_PX = 120

type Message = Shape<'ChatMessage'>

/** Consecutive lines that start with a hyphen, or the lines between two such lists. */
const BLOCK = /(?:^- .*(?:\n|$))+|(?:^(?!- ).*(?:\n|$))+/gm

/** The text of a message. Lines that start with a hyphen are shown as a list. */
const MessageText = ({ text }: { text: string }) =>
  [...text.matchAll(BLOCK)].map(({ 0: block, index }) => {
    if (block.trim() === '') return null
    if (!block.startsWith('- ')) return <p key={index}>{block.trim()}</p>
    return (
      <ul key={index} className="chat-points">
        {[...block.matchAll(/^- (.*)$/gm)].map(({ 1: point, index: start }) => (
          <li key={start}>{point}</li>
        ))}
      </ul>
    )
  })

interface BubbleProps {
  message: Pick<Message, 'role' | 'text' | 'actions' | 'question' | 'engine' | 'interrupted' | 'notice'>
  confirmations: ReadonlyMap<string, WaitingAction>
  /** Says whether a language model wrote the answer. */
  showsEngine?: boolean
  onDecided: () => void
  /** Answers the question of the message. */
  onAnswer: (option: string) => void
}

const ENGINE_NOTES = { builtin: t.withoutModel, llm: t.withModel } as const

const Bubble = ({ message, confirmations, showsEngine = false, onDecided, onAnswer }: BubbleProps) => {
  const { role, text, actions = [], question, engine, interrupted, notice } = message
  const confirmationOf = ({ actionId }: ChatAction) => confirmations.get(actionId ?? '')
  const isPending = (action: ChatAction) => confirmationOf(action)?.status === 'pending'
  return (
    <li className="chat-message" data-role={role}>
      <span className="visually-hidden">{role === 'user' ? t.you : t.theAssistant}</span>
      <ActionList actions={actions.filter((action) => !isPending(action))} confirmations={confirmations} />
      <MessageText text={text} />
      <PendingActions
        actions={actions.filter(isPending).flatMap((action) => confirmationOf(action) ?? [])}
        onDecided={onDecided}
      />
      {question && (
        <fieldset className="chat-options">
          <legend className="visually-hidden">{t.answers}</legend>
          {question.options.map((option) => (
            <Button key={option} size="small" onClick={() => onAnswer(option)}>
              {option}
            </Button>
          ))}
        </fieldset>
      )}
      {interrupted && <p className="chat-note">{t.unfinished}</p>}
      {notice && <p className="chat-note">{t.notices[notice]}</p>}
      {showsEngine && engine !== undefined && <p className="chat-note">{ENGINE_NOTES[engine]}</p>}
    </li>
  )
}

/** Whether the answer has another engine than the answer before it. Repeating the note adds nothing. */
const hasNewEngine = (messages: readonly Message[], index: number): boolean => {
  const before = messages.slice(0, index).findLast(({ role }) => role === 'assistant')
  return messages[index]?.role === 'assistant' && messages[index].engine !== before?.engine
}

const EmptyConversation = ({ onChoose }: { onChoose: (text: string) => void }) => (
  <Empty icon={Sparkles} title={t.howCanIHelp}>
    <p>{t.asksFirst}</p>
    <ul className="chat-examples">
      {t.examples.map((text) => (
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

/**
 * Shows the newest message when a conversation opens and when the user sends a message. Follows new text until
 * the user scrolls up.
 */
const useScrollToEnd = (conversationId: string | null, hasMessages: boolean) => {
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const scrollToEnd = useRef(() => {})
  scrollToEnd.current = () => {
    if (follows.current && hasMessages) window.scrollTo(0, document.documentElement.scrollHeight)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another conversation opens
  useEffect(() => {
    follows.current = true
    scrollToEnd.current()
  }, [conversationId])
  useEffect(() => {
    const observer = new ResizeObserver(() => scrollToEnd.current())
    if (content.current) observer.observe(content.current)
    const onScroll = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      follows.current = scrollHeight - clientHeight - scrollTop < NEAR_PX
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return {
    content,
    follow(): void {
      follows.current = true
      scrollToEnd.current()
    },
  }
}

const NO_MESSAGES: readonly Message[] = []

/** Latest actions that needed a confirmation, by id. The limit is the maximum of the API. */
const useConfirmations = (): ReadonlyMap<string, WaitingAction> => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['waiting-actions'],
    queryFn: () => unwrap(client.GET('/api/ai/actions', { params: { query: { limit: 200 } } })),
  })
  return useMemo(() => new Map(data?.actions.map((action) => [action.id, action])), [data])
}

interface OtherActionsProps {
  confirmations: ReadonlyMap<string, WaitingAction>
  messages: readonly Pick<Message, 'actions'>[]
  onDecided: () => void
}

/** Pending actions of other conversations, MCP clients and access tokens. */
const OtherActions = ({ confirmations, messages, onDecided }: OtherActionsProps) => {
  const heading = useId()
  const own = new Set(messages.flatMap(({ actions = [] }) => actions.map(({ actionId }) => actionId)))
  const others = [...confirmations.values()].filter(({ id, status }) => status === 'pending' && !own.has(id))
  if (others.length === 0) return null
  return (
    <section className="chat-others" aria-labelledby={heading}>
      <h2 id={heading}>{t.needsConfirmation}</h2>
      <PendingActions actions={others} onDecided={onDecided} />
    </section>
  )
}

export const Assistant = () => {
  const urlState = useConversationUrl()
  const chat = useChat(urlState.id, (id) => urlState.go(id, { replace: true }))
  const { exchange } = chat
  const field = useRef<HTMLTextAreaElement>(null)
  const conversation = useConversation(urlState.id)
  const confirmations = useConfirmations()
  const storedMessages = (urlState.id !== null && conversation.data?.messages) || NO_MESSAGES
  // Hides stored messages of the running exchange, which is displayed separately while it streams.
  const before = useRef(0)
  const messages = exchange ? storedMessages.slice(0, before.current) : storedMessages
  const { content, follow } = useScrollToEnd(urlState.id, messages.length > 0 || exchange !== null)

  const sendMessage = (text: string): Promise<boolean> => {
    before.current = messages.length
    follow()
    return chat.sendMessage(text)
  }
  // On touch devices the field gets no focus, because the on-screen keyboard would open.
  const onDecided = () => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }
  const answer = (option: string) => {
    if (!chat.isBusy) void sendMessage(option)
    onDecided()
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
  const running: readonly BubbleProps['message'][] = exchange
    ? [
        { role: 'user', text: exchange.question },
        { role: 'assistant', text: exchange.text || '…', actions: [...exchange.actions] },
      ]
    : []
  const isLoading = urlState.id !== null && conversation.isPending && !exchange
  return (
    <Page title={t.assistant} about={t.assistantHelp}>
      <div className="chat">
        <Conversations current={urlState.id} open={open} close={() => urlState.go(null)} />
        <div className="chat-room">
          <div className="chat-said" ref={content}>
            {isLoading && <Skeleton lines={4} />}
            {conversation.isError && !conversation.data && !exchange && (
              <Failure error={conversation.error} onRetry={() => void conversation.refetch()} />
            )}
            {urlState.id === null && !exchange && <EmptyConversation onChoose={begin} />}
            <ol
              className="chat-messages"
              aria-live="polite"
              aria-busy={exchange !== null}
              aria-label={t.conversation}
            >
              {messages.map((message, index) => (
                <Bubble
                  key={`${message.at}${message.role}`}
                  message={message}
                  confirmations={confirmations}
                  showsEngine={hasNewEngine(messages, index)}
                  onDecided={onDecided}
                  onAnswer={answer}
                />
              ))}
              {running.map((message) => (
                <Bubble
                  key={message.role}
                  message={message}
                  confirmations={confirmations}
                  onDecided={onDecided}
                  onAnswer={answer}
                />
              ))}
            </ol>
            {chat.failure !== null && (
              <div role="alert">
                <Notice tone="bad" icon={TriangleAlert}>
                  {chat.failure}
                </Notice>
              </div>
            )}
            <OtherActions
              confirmations={confirmations}
              messages={[...messages, ...running]}
              onDecided={onDecided}
            />
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
