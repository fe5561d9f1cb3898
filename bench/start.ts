import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, median, SERVE, startServer } from './processes.ts'

const STARTS = 9
const IDLE_MS = 5_000

/** From the start of the process to its first 200, and what it holds on to when nothing happens. */
export const benchStart = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  for (const [title, args] of [
    ['src/main.ts', SERVE],
    ['as npm start runs it', ['--max-semi-space-size=16', 'bin/factotum.mjs', 'serve']],
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
    // The first start migrates and compiles: the promise is about the second and later ones.
    const later = starts.slice(1)
    console.log(
      `${`start, ${title}`.padEnd(28)} median ${Math.round(median(later))} ms, best ${Math.round(Math.min(...later))} ms (aim ≤ 600 ms); ` +
        `idle ${resident.toFixed(0)} MB resident (aim ≤ 110 MB)`,
    )
  }
  rmSync(dataDir, { recursive: true, force: true })
}
