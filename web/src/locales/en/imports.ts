// Texts of imports of files from other programs.
import { formatNumber, plural } from '../format.ts'

export const uploadAbout =
  'Mail (mbox, Maildir), Google Takeout, iCalendar, vCard, Outlook CSV, Todoist, TickTick and Vikunja. Nothing is imported before you have seen the result of a dry run.'
export const chooseFile = 'Choose files'
export const fileToImport = 'Files to import'
export const dropHere = 'Or drop files here.'
export const howToExport = 'How to export from Gmail, Outlook or Todoist'
export const uploading = (name: string) => `Uploading ${name}`
export const none = 'No imports yet'
export const noneAbout = 'Choose a file to see what it contains.'
export const states = {
  uploading: 'Uploading',
  analysing: 'Reading',
  ready: 'Ready',
  running: 'Importing',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  undoing: 'Undoing',
  undone: 'Undone',
}
export const formats = {
  mbox: 'mbox',
  eml: 'Email message',
  maildir: 'Maildir',
  takeout: 'Google Takeout',
  ics: 'iCalendar',
  vcard: 'vCard',
  'contacts-csv': 'Contacts (CSV)',
  'outlook-calendar-csv': 'Outlook calendar (CSV)',
  'todoist-csv': 'Todoist',
  'ticktick-csv': 'TickTick',
  vikunja: 'Vikunja',
  'google-tasks': 'Google Tasks',
  archive: 'Archive',
}
export const kinds = { emails: 'Emails', contacts: 'Contacts', events: 'Events', tasks: 'Tasks' }
export const found = ({ count, duplicates }: { count: number; duplicates: number }) =>
  duplicates === 0
    ? formatNumber(count)
    : `${formatNumber(count)}, ${formatNumber(duplicates)} of them already here`
export const examples = (texts: string) => `For example: ${texts}`
export const nothingFound = 'The file contains nothing to import.'
export const written = (counts: { created: number; updated: number; duplicates: number; skipped: number }) =>
  [
    plural(counts.created, { one: '1 new', other: `${formatNumber(counts.created)} new` }),
    ...(counts.updated > 0 ? [`${formatNumber(counts.updated)} updated`] : []),
    ...(counts.duplicates > 0 ? [`${formatNumber(counts.duplicates)} already here`] : []),
    ...(counts.skipped > 0 ? [`${formatNumber(counts.skipped)} skipped`] : []),
  ].join(', ')
export const removed = ({ removed, kept }: { removed: number; kept: number }) =>
  kept === 0
    ? plural(removed, { one: '1 item removed', other: `${formatNumber(removed)} items removed` })
    : `${formatNumber(removed)} removed, ${formatNumber(kept)} kept because you changed them`
export const progress = ({ done, total }: { done: number; total: number | null }) =>
  total === null ? `${formatNumber(done)} records` : `${formatNumber(done)} of ${formatNumber(total)} records`
export const progressOf = (name: string) => `Progress of ${name}`
export const problems = (count: number) =>
  plural(count, { one: '1 part did not fit', other: `${formatNumber(count)} parts did not fit` })
export const showProblems = 'Show'
export const hideProblems = 'Hide'
export const downloadProblems = 'Download as CSV'
export const line = (number: number) => `Line ${formatNumber(number)}`
export const severities = { skipped: 'Not imported', changed: 'Changed', unknown: 'Unknown' }
export const moreProblems = (count: number) =>
  plural(count, { one: '1 more in the CSV file', other: `${formatNumber(count)} more in the CSV file` })
export const mailAccount = 'Mail account'
export const noAccount = 'No account (local mail)'
export const mailFolder = 'Mail folder'
export const folders = {
  auto: 'As in the file',
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  archive: 'Archive',
  trash: 'Trash',
  junk: 'Junk',
}
export const calendar = 'Calendar'
export const defaultCalendar = 'Default calendar'
export const taskList = 'Task list'
export const listsOfFile = 'Lists as in the file'
export const timeZone = 'Time zone'
export const timeZoneHint = 'For times without a zone'
export const start = 'Import'
export const startAgain = 'Continue'
export const cancelImport = 'Cancel import'
export const undoImport = 'Undo import'
export const undoAbout = 'Removes what this import added. Items that you changed since stay.'
export const undoTitle = (name: string) => `Undo the import of ${name}?`
export const deleteRecord = (name: string) => `Delete the report of ${name}`
