import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const root = new URL('../', import.meta.url)

// Before anything else is loaded: a second start finds every file compiled.
enableCompileCache(fileURLToPath(new URL('node_modules/.cache/factotum', root)))

const { takeNamesAtTheirWord } = await import('./named-files.ts')
takeNamesAtTheirWord(new URL('node_modules/', root))
const { runCommand } = await import('./commands/commands.ts')
const { createContext } = await import('./commands/context.ts')

/** Editors put a mark before UTF-8, which would be part of the first name; some write UTF-16, which would name nothing. */
const decode = (bytes: Buffer): string => {
  const text = isUtf8(bytes) ? new TextDecoder().decode(bytes) : '\0'
  if (text.includes('\0')) throw new Error('It is not text in UTF-8: save it as such.')
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

const collectGarbage = (flavor: 'regular' | 'last-resort'): void => {
  // V8 takes back what was compiled only under the same flags, so that it is written down first.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: string; flavor: string }) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor })
}

/** Loading makes much short-lived garbage, and V8 would keep the room it took for it: 20 MB after a start. */
const giveBackMemory = (): void => collectGarbage('last-resort')
const SETTLED_MS = 1_000

/** Nothing holds back a process whose command is over: a connection may wait for a goodbye that never comes. */
const GOODBYE_MS = 2_000

/** A terminal and a parent process may both pass on what was one key press: what comes within a second is one. */
const ONE_PRESS_MS = 1_000

const onStop = (callback: (count: number) => void): void => {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  const stop = (): void => {
    const at = performance.now()
    if (at - last < ONE_PRESS_MS) return
    last = at
    callback(++count)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

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
        print,
        input: process.stdin,
        output: process.stderr,
        onStop,
        releaseMemory: () => collectGarbage('regular'),
        started: () => void setTimeout(giveBackMemory, SETTLED_MS).unref(),
        exit: (code) => process.exit(code),
      }),
    print,
  )
} catch (error) {
  const { explainFailure } = await import('./commands/failure.ts')
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
}
setTimeout(() => process.exit(), GOODBYE_MS).unref()
