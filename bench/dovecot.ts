import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Writes messages to a Maildir like a delivery agent: one file each. */
export const fillMaildir = (
  { configuration }: Dovecot,
  address: string,
  count: number,
  createMessage: (n: number) => string | Buffer,
): void => {
  const mailDir = join(dirname(configuration), 'mailboxes', address)
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(mailDir, 'Maildir', name), { recursive: true })
  for (let n = 0; n < count; n++)
    writeFileSync(join(mailDir, 'Maildir', 'new', `${1_700_000_000 + n}.M${n}.bench`), createMessage(n))
  execFileSync('chown', ['-R', 'mail:mail', mailDir])
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
