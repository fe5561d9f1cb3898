import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Service {
  url: string
  stop(): Promise<void>
}

/** The service as it ships, in a process of its own, with an empty instance. */
export const startService = async (environment: Record<string, string> = {}): Promise<Service> => {
  if (!existsSync(join(root, 'web', 'dist', 'index.html')))
    throw new Error('The console is not built: run `npm run build` in web/ first.')
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-console-'))
  const child = spawn(process.execPath, [join(root, 'src', 'main.ts'), 'serve'], {
    // Not in the project's directory: somebody's .env there is not ours.
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      TZ_DEFAULT: 'UTC',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: string) => {
      output += chunk
      const [, address] = /Console\s+(http:\S+)/.exec(output) ?? []
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`The service did not start:\n${output}`)))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
