import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer/lib/errors'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type {
  Submission,
  SubmissionResult,
  SubmissionTarget,
  Transport,
} from '../../features/mail/accounts/ports.ts'
import { AppError, type StepFailure } from '../../platform/errors.ts'
import { trustIn } from '../../platform/outbound/addresses.ts'
import { needsSmtpUtf8, toEnvelopeAddress } from '../../platform/outbound/mail-address.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { failedAt, quote, resolveAsStep, socketFailure } from '../../platform/outbound/steps.ts'

const CONNECT_MS = 15_000
const GREETING_MS = 30_000
/** RFC 5321 section 4.5.3.2.6: a server may take ten minutes to answer a message. */
const SILENCE_MS = 10 * 60_000

const require = createRequire(import.meta.url)
const load = () => ({
  Connection: (require('nodemailer/lib/smtp-connection') as { default: typeof SMTPConnection }).default,
  XOAuth2: (require('nodemailer/lib/xoauth2') as { default: typeof import('nodemailer/lib/xoauth2').default })
    .default,
})

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

const wordsOf = (error: NodemailerError): string | null => quote(error.response ?? null)

const toFailure = (host: string, error: NodemailerError, isToken: boolean): AppError => {
  const at = (step: StepFailure['step'], reason: StepFailure['reason']) =>
    failedAt(host, { step, reason, response: wordsOf(error) }, error)
  if (error.code === 'EAUTH' || error.code === 'EOAUTH2' || error.code === 'ENOAUTH')
    return at('login', isToken ? 'signed_out' : 'credentials')
  const known = socketFailure({ code: error.originalCode ?? error.code })
  if (error.timeoutType === 'GREETING_TIMEOUT') return at('greeting', 'timeout')
  if (error.timeoutType === 'UPGRADE_TIMEOUT') return at('tls', 'timeout')
  if (known) return at(known.step, known.reason)
  if (error.code === 'ETLS')
    return at('tls', /STARTTLS/.test(error.message) && error.responseCode ? 'no_starttls' : 'other')
  if (error.code === 'ETIMEDOUT') return at('command', 'timeout')
  if (error.code === 'ECONNECTION' || error.code === 'EPROTOCOL') return at('greeting', 'closed')
  return at('command', 'other')
}

/** Connects and authenticates. Tries the checked addresses of a host until one accepts the connection. */
const connect = async (
  resolve: Outbound['resolve'],
  { server, login }: SubmissionTarget,
  signal?: AbortSignal,
): Promise<SMTPConnection> => {
  const { host, port } = server
  const addresses = await resolveAsStep(resolve, host, port)
  const { Connection, XOAuth2 } = load()
  const attempt = (address: string): Promise<SMTPConnection> =>
    new Promise((done, fail) => {
      const connection = new Connection({
        host: address,
        port,
        secure: server.tls === 'implicit',
        requireTLS: server.tls === 'starttls',
        ignoreTLS: server.tls === 'none',
        ...(isIP(host) === 0 && { servername: host }),
        tls: {
          ...trustIn(server.certificate),
          // RFC 7435: with opportunistic encryption, an unverified certificate is no worse than no
          // encryption.
          ...(server.tls === 'opportunistic' && isLoopback(host) && { rejectUnauthorized: false }),
        },
        connectionTimeout: CONNECT_MS,
        greetingTimeout: GREETING_MS,
        socketTimeout: SILENCE_MS,
        logger: false,
      })
      const give = (error: NodemailerError) => {
        fail(toFailure(host, error, login?.kind === 'oauth'))
        connection.close()
      }
      const abort = () => connection.close()
      connection.once('error', give)
      connection.once('end', () => give(Object.assign(new Error('closed'), { code: 'ECONNECTION' })))
      signal?.addEventListener('abort', abort, { once: true })
      connection.connect((error) => {
        if (error) return give(error)
        if (login === null) return done(connection)
        const auth =
          login.kind === 'password'
            ? { user: login.user, pass: login.password }
            : { user: login.user, oauth2: new XOAuth2({ user: login.user, accessToken: login.accessToken }) }
        // Use a server without authentication, such as a relay on the local network, without a login.
        if (!connection.allowsAuth && server.tls === 'none') return done(connection)
        connection.login(auth, (refusal) => (refusal ? give(refusal) : done(connection)))
      })
    })
  for (const [index, address] of addresses.entries()) {
    try {
      return await attempt(address)
    } catch (error) {
      const step = error instanceof AppError ? error.details.failure?.step : undefined
      if (step !== 'connect' || index === addresses.length - 1 || signal?.aborted) throw error
    }
  }
  throw failedAt(host, { step: 'dns', reason: 'unknown_host' })
}

/** RFC 5321: 4xx is temporary, 5xx is permanent. */
const toRefusal = (error: NodemailerError): SubmissionResult => ({
  result: error.permanent ? 'refused' : 'postponed',
  response: wordsOf(error) ?? error.message,
})

/** The SIZE that the server announced (RFC 1870). Zero means that there is no fixed limit. */
const readMaxMessageBytes = (connection: SMTPConnection): number | null =>
  (connection as unknown as { _maxAllowedSize?: number })._maxAllowedSize || null

const readLimits = (connection: SMTPConnection) => {
  const { _supportedExtensions: extensions = [] } = connection as unknown as {
    _supportedExtensions?: string[]
  }
  return { maxMessageBytes: readMaxMessageBytes(connection), acceptsUtf8: extensions.includes('SMTPUTF8') }
}

const send = (
  connection: SMTPConnection,
  submission: Submission,
  { maxMessageBytes, acceptsUtf8 }: ReturnType<typeof readLimits>,
): Promise<SubmissionResult> =>
  new Promise((resolve) => {
    const international = [submission.from, ...submission.to].filter(needsSmtpUtf8)
    // RFC 6531, section 3.2: without SMTPUTF8, the client must not send such an address.
    if (!acceptsUtf8 && international.length > 0)
      return resolve({
        result: 'refused',
        response: `553 5.6.7 The mail server accepts only ASCII before the @ (no SMTPUTF8): ${international.join(', ')}.`,
      })
    // RFC 1870, section 6.1: a server rejects a message above its SIZE, so a retry makes no sense.
    if (maxMessageBytes !== null && submission.raw.length > maxMessageBytes)
      return resolve({
        result: 'refused',
        response: `552 5.3.4 The message has ${submission.raw.length} bytes, the server accepts ${maxMessageBytes}.`,
      })
    let isHandedOver = false
    // Nothing is read from the stream before the server has accepted DATA.
    const message = Readable.from(
      (async function* () {
        await submission.beforeData()
        yield submission.raw
        isHandedOver = true
      })(),
      { objectMode: false },
    )
    const settle = (error: NodemailerError | null, refusals: NodemailerError[] = []) => {
      if (!error)
        return resolve({
          result: 'sent',
          refused: refusals.map((refusal) => ({
            address: refusal.recipient ?? '',
            response: wordsOf(refusal),
          })),
        })
      if (error.responseCode !== undefined) return resolve(toRefusal(error))
      const response = quote(error.message) ?? 'The connection was lost.'
      resolve({ result: isHandedOver ? 'uncertain' : 'postponed', response })
    }
    connection.once('error', settle)
    connection.once('end', () => settle(Object.assign(new Error('The connection was closed.'))))
    const envelope = {
      from: toEnvelopeAddress(submission.from),
      to: submission.to.map(toEnvelopeAddress),
      size: submission.raw.length,
      use8BitMime: true,
    }
    connection.send(envelope, message, (error, info) => settle(error, info?.rejectedErrors))
  })

/** Creates an SMTP submission client (RFC 6409). */
export const createSmtp = (resolve: Outbound['resolve']): Transport => ({
  async verify(target) {
    const connection = await connect(resolve, target)
    connection.quit()
    return readLimits(connection)
  },
  async submit(target, submission, signal) {
    const connection = await connect(resolve, target, signal)
    try {
      const limits = readLimits(connection)
      return { ...(await send(connection, submission, limits)), ...limits }
    } finally {
      connection.quit()
    }
  },
})
