// Texts of the security settings.
import { formatNumber, plural } from '../format.ts'

// Password
export const passwordAbout = 'Changing it ends all other sessions'
export const currentPassword = 'Current password'
export const newPassword = 'New password'
export const changePassword = 'Change password'
export const passwordChanged = (sessionsEnded: number) =>
  sessionsEnded === 0
    ? 'Password changed'
    : plural(sessionsEnded, {
        one: 'Password changed. 1 other session ended.',
        other: `Password changed. ${formatNumber(sessionsEnded)} other sessions ended.`,
      })

// Two-factor authentication
export const twoFactorAbout = 'Asks for a code from your phone at sign-in'
export const on = 'On'
export const off = 'Off'
export const setUpTwoFactor = 'Set up two-factor authentication'
export const setUpAbout =
  'You need an authenticator app, such as Aegis, 2FAS, Google Authenticator or 1Password.'
export const next = 'Continue'
export const connectApp = 'Connect your app'
export const connectAppAbout = 'Scan the QR code with your authenticator app, then enter the code it shows.'
export const qrCode = 'QR code for your authenticator app'
export const cannotScan = 'Cannot scan it?'
export const enterKey = 'Enter this key in the app, or <link>open the app on this device</link>.'
export const code = 'Code'
export const codeHint = 'The six digits from the app'
export const turnOn = 'Turn on'
export const turnOff = 'Turn off'
export const turnedOn = 'Two-factor authentication is on'
export const turnedOff = 'Two-factor authentication is off'
export const turnOffTitle = 'Turn off two-factor authentication?'
export const turnOffAbout = 'You will sign in with your password only. Your backup codes are deleted.'
export const onSince = (date: string) => `On since ${date}`
export const backupCodesLeft = (count: number) =>
  plural(count, { one: '1 backup code left', other: `${formatNumber(count)} backup codes left` })
export const fewBackupCodes = 'Create new backup codes before they run out.'
export const newBackupCodes = 'Create backup codes'
export const newBackupCodesAbout = 'Your old backup codes stop working.'
export const saveBackupCodes = 'Save your backup codes'
export const saveBackupCodesAbout =
  'Each code works once if you do not have your phone. Store them in a safe place.'
export const backupCodesFile = (codes: string) => `Factotum backup codes\nEach code works once.\n\n${codes}\n`
export const backupCodesSaved = 'I saved the codes in a safe place'
export const download = 'Download'
export const print = 'Print'

// Sessions
export const sessionsAbout = 'Devices that are signed in'
export const thisSession = 'This session'
export const lastSeen = 'Last seen <time>then</time>'
export const signedInOn = (date: string) => `Signed in ${date}`
export const expiresOn = (date: string) => `Expires ${date}`
export const signOut = 'Sign out'
export const signOutDevice = (device: string) => `Sign out ${device}`
export const signOutOthers = 'Sign out everywhere else'
export const signOutOthersTitle = 'Sign out everywhere else?'
export const signOutOthersAbout = 'All sessions except this one end immediately.'
export const signOutTitle = 'Sign out this session?'
export const signOutAbout = ({ device, ip }: { device: string; ip: string }) =>
  `${device} (${ip}) is signed out immediately.`
export const signedOutDevice = (device: string) => `${device} signed out`
export const sessionsEnded = (count: number) =>
  plural(count, { one: '1 session ended', other: `${formatNumber(count)} sessions ended` })

// Activity
export const activityAbout = 'Recent sign-ins and account changes'
export const noActivity = 'No activity yet'
