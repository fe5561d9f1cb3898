import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { createWordIndex, foldWords, markOf } from '../word-index.ts'

const PAGE = 200

interface Conversation {
  id: string
  title: string
}

const fillTitles = async (db: Kysely<unknown>): Promise<void> => {
  for (let after = ''; ; ) {
    const { rows } = await sql<Conversation>`
      select id, title from ai_conversations where id > ${after} order by id limit ${PAGE}`.execute(db)
    for (const { id, title } of rows)
      await sql`update ai_conversations set words = ${foldWords(title).join(' ')} where id = ${id}`.execute(
        db,
      )
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? ''
  }
}

interface Message {
  id: number
  userId: number
  content: string
}

const fillMessages = async (db: Kysely<unknown>): Promise<void> => {
  for (let after = 0; ; ) {
    const { rows } = await sql<Message>`
      select ai_messages.id, ai_conversations."userId", ai_messages.content
      from ai_messages join ai_conversations on ai_conversations.id = ai_messages."conversationId"
      where ai_messages.id > ${after} order by ai_messages.id limit ${PAGE}`.execute(db)
    for (const { id, userId, content } of rows) {
      const { text = '' } = JSON.parse(content) as { text?: string }
      const words = [markOf(`u${userId}`), ...foldWords(text)].join(' ')
      await sql`update ai_messages set words = ${words} where id = ${id}`.execute(db)
    }
    if (rows.length < PAGE) return
    after = Number(rows.at(-1)?.id)
  }
}

/** Adds the search words of conversations: their titles, and the index of their messages. */
export const conversationSearch = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const table of ['ai_conversations', 'ai_messages'])
    await db.schema
      .alterTable(table)
      .addColumn('words', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await fillTitles(db)
  await fillMessages(db)
  await createWordIndex(db, engine, 'ai_messages', 'ai_message_words')
  if (engine === 'postgres') return
  await sql`insert into ai_message_words (ai_message_words) values ('rebuild')`.execute(db)
  // Deleted messages leave the index at once.
  await sql`insert into ai_message_words (ai_message_words, rank) values ('secure-delete', 1)`.execute(db)
}
