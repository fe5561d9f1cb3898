import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { explainFailure } from '../../src/commands/command.ts'
import { runCommand } from '../../src/commands/commands.ts'
import { createContext } from '../../src/commands/context.ts'
import { launcherEnvironment, MAIN } from './process.ts'

export interface Ended {
  /** The exit code, or the signal that ended it. */
  code: number | string
  stdout: string
  stderr: string
}

export interface CommandOptions {
  /** The content of stdin. */
  input?: string | Buffer
  /** The working directory, where it looks for `.env`. */
  directory?: string
}

/** Starts a separate process, as a user or a script does, without `.env` by default. */
export const beginCommand = (
  args: string[],
  environment: Record<string, string>,
  { input = '', directory = tmpdir() }: CommandOptions = {},
): { child: ChildProcessWithoutNullStreams; ended: Promise<Ended>; printed(text: string): Promise<void> } => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: directory,
    env: { ...launcherEnvironment, ...environment },
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
    /** Resolves when the output contains the text. */
    printed: (text) =>
      new Promise((resolvePrinted, reject) => {
        const look = () => {
          if (stderr.includes(text)) resolvePrinted()
        }
        child.stderr.on('data', look)
        ended.then((end) =>
          stderr.includes(text) ? resolvePrinted() : reject(new Error(JSON.stringify(end))),
        )
        look()
      }),
  }
}

export const commandProcess = (
  args: string[],
  environment: Record<string, string>,
  options?: CommandOptions,
): Promise<Ended> => beginCommand(args, environment, options).ended

/**
 * Runs a command like `main.ts`, but with other streams and in this process, which is much faster. Use it to
 * test what a command does, not how its process starts and ends.
 */
export const command = async (
  args: string[],
  environment: Record<string, string>,
  { input = '', isTerminal = false }: Pick<CommandOptions, 'input'> & { isTerminal?: boolean } = {},
): Promise<Ended> => {
  let [stdout, stderr] = ['', '']
  const stdin = new Readable({ read() {} })
  stdin.push(Buffer.from(input))
  // A terminal stays open.
  if (!isTerminal) stdin.push(null)
  const print = (text: string): void => {
    stdout += `${text}\n`
  }
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stderr += chunk.toString()
      done()
    },
  })
  const here = {
    root: resolve('.'),
    environment: { DATA_DIR: join(tmpdir(), 'data'), ...environment },
    envFileNames: [],
    nodeVersion: process.versions.node,
    print,
    input: Object.assign(stdin, { isTTY: isTerminal }) as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    onStop: () => {},
    started: () => {},
    exit: (): never => {
      throw new Error('Nobody told it to stop.')
    },
  }
  try {
    const code = await runCommand(args, (rest) => createContext({ ...here, args: rest }), print)
    return { code, stdout, stderr }
  } catch (error) {
    return { code: 1, stdout, stderr: `${stderr}${explainFailure(error)}\n` }
  }
}
