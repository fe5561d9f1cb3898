import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { foldWords } from '../../database/word-index.ts'
import { type Caller, tokenIdOf, userIdOf } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { orderedId, type Random, randomId } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { toAccountMark, toMessageWords, toTitleWords } from '../models/conversation-words.ts'
import type { ToolCall } from '../models/language-models.ts'
import type { AnswerMeta } from '../models/model-router.ts'
import type { FallbackReason } from '../models/schema.ts'
import type { Memory, PageItem } from './interpreter/memory.ts'
import {
  type ConversationRecord,
  deleteConversation,
  deleteMessagesFrom,
  deletePendingActions,
  endTurn,
  findConversation,
  insertConversation,
  insertMessages,
  keepTurn,
  listConversations,
  listMessages,
  type MessageRecord,
  rejectActions,
  renameConversation,
  searchConversations,
  takeTurn,
} from './repository.ts'
import type { Notice } from './schema.ts'
import { type ToolCallOutcome, toPublicAction } from './tools/outcome.ts'

/** Lifetime of the turn lock without renewal. After that, its process is assumed to have crashed. */
const TURN_MS = 45_000
const MAX_MESSAGES = 200
const MAX_TITLE_LENGTH = 80

/** Describes one model step: its text, its tool calls and their results. */
export interface Step {
  text: string
  calls: readonly ToolCall[]
  /** `emails` lists the emails that the output quotes. */
  results: readonly { id: string; name: string; output: string; emails: readonly number[] }[]
}

export type ChatMessage =
  | { role: 'user'; text: string; context?: PageItem }
  | {
      role: 'assistant'
      text: string
      actions: readonly ToolCallOutcome[]
      steps: readonly Step[]
      made: AnswerMeta | null
      /** The fallback reason, by its name in the messages that earlier versions stored. */
      because: FallbackReason | null
      /** Not in messages of earlier versions. */
      notice?: Notice | null
      /** The answer contains data that no model may see. */
      isPrivate: boolean
      /** The answer is incomplete. */
      isBroken: boolean
      /** The state of the conversation after the answer. Older answers have none. */
      memory?: Memory
    }

export interface Turn {
  conversationId: string
  /** Oldest first. */
  history: readonly ChatMessage[]
  /**
   * Stores the message of the user. For a new conversation without tool calls, `end` can store it instead.
   */
  begin(): Promise<void>
  /** Stores the answer. The message of the user is kept even if the answer failed. */
  end(chatMessage: ChatMessage): Promise<void>
}

/** A message of the person, as it was sent. */
interface NewMessage {
  message: string
  /** The item that was open. */
  page: PageItem | null
  conversationId?: string | undefined
  replacesLast?: boolean | undefined
}

const titleOf = (message: string): string => {
  const line = message.trim().replace(/\s+/g, ' ')
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1)}…`.toWellFormed() : line
}

const toUserMessage = ({ message, page }: NewMessage): ChatMessage => ({
  role: 'user',
  text: message,
  ...(page && { context: page }),
})

const viewOf = ({ id, title, createdAt, updatedAt }: ConversationRecord) => ({
  id,
  title,
  createdAt,
  updatedAt,
})

/** Returns the question of an answer for clients. A button sends its label as the next message. */
export const toPublicQuestion = (memory: Memory | undefined, answer: string | null = null) =>
  memory?.question && memory.question.options.length > 0
    ? { text: memory.question.text, options: memory.question.options.map(({ label }) => label), answer }
    : null

/** Every turn updates `updatedAt`, so it serves as the version. */
const toVersion = ({ updatedAt }: ConversationRecord): number => Date.parse(updatedAt)

/** A new title changes the representation, but it neither reorders the list nor conflicts with a deletion. */
const toVersioned = (conversation: ConversationRecord) => ({
  ...viewOf(conversation),
  version: toVersion(conversation),
  extra: digest(conversation.title).slice(0, 8),
})

const toPublicContext = ({ kind, id, title }: PageItem) => ({
  type: kind === 'draft' ? ('email' as const) : kind,
  id,
  title,
})

const toStored = ({ at, content }: MessageRecord) => ({ at, chatMessage: JSON.parse(content) as ChatMessage })

export type Conversations = ReturnType<typeof createConversations>

/**
 * Stores the conversations of accounts until they are deleted. A person sees all of their own, a token only those that
 * it created.
 */
export const createConversations = ({ db, clock, random }: { db: Db; clock: Clock; random: Random }) => {
  const get = async (view: Db, id: string, caller: Caller): Promise<ConversationRecord> => {
    const found = await findConversation(view, userIdOf(caller), id)
    const tokenId = tokenIdOf(caller)
    if (!found || (tokenId !== null && found.tokenId !== tokenId)) throw notFound('conversation')
    return found
  }

  const read = async (view: Db, id: string, limit: number) =>
    (await listMessages(view, id, limit)).reverse().map(toStored)

  const turnUntil = (): string => new Date(clock.now().getTime() + TURN_MS).toISOString()

  /** Renews the turn lock until the returned function is called. An answer can take any time. */
  const holdTurn = (userId: number, id: string, turn: string): (() => void) => {
    const keep = () => keepTurn(db, userId, id, turn, turnUntil()).catch(() => undefined)
    const timer = setInterval(keep, TURN_MS / 3)
    timer.unref()
    return () => clearInterval(timer)
  }

  const rowOf = (userId: number, chatMessage: ChatMessage, id: string, at: string) => ({
    conversationId: id,
    at,
    content: JSON.stringify(chatMessage),
    words: toMessageWords(toAccountMark(userId), chatMessage.text),
  })

  const openNew = async (input: NewMessage, caller: Caller): Promise<Turn> => {
    const at = clock.now()
    const now = at.toISOString()
    const id = orderedId(random, at)
    const userId = userIdOf(caller)
    const first = {
      id,
      userId,
      tokenId: tokenIdOf(caller),
      title: titleOf(input.message),
      words: toTitleWords(titleOf(input.message)),
      createdAt: now,
      updatedAt: now,
    }
    const asked = rowOf(userId, toUserMessage(input), id, now)
    const turn = randomId(random)
    let begun: Promise<void> | undefined
    const releaseTurn = holdTurn(userId, id, turn)
    return {
      conversationId: id,
      history: [],
      begin: () => {
        begun ??= inTransaction(db, async (tx) => {
          await insertConversation(tx, { ...first, turn, turnUntil: turnUntil() })
          await insertMessages(tx, [asked])
        })
        return begun
      },
      async end(answer) {
        releaseTurn()
        await begun
        await inTransaction(db, async (tx) => {
          const then = clock.now().toISOString()
          if (begun && !(await endTurn(tx, userId, id, turn, then))) return
          if (!begun) await insertConversation(tx, { ...first, turn: null, turnUntil: null, updatedAt: then })
          await insertMessages(tx, [...(begun ? [] : [asked]), rowOf(userId, answer, id, then)])
        })
      },
    }
  }

  /**
   * Removes the last message of the person and its answer. Completed actions stay done, pending ones are rejected. An
   * automatic title follows the new first message.
   */
  const removeLast = async (tx: Db, { id, userId, title }: ConversationRecord, message: string) => {
    const rows = await listMessages(tx, id, MAX_MESSAGES)
    const last = rows.findIndex((row) => toStored(row).chatMessage.role === 'user')
    const question = rows[last]
    if (!question) return
    for (const row of rows.slice(0, last)) {
      const { chatMessage } = toStored(row)
      const actions = chatMessage.role === 'assistant' ? chatMessage.actions : []
      await rejectActions(
        tx,
        userId,
        actions.flatMap(({ actionId }) => actionId ?? []),
        clock.now().toISOString(),
      )
    }
    await deleteMessagesFrom(tx, id, question.id)
    const isFirst = last === rows.length - 1 && rows.length < MAX_MESSAGES
    if (isFirst && title === titleOf(toStored(question).chatMessage.text))
      await renameConversation(tx, userId, id, {
        title: titleOf(message),
        words: toTitleWords(titleOf(message)),
      })
  }

  const openKnown = async (input: NewMessage, id: string, caller: Caller): Promise<Turn> => {
    const userId = userIdOf(caller)
    const turn = randomId(random)
    const history = await inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const conversation = await get(tx, id, caller)
      if (!(await takeTurn(tx, userId, id, { turn, turnUntil: turnUntil(), now })))
        throw conflict('The previous message is still being answered. Wait for the answer, then try again.')
      if (input.replacesLast) await removeLast(tx, conversation, input.message)
      const chatMessage = (await read(tx, id, MAX_MESSAGES)).map((one) => one.chatMessage)
      await insertMessages(tx, [rowOf(userId, toUserMessage(input), id, now)])
      return chatMessage
    })
    const releaseTurn = holdTurn(userId, id, turn)
    return {
      conversationId: id,
      history,
      begin: async () => {},
      end(answer) {
        releaseTurn()
        return inTransaction(db, async (tx) => {
          const then = clock.now().toISOString()
          if (await endTurn(tx, userId, id, turn, then))
            await insertMessages(tx, [rowOf(userId, answer, id, then)])
        })
      },
    }
  }

  return {
    /** Acquires the turn lock of a conversation, or prepares a new conversation. */
    async open(input: NewMessage, caller: Caller): Promise<Turn> {
      const { conversationId, replacesLast } = input
      if (conversationId !== undefined) return openKnown(input, conversationId, caller)
      if (replacesLast) throw invalidField('replacesLast', 'needs a conversationId')
      return openNew(input, caller)
    },

    async list({ limit, cursor, q = '' }: PageRequest & { q?: string | undefined }, caller: Caller) {
      const after = readCursor(cursor, 'instant', 'text')
      const userId = userIdOf(caller)
      const request = { tokenId: tokenIdOf(caller), limit, after }
      const words = foldWords(q)
      // A search for characters that are no words finds nothing.
      if (q.trim() !== '' && words.length === 0) return { conversations: [], nextCursor: null }
      const rows =
        words.length === 0
          ? await listConversations(db, userId, request)
          : await searchConversations(db, userId, { ...request, words, mark: toAccountMark(userId) })
      const { page, nextCursor } = pageOf(rows, limit, ({ updatedAt, id }) => [updatedAt, id])
      return { conversations: page.map(viewOf), nextCursor }
    },

    async show(id: string, caller: Caller) {
      const conversation = await get(db, id, caller)
      const stored = await read(db, id, MAX_MESSAGES)
      const messages = stored.map(({ at, chatMessage }, index) =>
        chatMessage.role === 'user'
          ? {
              role: chatMessage.role,
              text: chatMessage.text,
              at,
              ...(chatMessage.context && { context: toPublicContext(chatMessage.context) }),
            }
          : {
              role: chatMessage.role,
              text: chatMessage.text,
              at,
              actions: chatMessage.actions.map(toPublicAction),
              interrupted: chatMessage.isBroken,
              fallbackReason: chatMessage.because,
              notice: chatMessage.notice ?? null,
              question: toPublicQuestion(chatMessage.memory, stored[index + 1]?.chatMessage.text ?? null),
              ...(chatMessage.made ?? {}),
            },
      )
      return { ...toVersioned(conversation), messages }
    },

    rename: (id: string, title: string, caller: Caller, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const conversation = await get(tx, id, caller)
        requireMatch(ifMatch, toVersioned(conversation))
        const renamed = { title: title.trim(), words: toTitleWords(title) }
        await renameConversation(tx, conversation.userId, id, renamed)
        return toVersioned({ ...conversation, ...renamed })
      }),

    delete: (id: string, caller: Caller, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        const conversation = await get(tx, id, caller)
        requireMatch(ifMatch, toVersioned(conversation))
        await deletePendingActions(tx, conversation.userId, id)
        await deleteConversation(tx, conversation.userId, id)
      }),
  }
}
