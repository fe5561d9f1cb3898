import { openDatabase } from '../src/database/database.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { migrate } from '../src/database/migrate.ts'
import { findInboxId } from '../src/features/tasks/list-repository.ts'
import { positionOfId } from '../src/features/tasks/position.ts'
import { insertTask, replaceTags } from '../src/features/tasks/repository.ts'
import { BLANK, rowOf, type TaskFields, tagKeyOf } from '../src/features/tasks/task.ts'

const START = Date.parse('2031-01-01T09:00:00Z')
const WORDS = ['report', 'invoice', 'garden', 'letter', 'meeting', 'ticket', 'review', 'budget']

export const createTaskFields = (n: number, listId: number): TaskFields => ({
  ...BLANK,
  listId,
  title: `Prepare the ${WORDS[n % 8]} for ${WORDS[(n * 3) % 7]} ${n}`,
  notes: 'The figures of last quarter, and the list of open questions.',
  // Most tasks of a long-time user are done.
  status: n % 10 === 0 ? 'todo' : 'done',
  priority: (['low', 'normal', 'high', 'urgent'] as const)[n % 4] ?? 'normal',
  dueAt: new Date(START + n * 60_000).toISOString(),
  estimateMinutes: 30,
  tags: n % 3 === 0 ? ['work', 'home'] : ['work'],
})

/** Creates `count` tasks with the functions of the service. */
export const fillTasks = async (dataDir: string, count: number): Promise<void> => {
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database)
  const now = '2030-01-01T00:00:00.000Z'
  await database.db.transaction().execute(async (tx) => {
    const userId = await getLocalUserId(tx)
    // The migration created it.
    const inboxId = (await findInboxId(tx, userId)) as number
    for (let n = 0; n < count; n++) {
      const fields = createTaskFields(n, inboxId)
      const row = {
        ...rowOf(userId, fields, undefined, now, { timezone: 'UTC', workingHours: [] }),
        nextReminderAt: null,
        remindedFor: null,
        successorId: null,
        changedBy: null,
        uid: `task-${n}`,
        position: positionOfId(n + 1),
      }
      const task = await insertTask(tx, { ...row, version: 1 })
      await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    }
  })
  await database.close()
}
