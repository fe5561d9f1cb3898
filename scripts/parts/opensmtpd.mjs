import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'
import { answersOn } from './loopback.mjs'

const program = '/usr/sbin/smtpd'

/**
 * Accepts mail for example.test on the port `relay` and passes it to Dovecot on the port `lmtp`. Rejects
 * other recipients permanently. Dovecot handles login and TLS: with OpenSSL 3, OpenSMTPD 6.8 finds no private
 * key.
 */
export const createOpenSmtpd = ({ lmtp, relay }) => ({
  name: 'OpenSMTPD',
  debianPackages: ['opensmtpd'],
  isInstalled: () => existsSync(program),

  async provide() {
    if (!this.isInstalled()) return { missing: 'install it (Debian: apt-get install opensmtpd).' }
    if (process.getuid() !== 0) return { missing: 'it drops privileges that only root has; run as root.' }
    const directory = mkdtempSync('/tmp/factotum-opensmtpd-')
    chmodSync(directory, 0o755)
    const configuration = join(directory, 'smtpd.conf')
    writeFileSync(configuration, settings({ relay, lmtp }))
    const server = startGuarded({
      command: '/bin/sh',
      args: ['-c', launch, 'opensmtpd', program, configuration],
      directory,
    })
    await server.untilReady(answersOn(relay))
    return {
      env: { TEST_OPENSMTPD: JSON.stringify({ smtp: relay }) },
      stop: server.stop,
    }
  },
})

// The paths of its queue and control socket are compiled in. A mount namespace gives it private ones; without
// a namespace it uses those of the machine.
const launch = `
if unshare --mount true 2>/dev/null; then
  exec unshare --mount /bin/sh -c '
    mount --make-rprivate / && mount -t tmpfs tmpfs /var/spool && mkdir -m 711 /var/spool/smtpd &&
    mount -t tmpfs tmpfs /run && exec "$0" -F -f "$1"' "$1" "$2"
fi
exec "$1" -F -f "$2"`

const settings = ({ relay, lmtp }) => `
table mailboxes { "@example.test" = "mail", "@xn--exmple-cua.test" = "mail" }
listen on 127.0.0.1 port ${relay} hostname mx.example.test
action "deliver" lmtp "127.0.0.1:${lmtp}" rcpt-to virtual <mailboxes>
match from any for domain { "example.test", "xn--exmple-cua.test" } action "deliver"
`
