import { useQuery } from '@tanstack/react-query'
import { ArrowDown, Sparkles, TriangleAlert, Undo2 } from 'lucide-react'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { PageSubject } from '../../shell/page-subject.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { setControlValue } from '../../ui/form-controls.ts'
import { Empty, Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { Confirmations, isPending, type WaitingAction } from './actions.tsx'
import { Composer } from './composer.tsx'
import { Bubble } from './messages.tsx'
import { toToolLabel } from './payload.tsx'
import { listSuggestions } from './suggestions.ts'
import { useUndo, useUndoneIds } from './undo.ts'
import { type ChatAction, conversationKey, type Message, useChat } from './use-chat.ts'
import { useScrollToEnd } from './use-scroll-to-end.ts'

const NO_MESSAGES: readonly Message[] = []

/** Whether the person had the same item open with the message before. */
const hasSameContext = (messages: readonly Message[], index: number): boolean => {
  const before = messages.slice(0, index).findLast(({ role }) => role === 'user')?.context
  const { context } = messages[index] ?? {}
  return context !== undefined && before?.type === context.type && before.id === context.id
}

const useConversation = (id: string | null) => {
  const client = useClient()
  return useQuery({
    queryKey: conversationKey(id),
    enabled: id !== null,
    queryFn: () =>
      unwrap(client.GET('/api/ai/conversations/{id}', { params: { path: { id: id as string } } })),
  })
}

/** Latest actions that needed a confirmation, by id. The limit is the maximum of the API. */
const useConfirmations = () => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['waiting-actions'],
    queryFn: () => unwrap(client.GET('/api/ai/actions', { params: { query: { limit: 200 } } })),
  })
  return useMemo(() => data && new Map(data.actions.map((action) => [action.id, action])), [data])
}

/** Names of the models, and whether a model answers. */
const useModels = () => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['ai-models'],
    queryFn: () => unwrap(client.GET('/api/ai/models')),
  })
  return useMemo(
    () => ({
      names: new Map(data?.models.map(({ model, providerModel }) => [model as string, providerModel])),
      hasModel: data?.models.some(({ active, engine }) => active && engine === 'llm') ?? false,
    }),
    [data],
  )
}

interface OtherActionsProps {
  confirmations: ReadonlyMap<string, WaitingAction>
  onDecided: () => void
}

/** Pending actions of all conversations, MCP clients and access tokens. */
const OtherActions = ({ confirmations, onDecided }: OtherActionsProps) => {
  const heading = useId()
  const others = [...confirmations.values()].filter(isPending)
  if (others.length === 0) return null
  return (
    <section className="chat-others" aria-labelledby={heading}>
      <h2 id={heading}>{t.needsConfirmation}</h2>
      <Confirmations actions={others} onDecided={onDecided} />
    </section>
  )
}

interface SuggestionsProps {
  suggestions: readonly string[]
  onChoose: (text: string) => void
}

const Suggestions = ({ suggestions, onChoose }: SuggestionsProps) => (
  <ul className="chat-examples" aria-label={t.suggestionsLabel}>
    {suggestions.map((text) => (
      <li key={text}>
        <Button size="small" onClick={() => onChoose(text)}>
          {text}
        </Button>
      </li>
    ))}
  </ul>
)

/** Screen readers would read the marks of Markdown. */
const toSpokenText = (text: string): string =>
  text.replace(/^\s*(?:[-+>]|#+)\s+/gm, '').replace(/[*_`|]/g, '')

/** Announces the start and the end of an answer, and not each part of it. */
const Announcer = ({ isAnswering, messages }: { isAnswering: boolean; messages: readonly Message[] }) => {
  const last = messages.at(-1)
  const [text, setText] = useState('')
  const wasAnswering = useRef(false)
  useEffect(() => {
    if (isAnswering) setText(t.answering)
    else if (wasAnswering.current) setText(last?.role === 'assistant' ? toSpokenText(last.text) : '')
    wasAnswering.current = isAnswering
  }, [isAnswering, last])
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  )
}

/** The changes of an answer that were not undone. */
const useChanges = (actions: readonly ChatAction[]) => {
  const undone = useUndoneIds()
  const changes = actions.filter(({ undoId }) => undoId !== null && !undone.has(undoId))
  return {
    ids: changes.flatMap(({ undoId }) => undoId ?? []),
    names: changes.map(({ tool }) => toToolLabel(tool)).join(', '),
  }
}

interface RetryDialogProps {
  open: boolean
  changes: string
  onClose: () => void
  onRetry: (undoesChanges: boolean) => void
}

const RetryDialog = ({ open, changes, onClose, onRetry }: RetryDialogProps) => (
  <Dialog open={open} onClose={onClose} title={t.retryTitle} about={t.changesStay(changes)}>
    <div className="dialog-actions">
      <Button onClick={() => onRetry(false)}>{t.keepChanges}</Button>
      <Button kind="primary" data-first onClick={() => onRetry(true)}>
        {t.undoAndRetry}
      </Button>
    </div>
  </Dialog>
)

interface EditingNoteProps {
  /** The changes of the answer that is about to be replaced. */
  changes: string
  onUndo: () => void
  onCancel: () => void
}

const EditingNote = ({ changes, onUndo, onCancel }: EditingNoteProps) => (
  <div className="chat-editing">
    <p>{t.editingQuestion}</p>
    {changes !== '' && (
      <>
        <p>{t.changesStay(changes)}</p>
        <Button size="small" onClick={onUndo}>
          <Undo2 size={14} aria-hidden="true" />
          {t.undoChanges}
        </Button>
      </>
    )}
    <Button kind="quiet" size="small" aria-label={t.cancelEdit} onClick={onCancel}>
      {common.cancel}
    </Button>
  </div>
)

interface FailureNoticeProps {
  text: string
  onRetry: () => void
}

const FailureNotice = ({ text, onRetry }: FailureNoticeProps) => (
  <div role="alert">
    <Notice tone="bad" icon={TriangleAlert}>
      {text}
      <Button size="small" onClick={onRetry}>
        {t.retry}
      </Button>
    </Notice>
  </div>
)

interface ChatViewProps {
  conversationId: string | null
  onOpen: (id: string | null, options?: { replace?: boolean }) => void
  /** The open item of the page. */
  subject: PageSubject | null
  /** The element that scrolls; without it, the page does. */
  scroller?: RefObject<HTMLElement | null>
  field: RefObject<HTMLTextAreaElement | null>
}

const toKey = ({ type, id, occurrence }: PageSubject): string => `${type} ${id} ${occurrence ?? ''}`

/** On touch devices the field gets no focus, because the on-screen keyboard would open. */
const focusField = (field: RefObject<HTMLTextAreaElement | null>): void => {
  if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
}

/** Sends, edits and repeats the messages of a conversation. */
const useConversationChat = ({ conversationId, onOpen, subject, scroller, field }: ChatViewProps) => {
  const chat = useChat(conversationId, (id) => onOpen(id, { replace: true }))
  const { exchange, failure } = chat
  const conversation = useConversation(conversationId)
  const undo = useUndo()
  const [removedSubject, setRemovedSubject] = useState<string | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  const [isRetrying, setIsRetrying] = useState(false)
  const stored = (conversationId !== null && conversation.data?.messages) || NO_MESSAGES
  // Hides stored messages of the running exchange, which is displayed separately while it streams.
  const messages = exchange ? stored.slice(0, exchange.before) : stored
  const { content, isAtEnd, follow } = useScrollToEnd({
    conversationId,
    hasMessages: messages.length > 0 || exchange !== null,
    scroller,
  })
  const context = subject && toKey(subject) !== removedSubject ? subject : null
  const lastQuestion = stored.findLastIndex(({ role }) => role === 'user')
  const lastAnswer = stored.at(-1)?.role === 'assistant' ? stored.at(-1) : undefined
  const changes = useChanges(lastAnswer?.actions ?? [])
  const question = stored[lastQuestion]

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation has another last message
  useEffect(() => setIsEditing(false), [conversationId])

  const send = (text: string, about: PageSubject | null = context): Promise<boolean> => {
    follow()
    return chat.sendMessage({ text, context: about, before: stored.length })
  }
  /** Sends the last message again, or another one in its place. */
  const replaceLast = (text: string): Promise<boolean> => {
    follow()
    const about = question?.context ?? null
    return chat.sendMessage({ text, context: about, replacesLast: true, before: lastQuestion })
  }
  const submit = async (text: string): Promise<boolean> => {
    if (!isEditing) return send(text)
    const isStored = await replaceLast(text)
    if (isStored) setIsEditing(false)
    return isStored
  }
  const retry = async (undoesChanges: boolean) => {
    setIsRetrying(false)
    if (undoesChanges && !(await undo(changes.ids))) return
    if (question) await replaceLast(question.text)
    focusField(field)
  }
  const fill = (text: string) => {
    if (!field.current) return
    setControlValue(field.current, text)
    field.current.focus()
  }
  const edit = () => {
    setIsEditing(true)
    if (question) fill(question.text)
  }
  const stopEditing = () => {
    setIsEditing(false)
    fill('')
  }
  const retryFailed = () => {
    if (!failure) return
    // The text that was restored is sent now.
    if (field.current?.value.trim() === failure.question.text) setControlValue(field.current, '')
    if (failure.isStored) void retry(false)
    else
      void chat.sendMessage(failure.question).then((isStored) => {
        if (!isStored && field.current?.value === '') setControlValue(field.current, failure.question.text)
      })
  }
  const answer = (option: string) => {
    if (!chat.isBusy) void send(option, null)
    focusField(field)
  }
  const choose = (text: string) => {
    // A suggestion with a gap is completed first.
    if (text.endsWith('…')) fill(text.slice(0, -1))
    else if (!chat.isBusy) void send(text)
  }
  const running: readonly Pick<Message, 'role' | 'text' | 'actions' | 'context'>[] = exchange
    ? [
        { role: 'user', text: exchange.text, ...(exchange.context && { context: exchange.context }) },
        { role: 'assistant', text: exchange.answer, actions: [...exchange.actions] },
      ]
    : []
  return {
    chat,
    conversation,
    messages,
    running,
    context,
    changes,
    lastAnswer,
    lastQuestion,
    scroll: { content, isAtEnd, follow },
    isEditing,
    isRetrying,
    undoChanges: () => void undo(changes.ids),
    removeSubject: () => setRemovedSubject(subject && toKey(subject)),
    askRetry: () => (changes.ids.length > 0 ? setIsRetrying(true) : void retry(false)),
    cancelRetry: () => setIsRetrying(false),
    send,
    submit,
    retry,
    retryFailed,
    answer,
    choose,
    edit,
    stopEditing,
  }
}

/** One conversation: its messages and the message field. */
export const ChatView = (props: ChatViewProps) => {
  const { conversationId, subject, field } = props
  const [path] = useLocation()
  const view = useConversationChat(props)
  const { chat, conversation, messages, running, context, changes, scroll } = view
  const { exchange, failure } = chat
  const confirmations = useConfirmations()
  const { names, hasModel } = useModels()
  const known = confirmations ?? new Map<string, WaitingAction>()
  const actions = {
    confirmations: known,
    modelNames: names,
    onDecided: () => focusField(field),
    onAnswer: view.answer,
    onAsk: (text: string, about: PageSubject) => {
      if (!chat.isBusy) void view.send(text, about)
    },
  }
  const isIdle = !chat.isBusy
  const isEmpty = conversationId === null && !exchange
  return (
    <div className="chat-room">
      <div className="chat-said" ref={scroll.content}>
        {conversationId !== null && conversation.isPending && !exchange && <Skeleton lines={4} />}
        {conversation.isError && !conversation.data && !exchange && (
          <Failure error={conversation.error} onRetry={() => void conversation.refetch()} />
        )}
        {isEmpty && (
          <Empty icon={Sparkles} title={t.howCanIHelp}>
            <p>{t.asksFirst}</p>
            <Suggestions suggestions={listSuggestions(path, context, hasModel)} onChoose={view.choose} />
          </Empty>
        )}
        <ol className="chat-messages" aria-busy={exchange !== null} aria-label={t.conversation}>
          {messages.map((message, index) => (
            <Bubble
              key={`${message.at}${message.role}`}
              message={message}
              hasSameContext={hasSameContext(messages, index)}
              {...actions}
              onRetry={isIdle && message === view.lastAnswer ? view.askRetry : undefined}
              onEdit={isIdle && index === view.lastQuestion ? view.edit : undefined}
            />
          ))}
          {running.map((message) => (
            <Bubble
              key={message.role}
              message={message}
              hasSameContext={hasSameContext([...messages, message as Message], messages.length)}
              {...actions}
            />
          ))}
        </ol>
        {failure && <FailureNotice text={failure.text} onRetry={view.retryFailed} />}
        {/* An action belongs to its conversation. The bell leads to this page, which shows all of them. */}
        {isEmpty && <OtherActions confirmations={known} onDecided={actions.onDecided} />}
      </div>
      <div className="chat-bottom">
        {!scroll.isAtEnd && (
          <Button size="small" onClick={scroll.follow}>
            <ArrowDown size={14} aria-hidden="true" />
            {t.newest}
          </Button>
        )}
        {!isEmpty && isIdle && subject && (
          <Suggestions
            suggestions={listSuggestions(path, context, hasModel).slice(0, 2)}
            onChoose={view.choose}
          />
        )}
        <Composer
          field={field}
          subject={view.isEditing ? null : context}
          onRemoveSubject={view.removeSubject}
          note={
            view.isEditing && (
              <EditingNote changes={changes.names} onUndo={view.undoChanges} onCancel={view.stopEditing} />
            )
          }
          onSend={view.submit}
          onStop={chat.stop}
          isAnswering={exchange !== null}
          isBusy={chat.isBusy}
        />
      </div>
      <Announcer isAnswering={exchange !== null} messages={messages} />
      <RetryDialog
        open={view.isRetrying}
        changes={changes.names}
        onClose={view.cancelRetry}
        onRetry={(undoesChanges) => void view.retry(undoesChanges)}
      />
    </div>
  )
}
