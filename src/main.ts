import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const root = new URL('../', import.meta.url)

// Before anything else is loaded: a second start finds every file compiled.
enableCompileCache(fileURLToPath(new URL('node_modules/.cache/factotum', root)))

const { runCommand } = await import('./commands/commands.ts')
const { createContext } = await import('./commands/context.ts')

const readEnvFile = (): Record<string, string | undefined> => {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const onStop = (callback: (count: number) => void): void => {
  let count = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => callback(++count))
}

try {
  const environment = { ...readEnvFile(), ...process.env }
  process.exitCode = await runCommand(
    process.argv.slice(2),
    (args) =>
      createContext({
        root: fileURLToPath(root),
        environment,
        args,
        print,
        input: process.stdin,
        output: process.stderr,
        onStop,
        exit: (code) => process.exit(code),
      }),
    print,
  )
} catch (error) {
  const { explainFailure } = await import('./commands/failure.ts')
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
}
