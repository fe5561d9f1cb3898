import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { BLANK, type TaskFields, tagKeyOf } from '../src/features/tasks/fields.ts'
import { insertTask, replaceTags } from '../src/features/tasks/store.ts'
import { rowOf } from '../src/features/tasks/task-row.ts'

const START = Date.parse('2031-01-01T09:00:00Z')
const WORDS = ['report', 'invoice', 'garden', 'letter', 'meeting', 'ticket', 'review', 'budget']

const taskOf = (n: number): TaskFields => ({
  ...BLANK,
  title: `Prepare the ${WORDS[n % 8]} for ${WORDS[(n * 3) % 7]} ${n}`,
  notes: 'The figures of last quarter, and the list of open questions.',
  // Most of what a person ever wrote down is done.
  status: n % 10 === 0 ? 'todo' : 'done',
  priority: (['low', 'normal', 'high', 'urgent'] as const)[n % 4] ?? 'normal',
  dueAt: new Date(START + n * 60_000).toISOString(),
  estimateMinutes: 30,
  tags: n % 3 === 0 ? ['work', 'home'] : ['work'],
})

/** So many tasks, as the service itself would have written them. */
export const fillTasks = async (dataDir: string, count: number): Promise<void> => {
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database)
  const now = '2030-01-01T00:00:00.000Z'
  await database.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const fields = taskOf(n)
      const row = {
        ...rowOf(fields, undefined, now, { timezone: 'UTC', workingHours: [] }),
        nextReminderAt: null,
        remindedFor: null,
        successorId: null,
      }
      const task = await insertTask(tx, { ...row, version: 1 })
      await replaceTags(tx, task, fields.tags.map(tagKeyOf))
    }
  })
  await database.close()
}
