import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { startGuarded } from '../guarded-process.mjs'
import { answersOn, freePorts, makeCertificate } from './loopback.mjs'

const program = '/usr/sbin/dovecot'
const modules = ['imap', 'lmtp', 'submission'].map((name) => `/usr/lib/dovecot/${name}`)
const packages = ['dovecot-imapd', 'dovecot-lmtpd', 'dovecot-submissiond']
const password = 'secret'

/**
 * A mail server on loopback that creates every mailbox on first use. Submitted mail goes to the port `relay`;
 * mail for delivery arrives on the port `lmtp`.
 */
export const createDovecot = ({ lmtp, relay }) => ({
  name: 'Dovecot',
  debianPackages: packages,
  isInstalled: () => [program, ...modules].every((path) => existsSync(path)),

  async provide() {
    if (!this.isInstalled()) return { missing: `install it (Debian: apt-get install ${packages.join(' ')}).` }
    if (process.getuid() !== 0) return { missing: 'it drops privileges that only root has; run as root.' }
    const directory = mkdtempSync('/tmp/factotum-dovecot-')
    chmodSync(directory, 0o755)
    const [imap, imaps, submission, submissions] = await freePorts(4)
    const ports = { imap, imaps, submission, submissions, lmtp }
    const introspection = await startIntrospection()
    const paths = makeCertificate(directory, 'mail.example.test')
    const mailboxes = join(directory, 'mailboxes')
    mkdirSync(mailboxes)
    chownSync(mailboxes, idOf('-u'), idOf('-g'))
    const configuration = join(directory, 'dovecot.conf')
    const oauth = join(directory, 'oauth2.conf')
    writeFileSync(oauth, oauthSettings(introspection.port))
    writeFileSync(configuration, settings({ directory, mailboxes, oauth, relay, ...ports, ...paths }))
    const server = startGuarded({ command: program, args: ['-F', '-c', configuration], directory })
    await server.untilReady(answersOn(imap))
    return {
      env: { TEST_DOVECOT: JSON.stringify({ ...ports, configuration, password, ...paths }) },
      async stop() {
        await server.stop()
        introspection.close()
      },
    }
  },
})

const idOf = (flag) => Number(spawnSync('id', [flag, 'mail'], { encoding: 'utf8' }).stdout)

const settings = ({ directory, mailboxes, oauth, relay, certificate, key, ...ports }) => `
protocols = imap lmtp submission
listen = 127.0.0.1
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${directory}/dovecot.log
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${key}
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:~/Maildir
mail_max_userip_connections = 200
mail_fsync = never
imap_idle_notify_interval = 10 secs
passdb {
  driver = static
  args = password=${password}
  mechanisms = plain login
}
passdb {
  driver = oauth2
  args = ${oauth}
  mechanisms = xoauth2 oauthbearer
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${mailboxes}/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
${['Sent', 'Drafts', 'Archive', 'Trash', 'Junk'].map(specialFolder).join('\n')}
}
service imap-login {
  process_min_avail = 1
  service_count = 0
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
submission_relay_host = 127.0.0.1
submission_relay_port = ${relay}
submission_relay_trusted = no
service submission-login {
  service_count = 0
  inet_listener submission {
    port = ${ports.submission}
  }
  inet_listener submissions {
    port = ${ports.submissions}
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${ports.lmtp}
  }
}
service stats {
  client_limit = 1000
}
`

const specialFolder = (name) => `  mailbox ${name} {
    special_use = \\${name}
    auto = create
  }`

const oauthSettings = (port) => `
introspection_mode = post
introspection_url = http://127.0.0.1:${port}/introspect
username_attribute = email
active_attribute = active
active_value = true
`

/** RFC 7662. A test token contains its own owner and expiry: base64url of `{email, until}`. */
function startIntrospection() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(introspect(new URLSearchParams(body).get('token') ?? '')))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, close: () => server.close() }))
  })
}

function introspect(token) {
  try {
    const { email, until } = JSON.parse(Buffer.from(token, 'base64url').toString())
    return { active: until > Date.now(), email }
  } catch {
    return { active: false }
  }
}
