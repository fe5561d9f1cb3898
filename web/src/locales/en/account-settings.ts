// Texts of the settings for profile, preferences and data.
import { formatList, formatNumber, plural } from '../format.ts'

// Profile
export const yourName = 'Your name'
export const nameSaved = 'Name saved'
export const savedNameIs = (name: string) => `The saved name is “${name}”.`
export const pictureAbout = 'PNG, JPEG or WebP, up to 2 MB'
export const uploadPicture = 'Upload picture'
export const changePicture = 'Change picture'
export const deletePicture = 'Delete picture'
export const pictureSaved = 'Picture saved'
export const pictureDeleted = 'Picture deleted'
export const wrongPictureType = 'Choose a PNG, JPEG or WebP picture.'
export const pictureTooLarge = (megabytes: number) =>
  `This picture has ${formatNumber(megabytes)} MB. Choose one of 2 MB or less.`
export const unreadablePicture = 'This file is not a PNG, JPEG or WebP picture. Choose another one.'
export const emailAbout = 'You sign in with this address'
export const changeEmail = 'Change email address'
export const newEmail = 'New email address'
export const newEmailAbout = 'You will sign in with the new address.'
export const emailChanged = (email: string) => `You now sign in as ${email}.`

// Preferences
export const timeZone = 'Time zone'
export const timeZoneHint = 'Type a city or region'
export const language = 'Language'
export const languageHint = 'Also sets the format of dates and numbers'
export const weekStart = 'Start of the week'
export const preferencesSaved = 'Preferences saved'
export const savedPreferencesAre = ({
  timezone,
  locale,
  weekStart: day,
}: {
  timezone: string
  locale: string
  weekStart: string
}) => `The saved values are ${timezone}, ${locale}, weeks from ${day}.`
export const remoteImagesAbout = 'They tell senders when you read an email'
export const loadRemoteImages = 'Load remote images'
export const remoteImageChoices = { ask: 'Ask for each email', never: 'Never' }
export const imageSenders = 'Always load from these senders'
export const imageSendersHint = 'One address per line'
export const savedImageSendersAre = (addresses: readonly string[]) =>
  addresses.length === 0 ? 'The saved list is empty.' : `The saved senders are ${formatList(addresses)}.`
export const workingHours = 'Working hours'
export const workingHoursAbout = 'In your time zone, several per day possible'
export const workingHoursSaved = 'Working hours saved'
export const savedHoursAre = (hours: number) =>
  plural(hours, {
    one: 'The saved hours are 1 hour a week.',
    other: `The saved hours are ${formatNumber(hours)} hours a week.`,
  })
export const conferencingLink = 'Link for new video calls'
export const conferencingLinkHint = '{random} becomes a secret name for each event.'
export const conferencingLinkSaved = 'Link for video calls saved'
export const savedConferencingLinkIs = (link: string | null) =>
  link === null ? 'No link is saved.' : `The saved link is ${link}.`
export const hoursFrom = (day: string) => `Start on ${day}`
export const hoursTo = (day: string) => `End on ${day}`
export const addHours = (day: string) => `Add hours on ${day}`
export const deleteHours = ({ day, start, end }: { day: string; start: string; end: string }) =>
  `Delete ${day}, ${start} to ${end}`
export const noHours = 'Day off'
export const copyMonday = 'Copy Monday to all workdays'

// Data
export const exportAbout = 'A zip file with all your data, without passwords and tokens'
export const exportAction = 'Export'
export const exportTitle = 'Export your data'
export const exportConfirm = 'Enter your password to start the download.'
export const exportDone = 'Export downloaded'
export const importAbout =
  'Restores an export into an account without data. Email accounts and webhooks stay off until you enter their passwords again.'
export const chooseZip = 'Choose zip file'
export const zipToImport = 'Zip file to import'
export const importUploading = (name: string) => `Uploading and checking ${name}…`
export const importing = (name: string) => `Importing ${name}`
export const importProgress = ({ done, total }: { done: number; total: number }) =>
  `Importing: ${formatNumber(done)} of ${formatNumber(total)}`
export const importDone = (items: string) => `Import complete: ${items}`
export const importDoneSettings = 'Import complete: settings only'
export const importInterrupted = 'The connection was lost. Reload the page to check the result.'
export const importedItems = {
  emails: (count: number) => plural(count, { one: '1 email', other: `${formatNumber(count)} emails` }),
  events: (count: number) => plural(count, { one: '1 event', other: `${formatNumber(count)} events` }),
  tasks: (count: number) => plural(count, { one: '1 task', other: `${formatNumber(count)} tasks` }),
  streams: (count: number) => plural(count, { one: '1 stream', other: `${formatNumber(count)} streams` }),
  conversations: (count: number) =>
    plural(count, { one: '1 conversation', other: `${formatNumber(count)} conversations` }),
}
export const sampleAbout = 'Your own data stays'
export const deleteSample = 'Delete sample data'
export const deleteSampleTitle = 'Delete the sample data?'
export const deleteSampleAbout = 'This cannot be undone. The sample account is signed out.'
export const sampleDeleted = 'Sample data deleted'
export const deleteAccountAbout = 'Deletes your account, settings and tokens. Export your data first.'
export const deleteAccount = 'Delete account'
export const deleteAccountTitle = 'Delete your account?'
export const deleteAccountConfirm = (email: string) =>
  `The account ${email} and its data are deleted. This cannot be undone.`
export const ownerTitle = 'You own this instance'
export const ownerWarning =
  'Deleting the owner’s account deletes the whole instance for everyone: all accounts, email, tasks, events and files. This cannot be undone.'
export const deleteEverything = 'Delete everything'
export const confirmationPhrase = 'delete everything'
export const typePhrase = (phrase: string) => `Type “${phrase}” to confirm`
export const phraseMissing = (phrase: string) => `Type “${phrase}” to continue.`
