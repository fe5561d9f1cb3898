import { sqliteFile } from '../src/database/database.ts'
import { compareGrowth, compareSubject } from './beside.ts'
import { SUBJECTS } from './comparisons.ts'
import { freePort, SERVE, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'
import { fillTasks } from './task-rows.ts'

const SIZES = { from: 10_000, to: Number(process.env.TASKS ?? 100_000) }

const GROWING = [
  { work: 'tasks: list', path: '/api/tasks' },
  { work: 'tasks: three filters', path: '/api/tasks?tag=home&priority=high&status=done' },
  { work: 'tasks: search', path: '/api/tasks?q=report' },
]

/** `TASKS` sets the number of tasks. */
export const benchTasks = (report: Report): Promise<void> =>
  withDirectories(2, async ([few, many]) => {
    const start = async (dataDir: string, count: number) => {
      await fillTasks(dataDir, count)
      return startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
    }
    const servers = { few: await start(few, SIZES.from), many: await start(many, SIZES.to) }
    try {
      await compareSubject(servers.many, SUBJECTS.tasks, { DATABASE_FILE: sqliteFile(many) }, report)
      await compareGrowth(servers, GROWING, SIZES, undefined, report)
    } finally {
      await Promise.all([servers.few.stop(), servers.many.stop()])
    }
  })
