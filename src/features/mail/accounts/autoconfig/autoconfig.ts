import type { Language } from '../../../../platform/language.ts'
import type { Outbound } from '../../../../platform/outbound/port.ts'
import {
  type FoundServer,
  findProvider,
  findSetupUrl,
  KNOWN_PROVIDERS,
  type KnownProvider,
  toProviderView,
} from './providers.ts'

/**
 * The step before the first sign-in with a password: create an app password, or allow IMAP access, at `url`.
 * `rejected`: the provider accepts no passwords.
 */
interface PasswordSetup {
  kind: 'app_password' | 'imap_access' | 'rejected' | 'none'
  url: string | null
}

const NO_SETUP: PasswordSetup = { kind: 'none', url: null }

const toSetup = (provider: KnownProvider): PasswordSetup => {
  const url = findSetupUrl(provider)
  if (provider.ways.includes('app_password')) return { kind: 'app_password', url }
  if (provider.ways.includes('password') && url !== null) return { kind: 'imap_access', url }
  return provider.ways.includes('oauth') ? { kind: 'rejected', url: null } : NO_SETUP
}

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
  /** Whether this instance has an OAuth client for a provider. */
  hasOauth: (name: 'google' | 'microsoft') => Promise<boolean>
}) => {
  const canSignIn = async ({ signIn }: KnownProvider): Promise<boolean> =>
    signIn !== 'password' && (await deps.hasOauth(signIn))

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

  return {
    /** The known providers, with the ways to sign in that work on this instance. */
    async listProviders(language: Language) {
      const listed = KNOWN_PROVIDERS.filter(({ isListed }) => isListed)
      return {
        providers: await Promise.all(
          listed.map(async (provider) =>
            toProviderView(provider, { language, hasOauth: await canSignIn(provider) }),
          ),
        ),
      }
    },

    async find(address: string, language: Language) {
      const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
      const unknown = {
        provider: null,
        details: null,
        signIn: 'password',
        oauthAvailable: false,
        setup: NO_SETUP,
        note: null,
      } as const
      const known = findProvider(domain, []) ?? findProvider(domain, await deps.dns.exchangers(domain))
      if (known) {
        const oauthAvailable = await canSignIn(known)
        const details = toProviderView(known, { language, hasOauth: oauthAvailable })
        const { name: provider, imap, smtp, signIn, note } = details
        return {
          source: 'provider',
          provider,
          details,
          imap,
          smtp,
          username: address,
          signIn,
          oauthAvailable,
          setup: toSetup(known),
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
    },
  }
}

export type Autoconfig = ReturnType<typeof createAutoconfig>
