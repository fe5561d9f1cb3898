// Texts of the settings overview, its search and its navigation.
import { formatNumber, plural } from '../format.ts'

export const allSettings = 'All settings'
export const searchSettings = 'Search settings'
export const noResults = (query: string) => `No settings match “${query}”. Try another word.`
export const resultsFound = (count: number) =>
  plural(count, { one: '1 result', other: `${formatNumber(count)} results` })

export const groups = {
  account: 'Account',
  mail: 'Mail',
  calendar: 'Calendar',
  assistant: 'Assistant',
  notifications: 'Notifications',
  automation: 'Automation',
  instance: 'Instance',
}

/**
 * The sections by their path below /settings, and their cards by the anchor in the page. The search finds a card by
 * its label and by its keywords, which are separated by spaces.
 */
export const sections = {
  profile: {
    label: 'Profile',
    about: 'Name, picture and email address',
    cards: {
      name: { label: 'Name', keywords: 'rename display called' },
      picture: { label: 'Picture', keywords: 'avatar photo image upload' },
      email: { label: 'Email address', keywords: 'mail login sign-in change' },
    },
  },
  preferences: {
    label: 'Preferences',
    about: 'Language, time zone and working hours',
    cards: {
      dates: {
        label: 'Language and time',
        keywords:
          'locale region format date number clock timezone zone week monday sunday english german deutsch sprache zeitzone',
      },
      hours: { label: 'Working hours', keywords: 'work schedule availability weekday office' },
      calls: { label: 'Video calls', keywords: 'conference meeting link zoom jitsi meet teams' },
    },
  },
  security: {
    label: 'Security',
    about: 'Password, two-factor authentication and sessions',
    cards: {
      password: { label: 'Password', keywords: 'change passphrase login' },
      'two-factor': {
        label: 'Two-factor authentication',
        keywords: '2fa totp authenticator app backup codes qr mfa two-step second factor',
      },
      sessions: { label: 'Sessions', keywords: 'devices signed in logged out browsers sign-out' },
      activity: { label: 'Activity', keywords: 'history log audit events' },
    },
  },
  sharing: {
    label: 'Sharing',
    about: 'Calendars and task lists of other people',
    cards: {
      offers: { label: 'Offers', keywords: 'share shared accept decline calendar task list invitation' },
      shared: { label: 'Shared with you', keywords: 'leave share access calendar task list team family' },
    },
  },
  data: {
    label: 'Your data',
    about: 'Export, import and account deletion',
    cards: {
      export: { label: 'Export', keywords: 'download zip backup takeout' },
      import: { label: 'Import', keywords: 'upload zip restore move' },
      sample: { label: 'Sample data', keywords: 'demo example remove delete' },
      account: { label: 'Delete account', keywords: 'remove close wipe erase everything' },
    },
  },
  imports: {
    label: 'Import',
    about: 'Mail, contacts, events and tasks of other programs',
    cards: {
      file: {
        label: 'Import a file',
        keywords:
          'mbox maildir takeout google outlook csv ics vcard vcf todoist ticktick vikunja migrate move thunderbird',
      },
      imports: { label: 'Imports', keywords: 'report progress undo history' },
    },
  },
  usage: {
    label: 'Usage',
    about: 'AI cost, storage and budgets',
    cards: {
      storage: { label: 'Storage', keywords: 'quota limit disk space gigabytes full' },
      usage: { label: 'Usage', keywords: 'cost tokens requests storage bytes statistics' },
      budgets: { label: 'Budgets', keywords: 'limit warn month spending' },
    },
  },
  billing: {
    label: 'Billing',
    about: 'Plan, usage, budgets and invoices',
    cards: {
      plan: { label: 'Plan', keywords: 'subscription subscribe cancel stripe upgrade payment card' },
      storage: { label: 'Storage', keywords: 'quota limit disk space gigabytes full' },
      usage: { label: 'Usage', keywords: 'cost tokens requests storage bytes statistics' },
      budgets: { label: 'Budgets', keywords: 'limit warn month spending' },
      invoices: { label: 'Invoices', keywords: 'bill receipt pdf download tax' },
      'billing-details': { label: 'Billing details', keywords: 'address vat company name' },
    },
  },
  'mail-accounts': {
    label: 'Email accounts',
    about: 'Mailboxes to read and send with',
    cards: {
      'mail-accounts': {
        label: 'Email accounts',
        keywords:
          'mail imap smtp mailbox server google gmail microsoft outlook sync password signature alias identity sender',
      },
      images: { label: 'Remote images', keywords: 'pictures tracking pixel privacy block load sender' },
    },
  },
  'mail-templates': {
    label: 'Templates',
    about: 'Texts to insert into new emails',
    cards: {
      'mail-templates': { label: 'Templates', keywords: 'mail email canned response snippet text block' },
    },
  },
  apps: {
    label: 'Phone and desktop apps',
    about: 'Calendars, tasks and contacts in other apps',
    cards: {
      'app-passwords': {
        label: 'App passwords',
        keywords: 'caldav carddav iphone ios android davx5 thunderbird evolution sync phone revoke',
      },
      'app-setup': {
        label: 'Connect an app',
        keywords:
          'caldav carddav server address user name iphone ios mac android davx5 thunderbird evolution',
      },
    },
  },
  'calendar-accounts': {
    label: 'Calendar accounts',
    about: 'Calendars of other services',
    cards: {
      'calendar-accounts': {
        label: 'Calendar accounts',
        keywords:
          'caldav ics ical webcal subscribe subscription nextcloud icloud google holidays server sync',
      },
    },
  },
  bookings: {
    label: 'Bookings',
    about: 'Booking provider, sync and event types',
    cards: {
      'booking-provider': { label: 'Booking provider', keywords: 'cal.com calendly api key appointment' },
      'booking-sync': { label: 'Booking sync', keywords: 'refresh fetch update now' },
      'booking-webhook': { label: 'Provider webhooks', keywords: 'address secret signature notices' },
      'booking-event-types': { label: 'Event types', keywords: 'booking meeting kinds links' },
      'booking-drift': { label: 'Compare bookings', keywords: 'drift missing orphaned changed check' },
    },
  },
  ai: {
    label: 'AI',
    about: 'Model, provider keys and spending',
    cards: {
      model: { label: 'Model', keywords: 'ai llm gpt claude gemini ollama llama assistant' },
      keys: {
        label: 'Provider keys',
        keywords: 'api key openai anthropic google secret verify local ollama vllm',
      },
      spending: { label: 'Spending', keywords: 'cost dollars usage tokens limit price' },
    },
  },
  notifications: {
    label: 'Notifications',
    about: 'Types, channels, quiet hours and digest',
    cards: {
      kinds: {
        label: 'Notification types',
        keywords: 'notify alert reminder email mail webhook channel',
      },
      'quiet-hours': { label: 'Quiet hours', keywords: 'do not disturb night silence mute' },
      digest: { label: 'Digest', keywords: 'summary daily weekly email mail' },
    },
  },
  tokens: {
    label: 'Access tokens',
    about: 'API access for your programs',
    cards: {
      tokens: { label: 'Access tokens', keywords: 'personal api key scopes secret program script' },
    },
  },
  'feed-tokens': {
    label: 'Private links',
    about: 'Read-only links for calendars and overlays',
    cards: {
      'feed-tokens': {
        label: 'Private links',
        keywords: 'feed token calendar subscribe overlay read-only address',
      },
    },
  },
  webhooks: {
    label: 'Webhooks',
    about: 'HTTP calls to your other programs',
    cards: {
      webhooks: {
        label: 'Webhooks',
        keywords: 'events notify endpoint url signature secret delivery n8n zapier',
      },
    },
  },
  instance: {
    label: 'Status',
    about: 'Version, database, storage and health',
    cards: {
      status: { label: 'Server status', keywords: 'version uptime health database sqlite postgres storage' },
      services: { label: 'Services', keywords: 'ai provider jobs failed queue' },
      diagnostics: { label: 'Diagnostics', keywords: 'log logs doctor check problem support metrics' },
    },
  },
  backups: {
    label: 'Backups',
    about: 'Schedule, destination and proven backups',
    cards: {
      proof: { label: 'Backup status', keywords: 'backup now restore proven save copy' },
      schedule: {
        label: 'Schedule and destination',
        keywords: 'backup daily weekly retention passphrase encrypt folder s3 bucket',
      },
      backups: { label: 'Backups', keywords: 'list download delete failed' },
      restore: { label: 'Restore', keywords: 'restore recover command disaster' },
    },
  },
  jobs: {
    label: 'Background jobs',
    about: 'Running, waiting and failed jobs',
    cards: {
      jobs: { label: 'Background jobs', keywords: 'queue running waiting parked failed retry progress' },
    },
  },
  accounts: {
    label: 'Accounts',
    about: 'People, storage, registration and invitations',
    cards: {
      accounts: {
        label: 'Accounts',
        keywords: 'users people members disable delete owner hand over storage limit quota',
      },
      registration: { label: 'Registration', keywords: 'register sign up open closed invite' },
      invitations: { label: 'Invitations', keywords: 'invite people members family users register' },
      'default-storage': {
        label: 'Storage limit of new accounts',
        keywords: 'quota storage disk space gigabytes default',
      },
      'instance-mail': {
        label: 'Instance mail',
        keywords: 'sender smtp address password reset system email',
      },
    },
  },
  'oauth-clients': {
    label: 'Provider sign-in',
    about: 'Sign-in with Google and Microsoft for email accounts',
    cards: {
      google: {
        label: 'Sign-in with Google',
        keywords: 'oauth client id secret gmail workspace calendar redirect',
      },
      microsoft: {
        label: 'Sign-in with Microsoft',
        keywords: 'oauth client id secret outlook office 365 azure entra redirect',
      },
    },
  },
}
