import type { MailServer } from '../servers.ts'

export type FoundServer = Omit<MailServer, 'certificate'>

export interface KnownProvider {
  name: string
  domains: readonly string[]
  /** How the mail exchangers of domains that it hosts end. */
  exchangers: readonly string[]
  imap: FoundServer
  smtp: FoundServer
  signIn: 'password' | 'google' | 'microsoft'
  note: string | null
}

const imaps = (host: string): FoundServer => ({ host, port: 993, tls: 'implicit' })
const smtps = (host: string): FoundServer => ({ host, port: 465, tls: 'implicit' })
const submission = (host: string): FoundServer => ({ host, port: 587, tls: 'starttls' })

const APP_PASSWORD = 'Make an app password in the security settings of your account, and use that here.'

/** Where the mail of many people is. Everybody else's is found by asking their domain. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    exchangers: ['.google.com', '.googlemail.com'],
    imap: imaps('imap.gmail.com'),
    smtp: smtps('smtp.gmail.com'),
    signIn: 'google',
    note: 'Sign in with Google. Where that is not set up, an app password works as well.',
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
    note: 'Microsoft takes no passwords from programs: sign in with Microsoft.',
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['.mail.icloud.com'],
    imap: imaps('imap.mail.me.com'),
    smtp: submission('smtp.mail.me.com'),
    signIn: 'password',
    note: APP_PASSWORD,
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr'],
    exchangers: ['.yahoodns.net'],
    imap: imaps('imap.mail.yahoo.com'),
    smtp: smtps('smtp.mail.yahoo.com'),
    signIn: 'password',
    note: APP_PASSWORD,
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm', 'sent.com'],
    exchangers: ['.messagingengine.com'],
    imap: imaps('imap.fastmail.com'),
    smtp: smtps('smtp.fastmail.com'),
    signIn: 'password',
    note: APP_PASSWORD,
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchangers: ['.gmx.net'],
    imap: imaps('imap.gmx.net'),
    smtp: smtps('mail.gmx.net'),
    signIn: 'password',
    note: 'Turn on POP3 and IMAP in the settings of your GMX account first.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de'],
    exchangers: ['.web.de'],
    imap: imaps('imap.web.de'),
    smtp: smtps('smtp.web.de'),
    signIn: 'password',
    note: 'Turn on POP3 and IMAP in the settings of your WEB.DE account first.',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    exchangers: ['.mailbox.org'],
    imap: imaps('imap.mailbox.org'),
    smtp: smtps('smtp.mailbox.org'),
    signIn: 'password',
    note: null,
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net'],
    exchangers: ['.posteo.de'],
    imap: imaps('posteo.de'),
    smtp: smtps('posteo.de'),
    signIn: 'password',
    note: null,
  },
  {
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    exchangers: ['.zoho.com'],
    imap: imaps('imap.zoho.com'),
    smtp: smtps('smtp.zoho.com'),
    signIn: 'password',
    note: APP_PASSWORD,
  },
]

export const findProvider = (domain: string, exchangers: readonly string[]): KnownProvider | undefined =>
  KNOWN_PROVIDERS.find(({ domains }) => domains.includes(domain)) ??
  KNOWN_PROVIDERS.find((provider) =>
    exchangers.some((host) => provider.exchangers.some((ending) => host.toLowerCase().endsWith(ending))),
  )
