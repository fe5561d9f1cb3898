import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { explainFailure } from './commands/command.ts'
import { runCommand } from './commands/commands.ts'
import { createContext } from './commands/context.ts'

/**
 * Editors may write a UTF-8 BOM, which would become part of the first name, or UTF-16, which would contain no
 * valid name.
 */
const decode = (bytes: Buffer): string => {
  const text = isUtf8(bytes) ? new TextDecoder().decode(bytes) : '\0'
  if (text.includes('\0')) throw new Error('It is not UTF-8 text: save it as UTF-8.')
  return text
}

const readEnvFile = (): Record<string, string | undefined> => {
  try {
    return parseEnv(decode(readFileSync('.env')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error('The settings in .env cannot be read.', { cause: error })
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** A reader that closes its end of a pipe (`factotum doctor | head -1`) must not end the command. */
const ignoreClosedPipes = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}

/** A command that the server started ends with it, also if the server was killed. */
const endWithParent = (): void => {
  if (!process.send) return
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}

type CollectOptions = { type: 'major' | 'minor'; flavor?: 'regular' | 'last-resort' }

/** Collects garbage with a function that V8 only has under a flag. */
const createCollector = (storeCode: () => void): ((options: CollectOptions) => void) => {
  let collect: ((options: CollectOptions) => void) | undefined
  return (options) => {
    if (!collect) {
      // V8 uses stored code only under the same flags, so it is stored before flags change.
      storeCode()
      setFlagsFromString('--expose-gc')
      collect = runInNewContext('gc') as (options: CollectOptions) => void
      setFlagsFromString('--no-expose-gc')
    }
    collect(options)
  }
}

/** Loading creates much short-lived garbage, and V8 would keep that memory: 20 MB after a start. */
const SETTLED_MS = 1_000

/** Exits even if a connection still waits to close. */
const EXIT_DELAY_MS = 2_000

/**
 * A terminal and a parent process may both forward one key press, so signals within a second count as one.
 */
const SIGNAL_DEBOUNCE_MS = 1_000

const onStop = (callback: (count: number) => void): void => {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  const stop = (): void => {
    const at = performance.now()
    if (at - last < SIGNAL_DEBOUNCE_MS) return
    last = at
    callback(++count)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

const onDebugSignal = (callback: () => void): void => void process.on('SIGUSR2', callback)

/**
 * Runs the command of the process. `main` is the file that was started, and `storeCode` stores the compiled code for
 * the next start.
 */
export const runProgram = async (main: string, storeCode: () => void): Promise<void> => {
  ignoreClosedPipes()
  endWithParent()
  const collect = createCollector(storeCode)
  const releaseMemory = (type: CollectOptions['type']): void => collect({ type, flavor: 'last-resort' })
  try {
    const envFile = readEnvFile()
    const environment = { ...envFile, ...process.env }
    process.exitCode = await runCommand(
      process.argv.slice(2),
      (args) =>
        createContext({
          root: join(dirname(main), '..'),
          environment,
          envFileNames: Object.keys(envFile),
          nodeVersion: process.versions.node,
          args,
          program: { node: process.execPath, main, environment },
          print,
          input: process.stdin,
          output: process.stderr,
          onStop,
          onDebugSignal,
          releaseMemory,
          started() {
            setTimeout(releaseMemory, SETTLED_MS, 'major').unref()
            process.once('exit', () => storeCode())
          },
          exit: (code) => process.exit(code),
        }),
      print,
    )
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`)
    process.exitCode = 1
  }
  setTimeout(() => process.exit(), EXIT_DELAY_MS).unref()
}
