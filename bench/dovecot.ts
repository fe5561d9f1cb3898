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

/** The server of the tests; plain JavaScript, for the test run uses it before anything is installed. */
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

/** Puts messages into a mailbox as a delivery would leave them: one file each. */
export const fillMaildir = (
  { configuration }: Dovecot,
  address: string,
  count: number,
  messageOf: (n: number) => string | Buffer,
): void => {
  const home = join(dirname(configuration), 'mailboxes', address)
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(home, 'Maildir', name), { recursive: true })
  for (let n = 0; n < count; n++)
    writeFileSync(join(home, 'Maildir', 'new', `${1_700_000_000 + n}.M${n}.bench`), messageOf(n))
  execFileSync('chown', ['-R', 'mail:mail', home])
}

/** What to send to add an account for the address. */
export const accountFor = (dovecot: Dovecot, address: string) => {
  const place = { host: '127.0.0.1', tls: 'implicit', certificate: readFileSync(dovecot.certificate, 'utf8') }
  return {
    address,
    password: dovecot.password,
    imap: { ...place, port: dovecot.imaps },
    smtp: { ...place, port: dovecot.submissions },
  }
}
