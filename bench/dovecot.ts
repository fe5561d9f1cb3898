import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Dovecot {
  imaps: number
  submissions: number
  configuration: string
  password: string
  certificate: string
}

/**
 * Starts the server of the tests. The module is plain JavaScript, because the test setup uses it before the
 * dependencies are installed.
 */
export const startDovecot = async (): Promise<
  { dovecot: Dovecot; stop: () => Promise<void> } | { missing: string }
> => {
  const load = (name: string) => import(new URL(`../scripts/parts/${name}.mjs`, import.meta.url).href)
  const [{ createDovecot }, { freePorts }] = [await load('dovecot'), await load('loopback')]
  const [lmtp, relay] = await freePorts(2)
  const part = await createDovecot({ lmtp, relay }).provide()
  if (part.missing) return part
  return { dovecot: JSON.parse(part.env.TEST_DOVECOT) as Dovecot, stop: part.stop }
}

/** Writes messages to a Maildir like a delivery agent: one file each. `first` is the number of the first message. */
export const fillMaildir = (
  { configuration }: Dovecot,
  address: string,
  count: number,
  createMessage: (n: number) => string | Buffer,
  /** The number of messages that are there already. */
  first = 0,
): void => {
  const mailDir = join(dirname(configuration), 'mailboxes', address)
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(mailDir, 'Maildir', name), { recursive: true })
  // A mail server may read a file as soon as it is in `new`. So it is written to `tmp`, and moved with its owner.
  const names = Array.from({ length: count }, (_, n) => `${1_700_000_000 + first + n}.M${first + n}.bench`)
  for (const [n, name] of names.entries())
    writeFileSync(join(mailDir, 'Maildir', 'tmp', name), createMessage(n))
  execFileSync('chown', ['-R', 'mail:mail', mailDir])
  for (const name of names)
    renameSync(join(mailDir, 'Maildir', 'tmp', name), join(mailDir, 'Maildir', 'new', name))
}

/** Creates the request body that adds an account for the address. */
export const createAccountBody = (dovecot: Dovecot, address: string) => {
  const connection = {
    host: '127.0.0.1',
    tls: 'implicit',
    certificate: readFileSync(dovecot.certificate, 'utf8'),
  }
  return {
    address,
    password: dovecot.password,
    imap: { ...connection, port: dovecot.imaps },
    smtp: { ...connection, port: dovecot.submissions },
  }
}
