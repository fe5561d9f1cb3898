import type { Db } from '../../src/database/db.ts'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { foldWords } from '../../src/database/word-index.ts'

/** Inserts rows into every task and action table, one for each text. */
export const fillTasks = async (db: Db, texts: readonly string[], at: string): Promise<void> => {
  const userId = await getLocalUserId(db)
  for (const [n, text] of texts.entries()) {
    const { id: listId } = await db
      .insertInto('task_lists')
      .values({
        userId,
        name: text,
        color: '#10b981',
        isInbox: 0,
        visible: n % 2,
        version: n,
        createdAt: at,
        updatedAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: sectionId } = await db
      .insertInto('task_sections')
      .values({ userId, listId, name: text, position: 'a0', version: n, createdAt: at, updatedAt: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    const listed = { status: 'todo', priority: 'high', place: 1_000_000_000_000_000 + n, duePlace: n || null }
    const { id } = await db
      .insertInto('tasks')
      .values({
        ...listed,
        userId,
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
        words: [`#l${listId}`, `#u${userId}`, ...foldWords(text)].join(' '),
        nextReminderAt: at,
        remindedFor: null,
        dueWall: null,
        lateAt: at,
        dueZone: n % 2 === 0 ? null : 'UTC',
        successorId: n + 2,
        listId,
        changedBy: text,
        sourceKey: text,
        uid: text,
        parentId: n + 3,
        sectionId,
        position: `a${n % 10}`,
        startAt: at,
        startDay: n % 2 === 0 ? null : at.slice(0, 10),
        percentComplete: n % 100,
        assigneeId: userId,
        recurrenceFrom: n % 2 === 0 ? 'due' : 'completion',
        extra: text,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('task_tags')
      .values({ ...listed, userId, taskId: id, tag: text })
      .execute()
    await db
      .insertInto('task_blocks')
      .values({ userId, eventId: id + 100, taskId: id, actionId: 1 })
      .execute()
    await db
      .insertInto('task_reminders')
      .values({ userId, taskId: id, remindAt: at, nextReminderAt: n % 2 === 0 ? null : at })
      .execute()
    const contribution = { userId, taskId: id, memberName: text, version: n, createdAt: at, updatedAt: at }
    await db
      .insertInto('task_comments')
      .values({ ...contribution, authorId: userId, text })
      .execute()
    await db
      .insertInto('time_entries')
      .values({ ...contribution, personId: userId, startedAt: at, endedAt: at, seconds: n, note: text })
      .execute()
    await db
      .insertInto('task_filters')
      .values({ userId, name: text, query: text, version: n, createdAt: at, updatedAt: at })
      .execute()
    const template = JSON.stringify([{ depth: 0, title: text }])
    await db
      .insertInto('task_templates')
      .values({ userId, name: text, tasks: template, version: n, createdAt: at, updatedAt: at })
      .execute()
    const payload = JSON.stringify({ text })
    const actor = await getLocalUserId(db)
    const { id: actionId } = await db
      .insertInto('actions')
      .values({ userId: actor, kind: 'k', summary: text, payload, at, undoneAt: null, hasSubjects: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('action_parts').values({ actionId, payload }).execute()
    await db
      .insertInto('action_subjects')
      .values({ userId: actor, kind: 'task', subjectId: String(id), actionId })
      .execute()
  }
  await db.insertInto('task_alarm').values({ id: 1, ringsAt: at }).execute()
}
