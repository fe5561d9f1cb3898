import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, median, SERVE, startServer } from './processes.ts'
import type { Report } from './table.ts'

const STARTS = 9
const IDLE_MS = 5_000
const REFERENCE = 'bare Fastify'
const BUNDLE = 'bundle'

const BARE = `
  import fastify from 'fastify'
  const app = fastify()
  app.get('/api/health', async () => ({ status: 'ok' }))
  await app.listen({ port: Number(process.env.PORT) })`

const SUBJECTS: [title: string, args: string[]][] = [
  ['npm start', SERVE],
  [BUNDLE, ['--max-semi-space-size=16', 'dist/main.js', 'serve']],
  [REFERENCE, ['--input-type=module', '--eval', BARE]],
]

/**
 * Measures wall time and CPU time from the start of the process to its first 200, and the idle memory. A Fastify
 * server with one route is the reference.
 */
export const benchStart = async (report: Report): Promise<void> => {
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
  const bare = runs.get(REFERENCE) ?? { wall: [], cpu: [], idle: 0 }
  const bundle = runs.get(BUNDLE) ?? bare
  for (const [title, { wall, cpu, idle }] of runs) {
    if (title === REFERENCE) continue
    const ratios = wall.map((ms, n) => ms / (bare.wall[n] as number))
    report({
      group: 'process',
      work: `start, ${title}, beside ${REFERENCE}`,
      ours: `${Math.round(median(wall))} ms, CPU ${Math.round(median(cpu))} ms`,
      limit: `${Math.round(median(bare.wall))} ms, CPU ${Math.round(median(bare.cpu))} ms`,
      ratioByThroughput: median(ratios),
      ratioByCpu: median(cpu.map((ms, n) => ms / (bare.cpu[n] as number))),
      checks: [
        title === BUNDLE
          ? { name: 'time', values: ratios, atMost: 1.4, unit: ' ×' }
          : {
              name: 'over the bundle',
              values: wall.map((ms, n) => ms - (bundle.wall[n] as number)),
              atMost: 500,
              unit: ' ms',
            },
      ],
    })
    report({
      group: 'process',
      work: `resident idle, ${title}`,
      limit: `${bare.idle.toFixed(0)} MB`,
      checks: [{ values: [idle], atMost: 110, unit: ' MB' }],
    })
  }
  rmSync(dataDir, { recursive: true, force: true })
}
