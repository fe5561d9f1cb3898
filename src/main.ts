import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const root = new URL('../', import.meta.url)

// Runs before anything else is loaded, so that a second start finds every file compiled.
enableCompileCache(fileURLToPath(new URL('node_modules/.cache/factotum', root)))

const { runCommand } = await import('./commands/commands.ts')
const { createContext } = await import('./commands/context.ts')

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

// A reader that closes its end of a pipe (`factotum doctor | head -1`) must not end the command.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

// A command that the server started ends with it, also if the server was killed.
if (process.send) {
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
}

type CollectOptions = { type: 'major' | 'minor'; flavor?: 'regular' | 'last-resort' }

let collect: ((options: CollectOptions) => void) | undefined
const collectGarbage = (options: CollectOptions): void => {
  if (!collect) {
    // V8 uses the compile cache only under the same flags, so the cache is written before flags change.
    flushCompileCache()
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as (options: CollectOptions) => void
    setFlagsFromString('--no-expose-gc')
  }
  collect(options)
}

/** Loading creates much short-lived garbage, and V8 would keep that memory: 20 MB after a start. */
const collectMemory = (): void => collectGarbage({ type: 'major', flavor: 'last-resort' })
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

try {
  const envFile = readEnvFile()
  const environment = { ...envFile, ...process.env }
  process.exitCode = await runCommand(
    process.argv.slice(2),
    (args) =>
      createContext({
        root: fileURLToPath(root),
        environment,
        envFileNames: Object.keys(envFile),
        nodeVersion: process.versions.node,
        args,
        program: { node: process.execPath, main: fileURLToPath(import.meta.url), environment },
        print,
        input: process.stdin,
        output: process.stderr,
        onStop,
        onDebugSignal,
        releaseMemory: (type) => collectGarbage({ type, flavor: 'last-resort' }),
        started: () => void setTimeout(collectMemory, SETTLED_MS).unref(),
        exit: (code) => process.exit(code),
      }),
    print,
  )
} catch (error) {
  const { explainFailure } = await import('./commands/command.ts')
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
}
setTimeout(() => process.exit(), EXIT_DELAY_MS).unref()
