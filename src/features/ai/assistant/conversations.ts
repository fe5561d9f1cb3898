import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type Caller, tokenIdOf } from '../../../platform/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { pageOf, readCursor } from '../../../platform/http/cursor.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import { orderedId, type Random, randomId } from '../../../platform/random.ts'
import type { Acted } from '../acting/acting.ts'
import { deletePendingOf } from '../acting/store.ts'
import type { Because, Made } from '../asking.ts'
import type { ToolCall } from '../language-models.ts'
import {
  type ConversationRecord,
  deleteConversation,
  endTurn,
  findConversation,
  insertConversation,
  insertMessages,
  keepTurn,
  listConversations,
  listMessages,
  takeTurn,
} from './conversation-store.ts'

/** How long a turn is kept without a sign of life; after that its process is taken for dead. */
const TURN_MS = 45_000
const MOST_SHOWN = 200
const LONGEST_TITLE = 80

/** One step of an answer: what the model said and called, and what came of it. */
export interface Step {
  text: string
  calls: readonly ToolCall[]
  /** `emails`: whose text is in it. */
  results: readonly { id: string; name: string; output: string; emails: readonly number[] }[]
}

export type Said =
  | { role: 'user'; text: string }
  | {
      role: 'assistant'
      text: string
      actions: readonly Acted[]
      steps: readonly Step[]
      made: Made | null
      because: Because | null
      /** It tells of something that no model may see. */
      isPrivate: boolean
      /** The answer was not finished. */
      isBroken: boolean
    }

export interface Turn {
  conversationId: string
  /** What was said before, the oldest first. */
  history: readonly Said[]
  /** Writes down what the person said; a new conversation may leave that to its end, where nothing was done in it. */
  begin(): Promise<void>
  /** What the person said is kept, whatever came of it. */
  end(said: Said): Promise<void>
}

const titleOf = (message: string): string => {
  const line = message.trim().replace(/\s+/g, ' ')
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…`.toWellFormed() : line
}

const viewOf = ({ id, title, createdAt, updatedAt }: ConversationRecord) => ({
  id,
  title,
  createdAt,
  updatedAt,
})

/** Each turn is a change of it. */
const versionOf = ({ updatedAt }: ConversationRecord): number => Date.parse(updatedAt)

export type Conversations = ReturnType<typeof createConversations>

/** Conversations are kept until they are deleted. A person sees all, a token those it began. */
export const createConversations = ({ db, clock, random }: { db: Db; clock: Clock; random: Random }) => {
  const get = async (view: Db, id: string, caller: Caller): Promise<ConversationRecord> => {
    const found = await findConversation(view, id)
    const tokenId = tokenIdOf(caller)
    if (!found || (tokenId !== null && found.tokenId !== tokenId)) throw notFound('conversation')
    return found
  }

  const read = async (view: Db, id: string, limit: number) =>
    (await listMessages(view, id, limit))
      .reverse()
      .map(({ at, content }) => ({ at, said: JSON.parse(content) as Said }))

  const turnUntil = (): string => new Date(clock.now().getTime() + TURN_MS).toISOString()

  /** Until it is called, the turn is kept; an answer may take as long as it takes. */
  const holdTurn = (id: string, turn: string): (() => void) => {
    const keep = () => keepTurn(db, id, turn, turnUntil()).catch(() => undefined)
    const timer = setInterval(keep, TURN_MS / 3)
    timer.unref()
    return () => clearInterval(timer)
  }

  const rowOf = (said: Said, id: string, at: string) => ({
    conversationId: id,
    at,
    content: JSON.stringify(said),
  })

  const openNew = async (message: string, caller: Caller): Promise<Turn> => {
    const at = clock.now()
    const now = at.toISOString()
    const id = orderedId(random, at)
    const first = { id, tokenId: tokenIdOf(caller), title: titleOf(message), createdAt: now, updatedAt: now }
    const asked = rowOf({ role: 'user', text: message }, id, now)
    const turn = randomId(random)
    let begun: Promise<void> | undefined
    const letGo = holdTurn(id, turn)
    return {
      ...{ conversationId: id, history: [] },
      begin: () => {
        begun ??= inTransaction(db, async (tx) => {
          await insertConversation(tx, { ...first, turn, turnUntil: turnUntil() })
          await insertMessages(tx, [asked])
        })
        return begun
      },
      async end(answer) {
        letGo()
        await begun
        await inTransaction(db, async (tx) => {
          const then = clock.now().toISOString()
          if (begun && !(await endTurn(tx, id, turn, then))) return
          if (!begun) await insertConversation(tx, { ...first, turn: null, turnUntil: null, updatedAt: then })
          await insertMessages(tx, [...(begun ? [] : [asked]), rowOf(answer, id, then)])
        })
      },
    }
  }

  const openKnown = async (message: string, id: string, caller: Caller): Promise<Turn> => {
    const turn = randomId(random)
    const history = await inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      await get(tx, id, caller)
      if (!(await takeTurn(tx, id, { turn, turnUntil: turnUntil(), now })))
        throw conflict('The answer to what was said before is still being written.')
      const said = (await read(tx, id, MOST_SHOWN)).map((one) => one.said)
      await insertMessages(tx, [rowOf({ role: 'user', text: message }, id, now)])
      return said
    })
    const letGo = holdTurn(id, turn)
    return {
      ...{ conversationId: id, history, begin: async () => {} },
      end(answer) {
        letGo()
        return inTransaction(db, async (tx) => {
          const then = clock.now().toISOString()
          if (await endTurn(tx, id, turn, then)) await insertMessages(tx, [rowOf(answer, id, then)])
        })
      },
    }
  }

  return {
    /** Takes the turn in a conversation, of which there is one at a time; or prepares a new conversation. */
    open: (
      { message, conversationId }: { message: string; conversationId?: string | undefined },
      caller: Caller,
    ) =>
      conversationId === undefined ? openNew(message, caller) : openKnown(message, conversationId, caller),

    async list({ limit, cursor }: PageRequest, caller: Caller) {
      const after = readCursor(cursor, 'instant', 'text')
      const rows = await listConversations(db, { tokenId: tokenIdOf(caller), limit, after })
      const { page, nextCursor } = pageOf(rows, limit, ({ updatedAt, id }) => [updatedAt, id])
      return { conversations: page.map(viewOf), nextCursor }
    },

    async show(id: string, caller: Caller) {
      const conversation = await get(db, id, caller)
      const messages = (await read(db, id, MOST_SHOWN)).map(({ at, said }) =>
        said.role === 'user'
          ? { ...said, at }
          : {
              ...{ role: said.role, text: said.text, at, actions: said.actions, interrupted: said.isBroken },
              ...{ because: said.because, ...(said.made ?? {}) },
            },
      )
      return { ...viewOf(conversation), messages, version: versionOf(conversation) }
    },

    delete: (id: string, caller: Caller, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        const conversation = await get(tx, id, caller)
        requireMatch(ifMatch, { id, version: versionOf(conversation) })
        await deletePendingOf(tx, id)
        await deleteConversation(tx, id)
      }),
  }
}
