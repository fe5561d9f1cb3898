import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'

export interface Ended {
  /** The exit code, or the signal that ended it. */
  code: number | string
  stdout: string
  stderr: string
}

export interface CommandOptions {
  /** What is piped in. */
  input?: string | Buffer
  /** Where it is called, and looks for `.env`. */
  directory?: string
}

const MAIN = resolve('src/main.ts')

/** The command line as a person or a script calls it, away from any `.env` unless told. */
export const beginCommand = (
  args: string[],
  environment: Record<string, string>,
  { input = '', directory = tmpdir() }: CommandOptions = {},
): { child: ChildProcessWithoutNullStreams; ended: Promise<Ended>; told(text: string): Promise<void> } => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, TZ: process.env.TZ, ...environment },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, stdout, stderr }))
  return {
    child,
    ended,
    /** Resolves once it has said this on the way. */
    told: (text) =>
      new Promise((resolveTold, reject) => {
        const look = () => {
          if (stderr.includes(text)) resolveTold()
        }
        child.stderr.on('data', look)
        ended.then((end) => (stderr.includes(text) ? resolveTold() : reject(new Error(JSON.stringify(end)))))
        look()
      }),
  }
}

export const command = (
  args: string[],
  environment: Record<string, string>,
  options?: CommandOptions,
): Promise<Ended> => beginCommand(args, environment, options).ended
