import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import type { MailServer } from '../ports.ts'

export type FoundServer = Omit<MailServer, 'certificate'>

export interface KnownProvider {
  name: string
  domains: readonly string[]
  /** Host name suffixes of the MX servers of domains that the provider hosts. */
  exchangers: readonly string[]
  imap: FoundServer
  smtp: FoundServer
  signIn: 'password' | 'google' | 'microsoft'
  setup: PasswordSetup
  note: string | null
}

/**
 * The step before the first sign-in with a password: create an app password, or allow IMAP access, at `url`.
 * `rejected`: the provider accepts no passwords.
 */
type PasswordSetup =
  | { kind: 'app_password' | 'imap_access'; url: string }
  | { kind: 'rejected' | 'none'; url: null }

const imaps = (host: string): FoundServer => ({ host, port: 993, tls: 'implicit' })
const smtps = (host: string): FoundServer => ({ host, port: 465, tls: 'implicit' })
const submission = (host: string): FoundServer => ({ host, port: 587, tls: 'starttls' })

const NO_SETUP: PasswordSetup = { kind: 'none', url: null }
const appPassword = (url: string): PasswordSetup => ({ kind: 'app_password', url })
const imapAccess = (url: string): PasswordSetup => ({ kind: 'imap_access', url })

const APP_PASSWORD = 'Create an app password in the security settings of your account, and enter it here.'

/** Large providers. Other domains are queried for their settings. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['.google.com', '.googlemail.com'],
    imap: imaps('imap.gmail.com'),
    smtp: smtps('smtp.gmail.com'),
    signIn: 'google',
    setup: appPassword('https://myaccount.google.com/apppasswords'),
    note: 'Sign in with Google. If that is not available, use an app password.',
  },
  {
    name: 'Microsoft',
    domains: [
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'outlook.de',
      'hotmail.co.uk',
      'outlook.fr',
    ],
    exchangers: ['.mail.protection.outlook.com', '.olc.protection.outlook.com', '.mx.microsoft'],
    imap: imaps('outlook.office365.com'),
    smtp: submission('smtp.office365.com'),
    signIn: 'microsoft',
    setup: { kind: 'rejected', url: null },
    note: 'Microsoft does not accept passwords from mail programs. Sign in with Microsoft.',
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['.mail.icloud.com'],
    imap: imaps('imap.mail.me.com'),
    smtp: submission('smtp.mail.me.com'),
    signIn: 'password',
    setup: appPassword('https://account.apple.com/account/manage'),
    note: APP_PASSWORD,
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr'],
    exchangers: ['.yahoodns.net'],
    imap: imaps('imap.mail.yahoo.com'),
    smtp: smtps('smtp.mail.yahoo.com'),
    signIn: 'password',
    setup: appPassword('https://login.yahoo.com/myaccount/security/app-password'),
    note: APP_PASSWORD,
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm', 'sent.com'],
    exchangers: ['.messagingengine.com'],
    imap: imaps('imap.fastmail.com'),
    smtp: smtps('smtp.fastmail.com'),
    signIn: 'password',
    setup: appPassword('https://app.fastmail.com/settings/security'),
    note: APP_PASSWORD,
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchangers: ['.gmx.net'],
    imap: imaps('imap.gmx.net'),
    smtp: smtps('mail.gmx.net'),
    signIn: 'password',
    setup: imapAccess('https://hilfe.gmx.net/pop-imap/einschalten.html'),
    note: 'First enable POP3 and IMAP in the settings of your GMX account.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    exchangers: ['.web.de'],
    imap: imaps('imap.web.de'),
    smtp: smtps('smtp.web.de'),
    signIn: 'password',
    setup: imapAccess('https://hilfe.web.de/pop-imap/einschalten.html'),
    note: 'First enable POP3 and IMAP in the settings of your WEB.DE account.',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    exchangers: ['.mailbox.org'],
    imap: imaps('imap.mailbox.org'),
    smtp: smtps('smtp.mailbox.org'),
    signIn: 'password',
    setup: NO_SETUP,
    note: null,
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net'],
    exchangers: ['.posteo.de'],
    imap: imaps('posteo.de'),
    smtp: smtps('posteo.de'),
    signIn: 'password',
    setup: NO_SETUP,
    note: null,
  },
  {
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    exchangers: ['.zoho.com'],
    imap: imaps('imap.zoho.com'),
    smtp: smtps('smtp.zoho.com'),
    signIn: 'password',
    setup: appPassword('https://accounts.zoho.com/home#security/app_password'),
    note: APP_PASSWORD,
  },
]

export const findProvider = (domain: string, exchangers: readonly string[]): KnownProvider | undefined =>
  KNOWN_PROVIDERS.find(({ domains }) => domains.includes(domain)) ??
  KNOWN_PROVIDERS.find((provider) =>
    exchangers.some((host) => provider.exchangers.some((ending) => host.toLowerCase().endsWith(ending))),
  )

interface FoundServers {
  imap: FoundServer
  smtp: FoundServer
  username: string
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim()

const readField = (block: string, tag: string): string =>
  unescapeXml(new RegExp(`<${tag}>([^<]{1,300})</${tag}>`).exec(block)?.[1] ?? '')

const TLS_MODES: Record<string, FoundServer['tls']> = { SSL: 'implicit', STARTTLS: 'starttls' }

const readServer = (block: string): (FoundServer & { username: string }) | undefined => {
  const host = readField(block, 'hostname').toLowerCase()
  const port = Number(readField(block, 'port'))
  // Never suggest an unencrypted connection. A user who wants one enters it manually.
  const tls = TLS_MODES[readField(block, 'socketType').toUpperCase()]
  if (!/^[a-z0-9.-]{1,253}$/.test(host) || !(port > 0 && port < 65_536) || !tls) return undefined
  return { host, port, tls, username: readField(block, 'username') }
}

const BLOCKS = {
  imap: /<incomingServer\s+type="imap"\s*>([\s\S]*?)<\/incomingServer>/g,
  smtp: /<outgoingServer\s+type="smtp"\s*>([\s\S]*?)<\/outgoingServer>/g,
}

const findServer = (xml: string, kind: keyof typeof BLOCKS) =>
  [...xml.matchAll(BLOCKS[kind])]
    .map(([, block]) => readServer(block ?? ''))
    .filter((server) => server !== undefined)
    .toSorted((a, b) => Number(b.tls === 'implicit') - Number(a.tls === 'implicit'))[0]

/**
 * Parses Mozilla's autoconfiguration format. Returns undefined unless it names both an IMAP and an SMTP
 * server.
 */
const readAutoconfig = (template: string, address: string): FoundServers | undefined => {
  const [local = '', domain = ''] = address.split('@')
  const xml = template
    .replaceAll('%EMAILADDRESS%', address)
    .replaceAll('%EMAILLOCALPART%', local)
    .replaceAll('%EMAILDOMAIN%', domain)
  const [imap, smtp] = [findServer(xml, 'imap'), findServer(xml, 'smtp')]
  if (!imap || !smtp) return undefined
  const bare = ({ host, port, tls }: FoundServer): FoundServer => ({ host, port, tls })
  return { imap: bare(imap), smtp: bare(smtp), username: imap.username || address }
}

/** DNS queries for mail settings. An unknown name returns an empty list, never an error. */
export interface MailDns {
  /** SRV records (RFC 2782), in order of priority. */
  services(name: string): Promise<{ host: string; port: number }[]>
  exchangers(domain: string): Promise<string[]>
}

const MAX_BYTES = 200_000
const TIMEOUT_MS = 5_000
const DIRECTORY = 'https://autoconfig.thunderbird.net/v1.1'

const listDocumentUrls = (domain: string, address: string): string[] => {
  const query = `emailaddress=${encodeURIComponent(address)}`
  return [
    `https://autoconfig.${domain}/mail/config-v1.1.xml?${query}`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml?${query}`,
    // Mozilla's provider directory. It receives the domain, never the full address.
    `${DIRECTORY}/${domain}`,
  ]
}

/**
 * Finds the servers of an address, cheapest source first. Never throws; the source `none` means that nothing
 * was found.
 */
export const createAutoconfig = (deps: {
  outbound: Outbound
  dns: MailDns
  /** Whether the operator has configured the OAuth client of a provider. */
  hasOauth: (name: 'google' | 'microsoft') => boolean
}) => {
  const fetchDocument = async (url: string, address: string): Promise<FoundServers | undefined> => {
    try {
      const response = await deps.outbound.fetch(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
      return response.status === 200 ? readAutoconfig(await response.text(), address) : undefined
    } catch {
      return undefined
    }
  }

  const findService = async (
    domain: string,
    names: readonly [name: string, tls: FoundServer['tls']][],
  ): Promise<FoundServer | undefined> => {
    for (const [name, tls] of names) {
      // RFC 6186, section 3.4: a target of a single dot means that the domain does not offer the service.
      const [first] = (await deps.dns.services(`${name}._tcp.${domain}`)).filter(({ host }) => host !== '')
      if (first) return { ...first, tls }
    }
    return undefined
  }

  const findByRecords = async (domain: string, address: string): Promise<FoundServers | undefined> => {
    const [imap, smtp] = await Promise.all([
      findService(domain, [
        ['_imaps', 'implicit'],
        ['_imap', 'starttls'],
      ]),
      findService(domain, [
        ['_submissions', 'implicit'],
        ['_submission', 'starttls'],
      ]),
    ])
    return imap && smtp ? { imap, smtp, username: address } : undefined
  }

  return async (address: string) => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const unknown = {
      provider: null,
      signIn: 'password',
      oauthAvailable: false,
      setup: NO_SETUP,
      note: null,
    } as const
    const known = findProvider(domain, []) ?? findProvider(domain, await deps.dns.exchangers(domain))
    if (known) {
      const { name: provider, imap, smtp, signIn, setup, note } = known
      return {
        source: 'provider',
        provider,
        imap,
        smtp,
        username: address,
        signIn,
        oauthAvailable: signIn !== 'password' && deps.hasOauth(signIn),
        setup,
        note,
      } as const
    }
    const records = await findByRecords(domain, address)
    if (records) return { ...unknown, source: 'dns', ...records } as const
    const documents = listDocumentUrls(domain, address).map((url) => fetchDocument(url, address))
    for (const document of documents) {
      const found = await document
      if (found) return { ...unknown, source: 'autoconfig', ...found } as const
    }
    return { ...unknown, source: 'none', imap: null, smtp: null, username: address } as const
  }
}

export type FindServers = ReturnType<typeof createAutoconfig>
