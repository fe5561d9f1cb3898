import { formatList, formatNumber, plural } from '../format.ts'

/** Names of the changed fields of an account. */
export const fields: Record<string, string> = {
  name: 'name',
  avatar: 'picture',
  timezone: 'time zone',
  locale: 'language and region',
  weekStart: 'first day of the week',
  workingHours: 'working hours',
  remoteImages: 'remote images',
  imageSenders: 'senders whose images load',
  conferencingLink: 'link for video calls',
}

export const accountCreated = 'Account created'
export const signedIn = 'Signed in'
export const signedOut = 'Signed out'
export const sessionsEnded = (count: number) =>
  plural(count, { one: 'Ended another session', other: `Ended ${formatNumber(count)} other sessions` })
export const tokenReuse = 'Signed out on a device, to protect your account'
export const tokenReuseOn = (device: string) => `Signed out on ${device}, to protect your account`
export const profileChanged = 'Changed the profile'
export const profileFieldsChanged = (names: readonly string[]) =>
  `Changed in the profile: ${formatList(names)}`
export const preferencesChanged = 'Changed preferences'
export const preferenceFieldsChanged = (names: readonly string[]) =>
  `Changed in preferences: ${formatList(names)}`
export const notificationsChanged = 'Changed notification settings'
export const passwordChanged = 'Changed the password'
export const passwordReset = 'Reset the password by email'
export const emailChanged = 'Changed the email address'
export const emailChangedTo = (address: string) => `Changed the email address to ${address}`
export const twoFactorEnabled = 'Turned on two-factor authentication'
export const twoFactorDisabled = 'Turned off two-factor authentication'
export const backupCodesReplaced = 'Replaced the backup codes'
export const backupCodeUsed = 'Signed in with a backup code'
export const tokenCreated = (name: string) => `Created access token “${name}”`
export const tokenRotated = (name: string) => `Replaced the secret of access token “${name}”`
export const tokenRevoked = (name: string) => `Revoked access token “${name}”`
export const appPasswordCreated = (name: string) => `Created app password “${name}”`
export const invitingAppPasswordCreated = (name: string) =>
  `Created app password “${name}”: its app sends invitations without asking`
export const appPasswordChanged = (name: string) => `Invitations of app password “${name}” changed`
export const appPasswordRevoked = (name: string) => `Revoked app password “${name}”`
export const linkCreated = (name: string) => `Created private link “${name}”`
export const linkRevoked = 'Revoked a private link'
export const invited = (address: string) => `Invited ${address}`
export const invitationCreated = 'Created an invitation'
export const invitationRevoked = 'Revoked an invitation'
export const signInProviders: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' }
export const oauthClientChanged = (provider: string) => `Changed the sign-in with ${provider}`
export const oauthClientDeleted = (provider: string) => `Deleted the sign-in with ${provider}`
export const mailAccountAdded = (address: string) => `Added email account ${address}`
export const mailAccountChanged = (address: string) => `Changed email account ${address}`
export const mailAccountDeleted = (address: string) => `Deleted email account ${address}`
export const ruleCreated = (name: string) => `Created rule “${name}”`
export const ruleChanged = (name: string) => `Changed rule “${name}”`
export const ruleDeleted = (name: string) => `Deleted rule “${name}”`
export const calendarAccountAdded = (name: string) => `Added calendar account “${name}”`
export const calendarAccountChanged = (name: string) => `Changed calendar account “${name}”`
export const calendarAccountDeleted = (name: string) => `Deleted calendar account “${name}”`
export const aiKeySaved = (provider: string) => `Saved the API key for ${provider}`
export const aiKeyDeleted = (provider: string) => `Deleted the API key for ${provider}`
export const webhookAdded = (name: string) => `Added webhook “${name}”`
export const webhookChanged = (name: string) => `Changed webhook “${name}”`
export const webhookRotated = (name: string) => `Replaced the secret of webhook “${name}”`
export const webhookDeleted = (name: string) => `Deleted webhook “${name}”`
export const webhookDisabled = (name: string) => `Webhook “${name}” was turned off after repeated failures`
export const bookingKeyChanged = 'Changed the key of the booking provider'
export const checkoutStarted = 'Started a checkout'
export const planCancelled = 'Cancelled the plan'
export const billingDetailsChanged = 'Changed the billing details'
export const budgetChanged = 'Changed a budget'
export const dataExported = 'Exported all data'
export const dataImported = 'Imported data from an export'
export const sampleDataDeleted = 'Deleted the sample data'

/** The server names a device in English: "Firefox on Linux". */
export const deviceName = (name: string) => name
export const accountDisabled = 'Account disabled'
export const accountEnabled = 'Account enabled'
export const accountDeleted = (email: string) => `Account ${email} deleted`
export const ownershipHandedOver = 'Ownership handed over'
export const ownershipReceived = 'Became the owner of this instance'
export const registrationChanged = 'Registration changed'
export const storageLimitChanged = 'Storage limit of an account changed'
export const instanceChanged = 'Settings of this instance changed'
export const backupDestinationChanged = (destination: string) =>
  `Backup destination changed to ${destination}`
export const backupPassphraseChanged = 'Backup passphrase changed'
export const backupPassphraseRemoved = 'Backup passphrase removed'
export const instanceMailChanged = (address: string) => `Mail of this instance is sent from ${address}`
