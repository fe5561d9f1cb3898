import { Check, Copy, PenLine, RotateCw } from 'lucide-react'
import { Link } from 'wouter'
import * as t from '#locale/assistant'
import { Button, IconButton } from '../../ui/button.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { ActionList, Confirmations, type WaitingAction } from './actions.tsx'
import type { AskAssistant } from './card-frame.tsx'
import { ItemCards } from './cards.tsx'
import { SUBJECT_ICONS } from './composer.tsx'
import { isMentioned, itemsOf, slotsOf } from './items.ts'
import { Markdown } from './markdown.tsx'
import { toToolLabel } from './payload.tsx'
import { SlotButtons } from './slot-buttons.tsx'
import { addressOfSubject } from './subject-address.ts'
import type { ChatAction, Message } from './use-chat.ts'

type DisplayedMessage = Pick<
  Message,
  'role' | 'text' | 'actions' | 'question' | 'engine' | 'model' | 'interrupted' | 'notice' | 'context'
>

export interface MessageActions {
  /** Called after a decision, which removes the focused button. */
  onDecided: () => void
  /** Answers the question of the message. */
  onAnswer: (option: string) => void
  onAsk: AskAssistant
}

interface BubbleProps extends MessageActions {
  message: DisplayedMessage
  /** The actions that needed a confirmation, by id. */
  confirmations: ReadonlyMap<string, WaitingAction>
  /** Names of the models of the account. */
  modelNames: ReadonlyMap<string, string>
  /** Set for the last answer. */
  onRetry?: (() => void) | undefined
  /** The message before it had the same context. */
  hasSameContext?: boolean
  /** Set for the last message of the person. */
  onEdit?: (() => void) | undefined
}

/** A message with context of the person. */
const UserMessage = ({
  message,
  hasSameContext = false,
  onEdit,
}: Pick<BubbleProps, 'message' | 'hasSameContext' | 'onEdit'>) => {
  const { text, context } = message
  const Icon = context && SUBJECT_ICONS[context.type]
  return (
    <li className="chat-message" data-role="user">
      <span className="visually-hidden">{t.you}</span>
      {context && Icon && !hasSameContext && (
        <p className="chat-context">
          <Icon size={14} aria-hidden="true" />
          <Link href={addressOfSubject(context)} className="chat-context-title">
            {context.title}
          </Link>
        </p>
      )}
      <p className="chat-said-text">{text}</p>
      {onEdit && (
        <div className="chat-foot">
          <IconButton icon={PenLine} iconSize={14} label={t.editQuestion} onClick={onEdit} />
        </div>
      )}
    </li>
  )
}

interface QuestionButtonsProps {
  question: NonNullable<Message['question']>
  onAnswer: (option: string) => void
}

/** Answers to choose from. After an answer the buttons stay, disabled, with the chosen one marked. */
const QuestionButtons = ({ question, onAnswer }: QuestionButtonsProps) => {
  const { options, answer } = question
  return (
    <fieldset className="chat-options" disabled={answer !== null}>
      <legend className="visually-hidden">{t.answers}</legend>
      {options.map((option) => {
        const isChosen = option === answer
        return (
          <Button key={option} size="small" aria-pressed={isChosen} onClick={() => onAnswer(option)}>
            {isChosen && <Check size={14} aria-hidden="true" />}
            {option}
          </Button>
        )
      })}
    </fieldset>
  )
}

/** A list, with quotes below its entries. */
const LIST_LINES = /(?:^- .*(?:\n {2,}\S.*)*(?:\n|$))+/gm

/**
 * The built-in engine prints its results as a list. The cards show the same, so they take the place of the list. Returns
 * the text before and after it.
 */
const splitAtList = (text: string, count: number): readonly [string, string] => {
  for (const { 0: list, index } of text.matchAll(LIST_LINES)) {
    const isCarded = (list.match(/^- /gm)?.length ?? 0) <= count
    if (isCarded) return [text.slice(0, index).trim(), text.slice(index + list.length).trim()]
  }
  return [text, '']
}

/** The built-in engine repeats the request of a confirmation, which is displayed below. */
const withoutSummaries = (text: string, summaries: readonly string[]): string =>
  text
    .split('\n')
    .filter((line) => !summaries.some((summary) => line.includes(summary)))
    .join('\n')
    .trim()

const countBlocks = ({ input }: WaitingAction): number => {
  const { blocks } = (input ?? {}) as { blocks?: unknown }
  return Array.isArray(blocks) ? blocks.length : 0
}

interface FootProps {
  message: DisplayedMessage
  modelNames: ReadonlyMap<string, string>
  onRetry: (() => void) | undefined
}

/** Names what answered, and has the actions on the whole answer. */
const AnswerFoot = ({ message, modelNames, onRetry }: FootProps) => {
  const notify = useNotify()
  const { text, actions = [], engine, model } = message
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify(t.copied)
    } catch {
      notify(t.copyFailed, { failed: true })
    }
  }
  const name = engine === 'builtin' ? t.builtInRules : (modelNames.get(model ?? '') ?? t.languageModel)
  const steps = actions.map(({ tool }) => toToolLabel(tool))
  return (
    <div className="chat-foot">
      <span className="chat-engine">
        {engine !== undefined && name}
        {steps.length > 0 && <span title={steps.join(', ')}>{` · ${t.steps(steps.length)}`}</span>}
      </span>
      {text !== '' && (
        <IconButton
          icon={Copy}
          iconSize={14}
          label={t.copyAnswer}
          title={t.copyAnswer}
          onClick={() => void copy()}
        />
      )}
      {onRetry && (
        <IconButton
          icon={RotateCw}
          iconSize={14}
          label={t.retryAnswer}
          title={t.retryAnswer}
          onClick={onRetry}
        />
      )}
    </div>
  )
}

/** Confirmations are kept for a month. An older one has expired. A new one may not be loaded yet. */
const toExpired = ({ actionId, tool, input, result }: ChatAction): WaitingAction | [] => {
  const { summary = toToolLabel(tool), expiresAt } = (result ?? {}) as {
    summary?: string
    expiresAt?: string
  }
  if (expiresAt === undefined || Date.parse(expiresAt) > Date.now()) return []
  return {
    id: actionId ?? '',
    tool,
    input,
    summary,
    status: 'expired',
    source: 'chat',
    conversationId: null,
    result: null,
    error: null,
    undoId: null,
    createdAt: expiresAt,
    expiresAt,
    decidedAt: null,
  }
}

const AnswerMessage = ({
  message,
  confirmations,
  modelNames,
  onRetry,
  onDecided,
  onAnswer,
  onAsk,
}: BubbleProps) => {
  const { text, actions = [], question, engine, interrupted, notice } = message
  const isBuiltIn = engine === 'builtin'
  const isStreaming = engine === undefined && !interrupted
  const all = question ? [] : itemsOf(actions)
  // While the answer arrives, it is unknown which of the items it names.
  const items = isStreaming
    ? all.filter(({ action }) => action !== null)
    : all.filter((item) => !isBuiltIn || isMentioned(item, text))
  const carded = new Set(items.map(({ action }) => action))
  const asked = actions.filter(({ actionId }) => actionId !== null)
  const others = actions.filter(
    (action) =>
      action.actionId === null &&
      !carded.has(action) &&
      (action.status === 'failed' || action.undoId !== null),
  )
  const slots = question ? [] : slotsOf(actions)
  const waiting = asked.flatMap((action) => confirmations.get(action.actionId ?? '') ?? toExpired(action))
  const listed = Math.max(items.length, slots.length, ...waiting.map(countBlocks))
  const displayedText = isBuiltIn
    ? withoutSummaries(
        text,
        waiting.map(({ summary }) => summary),
      )
    : text
  const [before, after] = isBuiltIn ? splitAtList(displayedText, listed) : [displayedText, '']
  return (
    <li className="chat-message" data-role="assistant">
      <span className="visually-hidden">{t.theAssistant}</span>
      {isStreaming && text === '' ? (
        <p className="chat-waiting">…</p>
      ) : (
        before !== '' && <Markdown text={before} />
      )}
      <ActionList actions={others} />
      <ItemCards items={items} onAsk={onAsk} />
      <SlotButtons slots={slots} />
      {after !== '' && <Markdown text={after} />}
      <Confirmations actions={waiting} onDecided={onDecided} />
      {question && <QuestionButtons question={question} onAnswer={onAnswer} />}
      {interrupted && <p className="chat-note">{t.unfinished}</p>}
      {notice && <p className="chat-note">{t.notices[notice]}</p>}
      {!isStreaming && <AnswerFoot message={message} modelNames={modelNames} onRetry={onRetry} />}
    </li>
  )
}

export const Bubble = (props: BubbleProps) =>
  props.message.role === 'user' ? <UserMessage {...props} /> : <AnswerMessage {...props} />
