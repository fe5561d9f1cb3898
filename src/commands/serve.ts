import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type App, buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { getLocalUserId } from '../database/local-account.ts'
import { inTransaction } from '../database/transaction.ts'
import { findMissingNames, listAddresses } from './addresses.ts'
import { type Command, CommandError, readArguments } from './command.ts'
import { openOrExplain } from './instance.ts'
import { upgradeDatabase } from './upgrade.ts'

const usage = 'serve [--demo]'
const options = { demo: { type: 'boolean', default: false } } as const

const FIRST_REQUESTS_MS = 50

/** Longer than the limit of requests and jobs. A shutdown that takes longer hangs. */
const STOPPING_MS = 25_000

const describeAccess = ({ access, accessIsExplicit, isLocal }: Config): string => {
  if (access === 'private') return 'private (a token for every request)'
  if (!accessIsExplicit || isLocal) return 'open (no token required, on this machine only)'
  return 'OPEN TO THE NETWORK, because ACCESS=open is set'
}

/** Describes the active AI of the owner, also after a key or model was changed at run time. */
const describeAi = async ({ features: { aiModels } }: App, userId: number): Promise<string> => {
  const { model, provider, providerModel, ready } = await aiModels.current(userId)
  if (ready) return `${model} (${provider}: ${providerModel})`
  const isAny = (await aiModels.list(userId)).some((other) => other.ready)
  return `built-in engine (${isAny ? `${model} is selected, but ${provider} has no key` : 'no provider key is set'})`
}

/** An instance with accounts starts as it is, for example with `--demo` a second time. */
const describeSample = (login: { email: string; password: string } | null): string =>
  login === null
    ? 'not added, because this instance has an account. For a new sample, set DATA_DIR to an empty folder'
    : `sign in as ${login.email} with the password ${login.password}`

const startupMessage = async (config: Config, database: Database, app: App, sample: string | null) => {
  const [base = '', ...others] = listAddresses(config, portOf(app, config), networkInterfaces())
  const lines: [string, string][] = [
    ['Console', base],
    ...others.map((address): [string, string] => ['', address]),
    ['API docs', `${base}/docs`],
    ['Data', database.engine === 'sqlite' ? resolve(config.dataDir) : database.location],
    ['Access', describeAccess(config)],
    ['AI', await describeAi(app, await getLocalUserId(database.db))],
  ]
  if (sample !== null) lines.push(['Sample', sample])
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
      `Port ${config.port} is already in use. Stop the program that uses it, or set PORT to another port.`,
    )
  if (error.code === 'EACCES')
    return new CommandError(`Listening on ${place} is not allowed. Set PORT to 1024 or more.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new CommandError(
      `This machine has no address ${config.host}. Set HOST to an address of this machine.`,
    )
  return error
}

export const serve: Command = {
  usage,
  summary: 'Run the server; --demo fills an empty instance with sample data',
  async run(context) {
    const { config, args, log, createDeps, print, onStop, onDebugSignal, started, exit } = context
    const { demo } = readArguments(args, { usage, options, words: [] }).values
    onDebugSignal(() => {
      log.level = log.level === config.logLevel ? 'debug' : config.logLevel
      log.warn({ logLevel: log.level }, 'log level changed')
    })
    const database = await openOrExplain(context)
    const build = async (): Promise<App> => {
      await upgradeDatabase(context, database)
      return buildApp(config, createDeps(database))
    }
    const app = await build().catch(async (error) => {
      await database.close()
      throw error
    })
    const begin = async (): Promise<void> => {
      if (config.secretKeyPrevious !== null)
        await inTransaction(database.db, async (tx) => {
          await app.features.twoFactor.reseal(tx)
          await app.features.activityLog.reseal(tx)
          await app.features.mailAccounts.reseal(tx)
          await app.features.oauthClients.reseal(tx)
          await app.features.calendarAccounts.reseal(tx)
          await app.features.aiKeys.reseal(tx)
          await app.features.webhooks.reseal(tx)
          await app.features.bookings.reseal(tx)
          await app.features.streamCredentials.reseal(tx)
          await app.features.backupSchedules.reseal(tx)
        })
      const sample = demo ? describeSample(await app.features.sample.fill()) : null
      if (config.access === 'open' && config.accessIsExplicit && !config.isLocal)
        log.warn('ACCESS=open on a public address: anyone who can reach it can read and change all data')
      const missingNames = findMissingNames(config)
      if (missingNames !== undefined) log.warn(missingNames)
      try {
        await app.http.listen({ host: config.host, port: config.port })
      } catch (error) {
        throw explainListening(config, error as NodeJS.ErrnoException)
      }
      // Requests that waited for the start are answered before the background work begins.
      await delay(FIRST_REQUESTS_MS)
      await app.features.unreadableEmails.requestReading()
      await app.features.storedHtml.requestSanitization()
      await app.jobs.start()
      app.syncing.start()
      app.sending.start()
      print(await startupMessage(config, database, app, sample))
      started()
    }
    const beginning = begin().catch(async (error) => {
      await app.close()
      throw error
    })
    const stopped = new Promise<void>((resolveStopped, reject) => {
      onStop((count) => {
        if (count > 1) exit(1)
        log.info('shutting down: waiting for running work')
        // Startup must finish before shutdown can begin.
        const end = beginning.then(
          () => app.close({ delayMs: config.shutdownDelayMs }),
          () => undefined,
        )
        end.then(resolveStopped, reject)
        setTimeout(() => {
          log.warn(
            'shutting down: abandoning unfinished work, because a database or another server does not respond',
          )
          resolveStopped()
        }, config.shutdownDelayMs + STOPPING_MS).unref()
      })
    })
    await Promise.race([beginning.then(() => stopped), stopped])
    log.info('stopped')
    return 0
  },
}
