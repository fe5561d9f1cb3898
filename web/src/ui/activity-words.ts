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

interface ActivityStyle {
  icon: LucideIcon
  describe: (details: Details) => string
  /** Highlights an entry that may point to somebody else's access to the account. */
  isSensitive?: boolean
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

const WORDS: Readonly<Record<string, ActivityStyle>> = {
  'account.registered': { icon: UserPlus, describe: () => 'Account created' },
  'session.started': { icon: LogIn, describe: () => 'Signed in' },
  'session.ended': { icon: LogOut, describe: () => 'Signed out' },
  'session.revoked': {
    icon: LogOut,
    describe: ({ sessions }) =>
      Number(sessions) > 1 ? `Ended ${Number(sessions)} other sessions` : 'Ended another session',
  },
  'session.reuse_detected': {
    icon: ShieldAlert,
    isSensitive: true,
    describe: () => 'A session was ended because its token was used twice',
  },
  'profile.changed': { icon: UserRound, describe: (details) => `Changed the profile${fieldsOf(details)}` },
  'preferences.changed': { icon: Clock3, describe: (details) => `Changed preferences${fieldsOf(details)}` },
  'notifications.changed': { icon: Bell, describe: () => 'Changed notification settings' },
  'password.changed': { icon: KeyRound, isSensitive: true, describe: () => 'Changed the password' },
  'email.changed': {
    icon: Mail,
    isSensitive: true,
    describe: ({ to }) => (typeof to === 'string' ? `Changed the e-mail to ${to}` : 'Changed the e-mail'),
  },
  'two_factor.enabled': { icon: ShieldCheck, describe: () => 'Turned two-step sign-in on' },
  'two_factor.disabled': {
    icon: ShieldOff,
    isSensitive: true,
    describe: () => 'Turned two-step sign-in off',
  },
  'two_factor.backup_codes_renewed': { icon: ShieldCheck, describe: () => 'Replaced the backup codes' },
  'two_factor.backup_code_used': {
    icon: ShieldAlert,
    isSensitive: true,
    describe: () => 'Signed in with a backup code',
  },
  'token.created': { icon: KeyRound, describe: (details) => `Made the access token${quoted(details)}` },
  'token.rotated': {
    icon: KeyRound,
    describe: (details) => `Gave the access token${quoted(details)} a new secret`,
  },
  'token.revoked': { icon: KeyRound, describe: (details) => `Revoked the access token${quoted(details)}` },
  'feed_token.created': { icon: Rss, describe: (details) => `Made the feed token${quoted(details)}` },
  'feed_token.revoked': { icon: Rss, describe: () => 'Revoked a feed token' },
  'invitation.created': {
    icon: UserPlus,
    describe: ({ email }) => (typeof email === 'string' ? `Invited ${email}` : 'Made an invitation'),
  },
  'invitation.revoked': { icon: UserPlus, describe: () => 'Took an invitation back' },
  'mail_account.added': {
    icon: Mail,
    isSensitive: true,
    describe: (details) => `Added the mail account${addressOf(details)}`,
  },
  'mail_account.changed': {
    icon: Mail,
    describe: (details) => `Changed the mail account${addressOf(details)}`,
  },
  'mail_account.removed': {
    icon: Mail,
    describe: (details) => `Removed the mail account${addressOf(details)}`,
  },
  'mail_rule.added': {
    icon: ListFilter,
    isSensitive: true,
    describe: (details) => `Made the mail rule${quoted(details)}`,
  },
  'mail_rule.changed': { icon: ListFilter, describe: (details) => `Changed the mail rule${quoted(details)}` },
  'mail_rule.removed': { icon: ListFilter, describe: (details) => `Removed the mail rule${quoted(details)}` },
  'calendar_account.added': {
    icon: CalendarSync,
    isSensitive: true,
    describe: (details) => `Added the calendar account${quoted(details)}`,
  },
  'calendar_account.changed': {
    icon: CalendarSync,
    describe: (details) => `Changed the calendar account${quoted(details)}`,
  },
  'calendar_account.removed': {
    icon: CalendarSync,
    describe: (details) => `Removed the calendar account${quoted(details)}`,
  },
  'ai_key.saved': {
    icon: KeyRound,
    isSensitive: true,
    describe: ({ provider }) => `Set the AI key for ${String(provider)}`,
  },
  'ai_key.removed': {
    icon: KeyRound,
    describe: ({ provider }) => `Removed the AI key for ${String(provider)}`,
  },
  'webhook.added': {
    icon: Webhook,
    isSensitive: true,
    describe: (details) => `Added the webhook${quoted(details)}`,
  },
  'webhook.changed': { icon: Webhook, describe: (details) => `Changed the webhook${quoted(details)}` },
  'webhook.rotated': { icon: Webhook, describe: (details) => `New secret for the webhook${quoted(details)}` },
  'webhook.removed': { icon: Webhook, describe: (details) => `Removed the webhook${quoted(details)}` },
  'webhook.disabled': {
    icon: Webhook,
    isSensitive: true,
    describe: (details) => `The webhook${quoted(details)} kept failing and was turned off`,
  },
  'booking_settings.changed': {
    icon: CalendarCheck,
    isSensitive: true,
    describe: () => 'Changed the booking provider’s key',
  },
  'billing.checkout_started': { icon: CreditCard, describe: () => 'Went to pay for a plan' },
  'billing.cancelled': { icon: CreditCard, isSensitive: true, describe: () => 'Cancelled the subscription' },
  'billing.details_changed': { icon: CreditCard, describe: () => 'Changed the billing details' },
  'billing.budget_changed': { icon: CreditCard, describe: () => 'Changed a budget' },
  'data.exported': { icon: Archive, isSensitive: true, describe: () => 'Exported everything' },
  'data.imported': { icon: Archive, isSensitive: true, describe: () => 'Imported everything from an export' },
  'sample_data.removed': { icon: Eraser, describe: () => 'Removed the sample data' },
}

/** A newer server may log actions that this version does not know. Those show their raw name. */
export const describeActivity = (action: string): ActivityStyle =>
  WORDS[action] ?? {
    icon: Clock3,
    describe: () => action.replace(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  }
