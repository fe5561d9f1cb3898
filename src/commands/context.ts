import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLanguageModels } from '../adapters/ai/language-models.ts'
import { calcom } from '../adapters/calcom/calcom.ts'
import { createCalDav } from '../adapters/caldav/calendar-server.ts'
import { calendly } from '../adapters/calendly/calendly.ts'
import { createMailDns } from '../adapters/dns/mail-dns.ts'
import { createImap } from '../adapters/imap/mailbox.ts'
import { createSmtp } from '../adapters/smtp/transport.ts'
import { createStripe } from '../adapters/stripe/stripe.ts'
import { readConfig } from '../config/config.ts'
import { openDatabase } from '../database/database.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { readOrMakeSecret } from '../platform/secrets/secret-file.ts'
import { type CommandContext, CommandError } from './command.ts'
import { createAsk, createReadLine } from './dialogue.ts'
import { messageOf } from './failure.ts'
import { finishRestores } from './restore/staging.ts'

/** The process, as a command may use it. */
export interface Surroundings {
  root: string
  environment: Readonly<Record<string, string | undefined>>
  envFileNames: readonly string[]
  nodeVersion: string
  args: readonly string[]
  print(text: string): void
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  onStop(callback: (count: number) => void): void
  started(): void
  releaseMemory?(): void
  exit(code: number): never
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const secretOf = (dataDir: string): string => {
  try {
    return readOrMakeSecret(dataDir, systemRandom)
  } catch (error) {
    throw new CommandError(`The instance's secret cannot be used: ${messageOf(error)}`)
  }
}

export const createContext = (surroundings: Surroundings): CommandContext => {
  const { root, args, print, input, output, onStop, started, exit, envFileNames, nodeVersion } = surroundings
  const config = once(() => readConfig(surroundings.environment))
  const log = once(() => createLog(config().logLevel))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const outside = {
    clock: systemClock,
    random: systemRandom,
    version,
    consoleDirectory: join(root, 'web', 'dist'),
    mailbox: createImap,
    transport: createSmtp,
    mailDns: createMailDns(),
    calendarServer: createCalDav,
    languageModels: createLanguageModels,
    bookingProviders: { calcom, calendly },
    payments: createStripe,
    ...(surroundings.releaseMemory && { releaseMemory: surroundings.releaseMemory }),
  }
  return {
    ...outside,
    get config() {
      return config()
    },
    get log() {
      return log()
    },
    args,
    envFileNames,
    nodeVersion,
    print,
    note: (text) => void output.write(`${text}\n`),
    onStop,
    started,
    exit,
    ask: createAsk(input, output),
    readLine: createReadLine(input),
    async openDatabase() {
      const { dataDir, databaseUrl } = config()
      const database = await openDatabase({
        dataDir,
        databaseUrl,
        onIdleError: (error) => log().error({ err: error }, 'a database connection was lost'),
      })
      await finishRestores(dataDir, database)
      return database
    },
    worldOf: (database, secretKey) => ({
      ...outside,
      database,
      log: log(),
      secretKey: secretKey ?? config().secretKey ?? secretOf(config().dataDir),
    }),
  }
}
