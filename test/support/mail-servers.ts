import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { ImapFlow } from 'imapflow'
import { describe } from 'vitest'
import type { Engine } from '../../src/database/database.ts'
import { onEveryDatabase } from './databases.ts'

interface Dovecot {
  imap: number
  imaps: number
  submission: number
  submissions: number
  lmtp: number
  configuration: string
  password: string
  certificate: string
}

const dovecot = process.env.TEST_DOVECOT ? (JSON.parse(process.env.TEST_DOVECOT) as Dovecot) : undefined
const openSmtpd = process.env.TEST_OPENSMTPD
  ? (JSON.parse(process.env.TEST_OPENSMTPD) as { smtp: number })
  : undefined

/** The mail servers that the test run has started. */
export const mailServers = () => {
  if (!dovecot || !openSmtpd) throw new Error('There are no mail servers to test against.')
  return { ...dovecot, relay: openSmtpd.smtp, pem: readFileSync(dovecot.certificate, 'utf8') }
}

export const withMailServers = (title: string, tests: () => void): void => {
  describe.skipIf(!dovecot || !openSmtpd)(title, { timeout: 60_000 }, tests)
}

/** `concurrent` for those that mostly wait, and share nothing. */
export const withMailServersOnEveryDatabase = (
  title: string,
  tests: (engine: Engine) => void,
  { concurrent = false } = {},
): void => {
  describe.skipIf(!dovecot || !openSmtpd)('with real mail servers', { timeout: 60_000, concurrent }, () => {
    onEveryDatabase(title, tests)
  })
}

/** A mailbox of its own: the server makes it when it is first used. */
export const newAddress = (name = 'person'): string =>
  `${name}-${randomBytes(5).toString('hex')}@example.test`

interface AccountOptions {
  imapPort?: number
  smtpPort?: number
}

/** What to send to add an account for the address. */
export const accountBody = (address: string, { imapPort, smtpPort }: AccountOptions = {}) => {
  const { imap, submission, password, pem } = mailServers()
  const server = { host: '127.0.0.1', tls: 'starttls', certificate: pem }
  return {
    address,
    password,
    imap: { ...server, port: imapPort ?? imap },
    smtp: { ...server, port: smtpPort ?? submission },
  }
}

/** The mailbox as another mail program sees it. */
export const openAsAnother = async (address: string): Promise<ImapFlow> => {
  const { imaps, password, pem } = mailServers()
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: imaps,
    secure: true,
    tls: { ca: pem },
    auth: { user: address, pass: password },
    logger: false,
    disableAutoIdle: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

let messages = 0

/** A message as another program would write it. */
export const message = ({
  subject = 'Hello',
  from = 'Ben <ben@example.test>',
  to = 'ana@example.test',
  messageId = `<${++messages}.${randomBytes(6).toString('hex')}@example.test>`,
  body = 'Hello there.',
  headers = '',
  date = 'Mon, 02 Mar 2026 10:00:00 +0000',
} = {}): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    `Date: ${date}`,
    ...(headers === '' ? [] : [headers]),
    '',
    body,
    '',
  ].join('\r\n')

const run = promisify(execFile)

/** Dovecot's own command line. */
export const doveadm = async (...args: string[]): Promise<string> =>
  (await run('doveadm', ['-c', mailServers().configuration, ...args])).stdout

/** Looks again and again, less and less often, until it is so; the test's own patience is the limit. */
export const eventually = async <T>(look: () => Promise<T | undefined | false | null>): Promise<T> => {
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 1.3, 300)) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
