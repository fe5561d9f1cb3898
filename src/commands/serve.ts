import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type App, buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { inTransaction } from '../database/transaction.ts'
import { type Command, CommandError } from './command.ts'

const readOptions = (args: readonly string[]): { demo: boolean } => {
  try {
    const { values } = parseArgs({ args: [...args], options: { demo: { type: 'boolean', default: false } } })
    return { demo: values.demo }
  } catch {
    throw new CommandError('serve takes --demo and nothing else.')
  }
}

const accessInWords = ({ access, accessIsExplicit, staysHome }: Config): string => {
  if (access === 'private') return 'private (a token for everything)'
  if (!accessIsExplicit || staysHome) return 'open (no token needed, on this machine only)'
  return 'OPEN TO THE NETWORK, because ACCESS=open says so'
}

/** Which AI answers: the first model whose provider has a key, or the engine that needs none. */
const aiInWords = ({ ai: { models, providers } }: Config): string => {
  const ready = Object.entries(models).find(([, { provider }]) =>
    provider === 'openai-compatible'
      ? providers[provider].baseUrl !== null
      : providers[provider].key !== null,
  )
  return ready
    ? `${ready[0]} (${ready[1].provider}: ${ready[1].model})`
    : 'built-in engine (no provider key is set)'
}

const greeting = (
  config: Config,
  database: Database,
  app: App,
  sample: { email: string; password: string } | null,
) => {
  const base = app.baseUrl()
  const lines: [string, string][] = [
    ['Console', base],
    ['API docs', `${base}/docs`],
    ['Data', database.engine === 'sqlite' ? resolve(config.dataDir) : database.location],
    ['Access', accessInWords(config)],
    ['AI', aiInWords(config)],
  ]
  if (sample) lines.push(['Sample', `sign in as ${sample.email} with the password ${sample.password}`])
  const rows = lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`)
  return ['', `  Factotum is running. Press Ctrl+C to stop.`, '', ...rows, ''].join('\n')
}

const explainListening = (config: Config, error: NodeJS.ErrnoException): Error => {
  const place = `${config.host}:${config.port}`
  if (error.code === 'EADDRINUSE')
    return new CommandError(
      `Port ${config.port} is in use already. Stop what uses it, or set PORT to another.`,
    )
  if (error.code === 'EACCES')
    return new CommandError(`Listening on ${place} is not allowed. Set PORT to 1024 or more.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new CommandError(`This machine has no address ${config.host}. Set HOST to one that it has.`)
  return error
}

export const serve: Command = {
  usage: 'serve [--demo]',
  summary: 'Run the service; --demo fills an empty instance with a sample week',
  async run({ config, args, log, openDatabase, worldOf, print, onStop, started, exit }) {
    const { demo } = readOptions(args)
    const database = await openDatabase()
    await migrate(database, undefined, config.timezone)
    const app = await buildApp(config, worldOf(database))
    const begin = async (): Promise<void> => {
      if (config.secretKeyPrevious !== null)
        await inTransaction(database.db, async (tx) => {
          await app.rooms.twoFactor.reseal(tx)
          await app.rooms.activityLog.reseal(tx)
          await app.rooms.mailAccounts.reseal(tx)
          await app.rooms.aiKeys.reseal(tx)
          await app.rooms.webhooks.reseal(tx)
          await app.rooms.bookings.reseal(tx)
          await app.rooms.streamCredentials.reseal(tx)
        })
      const sample = demo ? await app.rooms.sample.fill() : null
      if (config.access === 'open' && config.accessIsExplicit && !config.staysHome)
        log.warn(
          'ACCESS=open on an address that others can reach: anyone there can read and change everything',
        )
      try {
        await app.http.listen({ host: config.host, port: config.port })
      } catch (error) {
        throw explainListening(config, error as NodeJS.ErrnoException)
      }
      await app.jobs.start()
      app.syncing.start()
      app.sending.start()
      print(greeting(config, database, app, sample))
      started()
    }
    const beginning = begin().catch(async (error) => {
      await app.close()
      throw error
    })
    const stopped = new Promise<void>((resolveStopped, reject) => {
      onStop((count) => {
        if (count > 1) exit(1)
        log.info('stopping: finishing what runs')
        // What is half begun cannot be ended.
        const end = beginning.then(
          () => app.close(),
          () => undefined,
        )
        end.then(resolveStopped, reject)
      })
    })
    await beginning
    await stopped
    log.info('stopped')
    return 0
  },
}
