import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import type { AiActionRow, AiConversationRow, AiMessageRow } from '../../database/tables/integrations.ts'
import { hasWords, holdWords } from '../../database/word-index.ts'

export type ConversationRecord = Selectable<AiConversationRow>
export type MessageRecord = Selectable<AiMessageRow>

export const insertConversation = async (tx: Db, row: Insertable<AiConversationRow>): Promise<void> => {
  await tx.insertInto('ai_conversations').values(row).execute()
}

export const findConversation = (
  db: Db,
  userId: number,
  id: string,
): Promise<ConversationRecord | undefined> =>
  db
    .selectFrom('ai_conversations')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Acquires the turn lock, unless another request holds it. */
export const takeTurn = async (
  tx: Db,
  userId: number,
  id: string,
  { turn, turnUntil, now }: { turn: string; turnUntil: string; now: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('ai_conversations')
    .set({ turn, turnUntil, updatedAt: now })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where((row) => row.or([row('turn', 'is', null), row('turnUntil', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the turn lock. */
export const keepTurn = async (
  db: Db,
  userId: number,
  id: string,
  turn: string,
  turnUntil: string,
): Promise<void> => {
  await db
    .updateTable('ai_conversations')
    .set({ turnUntil })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('turn', '=', turn)
    .execute()
}

/** Returns false if the conversation was deleted or another request holds the turn lock. */
export const endTurn = async (
  tx: Db,
  userId: number,
  id: string,
  turn: string,
  updatedAt: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('ai_conversations')
    .set({ turn: null, turnUntil: null, updatedAt })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('turn', '=', turn)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const insertMessages = async (tx: Db, rows: readonly Insertable<AiMessageRow>[]): Promise<void> => {
  for (const batch of toBatches(rows)) await tx.insertInto('ai_messages').values(batch).execute()
}

/** Lists messages of a conversation of the account, newest first. */
export const listMessages = (db: Db, conversationId: string, limit: number): Promise<MessageRecord[]> =>
  db
    .selectFrom('ai_messages')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Deletes this message and all later ones of the conversation. */
export const deleteMessagesFrom = async (tx: Db, conversationId: string, id: number): Promise<void> => {
  await tx
    .deleteFrom('ai_messages')
    .where('conversationId', '=', conversationId)
    .where('id', '>=', id)
    .execute()
}

interface ConversationPage {
  tokenId: string | null
  limit: number
  after: readonly [string, string] | undefined
}

/** Newest first. Filters by token if `tokenId` is set. */
export const listConversations = (
  db: Db,
  userId: number,
  page: ConversationPage,
): Promise<ConversationRecord[]> => selectConversations(db, userId, page).execute()

const selectConversations = (db: Db, userId: number, page: ConversationPage) =>
  db
    .selectFrom('ai_conversations')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.tokenId !== null, (query) => query.where('tokenId', '=', page.tokenId))
    .$if(page.after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('updatedAt', 'id'), '<', tuple(...(page.after as [string, string]))),
      ),
    )
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)

/** Selects the conversations with a message that has all words. `mark` keeps the search within the account. */
const selectMatches = (db: Db, words: readonly string[], mark: string) =>
  db
    .selectFrom('ai_messages')
    .select('conversationId')
    .where(hasWords(db, { table: 'ai_messages', index: 'ai_message_words' }, words, [mark]))

/** Finds conversations with all words in the title, or in one message. */
export const searchConversations = (
  db: Db,
  userId: number,
  page: ConversationPage & { words: readonly string[]; mark: string },
): Promise<ConversationRecord[]> =>
  selectConversations(db, userId, page)
    .where((row) =>
      row.or([holdWords(db, page.words, []), row('id', 'in', selectMatches(db, page.words, page.mark))]),
    )
    .execute()

export const renameConversation = async (
  tx: Db,
  userId: number,
  id: string,
  change: { title: string; words: string },
): Promise<void> => {
  await tx
    .updateTable('ai_conversations')
    .set(change)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

export const deleteConversation = async (tx: Db, userId: number, id: string): Promise<void> => {
  await tx.deleteFrom('ai_conversations').where('userId', '=', userId).where('id', '=', id).execute()
}

export type ActionRecord = Selectable<AiActionRow>

export const insertAction = (tx: Db, row: Insertable<AiActionRow>): Promise<ActionRecord> =>
  tx.insertInto('ai_actions').values(row).returningAll().executeTakeFirstOrThrow()

export const listActions = (
  db: Db,
  userId: number,
  page: { status: ActionRecord['status'] | undefined; limit: number; below: string | undefined },
): Promise<ActionRecord[]> =>
  db
    .selectFrom('ai_actions')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.status !== undefined, (query) => query.where('status', '=', page.status as 'pending'))
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as string))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

export const findAction = (db: Db, userId: number, id: string): Promise<ActionRecord | undefined> =>
  db.selectFrom('ai_actions').selectAll().where('userId', '=', userId).where('id', '=', id).executeTakeFirst()

/** Locks the row. Concurrent decisions wait for this transaction. */
export const lockAction = (tx: Db, userId: number, id: string): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ version: row.ref('version') }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Returns the time at which a person signed in. */
export const findSessionStart = async (
  tx: Db,
  userId: number,
  sessionId: string,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('sessions')
      .select('createdAt')
      .where('userId', '=', userId)
      .where('id', '=', sessionId)
      .executeTakeFirst()
  )?.createdAt

/** Updates the action only while it is pending. */
export const updatePendingAction = (
  tx: Db,
  userId: number,
  id: string,
  change: Updateable<AiActionRow>,
): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** Expires the pending actions of all accounts whose time is over. */
export const expireActions = async (db: Db, now: string): Promise<void> => {
  await db
    .updateTable('ai_actions')
    .set({ status: 'expired', decidedAt: now })
    // A literal, so that the partial index on pending actions is used.
    .where('status', '=', sql.lit('pending' as const))
    .where('expiresAt', '<=', now)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
}

export const deleteActionsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_actions').where('createdAt', '<', at).modifyEnd(ALL_ACCOUNTS).execute()
}

/** Rejects those of the actions that are pending. */
export const rejectActions = async (
  tx: Db,
  userId: number,
  ids: readonly string[],
  now: string,
): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .updateTable('ai_actions')
    .set((row) => ({ status: 'rejected', decidedAt: now, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .where('status', '=', 'pending')
    .execute()
}

/** Deletes the pending actions of a conversation that is being deleted. */
export const deletePendingActions = async (tx: Db, userId: number, conversationId: string): Promise<void> => {
  await tx
    .deleteFrom('ai_actions')
    .where('userId', '=', userId)
    .where('conversationId', '=', conversationId)
    .where('status', '=', 'pending')
    .execute()
}
