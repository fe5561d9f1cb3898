import { formatNumber, plural } from '../format.ts'

export const changedElsewhere = 'This was changed elsewhere while you were editing.'
export const notSavedYet = 'Your changes are not saved yet.'
export const loadSaved = 'Load saved version'
export const saveMine = 'Save mine'
export const showAll = (label: string) => `${label}: show all`
export const noMatches = 'No matches'
export const progress = ({ done, total, things }: { done: number; total: number; things: string }) =>
  `${formatNumber(done)} of ${formatNumber(total)} ${things}`
export const yourPassword = 'Your password'
export const showField = (label: string) => `Show “${label}”`
export const hideField = (label: string) => `Hide “${label}”`
export const isRequired = (label: string) => `${label} is required.`
export const emailRequired = (label: string) => `${label} must look like ana@example.org.`
export const isIncomplete = (label: string) => `${label} is incomplete.`
export const isInvalid = (label: string) => `${label} is not valid.`
export const tooSmall = ({ label, limit }: { label: string; limit: string }) =>
  `${label} must be ${limit} or more.`
export const tooLarge = ({ label, limit }: { label: string; limit: string }) =>
  `${label} must be ${limit} or less.`
export const notAdded = ({ text, reason }: { text: string; reason: string }) =>
  `Could not add “${text}”. ${reason}`
export const inputRestored = 'Unsaved changes restored.'
export const inputRestoredOverNewer = 'Unsaved changes restored. Saving overwrites newer changes.'
export const inputKept = 'Unsaved changes are kept.'
export const discard = 'Discard'
export const loadMore = 'Load more'
export const passwordLength = 'At least 8 characters'
export const passwordTooLong = 'At most 72 bytes (about 72 letters)'
export const ruleMet = '(met)'
export const copy = 'Copy'
export const copied = 'Copied'
export const copyFailed = 'Could not copy. Select the text and copy it.'
export const secretNotSaved =
  'You have not copied this yet, and it is shown only once. Close again to continue.'
export const noId = 'No ID'
export const done = 'Done'
export const notDeletedChanged = 'Not deleted: it was changed in the meantime.'
export const notDeleted = (reason: string) => `Not deleted. ${reason}`

export const color = 'Color'
export const colors = {
  blue: 'Blue',
  green: 'Green',
  amber: 'Amber',
  red: 'Red',
  purple: 'Purple',
  pink: 'Pink',
  teal: 'Teal',
  gray: 'Gray',
}
export const otherColor = (value: string) => `Other color (${value})`
export const suggestedAddresses = 'Suggested addresses'
export const suggestionCount = (count: number) =>
  plural(count, { one: '1 suggestion', other: `${formatNumber(count)} suggestions` })
