// Texts of the backup settings.
import { formatList } from '../format.ts'

export const lastProven = 'Last proven restorable'
export const neverProven = 'Never'
export const neverProvenAbout = 'No backup has been proven yet. Back up now.'
export const provenAbout = 'This backup was restored into a scratch place and compared.'
export const backUpNow = 'Back up now'
export const backupStarted = 'Backup started'
export const nextBackup = 'Next backup: <time></time>'
export const notScheduled = 'No schedule'

// Schedule
export const scheduled = 'Scheduled backups'
export const on = 'On'
export const off = 'Off'
export const frequency = 'Frequency'
export const frequencies = { daily: 'Daily', weekly: 'Weekly' }
export const weekday = 'Day of the week'
export const weekdays = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}
export const time = 'Time'
export const timeHint = (zone: string) => `Time zone: ${zone}`
export const keepCount = 'Backups to keep'
export const keepCountHint = 'The newest proven backup always stays'
export const keepDays = 'Delete after days'
export const keepDaysHint = 'Empty: no limit'
export const passphrase = 'Passphrase'
export const passphraseHint = 'Encrypts backups. Store a copy elsewhere.'
export const passphraseKeptHint = 'Encrypted. Leave empty to keep the passphrase.'
export const encryption = 'Encryption'
export const encryptionChoices = { off: 'Not encrypted', on: 'With a passphrase' }
export const destination = 'Destination'
export const destinations = { folder: 'Folder on the server', s3: 'S3-compatible storage' }
export const folder = 'Folder'
export const folderHint = (folder: string, allowed: readonly string[]) =>
  allowed.length === 0
    ? `Empty: ${folder}. Others need BACKUP_FOLDERS.`
    : `Empty: ${folder}. Others below: ${formatList(allowed)}`
export const endpoint = 'Server address'
export const region = 'Region'
export const bucket = 'Bucket'
export const prefix = 'Prefix'
export const prefixHint = 'Optional, such as home/'
export const accessKeyId = 'Access key'
export const secretAccessKey = 'Secret key'
export const passwordHint = 'For another destination or passphrase'
export const secretKeptHint = 'Leave empty to keep the saved key'
export const scheduleSaved = 'Schedule saved'

// List
export const states = { running: 'Running', written: 'Not proven yet', proven: 'Proven', failed: 'Failed' }
export const steps = {
  waiting: 'Waiting',
  writing: 'Writing',
  uploading: 'Uploading',
  downloading: 'Downloading',
  verifying: 'Verifying',
}
export const encrypted = 'Encrypted'
export const noBackups = 'No backups yet'
export const noBackupsAbout = 'Back up now, or set a schedule.'
export const download = 'Download'
export const downloadBackup = (name: string) => `Download ${name}`
export const downloadAbout = 'The file contains the data of all accounts.'
export const deleteBackup = (name: string) => `Delete ${name}`
export const deleteAbout = 'The file is deleted too.'
export const deleted = 'Backup deleted'

// Restore
export const restoreAbout = 'Run this command on the server, with the server stopped.'
export const restoreCommand = 'factotum restore FILE'
export const restoreHint =
  'The instance must be empty, or add --replace. An encrypted backup asks for its passphrase.'
