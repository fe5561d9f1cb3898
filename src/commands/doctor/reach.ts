import { createServer } from 'node:net'
import { findMissingNames } from '../serve/addresses.ts'
import { type Check, fail, ok, warn } from './finding.ts'

const ANSWER_WITHIN_MS = 1_000

export const accessCheck: Check = {
  what: 'access',
  run({ config }) {
    const { access, host, staysHome } = config
    const names =
      findMissingNames(config) === undefined
        ? []
        : [
            warn(
              `reached by IP address only: HOST is ${host}, PUBLIC_URL and ALLOWED_HOSTS are unset`,
              'set PUBLIC_URL to the address that people open, or add names to ALLOWED_HOSTS',
            ),
          ]
    if (access === 'private') return [ok('private: a token for everything'), ...names]
    if (staysHome) return [ok('open, on this machine only')]
    return [
      warn(
        `open to all who reach ${host}`,
        'set ACCESS=private, unless everyone there may read and change all',
      ),
      ...names,
    ]
  },
}

/** The version of a Factotum that answers there; null when something else, or nothing, does. */
const askHealth = async (host: string, port: number): Promise<{ version: string; status: string } | null> => {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const answer = await fetch(`http://${name}:${port}/api/health`, { signal, redirect: 'manual' })
    const { version, status } = (await answer.json()) as { version?: unknown; status?: unknown }
    return typeof version === 'string' && typeof status === 'string' ? { version, status } : null
  } catch {
    return null
  }
}

const tryListening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

export const portCheck: Check = {
  what: 'port',
  async run({ config: { host, port } }) {
    if (port === 0) return [ok('whichever is free')]
    const running = await askHealth(host, port)
    if (running?.status === 'ok') return [ok(`Factotum ${running.version} answers on ${port}`)]
    if (running)
      return [warn(`Factotum ${running.version} on ${port} says that it is down`, 'look into its log')]
    const code = await tryListening(host, port)
    if (code === null) return [ok(`${port} is free`)]
    if (code === 'EADDRINUSE')
      return [fail(`${port} is used by something else`, 'stop that, or set PORT to another')]
    if (code === 'EACCES') return [fail(`${port} may not be used`, 'set PORT to 1024 or more')]
    return [fail(`this machine has no address ${host} (${code})`, 'set HOST to one that it has')]
  },
}
