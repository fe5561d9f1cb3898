import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, median, SERVE, startServer } from './processes.ts'

const STARTS = 9
const IDLE_MS = 5_000

/** Measures the time from process start to the first 200, and the idle memory. */
export const benchStart = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  for (const [title, args] of [
    ['src/main.ts', SERVE],
    ['as npm start runs it', ['bin/factotum.mjs', 'serve']],
  ] as const) {
    const starts: number[] = []
    let resident = 0
    for (let n = 0; n < STARTS; n++) {
      const server = await startServer([...args], { DATA_DIR: dataDir }, freePort(), '/api/health')
      starts.push(server.startMs)
      if (n === STARTS - 1) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
        resident = server.residentMb()
      }
      await server.stop()
    }
    // The first start runs migrations and fills the compile cache. The target applies to later starts.
    const later = starts.slice(1)
    console.log(
      `${`start, ${title}`.padEnd(28)} median ${Math.round(median(later))} ms, best ${Math.round(Math.min(...later))} ms (target ≤ 600 ms); ` +
        `idle ${resident.toFixed(0)} MB resident (target ≤ 110 MB)`,
    )
  }
  rmSync(dataDir, { recursive: true, force: true })
}
