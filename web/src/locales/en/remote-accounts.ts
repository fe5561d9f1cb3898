// Texts of email accounts and calendar accounts.
import { formatList, formatNumber, plural } from '../format.ts'

export const emailAccounts = 'Email accounts'
export const emailAccountsAbout = 'Your mail stays on your server. Factotum keeps it in sync.'
export const calendarAccounts = 'Calendar accounts'
export const calendarAccountsAbout = 'Two-way sync with CalDAV servers. Subscriptions are read-only.'
export const connected = 'Account connected. Syncing emails.'

export const noEmailAccount = 'No email account'
export const noEmailAccountAbout = 'Enter your address. We look up the server settings.'
export const noCalendarAccount = 'No calendar account'
export const noCalendarAccountAbout = 'Add the calendar of your phone, or subscribe to one.'

export const connectedAccounts = 'Connected accounts'
export const addAccount = 'Add account'
export const addEmailAccount = 'Add email account'
export const addEmailAddress = (address: string) => `Add ${address}`
export const addCalendarAccount = 'Add calendar account'
export const emailAccountAdded = (name: string) => `${name} added. Syncing emails.`
export const calendarAccountAdded = (name: string) => `${name} added. Syncing events.`
export const accountSaved = (name: string) => `${name} saved`
export const editAccountTitle = (name: string) => `Edit ${name}`
export const editAccount = 'Edit account'

export const actionsFor = (name: string) => `More actions for ${name}`
export const refresh = (name: string) => `Refresh ${name}`
export const refreshing = (name: string) => `Refreshing ${name}`
export const testConnection = 'Test connection'
export const testing = 'Testing the connection…'
export const test = 'Test'
export const turnOff = 'Turn off'
export const turnOn = 'Turn on'
export const turnedOff = (name: string) => `${name} turned off`
export const turnedOn = (name: string) => `${name} turned on`

export const statuses = {
  waiting: 'Waiting',
  syncing: 'Syncing',
  live: 'Synced',
  paused: 'Paused',
  failing: 'Sync failed',
  signed_out: 'Signed out',
  off: 'Off',
}
export const checkedAt = 'Checked <time></time>'
export const neverChecked = 'Not synced yet'
export const emailCount = (count: number) =>
  plural(count, { one: '1 email', other: `${formatNumber(count)} emails` })
export const unreadableEmails = (count: number) => `${formatNumber(count)} unreadable`
export const unreadableEvents = (count: number) =>
  plural(count, {
    one: 'Could not read 1 event. Everything else is synced.',
    other: `Could not read ${formatNumber(count)} events. Everything else is synced.`,
  })
export const download = 'Download'
export const newEventsHere = 'Receives new events'
export const localChanges = (count: number) =>
  plural(count, {
    one: '1 change by email is kept here only',
    other: `${formatNumber(count)} changes by email are kept here only`,
  })
export const unsyncedChanges = (count: number) =>
  plural(count, {
    one: '1 change to upload',
    other: `${formatNumber(count)} changes to upload`,
  })
export const progressLabel = (name: string) => `Sync progress of ${name}`
export const emailProgress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} of ${formatNumber(total)} emails`
export const eventProgress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} of ${formatNumber(total)} events`

export const deleteTitle = (name: string) => `Delete ${name}?`
export const deleteEmailAccountAbout =
  'Synced emails stay here and on the server. Unsent emails of this account are not sent.'
export const deleteCalendarAccountAbout = 'The calendars on the server stay. Their events disappear here.'
export const deleteSubscriptionAbout = 'Its events disappear from your calendar.'
export const keepEvents = 'Keep its events here'
export const accountDeleted = (name: string) => `${name} deleted`

export const emailAddress = 'Email address'
export const emailAddressHint = 'We look up the server settings'
export const continueAction = 'Continue'
export const back = 'Back'
export const serverSources = {
  provider: 'Server settings found.',
  dns: 'Server settings found in the DNS records of the domain.',
  autoconfig: 'The provider published these server settings.',
  none: 'No server settings found. Your provider’s help pages list them.',
}
export const providers = {
  google: 'Google',
  microsoft: 'Microsoft',
}
export const signInWith = (provider: string) => `Sign in with ${provider}`
export const signInAbout = (provider: string) =>
  `You sign in at ${provider}. Factotum never sees your password.`
export const useAppPassword = 'Use an app password'
export const orChooseProvider = 'Or choose your provider'
export const otherProvider = 'Other provider'
export const addProviderAccount = (provider: string) => `Connect ${provider}`
export const stepsAt = (provider: string) => `Do this at ${provider} first:`
export const signInNotSetUp = (provider: string) =>
  `The sign-in with ${provider} is not set up on this instance yet.`
export const setUpSignIn = (provider: string) => `Set up the sign-in with ${provider}`
export const askOwnerForSignIn = (provider: string) =>
  `Ask the owner of this instance to set up the sign-in with ${provider}.`
export const alsoGoogleCalendars = 'Also connect my Google calendars'
export const connectCalendars = 'Connect calendars'
export const connectedWithoutCalendar =
  'Account connected, but Google did not allow access to your calendars. Sign in again and allow it.'
export const calendarAddressNote = ({ url, isAppPassword }: { url: string; isAppPassword: boolean }) =>
  isAppPassword
    ? `Calendar: add ${url} under Calendar accounts, with the same app password.`
    : `Calendar: add ${url} under Calendar accounts, with the same password.`
export const providerCalendars =
  'Google calendars: use “Sign in with Google” in <link>Email accounts</link>. Calendars of Microsoft accounts are not available yet; subscribe to a published one.'
export const signInAgain = 'This account has no sign-in. Sign in again.'
export const bridgePassword = 'Password from Bridge'
export const bridgeCertificateHint = 'Content of cert.pem, exported by Bridge'
export const usernameHint = 'Leave empty to use the email address'
export const password = 'Password'
export const appPassword = 'App password'
export const passwordAgain = 'Password again'
export const newPassword = 'New password'
export const keepPasswordHint = 'Leave empty to keep the current one'
export const otherServerHint = 'Required for another server or user name'
export const appPasswordHint = 'With two-factor authentication, use an app password'
export const senderName = 'Sender name'
export const senderNameExample = 'Ana Ruiz'
export const serverSettings = 'Server settings'
export const username = 'User name'
export const serverSides = {
  imap: 'Incoming mail (IMAP)',
  smtp: 'Outgoing mail (SMTP)',
}
export const server = 'Server'
export const port = 'Port'
export const security = 'Security'
export const securityKinds = {
  implicit: 'TLS',
  starttls: 'STARTTLS',
  none: 'None (not encrypted)',
}
export const selfSignedCertificate = 'Self-signed certificate'
export const certificate = 'Certificate (PEM)'
export const certificateHint = 'Only for your own server'
export const testPassed = (side: string) => `<strong>${side}:</strong> connected`
export const testFailed = ({ side, failure }: { side: string; failure: string }) =>
  `<strong>${side}:</strong> ${failure}`
export const failedSteps = {
  dns: 'server not found',
  connect: 'could not connect',
  tls: 'secure connection failed',
  greeting: 'no valid response',
  login: 'sign-in failed',
  select: 'could not open the mailbox',
  command: 'command failed',
}

export const name = 'Name'
export const syncAccount = 'Sync this account'

export const calendarType = 'Type'
export const calendarKinds = {
  caldav: 'CalDAV account',
  ics: 'Subscription',
}
export const calendarKindsAbout = {
  caldav: 'Two-way sync with Nextcloud, iCloud, Fastmail and others',
  ics: 'Read-only calendar by address, for example holidays',
}
export const calendarUrls = {
  caldav: 'Server address',
  ics: 'Calendar address',
}
export const calendarUrlHints = {
  caldav: 'Often the server name is enough',
  ics: 'Starts with https:// or webcal://',
}
export const savedUrlHint = 'Hidden like a password. Leave unchanged to keep it.'
export const calendarNameExamples = {
  caldav: 'Work',
  ics: 'Holidays',
}
export const calendarNameHint = 'Defaults to the server name'
export const optionalUsernameHint = 'Only if the address requires one'
export const newEvents = 'Add new events to this account'
export const newEventsCalendar = 'Calendar for new events'
export const firstCalendar = 'First calendar'
export const syncedCalendars = 'Synced calendars'
export const readOnly = 'read-only'
export const calendarFollowed = (calendar: string) => `Syncing ${calendar}`
export const calendarHidden = (calendar: string) => `${calendar} is no longer synced`
export const foundCalendars = (calendars: readonly string[]) => `Connected. Found: ${formatList(calendars)}`
export const foundNoCalendars = 'Connected. No calendars found.'
