import {
  Archive,
  Bell,
  CalendarCheck,
  CalendarSync,
  Clock3,
  CreditCard,
  Eraser,
  HardDrive,
  KeyRound,
  ListFilter,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  Rss,
  Settings,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  Smartphone,
  UserCheck,
  UserPlus,
  UserRound,
  UserX,
  Webhook,
} from 'lucide-react'
import * as t from '#locale/activity'

type Details = Readonly<Record<string, unknown>>

interface ActivityStyle {
  icon: LucideIcon
  describe: (details: Details) => string
  /** Highlights an entry that may point to somebody else's access to the account. */
  isSensitive?: boolean
}

const named =
  (text: (name: string) => string) =>
  ({ name, address, provider, host }: Details): string => {
    const described = text(String(name ?? address ?? provider ?? ''))
    return typeof host === 'string' ? `${described} → ${host}` : described
  }

const ofProvider =
  (text: (provider: string) => string) =>
  ({ provider }: Details): string =>
    text(t.signInProviders[String(provider)] ?? String(provider))

/** Names the changed fields, if the entry lists them. */
const withFields =
  (text: string, textOfFields: (names: readonly string[]) => string) =>
  ({ fields }: Details): string =>
    Array.isArray(fields) && fields.length > 0
      ? textOfFields(fields.map((field) => t.fields[String(field)] ?? String(field)))
      : text

const ACTIVITIES: Readonly<Record<string, ActivityStyle>> = {
  'account.registered': {
    icon: UserPlus,
    describe: () => t.accountCreated,
  },
  'account.disabled': {
    icon: UserX,
    isSensitive: true,
    describe: () => t.accountDisabled,
  },
  'account.enabled': {
    icon: UserCheck,
    describe: () => t.accountEnabled,
  },
  'account.deleted': {
    icon: UserX,
    describe: ({ email }) => t.accountDeleted(String(email ?? '')),
  },
  'ownership.handed_over': {
    icon: UserCheck,
    isSensitive: true,
    describe: () => t.ownershipHandedOver,
  },
  'ownership.received': {
    icon: UserCheck,
    describe: () => t.ownershipReceived,
  },
  'registration.changed': {
    icon: UserPlus,
    describe: () => t.registrationChanged,
  },
  'account.quota_changed': {
    icon: HardDrive,
    describe: () => t.storageLimitChanged,
  },
  'instance.changed': {
    icon: Settings,
    describe: () => t.instanceChanged,
  },
  'backup_destination.changed': {
    icon: Archive,
    isSensitive: true,
    describe: ({ destination }) => t.backupDestinationChanged(String(destination ?? '')),
  },
  'backup_passphrase.changed': {
    icon: Archive,
    isSensitive: true,
    describe: ({ isRemoved }) => (isRemoved === true ? t.backupPassphraseRemoved : t.backupPassphraseChanged),
  },
  'instance_mail.changed': {
    icon: Mail,
    isSensitive: true,
    describe: ({ address }) => t.instanceMailChanged(String(address ?? '–')),
  },
  'session.started': {
    icon: LogIn,
    describe: () => t.signedIn,
  },
  'session.ended': {
    icon: LogOut,
    describe: () => t.signedOut,
  },
  'session.revoked': {
    icon: LogOut,
    describe: ({ sessions }) => t.sessionsEnded(Math.max(1, Number(sessions) || 1)),
  },
  'session.reuse_detected': {
    icon: ShieldAlert,
    isSensitive: true,
    describe: ({ device }) => (typeof device === 'string' ? t.tokenReuseOn(device) : t.tokenReuse),
  },
  'profile.changed': {
    icon: UserRound,
    describe: withFields(t.profileChanged, t.profileFieldsChanged),
  },
  'preferences.changed': {
    icon: Clock3,
    describe: withFields(t.preferencesChanged, t.preferenceFieldsChanged),
  },
  'notifications.changed': {
    icon: Bell,
    describe: () => t.notificationsChanged,
  },
  'password.changed': {
    icon: KeyRound,
    isSensitive: true,
    describe: () => t.passwordChanged,
  },
  'password.reset': {
    icon: KeyRound,
    isSensitive: true,
    describe: () => t.passwordReset,
  },
  'email.changed': {
    icon: Mail,
    isSensitive: true,
    describe: ({ to }) => (typeof to === 'string' ? t.emailChangedTo(to) : t.emailChanged),
  },
  'two_factor.enabled': {
    icon: ShieldCheck,
    describe: () => t.twoFactorEnabled,
  },
  'two_factor.disabled': {
    icon: ShieldOff,
    isSensitive: true,
    describe: () => t.twoFactorDisabled,
  },
  'two_factor.backup_codes_renewed': {
    icon: ShieldCheck,
    describe: () => t.backupCodesReplaced,
  },
  'two_factor.backup_code_used': {
    icon: ShieldAlert,
    isSensitive: true,
    describe: () => t.backupCodeUsed,
  },
  'token.created': {
    icon: KeyRound,
    describe: named(t.tokenCreated),
  },
  'token.rotated': {
    icon: KeyRound,
    describe: named(t.tokenRotated),
  },
  'token.revoked': {
    icon: KeyRound,
    describe: named(t.tokenRevoked),
  },
  'app_password.created': {
    icon: Smartphone,
    describe: ({ name, invitations }) =>
      (invitations === 'yes' ? t.invitingAppPasswordCreated : t.appPasswordCreated)(String(name)),
  },
  'app_password.changed': {
    icon: Smartphone,
    describe: named(t.appPasswordChanged),
  },
  'app_password.revoked': {
    icon: Smartphone,
    describe: named(t.appPasswordRevoked),
  },
  'feed_token.created': {
    icon: Rss,
    describe: named(t.linkCreated),
  },
  'feed_token.revoked': {
    icon: Rss,
    describe: () => t.linkRevoked,
  },
  'invitation.created': {
    icon: UserPlus,
    describe: ({ email }) => (typeof email === 'string' ? t.invited(email) : t.invitationCreated),
  },
  'invitation.revoked': {
    icon: UserPlus,
    describe: () => t.invitationRevoked,
  },
  'oauth_client.changed': {
    icon: LogIn,
    isSensitive: true,
    describe: ofProvider(t.oauthClientChanged),
  },
  'oauth_client.removed': {
    icon: LogIn,
    isSensitive: true,
    describe: ofProvider(t.oauthClientDeleted),
  },
  'mail_account.added': {
    icon: Mail,
    isSensitive: true,
    describe: named(t.mailAccountAdded),
  },
  'mail_account.changed': {
    icon: Mail,
    describe: named(t.mailAccountChanged),
  },
  'mail_account.removed': {
    icon: Mail,
    describe: named(t.mailAccountDeleted),
  },
  'mail_rule.added': {
    icon: ListFilter,
    isSensitive: true,
    describe: named(t.ruleCreated),
  },
  'mail_rule.changed': {
    icon: ListFilter,
    describe: named(t.ruleChanged),
  },
  'mail_rule.removed': {
    icon: ListFilter,
    describe: named(t.ruleDeleted),
  },
  'calendar_account.added': {
    icon: CalendarSync,
    isSensitive: true,
    describe: named(t.calendarAccountAdded),
  },
  'calendar_account.changed': {
    icon: CalendarSync,
    describe: named(t.calendarAccountChanged),
  },
  'calendar_account.removed': {
    icon: CalendarSync,
    describe: named(t.calendarAccountDeleted),
  },
  'ai_key.saved': {
    icon: KeyRound,
    isSensitive: true,
    describe: named(t.aiKeySaved),
  },
  'ai_key.removed': {
    icon: KeyRound,
    describe: named(t.aiKeyDeleted),
  },
  'webhook.added': {
    icon: Webhook,
    isSensitive: true,
    describe: named(t.webhookAdded),
  },
  'webhook.changed': {
    icon: Webhook,
    describe: named(t.webhookChanged),
  },
  'webhook.rotated': {
    icon: Webhook,
    describe: named(t.webhookRotated),
  },
  'webhook.removed': {
    icon: Webhook,
    describe: named(t.webhookDeleted),
  },
  'webhook.disabled': {
    icon: Webhook,
    isSensitive: true,
    describe: named(t.webhookDisabled),
  },
  'booking_settings.changed': {
    icon: CalendarCheck,
    isSensitive: true,
    describe: () => t.bookingKeyChanged,
  },
  'billing.checkout_started': {
    icon: CreditCard,
    describe: () => t.checkoutStarted,
  },
  'billing.cancelled': {
    icon: CreditCard,
    isSensitive: true,
    describe: () => t.planCancelled,
  },
  'billing.details_changed': {
    icon: CreditCard,
    describe: () => t.billingDetailsChanged,
  },
  'billing.budget_changed': {
    icon: CreditCard,
    describe: () => t.budgetChanged,
  },
  'data.exported': {
    icon: Archive,
    isSensitive: true,
    describe: () => t.dataExported,
  },
  'data.imported': {
    icon: Archive,
    isSensitive: true,
    describe: () => t.dataImported,
  },
  'sample_data.removed': {
    icon: Eraser,
    describe: () => t.sampleDataDeleted,
  },
}

/** A newer server may log actions that this version does not know. Those show their raw name. */
export const describeActivity = (action: string): ActivityStyle =>
  ACTIVITIES[action] ?? {
    icon: Clock3,
    describe: () => action.replace(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase()),
  }
