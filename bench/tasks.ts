import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteFile } from '../src/database/database.ts'
import { compare, load } from './beside.ts'
import { freePort, median, SERVE, type Server, startServer } from './processes.ts'
import { fillTasks } from './task-rows.ts'

const COUNTS = [10_000, 200_000] as const
const ROUNDS = 5

const startOurs = async (dataDir: string, count: number): Promise<Server> => {
  await fillTasks(dataDir, count)
  return startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
}

/** Compares the CPU time of the same page for few and many tasks. */
const benchGrowth = async (few: Server, many: Server): Promise<void> => {
  for (const path of ['/api/tasks', '/api/tasks?tag=home&priority=high&status=done', '/api/tasks?q=report']) {
    const rounds: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const small = await load({ server: few, path }, 1)
      const large = await load({ server: many, path }, 1)
      if (round > 0) rounds.push(large.cpuMicros / small.cpuMicros)
    }
    const title = `${COUNTS[1] / COUNTS[0]} × as many tasks`
    console.log(`${title.padEnd(28)} ${median(rounds).toFixed(2)} × the CPU time (target ≤ 1.3)  ${path}`)
  }
}

export const benchTasks = async (): Promise<void> => {
  const dataDirs = COUNTS.map(() => mkdtempSync(join(tmpdir(), 'factotum-bench-'))) as [string, string]
  const [few, many] = [await startOurs(dataDirs[0], COUNTS[0]), await startOurs(dataDirs[1], COUNTS[1])]
  const plain = await startServer(
    ['bench/plain-tasks.ts'],
    { DATABASE_FILE: sqliteFile(dataDirs[1]) },
    freePort(),
    '/ready',
  )
  const compareWithPlain = (title: string, ours: string, theirs: string, aim: number) =>
    compare(title, { server: many, path: ours }, { server: plain, path: theirs }, aim)
  try {
    await compareWithPlain('50 tasks', '/api/tasks', '/list', 1)
    await compareWithPlain('50 open tasks of a tag', '/api/tasks?tag=home&status=open', '/tagged', 1)
    await compareWithPlain('50 tasks by a word', '/api/tasks?q=report&status=done', '/found', 0.7)
    await compareWithPlain('one task', '/api/tasks/777', '/tasks/777', 0.7)
    await benchGrowth(few, many)
  } finally {
    await Promise.all([few.stop(), many.stop(), plain.stop()])
    for (const path of dataDirs) rmSync(path, { recursive: true, force: true })
  }
}
