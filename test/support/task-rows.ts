import type { Db } from '../../src/database/db.ts'
import { foldWords } from '../../src/database/word-index.ts'

/** Inserts rows into every task and action table, one for each text. */
export const fillTasks = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    const listed = { status: 'todo', priority: 'high', place: 1_000_000_000_000_000 + n, duePlace: n || null }
    const { id } = await db
      .insertInto('tasks')
      .values({
        ...listed,
        title: text,
        notes: text,
        dueAt: at,
        dueDay: n % 2 === 0 ? null : at.slice(0, 10),
        remindAt: null,
        estimateMinutes: n,
        tags: JSON.stringify([text]),
        recurrence: null,
        emailId: n + 1,
        eventId: null,
        completedAt: null,
        closedAt: null,
        createdAt: at,
        updatedAt: at,
        version: n,
        words: foldWords(text).join(' '),
        nextReminderAt: at,
        remindedFor: null,
        dueWall: null,
        lateAt: at,
        dueZone: n % 2 === 0 ? null : 'UTC',
        successorId: n + 2,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('task_tags')
      .values({ ...listed, taskId: id, tag: text })
      .execute()
    await db
      .insertInto('task_blocks')
      .values({ eventId: id + 100, taskId: id, actionId: 1 })
      .execute()
    const payload = JSON.stringify({ text })
    const { id: actionId } = await db
      .insertInto('actions')
      .values({ kind: 'k', summary: text, payload, at, undoneAt: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('action_parts').values({ actionId, payload }).execute()
  }
  await db.insertInto('task_alarm').values({ id: 1, ringsAt: at }).execute()
}
