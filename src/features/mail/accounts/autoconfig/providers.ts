import type { Language } from '../../../../platform/language.ts'
import type { MailServer } from '../ports.ts'
import { de } from './locales/de.ts'
import { en, type ProviderTexts, type StepName } from './locales/en.ts'

export type FoundServer = Omit<MailServer, 'certificate'>

/** `bridge`: a program of the provider, on the machine of this instance, is the mail server. */
export type SignInWay = 'oauth' | 'app_password' | 'password' | 'bridge'

interface Step {
  text: StepName
  /** The page of the provider for this step. */
  url?: string
}

export interface KnownProvider {
  id: string
  name: string
  domains: readonly string[]
  /** Host name suffixes of the MX servers of domains that the provider hosts. */
  exchangers: readonly string[]
  /** False for providers that are only recognized by their domains. */
  isListed: boolean
  imap: FoundServer
  smtp: FoundServer
  /** Null if the provider has no CalDAV server, or only one that requires OAuth. */
  caldavUrl: string | null
  signIn: 'password' | 'google' | 'microsoft'
  /** The ways that the provider accepts, best first. */
  ways: readonly SignInWay[]
  /** The steps before a sign-in with a password. */
  steps: readonly Step[]
  note: keyof ProviderTexts['notes'] | null
  calendarNote: keyof ProviderTexts['calendarNotes'] | null
}

const imaps = (host: string): FoundServer => ({ host, port: 993, tls: 'implicit' })
const smtps = (host: string): FoundServer => ({ host, port: 465, tls: 'implicit' })
const submission = (host: string): FoundServer => ({ host, port: 587, tls: 'starttls' })

const COMMON = {
  domains: [],
  exchangers: [],
  isListed: true,
  caldavUrl: null,
  signIn: 'password',
  note: null,
  calendarNote: null,
} as const

const PASTE: Step = { text: 'pasteAppPassword' }

const GOOGLE = {
  ...COMMON,
  imap: imaps('imap.gmail.com'),
  smtp: smtps('smtp.gmail.com'),
  signIn: 'google',
  ways: ['oauth', 'app_password'],
  steps: [
    { text: 'googleTwoStep', url: 'https://myaccount.google.com/signinoptions/two-step-verification' },
    { text: 'googleAppPasswords', url: 'https://myaccount.google.com/apppasswords' },
    { text: 'googleCreate' },
    PASTE,
  ],
  calendarNote: 'google',
} as const

const GMX = {
  ...COMMON,
  ways: ['password'],
} as const

/** Large providers. Other domains are queried for their settings. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    ...GOOGLE,
    id: 'gmail',
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    note: 'googleTwoStep',
  },
  {
    ...GOOGLE,
    id: 'google-workspace',
    name: 'Google Workspace',
    exchangers: ['.google.com', '.googlemail.com'],
    note: 'googleWorkspace',
  },
  {
    ...COMMON,
    id: 'microsoft',
    name: 'Outlook, Microsoft 365',
    domains: [
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'outlook.de',
      'hotmail.de',
      'live.de',
      'hotmail.co.uk',
      'outlook.fr',
      'hotmail.fr',
    ],
    exchangers: ['.mail.protection.outlook.com', '.olc.protection.outlook.com', '.mx.microsoft'],
    imap: imaps('outlook.office365.com'),
    smtp: submission('smtp.office365.com'),
    signIn: 'microsoft',
    ways: ['oauth'],
    steps: [],
    note: 'microsoft',
    calendarNote: 'microsoft',
  },
  {
    ...COMMON,
    id: 'icloud',
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchangers: ['.mail.icloud.com'],
    imap: imaps('imap.mail.me.com'),
    smtp: submission('smtp.mail.me.com'),
    caldavUrl: 'https://caldav.icloud.com/',
    ways: ['app_password'],
    steps: [
      { text: 'appleSignIn', url: 'https://account.apple.com/account/manage' },
      { text: 'appleAppPasswords' },
      { text: 'appleCreate' },
      PASTE,
    ],
    note: 'apple',
  },
  {
    ...COMMON,
    id: 'fastmail',
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm', 'sent.com'],
    exchangers: ['.messagingengine.com'],
    imap: imaps('imap.fastmail.com'),
    smtp: smtps('smtp.fastmail.com'),
    caldavUrl: 'https://caldav.fastmail.com/',
    ways: ['app_password'],
    steps: [
      { text: 'fastmailSecurity', url: 'https://app.fastmail.com/settings/security' },
      { text: 'fastmailAppPasswords' },
      { text: 'fastmailCreate' },
      PASTE,
    ],
  },
  {
    ...COMMON,
    id: 'yahoo',
    name: 'Yahoo',
    domains: ['yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr'],
    exchangers: ['.yahoodns.net'],
    imap: imaps('imap.mail.yahoo.com'),
    smtp: smtps('smtp.mail.yahoo.com'),
    caldavUrl: 'https://caldav.calendar.yahoo.com/',
    ways: ['app_password'],
    steps: [
      { text: 'yahooAppPasswords', url: 'https://login.yahoo.com/myaccount/security/app-password' },
      { text: 'yahooCreate' },
      PASTE,
    ],
  },
  {
    ...GMX,
    id: 'gmx',
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    exchangers: ['.gmx.net'],
    imap: imaps('imap.gmx.net'),
    smtp: smtps('mail.gmx.net'),
    caldavUrl: 'https://caldav.gmx.net/',
    steps: [
      { text: 'gmxOpen', url: 'https://hilfe.gmx.net/pop-imap/einschalten.html' },
      { text: 'gmxTurnOn' },
      { text: 'gmxPassword' },
    ],
  },
  {
    ...GMX,
    id: 'gmx-com',
    name: 'GMX',
    isListed: false,
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk'],
    imap: imaps('imap.gmx.com'),
    smtp: smtps('mail.gmx.com'),
    steps: [
      { text: 'gmxComOpen', url: 'https://support.gmx.com/pop-imap/toggle.html' },
      { text: 'gmxComTurnOn' },
      { text: 'gmxPassword' },
    ],
  },
  {
    ...GMX,
    id: 'web-de',
    name: 'WEB.DE',
    domains: ['web.de'],
    exchangers: ['.web.de'],
    imap: imaps('imap.web.de'),
    smtp: smtps('smtp.web.de'),
    caldavUrl: 'https://caldav.web.de/',
    steps: [
      { text: 'webDeOpen', url: 'https://hilfe.web.de/pop-imap/einschalten.html' },
      { text: 'gmxTurnOn' },
      { text: 'gmxPassword' },
    ],
  },
  {
    ...COMMON,
    id: 'proton',
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    exchangers: ['.protonmail.ch'],
    imap: { host: '127.0.0.1', port: 1143, tls: 'starttls' },
    smtp: { host: '127.0.0.1', port: 1025, tls: 'starttls' },
    ways: ['bridge'],
    steps: [
      { text: 'protonInstall', url: 'https://proton.me/mail/bridge' },
      { text: 'protonPassword' },
      { text: 'protonCertificate' },
    ],
    note: 'proton',
    calendarNote: 'proton',
  },
  {
    ...COMMON,
    id: 'mailbox-org',
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    exchangers: ['.mailbox.org'],
    imap: imaps('imap.mailbox.org'),
    smtp: smtps('smtp.mailbox.org'),
    caldavUrl: 'https://dav.mailbox.org/',
    ways: ['password'],
    steps: [],
  },
  {
    ...COMMON,
    id: 'posteo',
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net'],
    exchangers: ['.posteo.de'],
    imap: imaps('posteo.de'),
    smtp: smtps('posteo.de'),
    caldavUrl: 'https://posteo.de:8443/',
    ways: ['password'],
    steps: [],
  },
  {
    ...COMMON,
    id: 'zoho',
    name: 'Zoho',
    domains: ['zoho.com', 'zohomail.com'],
    exchangers: ['.zoho.com'],
    imap: imaps('imap.zoho.com'),
    smtp: smtps('smtp.zoho.com'),
    ways: ['app_password'],
    steps: [
      { text: 'zohoTurnOn', url: 'https://mail.zoho.com/zm/#settings/all/mailaccounts' },
      { text: 'zohoAppPasswords', url: 'https://accounts.zoho.com/home#security/app_password' },
      PASTE,
    ],
  },
]

/** Finds a provider by the domain of the address, or by the MX servers of the domain. */
export const findProvider = (domain: string, exchangers: readonly string[]): KnownProvider | undefined =>
  KNOWN_PROVIDERS.find(({ domains }) => domains.includes(domain)) ??
  KNOWN_PROVIDERS.find((provider) =>
    exchangers.some((host) => provider.exchangers.some((ending) => host.toLowerCase().endsWith(ending))),
  )

const isBridge = ({ ways }: KnownProvider): boolean => ways.includes('bridge')

/** The provider of a mail server. The address of a bridge belongs to the own machine, not to its provider. */
export const findProviderOfServer = (host: string): KnownProvider | undefined =>
  KNOWN_PROVIDERS.find(
    (provider) => !isBridge(provider) && (provider.imap.host === host || provider.smtp.host === host),
  )

const TEXTS: Readonly<Record<Language, ProviderTexts>> = { en, de }

export const providerTexts = (language: Language): ProviderTexts => TEXTS[language]

/** The page of the provider that creates an app password or allows IMAP. */
export const findSetupUrl = ({ steps }: KnownProvider): string | null =>
  steps.findLast(({ url }) => url !== undefined)?.url ?? null

/** A provider as the API describes it: its texts in one language, and the ways that work on this instance. */
export const toProviderView = (
  provider: KnownProvider,
  { language, hasOauth }: { language: Language; hasOauth: boolean },
) => {
  const texts = TEXTS[language]
  const { id, name, imap, smtp, caldavUrl, signIn, note } = provider
  const calendarNote =
    provider.calendarNote === 'google' && !hasOauth ? 'googleNotSetUp' : provider.calendarNote
  return {
    id,
    name,
    ways: provider.ways.filter((way) => way !== 'oauth' || hasOauth),
    signIn,
    imap,
    smtp,
    caldavUrl,
    steps: provider.steps.map(({ text, url }) => ({ text: texts.steps[text], url: url ?? null })),
    note: note && texts.notes[note],
    calendarNote: calendarNote && texts.calendarNotes[calendarNote],
  }
}
