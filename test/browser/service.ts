import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataPlace } from '../support/databases.ts'
import { startInstance } from '../support/instance.ts'
import { launcherEnvironment, MAIN } from '../support/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const consoleDirectory = join(root, 'web', 'dist')

export interface Service {
  url: string
  stop(): Promise<void>
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** The settings of a service may depend on its port. */
type Environment = Record<string, string> | ((port: number) => Record<string, string>)

const prepareService = async (
  environment: Environment,
): Promise<{ port: number; settings: Record<string, string> }> => {
  if (!existsSync(join(consoleDirectory, 'index.html')))
    throw new Error('The console is not built: run `npm run build` in web/ first.')
  const port = await findFreePort()
  const own = typeof environment === 'function' ? environment(port) : environment
  return { port, settings: { PORT: String(port), TZ_DEFAULT: 'UTC', ...own } }
}

/**
 * Starts an empty instance with its background work in the process of the tests. A process of its own takes ten times
 * the CPU time.
 */
export const startService = async (environment: Environment = {}): Promise<Service> => {
  const { settings } = await prepareService(environment)
  const { app, url, close } = await startInstance({ environment: settings, deps: { consoleDirectory } })
  await app.jobs.start()
  app.syncing.start()
  app.sending.start()
  return { url, stop: close }
}

/** Starts the packaged service in its own process with an empty instance, whose tables exist already. */
export const startPackagedService = async (environment: Environment = {}): Promise<Service> => {
  const { port, settings } = await prepareService(environment)
  const place = await makeDataPlace('sqlite', 'prepared')
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    // Not in the project directory, whose .env file must not be used.
    cwd: place.dataDir,
    env: {
      PATH: launcherEnvironment.PATH,
      NODE_COMPILE_CACHE: launcherEnvironment.NODE_COMPILE_CACHE,
      DATA_DIR: place.dataDir,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: string) => {
      output += chunk
      if (output.includes('Factotum is running')) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('exit', () => reject(new Error(`The service did not start:\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await place.remove()
    },
  }
}
