// The owner's page about the accounts of the instance.
export const accounts = 'Accounts'
export const accountsAbout = 'Each account has its own data. You cannot see the data of others.'
export const owner = 'Owner'
export const disabled = 'Disabled'
export const neverSignedIn = 'Never signed in'
export const lastSignIn = 'Last sign-in:'
export const actionsFor = (name: string) => `Actions for ${name}`
export const disable = 'Disable'
export const enable = 'Enable'
export const accountDisabled = (name: string) => `Account of ${name} disabled`
export const accountEnabled = (name: string) => `Account of ${name} enabled`

export const handOver = 'Make owner…'
export const handOverTitle = (name: string) => `Make ${name} the owner?`
export const handOverAbout =
  'The new owner manages accounts, invitations and the settings of this instance. You become a member and keep your data.'
export const handedOver = (name: string) => `${name} is the owner now`

export const deleteTitle = (name: string) => `Delete the account of ${name}?`
export const deleteAbout =
  'Deletes the account with its mail, tasks, calendars and files. This cannot be undone.'
export const deleteAccount = 'Delete account'
export const accountDeleted = (name: string) => `Account of ${name} deleted`

export const registration = 'Registration'
export const registrationAbout = 'Who can create an account on this instance'
export const whoMayRegister = 'New accounts'
export const registrations = {
  open: 'Anyone can register',
  invite: 'Only people with an invitation',
  first: 'Nobody',
}
export const registrationFixed = 'REGISTRATION is set in the configuration of the server. Change it there.'
export const registrationSaved = 'Registration saved'

export const storageUsed = (used: string) => `Storage: ${used}`
export const storageUsedOfLimit = ({ used, limit }: { used: string; limit: string }) =>
  `Storage: ${used} of ${limit}`
export const setStorageLimit = 'Set storage limit…'
export const storageLimitTitle = (name: string) => `Storage limit of ${name}`
export const storageLimitAbout =
  'A full account cannot store more. Its new mail stays on the mail server, and nothing is deleted.'
export const gigabytes = 'Gigabytes'
export const noLimitHint = 'Empty for no limit'
export const storageLimitSaved = 'Storage limit saved'
export const defaultStorage = 'Storage limit of new accounts'
export const defaultStorageAbout = 'Does not change existing accounts'

export const instanceMail = 'Instance mail'
export const instanceMailAbout = 'Sends password resets and invitations'
export const sender = 'Sender'
export const oldestMailAccount = 'Your oldest email account'
export const turnedOffAccount = (address: string) => `${address} (off)`
export const changeSender = 'Change the sender'
export const senderSaved = 'Sender saved'
export const sentFrom = (address: string) => `Sent from ${address}`
export const sentByServer = (address: string) =>
  `Sent from ${address}. SMTP_URL is set in the configuration of the server.`
export const noSender = 'No email account can send. Password resets and invitations cannot be mailed.'
export const addMailAccount = 'Email accounts'
export const noPublicUrl =
  'PUBLIC_URL is not set in the configuration of the server. Password resets and invitations cannot be mailed.'
