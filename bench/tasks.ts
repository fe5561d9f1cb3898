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

/** The same page out of more: how much dearer it is in CPU. */
const benchGrowth = async (few: Server, many: Server): Promise<void> => {
  for (const path of ['/api/tasks', '/api/tasks?tag=home&priority=high&status=done', '/api/tasks?q=report']) {
    const rounds: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const small = await load({ server: few, path }, 1)
      const large = await load({ server: many, path }, 1)
      if (round > 0) rounds.push(large.cpuMicros / small.cpuMicros)
    }
    const title = `${COUNTS[1] / COUNTS[0]} times as many`
    console.log(`${title.padEnd(28)} ${median(rounds).toFixed(2)} in CPU (aim ≤ 1.3)  ${path}`)
  }
}

export const benchTasks = async (): Promise<void> => {
  const places = COUNTS.map(() => mkdtempSync(join(tmpdir(), 'factotum-bench-'))) as [string, string]
  const [few, many] = [await startOurs(places[0], COUNTS[0]), await startOurs(places[1], COUNTS[1])]
  const plain = await startServer(
    ['bench/plain-tasks.ts'],
    { DATABASE_FILE: sqliteFile(places[1]) },
    freePort(),
    '/ready',
  )
  const beside = (title: string, ours: string, theirs: string, aim: number) =>
    compare(title, { server: many, path: ours }, { server: plain, path: theirs }, aim)
  try {
    await beside('50 tasks', '/api/tasks', '/list', 1)
    await beside('50 open tasks of a tag', '/api/tasks?tag=home&status=open', '/tagged', 1)
    await beside('50 tasks by a word', '/api/tasks?q=report&status=done', '/found', 0.7)
    await beside('one task', '/api/tasks/777', '/tasks/777', 0.7)
    await benchGrowth(few, many)
  } finally {
    await Promise.all([few.stop(), many.stop(), plain.stop()])
    for (const place of places) rmSync(place, { recursive: true, force: true })
  }
}
