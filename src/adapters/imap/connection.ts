import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { ImapFlow, ImapFlowError, ImapFlowOptions } from 'imapflow'
import type { MailTarget } from '../../features/mail-accounts/servers.ts'
import { AppError } from '../../platform/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { failedAt, resolveAsStep, socketFailure } from '../../platform/outbound/steps.ts'
import { trustIn } from '../../platform/outbound/trust.ts'

const CONNECT_MS = 15_000
const GREETING_MS = 15_000
const SILENCE_MS = 120_000
/** RFC 2177: an IDLE that is older than 29 minutes may be cut off. */
const IDLE_MS = 9 * 60_000
const LARGEST_MESSAGE = 100 * 1024 * 1024

const require = createRequire(import.meta.url)
const loadImapFlow = () => (require('imapflow') as typeof import('imapflow')).ImapFlow

const optionsFor = ({ server, login }: MailTarget, address: string): ImapFlowOptions => ({
  host: address,
  port: server.port,
  secure: server.tls === 'implicit',
  ...(server.tls !== 'implicit' && { doSTARTTLS: server.tls === 'starttls' }),
  ...(isIP(server.host) === 0 && { servername: server.host }),
  tls: trustIn(server.certificate),
  auth:
    login.kind === 'password'
      ? { user: login.user, pass: login.password }
      : { user: login.user, accessToken: login.accessToken },
  logger: false,
  qresync: true,
  disableAutoIdle: true,
  maxIdleTime: IDLE_MS,
  connectionTimeout: CONNECT_MS,
  greetingTimeout: GREETING_MS,
  socketTimeout: SILENCE_MS,
  maxLiteralSize: LARGEST_MESSAGE,
  maxLineLength: 10 * 1024 * 1024,
  clientInfo: { name: 'Factotum' },
})

/** What the library threw, as a step and a reason. */
export const toFailure = (host: string, thrown: unknown): AppError => {
  if (thrown instanceof AppError) return thrown
  const error = thrown as ImapFlowError
  const said =
    error.responseText ?? (typeof error.response === 'string' ? error.response : null) ?? error.reason ?? null
  const at = (
    step: Parameters<typeof failedAt>[1]['step'],
    reason: Parameters<typeof failedAt>[1]['reason'],
  ) => failedAt(host, { step, reason, said }, error)
  if (error.authenticationFailed) return at('login', 'credentials')
  const known = socketFailure(error)
  if (known && !(known.step === 'greeting' && error.tlsFailed)) return at(known.step, known.reason)
  if (error.code === 'MissingServerExtension' || (error.tlsFailed && /STARTTLS/i.test(error.message)))
    return at('tls', 'no_starttls')
  if (error.tlsFailed || error.code === 'UPGRADE_TIMEOUT' || error.code === 'STARTTLS_INJECTION')
    return at('tls', 'other')
  if (error.code === 'ClosedAfterConnectTLS') return at('tls', 'closed')
  if (error.code === 'GREETING_TIMEOUT') return at('greeting', 'timeout')
  if (error.code === 'ClosedAfterConnectText') return at('greeting', 'closed')
  if (error.mailboxMissing) return at('select', 'missing')
  if (error.code === 'ETIMEOUT') return at('command', 'timeout')
  if (error.code === 'NoConnection' || error.code === 'EConnectionClosed') return at('command', 'closed')
  return at('command', 'other')
}

/** The first of a host's checked addresses that answers, signed in. */
export const connect = async (
  resolve: Outbound['resolve'],
  target: MailTarget,
  signal?: AbortSignal,
): Promise<ImapFlow> => {
  const { host, port } = target.server
  const addresses = await resolveAsStep(resolve, host, port)
  const Client = loadImapFlow()
  for (const [index, address] of addresses.entries()) {
    const client = new Client(optionsFor(target, address))
    // Without a listener a lost connection would end the process; whoever waits for an answer hears of it anyway.
    client.on('error', () => undefined)
    const abort = () => client.close()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      await client.connect()
      return client
    } catch (error) {
      client.close()
      const failure = toFailure(host, error)
      const isLast = index === addresses.length - 1
      if (isLast || failure.details.failure?.step !== 'connect' || signal?.aborted) throw failure
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
  throw failedAt(host, { step: 'dns', reason: 'unknown_host' })
}
