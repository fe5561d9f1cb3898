import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { readOrMakeSecret } from '../platform/secrets/secret-file.ts'
import type { CommandContext } from './command.ts'

/** The process, as a command may use it. */
export interface Surroundings {
  root: string
  environment: Readonly<Record<string, string | undefined>>
  args: readonly string[]
  print(text: string): void
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  onStop(callback: (count: number) => void): void
  exit(code: number): never
}

const createAsk =
  (input: NodeJS.ReadStream, output: NodeJS.WriteStream): CommandContext['ask'] =>
  async (question, { hidden = false } = {}) => {
    if (!input.isTTY) return undefined
    const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
    const dialogue = createInterface({ input, output: hidden ? silence : output, terminal: true })
    try {
      if (hidden) output.write(question)
      const answer = await dialogue.question(hidden ? '' : question)
      if (hidden) output.write('\n')
      return answer
    } finally {
      dialogue.close()
    }
  }

export const createContext = (surroundings: Surroundings): CommandContext => {
  const { root, args, print, onStop, exit } = surroundings
  const config = readConfig(surroundings.environment)
  const log = createLog(config.logLevel)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    config,
    args,
    log,
    print,
    onStop,
    exit,
    ask: createAsk(surroundings.input, surroundings.output),
    openDatabase: () =>
      openDatabase({
        dataDir: config.dataDir,
        databaseUrl: config.databaseUrl,
        onIdleError: (error) => log.error({ err: error }, 'a database connection was lost'),
      }),
    worldOf: (database) => ({
      database,
      clock: systemClock,
      random: systemRandom,
      log,
      secretKey: config.secretKey ?? readOrMakeSecret(config.dataDir, systemRandom),
      version: manifest.version,
      consoleDirectory: join(root, 'web', 'dist'),
    }),
  }
}
