import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { type App, buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { inTransaction } from '../database/transaction.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'
import { openOrExplain } from './instance.ts'
import { findMissingNames, listAddresses } from './serve/addresses.ts'

const usage = 'serve [--demo]'
const options = { demo: { type: 'boolean', default: false } } as const

/** Longer than requests and jobs are given to finish: whatever holds a stop for so long does not answer any more. */
const STOPPING_MS = 25_000

const accessInWords = ({ access, accessIsExplicit, staysHome }: Config): string => {
  if (access === 'private') return 'private (a token for everything)'
  if (!accessIsExplicit || staysHome) return 'open (no token needed, on this machine only)'
  return 'OPEN TO THE NETWORK, because ACCESS=open says so'
}

/** Which AI answers, also by a key or a choice that was made while it ran. */
const aiInWords = async ({ rooms: { aiModels } }: App): Promise<string> => {
  const { model, provider, providerModel, ready } = await aiModels.current()
  if (ready) return `${model} (${provider}: ${providerModel})`
  const isAny = (await aiModels.list()).some((other) => other.ready)
  return `built-in engine (${isAny ? `${model} is chosen, and ${provider} has no key` : 'no provider key is set'})`
}

const greeting = async (
  config: Config,
  database: Database,
  app: App,
  sample: { email: string; password: string } | null,
) => {
  const [base = '', ...others] = listAddresses(config, portOf(app, config), networkInterfaces())
  const lines: [string, string][] = [
    ['Console', base],
    ...others.map((address): [string, string] => ['', address]),
    ['API docs', `${base}/docs`],
    ['Data', database.engine === 'sqlite' ? resolve(config.dataDir) : database.location],
    ['Access', accessInWords(config)],
    ['AI', await aiInWords(app)],
  ]
  if (sample) lines.push(['Sample', `sign in as ${sample.email} with the password ${sample.password}`])
  const rows = lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`)
  return ['', `  Factotum is running. Press Ctrl+C to stop.`, '', ...rows, ''].join('\n')
}

const portOf = ({ http }: App, { port }: Config): number => {
  const address = http.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
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
  usage,
  summary: 'Run the service; --demo fills an empty instance with a sample week',
  async run(context) {
    const { config, args, log, worldOf, print, onStop, started, exit } = context
    const { demo } = readArguments(args, { usage, options, words: [] }).values
    const database = await openOrExplain(context)
    const build = async (): Promise<App> => {
      await migrate(database, undefined, config.timezone)
      return buildApp(config, worldOf(database))
    }
    const app = await build().catch(async (error) => {
      await database.close()
      throw error
    })
    const begin = async (): Promise<void> => {
      if (config.secretKeyPrevious !== null)
        await inTransaction(database.db, async (tx) => {
          await app.rooms.twoFactor.reseal(tx)
          await app.rooms.activityLog.reseal(tx)
          await app.rooms.mailAccounts.reseal(tx)
          await app.rooms.calendarAccounts.reseal(tx)
          await app.rooms.aiKeys.reseal(tx)
          await app.rooms.webhooks.reseal(tx)
          await app.rooms.bookings.reseal(tx)
          await app.rooms.streamCredentials.reseal(tx)
        })
      await inTransaction(database.db, (tx) => app.rooms.calendarAccounts.sealAddresses(tx))
      const sample = demo ? await app.rooms.sample.fill() : null
      if (config.access === 'open' && config.accessIsExplicit && !config.staysHome)
        log.warn(
          'ACCESS=open on an address that others can reach: anyone there can read and change everything',
        )
      const missingNames = findMissingNames(config)
      if (missingNames !== undefined) log.warn(missingNames)
      try {
        await app.http.listen({ host: config.host, port: config.port })
      } catch (error) {
        throw explainListening(config, error as NodeJS.ErrnoException)
      }
      await app.rooms.unreadableEmails.requestReading()
      await app.jobs.start()
      app.syncing.start()
      app.sending.start()
      print(await greeting(config, database, app, sample))
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
        setTimeout(() => {
          log.warn('stopping: leaving what has not ended, for a database or another server does not answer')
          resolveStopped()
        }, STOPPING_MS).unref()
      })
    })
    await Promise.race([beginning.then(() => stopped), stopped])
    log.info('stopped')
    return 0
  },
}
