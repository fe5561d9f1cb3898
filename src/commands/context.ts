import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { createLanguageModels } from '../adapters/ai/language-models.ts'
import { calcom } from '../adapters/calcom/calcom.ts'
import { createCalDav } from '../adapters/caldav/calendar-server.ts'
import { calendly } from '../adapters/calendly/calendly.ts'
import { createMailDns } from '../adapters/dns/mail-dns.ts'
import { createImap } from '../adapters/imap/mailbox.ts'
import { createSmtp } from '../adapters/smtp/transport.ts'
import { createStripe } from '../adapters/stripe/stripe.ts'
import { readConfig } from '../config/config.ts'
import { readSettingFiles } from '../config/setting-files.ts'
import { openDatabase } from '../database/database.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { readOrMakeSecret } from '../platform/secrets/secret-file.ts'
import type { GarbageKind } from '../platform/workers/worker-pool.ts'
import { type CommandContext, CommandError, messageOf } from './command.ts'
import { createCommandRunner, type Program } from './command-runner.ts'
import { finishRestores } from './restore-staging.ts'

const MAX_LINE_LENGTH = 4096
const NEWLINE = 0x0a

/** Rejects when the user cancels with Ctrl+C or Ctrl+D, or closes the terminal. */
const answerOf = (dialogue: Interface, question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    dialogue.once('close', () => reject(new CommandError('Nothing was entered.')))
    dialogue.question(question).then(resolve, () => reject(new CommandError('Nothing was entered.')))
  })

const createAsk =
  (input: NodeJS.ReadStream, output: NodeJS.WriteStream): CommandContext['ask'] =>
  async (question, { hidden = false } = {}) => {
    if (!input.isTTY) return undefined
    const { createInterface } = await import('node:readline/promises')
    const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
    const dialogue = createInterface({ input, output: hidden ? silence : output, terminal: true })
    try {
      if (hidden) output.write(question)
      return await answerOf(dialogue, hidden ? '' : question)
    } finally {
      if (hidden) output.write('\n')
      dialogue.close()
    }
  }

const decode = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError('The standard input is not UTF-8 text.')
  }
}

const createReadLine =
  (input: NodeJS.ReadStream): CommandContext['readLine'] =>
  async () => {
    let read = Buffer.alloc(0)
    for await (const chunk of input as AsyncIterable<Buffer>) {
      read = Buffer.concat([read, chunk])
      if (read.includes(NEWLINE) || read.length > MAX_LINE_LENGTH) break
    }
    const end = read.indexOf(NEWLINE)
    const line = end < 0 ? read : read.subarray(0, end)
    if (line.length > MAX_LINE_LENGTH)
      throw new CommandError('The first line of the standard input is too long.')
    return decode(line).replace(/\r$/, '')
  }

/** The parts of the process that a command may use. */
export interface ProcessContext {
  root: string
  environment: Readonly<Record<string, string | undefined>>
  envFileNames: readonly string[]
  nodeVersion: string
  args: readonly string[]
  /** Lets the server start commands in their own processes. */
  program?: Program
  print(text: string): void
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  onStop(callback: (count: number) => void): void
  onDebugSignal?(callback: () => void): void
  started(): void
  releaseMemory?(kind: GarbageKind): void
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
    throw new CommandError(`The secret of the instance is not usable: ${messageOf(error)}`)
  }
}

export const createContext = (surroundings: ProcessContext): CommandContext => {
  const { root, args, print, input, output, onStop, started, exit, envFileNames, nodeVersion } = surroundings
  const config = once(() => readConfig(readSettingFiles(surroundings.environment)))
  const log = once(() => createLog(config().logLevel))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const outside = {
    clock: systemClock,
    random: systemRandom,
    version,
    consoleDirectory: join(root, 'web', 'dist'),
    helpDirectory: join(root, 'site', 'dist'),
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
    onDebugSignal: surroundings.onDebugSignal ?? (() => {}),
    started,
    exit,
    ask: createAsk(input, output),
    readLine: createReadLine(input),
    async openDatabase() {
      const { dataDir, databaseUrl, databaseDirectUrl, databasePoolSize } = config()
      const database = await openDatabase({
        dataDir,
        databaseUrl,
        databaseDirectUrl,
        databasePoolSize,
        onIdleError: (error) => log().error({ err: error }, 'lost a database connection'),
      })
      await finishRestores(dataDir, database)
      return database
    },
    createDeps: (database, secretKey) => ({
      ...outside,
      database,
      log: log(),
      secretKey: secretKey ?? config().secretKey ?? secretOf(config().dataDir),
      ...(surroundings.program && { runCommand: createCommandRunner(surroundings.program, config()) }),
    }),
  }
}
