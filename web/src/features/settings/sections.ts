import {
  Bell,
  CalendarCheck,
  CalendarSync,
  Clock3,
  CreditCard,
  Database,
  KeyRound,
  type LucideIcon,
  Mail,
  Rss,
  ShieldCheck,
  Sparkles,
  UserPlus,
  UserRound,
  Webhook,
  Workflow,
} from 'lucide-react'

/** Settings sections in order. `path` follows /settings/. `finds` lists the cards for the search. */
export interface Section {
  path: string
  label: string
  about: string
  icon: LucideIcon
  finds: readonly { id: string; label: string; words: string }[]
}

export const SECTIONS: readonly Section[] = [
  {
    path: 'profile',
    label: 'Profile',
    about: 'Your name, picture and e-mail',
    icon: UserRound,
    finds: [
      { id: 'name', label: 'Name', words: 'rename display called' },
      { id: 'picture', label: 'Picture', words: 'avatar photo image upload' },
      { id: 'email', label: 'E-mail', words: 'mail address login account change' },
    ],
  },
  {
    path: 'preferences',
    label: 'Preferences',
    about: 'Time zone, language and working hours',
    icon: Clock3,
    finds: [
      {
        id: 'dates',
        label: 'Time zone, language and week',
        words: 'timezone clock locale region format monday sunday',
      },
      { id: 'hours', label: 'Working hours', words: 'work schedule availability weekday office' },
    ],
  },
  {
    path: 'notifications',
    label: 'Notifications',
    about: 'Which notifications you get, and how',
    icon: Bell,
    finds: [
      {
        id: 'kinds',
        label: 'Notification types',
        words: 'notify alert reminder mail e-mail webhook channel',
      },
      { id: 'quiet-hours', label: 'Quiet hours', words: 'do not disturb night silence mute' },
      { id: 'digest', label: 'Digest', words: 'summary daily weekly mail gather' },
    ],
  },
  {
    path: 'mail-accounts',
    label: 'Mail accounts',
    about: 'The mailboxes that are read and sent with',
    icon: Mail,
    finds: [
      {
        id: 'mail-accounts',
        label: 'Mail accounts',
        words: 'imap smtp mailbox server google gmail microsoft outlook sync password',
      },
    ],
  },
  {
    path: 'calendar-accounts',
    label: 'Calendar accounts',
    about: 'Calendars elsewhere, kept in step or read',
    icon: CalendarSync,
    finds: [
      {
        id: 'calendar-accounts',
        label: 'Calendar accounts',
        words: 'caldav ics ical webcal subscribe subscription nextcloud icloud google holidays server sync',
      },
    ],
  },
  {
    path: 'ai',
    label: 'AI',
    about: 'Models, keys and what they cost',
    icon: Sparkles,
    finds: [
      { id: 'model', label: 'Model', words: 'ai llm gpt claude gemini ollama llama assistant' },
      { id: 'keys', label: 'Provider keys', words: 'api key openai anthropic google secret verify' },
      { id: 'spending', label: 'Spending', words: 'cost dollars usage tokens limit price' },
    ],
  },
  {
    path: 'bookings',
    label: 'Bookings',
    about: 'The provider that others book you at',
    icon: CalendarCheck,
    finds: [
      { id: 'booking-provider', label: 'Booking provider', words: 'cal.com calendly api key appointment' },
      { id: 'booking-sync', label: 'Sync of bookings', words: 'refresh fetch update now' },
      { id: 'booking-webhook', label: 'Notices of bookings', words: 'webhook address secret signature' },
      { id: 'booking-event-types', label: 'What can be booked', words: 'event types meeting kinds links' },
      { id: 'booking-drift', label: 'Compare bookings', words: 'drift missing orphaned changed check' },
    ],
  },
  {
    path: 'security',
    label: 'Security',
    about: 'Password, two-step sign-in and sessions',
    icon: ShieldCheck,
    finds: [
      { id: 'password', label: 'Password', words: 'change passphrase login' },
      {
        id: 'two-factor',
        label: 'Two-step sign-in',
        words: '2fa two-factor totp authenticator app backup codes qr mfa second',
      },
      { id: 'sessions', label: 'Sessions', words: 'devices signed in logged out revoke browsers' },
      { id: 'activity', label: 'Activity', words: 'history log audit events' },
    ],
  },
  {
    path: 'tokens',
    label: 'Access tokens',
    about: 'For programs that use the API',
    icon: KeyRound,
    finds: [{ id: 'tokens', label: 'Access tokens', words: 'personal api key scopes secret program script' }],
  },
  {
    path: 'feed-tokens',
    label: 'Feed tokens',
    about: 'For calendars and overlays',
    icon: Rss,
    finds: [
      { id: 'feed-tokens', label: 'Feed tokens', words: 'calendar subscribe overlay read-only address link' },
    ],
  },
  {
    path: 'webhooks',
    label: 'Webhooks',
    about: 'Other programs, told what happens',
    icon: Webhook,
    finds: [
      {
        id: 'webhooks',
        label: 'Webhooks',
        words: 'events notify endpoint url signature secret delivery automation n8n zapier',
      },
    ],
  },
  {
    path: 'jobs',
    label: 'Background jobs',
    about: 'What is under way, and what got stuck',
    icon: Workflow,
    finds: [
      { id: 'jobs', label: 'Background jobs', words: 'queue running waiting parked failed retry progress' },
    ],
  },
  {
    path: 'invitations',
    label: 'Invitations',
    about: 'Let someone else in',
    icon: UserPlus,
    finds: [
      { id: 'invitations', label: 'Invitations', words: 'invite people members family users register' },
    ],
  },
  {
    path: 'billing',
    label: 'Billing',
    about: 'Plan, usage, budgets and invoices',
    icon: CreditCard,
    finds: [
      { id: 'plan', label: 'Plan', words: 'subscription subscribe cancel stripe upgrade payment card' },
      { id: 'usage', label: 'Usage', words: 'cost tokens requests storage bytes messages statistics' },
      { id: 'budgets', label: 'Budgets', words: 'limit warn month spending' },
      { id: 'invoices', label: 'Invoices', words: 'bill receipt pdf download tax' },
      { id: 'billing-details', label: 'Billing details', words: 'address vat company name' },
    ],
  },
  {
    path: 'data',
    label: 'Your data',
    about: 'Export, import, sample data and deletion',
    icon: Database,
    finds: [
      { id: 'export', label: 'Export everything', words: 'download zip backup takeout' },
      { id: 'import', label: 'Import an export', words: 'upload zip restore move bring back' },
      { id: 'sample', label: 'Sample data', words: 'demo example remove' },
      { id: 'account', label: 'Delete the account', words: 'remove close wipe erase everything' },
    ],
  },
]
