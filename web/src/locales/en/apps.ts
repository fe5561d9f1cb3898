// Texts of app passwords and of the setup of calendar, task and contact apps.

export const appPasswords = 'App passwords'
export const appsAbout = 'Use your calendars in the apps of your devices.'
export const onlyCalendars =
  'Apps sync calendars for now. The choices for tasks, contacts and invitations take effect in a later version.'
export const noPasswords = 'No app passwords'
export const noPasswordsAbout = 'Create one for each device.'
export const newPassword = 'New app password'
export const newPasswordAbout = 'For one device. Your own password does not work in apps.'
export const createPassword = 'Create app password'
export const name = 'Name'
export const nameHint = 'For example “Pixel 9”'
export const calendars = 'Calendars'
export const tasks = 'Tasks'
export const contacts = 'Contacts'
export const levels = {
  write: 'Read and write',
  read: 'Read',
  none: 'No access',
}
export const grants = {
  calendars: { read: 'Calendars: read', write: 'Calendars: read and write' },
  tasks: { read: 'Tasks: read', write: 'Tasks: read and write' },
  contacts: { read: 'Contacts: read', write: 'Contacts: read and write' },
}
export const accessMissing = 'Select what the app may reach.'
export const invitations = 'Invitations to guests of events'
export const invitationChoices = {
  ask: 'Send after you confirm',
  yes: 'Send at once',
  no: 'Do not send',
}
export const invitationNotes = {
  ask: 'Invitations wait for your confirmation.',
  yes: 'Sends invitations without asking.',
  no: 'Sends no invitations. Only apps with mail of their own invite.',
}
export const actionsFor = (name: string) => `Actions for ${name}`
export const rename = 'Rename'
export const renameTitle = 'Rename app password'
export const renamed = 'App password renamed'
export const askFirst = 'Ask before sending invitations'
export const asksFirst = (name: string) => `“${name}” asks before it sends invitations`
export const revoke = 'Revoke'
export const revokeTitle = (name: string) => `Revoke “${name}”?`
export const revokeAbout = 'The app loses access at once. You cannot undo this.'
export const revoked = (name: string) => `“${name}” revoked`
export const yourPassword = 'Your app password'
export const yourPasswordAbout = 'Enter these three values in the app. The password is shown only once.'
export const server = 'Server'
export const username = 'User name'
export const password = 'Password'
export const passwordFromAbove = 'An app password of this page'

export const reachNotes = {
  local:
    'Only this machine can open this instance, so a phone cannot connect. <link>Set up HTTPS</link> first.',
  http: 'Other devices need HTTPS, because the password would be readable in the network. <link>Set up HTTPS</link> first.',
}
export const connect = 'Connect an app'
export const connectAbout = 'Every app asks for these three values. <link>More about each app</link>'
export const appSteps = {
  apple: {
    title: 'iPhone, iPad and Mac',
    steps: [
      'Download the profile below on the device, and open it in the settings. It asks for the app password.',
      'Without the profile: Settings → Apps → Calendar → Calendar Accounts → Add Account → Other → Add CalDAV Account.',
    ],
  },
  android: {
    title: 'Android with DAVx⁵',
    steps: [
      'Install DAVx⁵ from F-Droid or Google Play.',
      'In DAVx⁵: + → Login with URL and user name.',
      'Enter the server, the user name and the app password.',
      'Select the calendars to sync.',
    ],
  },
  thunderbird: {
    title: 'Thunderbird',
    steps: [
      'New Calendar → On the Network. Enter the user name and the server, then select the calendars.',
      'Enter the app password when Thunderbird asks for it.',
    ],
  },
  evolution: {
    title: 'Evolution and GNOME',
    steps: [
      'File → New → Collection Account. Enter the user name, and the server under Advanced Options.',
      'Enter the app password, and select the calendars.',
    ],
  },
}
export const downloadProfile = 'Download profile for iPhone and Mac'
