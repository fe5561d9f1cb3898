import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, median, SERVE, startServer } from './processes.ts'

const STARTS = 9
const IDLE_MS = 5_000

const BARE = `
  import fastify from 'fastify'
  const app = fastify()
  app.get('/api/health', async () => ({ status: 'ok' }))
  await app.listen({ port: Number(process.env.PORT) })`

const SUBJECTS: [title: string, args: string[]][] = [
  ['npm start', SERVE],
  ['bare Fastify', ['--input-type=module', '--eval', BARE]],
]

/**
 * Measures wall time and CPU time from the start of the process to its first 200, and the idle memory. A Fastify
 * server with one route is the reference.
 */
export const benchStart = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  const environment = {
    DATA_DIR: dataDir,
    NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
  }
  const runs = new Map(
    SUBJECTS.map(([title]) => [title, { wall: [] as number[], cpu: [] as number[], idle: 0 }]),
  )
  // Both take turns, so that a busy machine slows both.
  for (let n = 0; n <= STARTS; n++)
    for (const [title, args] of SUBJECTS) {
      const server = await startServer(args, environment, freePort(), '/api/health')
      const run = runs.get(title)
      // The first start runs migrations and fills the compile cache.
      if (n > 0) {
        run?.wall.push(server.startMs)
        run?.cpu.push(server.cpuMs())
      }
      if (n === STARTS && run) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
        run.idle = server.residentMb()
      }
      await server.stop()
    }
  for (const [title, { wall, cpu, idle }] of runs)
    console.log(
      `${`start, ${title}`.padEnd(22)} wall median ${Math.round(median(wall))} ms, best ${Math.round(Math.min(...wall))} ms; ` +
        `CPU median ${Math.round(median(cpu))} ms, best ${Math.round(Math.min(...cpu))} ms; idle ${idle.toFixed(0)} MB resident`,
    )
  rmSync(dataDir, { recursive: true, force: true })
}
