import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve as absolute } from 'node:path'

export interface RunningProcess {
  child: ChildProcess
  /** Everything it has printed so far. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

/** As the launcher starts it: every file is found stripped and compiled, the first one too. */
export const surroundings = {
  PATH: process.env.PATH,
  TZ: process.env.TZ,
  NODE_COMPILE_CACHE: absolute('node_modules/.cache/factotum'),
}

/** The command line as a person runs it. */
export const runFactotum = (args: string[], environment: Record<string, string>): RunningProcess => {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
    env: { ...surroundings, LOG_LEVEL: 'warn', ...environment },
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

/** Waits until it serves, and says where. */
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
