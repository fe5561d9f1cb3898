import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { ImapFlow } from 'imapflow'
import { describe } from 'vitest'
import type { Engine } from '../../src/database/database.ts'
import { onEveryDatabase, onOneDatabase } from './databases.ts'

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

/** Returns the mail servers of the test run. */
export const mailServers = () => {
  if (!dovecot || !openSmtpd) throw new Error('There are no mail servers to test against.')
  return { ...dovecot, relay: openSmtpd.smtp, pem: readFileSync(dovecot.certificate, 'utf8') }
}

export const withMailServers = (title: string, tests: () => void): void => {
  describe.skipIf(!dovecot || !openSmtpd)(title, tests)
}

export const withMailServersOnEveryDatabase = (title: string, tests: (engine: Engine) => void): void => {
  withMailServers('with real mail servers', () => onEveryDatabase(title, tests))
}

/** The short form of the suite uses only the database `short`. */
export const withMailServersOnOneDatabase = (
  short: Engine,
  title: string,
  tests: (engine: Engine) => void,
): void => {
  withMailServers('with real mail servers', () => onOneDatabase(short, title, tests))
}

/** Returns a new mailbox address: the server creates it on first use. */
export const newAddress = (name = 'person'): string =>
  `${name}-${randomBytes(5).toString('hex')}@example.test`

interface AccountOptions {
  imapPort?: number
  smtpPort?: number
}

/** Returns the request body that adds an account for the address. */
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

/** Opens the mailbox like another mail program. */
export const openImapClient = async (address: string): Promise<ImapFlow> => {
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

/** Creates a message like another mail program. */
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

/** Runs Dovecot's command line. */
export const doveadm = async (...args: string[]): Promise<string> =>
  (await run('doveadm', ['-c', mailServers().configuration, ...args])).stdout
