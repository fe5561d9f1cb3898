import {
  Archive,
  Bell,
  CalendarCheck,
  CalendarSync,
  Clock3,
  CreditCard,
  Eraser,
  KeyRound,
  ListFilter,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  Rss,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  UserPlus,
  UserRound,
  Webhook,
} from 'lucide-react'

type Details = Readonly<Record<string, unknown>>

interface Words {
  icon: LucideIcon
  say: (details: Details) => string
  /** Worth a second look by whoever did not do it. */
  isGrave?: boolean
}

const FIELDS: Record<string, string> = {
  name: 'name',
  avatar: 'picture',
  timezone: 'time zone',
  locale: 'language and region',
  weekStart: 'start of the week',
  workingHours: 'working hours',
}

const quoted = ({ name }: Details): string => (typeof name === 'string' ? ` “${name}”` : '')

const addressOf = ({ address }: Details): string => (typeof address === 'string' ? ` ${address}` : '')

const fieldsOf = ({ fields }: Details): string =>
  Array.isArray(fields) ? `: ${fields.map((field) => FIELDS[String(field)] ?? String(field)).join(', ')}` : ''

const WORDS: Readonly<Record<string, Words>> = {
  'account.registered': { icon: UserPlus, say: () => 'Account created' },
  'session.started': { icon: LogIn, say: () => 'Signed in' },
  'session.ended': { icon: LogOut, say: () => 'Signed out' },
  'session.revoked': {
    icon: LogOut,
    say: ({ sessions }) =>
      Number(sessions) > 1 ? `Ended ${Number(sessions)} other sessions` : 'Ended another session',
  },
  'session.reuse_detected': {
    icon: ShieldAlert,
    isGrave: true,
    say: () => 'A session was ended because its token was used twice',
  },
  'profile.changed': { icon: UserRound, say: (details) => `Changed the profile${fieldsOf(details)}` },
  'preferences.changed': { icon: Clock3, say: (details) => `Changed preferences${fieldsOf(details)}` },
  'notifications.changed': { icon: Bell, say: () => 'Changed what you are told of' },
  'password.changed': { icon: KeyRound, isGrave: true, say: () => 'Changed the password' },
  'email.changed': {
    icon: Mail,
    isGrave: true,
    say: ({ to }) => (typeof to === 'string' ? `Changed the e-mail to ${to}` : 'Changed the e-mail'),
  },
  'two_factor.enabled': { icon: ShieldCheck, say: () => 'Turned two-step sign-in on' },
  'two_factor.disabled': { icon: ShieldOff, isGrave: true, say: () => 'Turned two-step sign-in off' },
  'two_factor.backup_codes_renewed': { icon: ShieldCheck, say: () => 'Replaced the backup codes' },
  'two_factor.backup_code_used': {
    icon: ShieldAlert,
    isGrave: true,
    say: () => 'Signed in with a backup code',
  },
  'token.created': { icon: KeyRound, say: (details) => `Made the access token${quoted(details)}` },
  'token.rotated': {
    icon: KeyRound,
    say: (details) => `Gave the access token${quoted(details)} a new secret`,
  },
  'token.revoked': { icon: KeyRound, say: (details) => `Revoked the access token${quoted(details)}` },
  'feed_token.created': { icon: Rss, say: (details) => `Made the feed token${quoted(details)}` },
  'feed_token.revoked': { icon: Rss, say: () => 'Revoked a feed token' },
  'invitation.created': {
    icon: UserPlus,
    say: ({ email }) => (typeof email === 'string' ? `Invited ${email}` : 'Made an invitation'),
  },
  'invitation.revoked': { icon: UserPlus, say: () => 'Took an invitation back' },
  'mail_account.added': {
    icon: Mail,
    isGrave: true,
    say: (details) => `Added the mail account${addressOf(details)}`,
  },
  'mail_account.changed': { icon: Mail, say: (details) => `Changed the mail account${addressOf(details)}` },
  'mail_account.removed': { icon: Mail, say: (details) => `Removed the mail account${addressOf(details)}` },
  'mail_rule.added': {
    icon: ListFilter,
    isGrave: true,
    say: (details) => `Made the mail rule${quoted(details)}`,
  },
  'mail_rule.changed': { icon: ListFilter, say: (details) => `Changed the mail rule${quoted(details)}` },
  'mail_rule.removed': { icon: ListFilter, say: (details) => `Removed the mail rule${quoted(details)}` },
  'calendar_account.added': {
    icon: CalendarSync,
    isGrave: true,
    say: (details) => `Added the calendar account${quoted(details)}`,
  },
  'calendar_account.changed': {
    icon: CalendarSync,
    say: (details) => `Changed the calendar account${quoted(details)}`,
  },
  'calendar_account.removed': {
    icon: CalendarSync,
    say: (details) => `Removed the calendar account${quoted(details)}`,
  },
  'ai_key.saved': {
    icon: KeyRound,
    isGrave: true,
    say: ({ provider }) => `Set the AI key for ${String(provider)}`,
  },
  'ai_key.removed': { icon: KeyRound, say: ({ provider }) => `Removed the AI key for ${String(provider)}` },
  'webhook.added': { icon: Webhook, isGrave: true, say: (details) => `Added the webhook${quoted(details)}` },
  'webhook.changed': { icon: Webhook, say: (details) => `Changed the webhook${quoted(details)}` },
  'webhook.rotated': { icon: Webhook, say: (details) => `New secret for the webhook${quoted(details)}` },
  'webhook.removed': { icon: Webhook, say: (details) => `Removed the webhook${quoted(details)}` },
  'webhook.disabled': {
    icon: Webhook,
    isGrave: true,
    say: (details) => `The webhook${quoted(details)} kept failing and was turned off`,
  },
  'booking_settings.changed': {
    icon: CalendarCheck,
    isGrave: true,
    say: () => 'Changed the booking provider’s key',
  },
  'billing.checkout_started': { icon: CreditCard, say: () => 'Went to pay for a plan' },
  'billing.cancelled': { icon: CreditCard, isGrave: true, say: () => 'Cancelled the subscription' },
  'billing.details_changed': { icon: CreditCard, say: () => 'Changed the billing details' },
  'billing.budget_changed': { icon: CreditCard, say: () => 'Changed a budget' },
  'data.exported': { icon: Archive, isGrave: true, say: () => 'Exported everything' },
  'data.imported': { icon: Archive, isGrave: true, say: () => 'Imported everything from an export' },
  'sample_data.removed': { icon: Eraser, say: () => 'Removed the sample data' },
}

/** A later release may write what this page has no words for: then its own name has to do. */
export const wordsFor = (action: string): Words =>
  WORDS[action] ?? {
    icon: Clock3,
    say: () => action.replace(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  }
