import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve as absolute } from 'node:path'
import type { Answer } from './instance.ts'

export interface RunningProcess {
  child: ChildProcess
  /** The output so far. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

/** The bundled server, which `npm start` runs. `npm test` builds it. */
export const MAIN = absolute('dist/main.js')

/** The environment of the launcher: all files are found in the compile cache. */
export const launcherEnvironment = {
  PATH: process.env.PATH,
  TZ: process.env.TZ,
  NODE_COMPILE_CACHE: absolute('node_modules/.cache/factotum'),
}

/** Runs the command line as a user does. */
export const runFactotum = (
  args: string[],
  environment: Record<string, string>,
  main = MAIN,
): RunningProcess => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...launcherEnvironment, LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, output: () => output, ended }
}

/** Waits until the server listens, and returns its address. */
export const startFactotum = async (
  environment: Record<string, string>,
  args: string[] = [],
): Promise<RunningProcess & { url: string }> => {
  const running = runFactotum(['serve', ...args], { PORT: '0', ...environment })
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const [, found] = /Console\s+(http:\S+)/.exec(running.output()) ?? []
      if (found) resolve(found)
    }
    running.child.stdout?.on('data', look)
    running.ended.then((code) => reject(new Error(`It ended with ${code}: ${running.output()}`)))
  })
  return { ...running, url }
}

/** Sends a JSON request to a server in its own process, and returns the body of the response. */
export const callProcess = async (
  { url }: { url: string },
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Answer['body']> => {
  const headers = new Headers()
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  return response.json()
}
