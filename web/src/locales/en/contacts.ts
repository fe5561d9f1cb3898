import { formatNumber, plural } from '../format.ts'

export const contacts = 'Contacts'
export const newContact = 'New contact'
export const addContact = 'Add contact'
export const editContact = 'Edit contact'
export const searchContacts = 'Search contacts'
export const show = 'Show'
export const views = { known: 'Contacts', all: 'Everyone' }
export const viewsHelp = 'Contacts: people you saved or wrote to. Everyone: also people who wrote to you.'
export const listOfContacts = 'List of contacts'

export const noContacts = 'No contacts yet'
export const noContactsHelp = 'People you write to appear here. You can also add or import contacts.'
export const noMatches = 'No matching contacts'
export const showEveryone = 'Show everyone'
export const nobodyChosen = 'Choose a contact'
export const backToList = 'Contacts'

export const importContacts = 'Import vCard'
export const exportContacts = 'Export as vCard'
export const findDuplicates = 'Find duplicates'
export const moreActions = 'More actions'
export const actionsFor = (name: string) => `Actions for ${name}`

export const writeTo = 'Write email'
export const writeToAddress = (address: string) => `Write to ${address}`
export const merge = 'Merge'
export const exportOne = 'Export vCard'

export const name = 'Name'
export const givenName = 'First name'
export const familyName = 'Last name'
export const organization = 'Organization'
export const jobTitle = 'Job title'
export const notes = 'Notes'
export const email = 'Email'
export const phone = 'Phone'
export const label = 'Label'
export const numbered = ({ field, index }: { field: string; index: number }) => `${field} ${index}`
export const labelExample = 'Work, home …'
export const addAddress = 'Add email'
export const addPhone = 'Add phone'
export const moreFields = 'More fields'
export const birthday = 'Birthday'
export const day = 'Day'
export const month = 'Month'
export const yearIfKnown = 'Year (optional)'
export const bornOn = (day: string) => `Birthday: ${day}`
export const postalAddress = 'Postal address'
export const postalAddresses = 'Postal addresses'
export const addPostalAddress = 'Add postal address'
export const street = 'Street'
export const postalCode = 'Postal code'
export const city = 'City'
export const region = 'State or region'
export const country = 'Country'
export const website = 'Website'
export const websites = 'Websites'
export const addWebsite = 'Add website'
export const categories = 'Categories'
export const separateWithCommas = 'Separate with commas'
export const removeField = (field: string) => `Remove ${field}`

export const addresses = 'Email addresses'
export const phones = 'Phone numbers'
export const neverUsed = 'Not used yet'
export const usage = ({ sent, received }: { sent: number; received: number }) =>
  `${formatNumber(sent)} sent, ${formatNumber(received)} received`
export const notSaved = 'Made from mail'

export const commitments = 'Promises'
export const noCommitments = 'No open promises'
export const allCommitments = 'Show all promises'
export const emails = 'Emails'
export const allEmails = 'Show all emails'
export const noEmails = 'No emails with this person'
export const noSubject = '(no subject)'
export const sentMark = 'Sent'
export const meetings = 'Meetings'
export const noMeetings = 'No meetings in the last and next three months'
export const tasks = 'Open tasks from their emails'
export const noTasks = 'No open tasks'

export const contactAdded = (named: string) => `Contact “${named}” added`
export const contactSaved = (named: string) => `Contact “${named}” saved`
export const contactDeleted = (named: string) => `Contact “${named}” deleted`
export const contactRestored = (named: string) => `Contact “${named}” restored`

export const mergeTitle = 'Merge contacts'
export const mergeHelp = 'The first contact keeps its texts and gets all addresses and numbers.'
export const mergeInto = (named: string) => `Merge into ${named}`
export const searchOther = 'Search the other contact'
export const merged = (named: string) => `Merged into “${named}”`
export const mergeUndone = 'Merge undone'
export const duplicatesTitle = 'Duplicates'
export const noDuplicates = 'No duplicates found'
export const duplicateReasons = { name: 'Same name', address: 'Similar addresses' }
export const mergeGroup = (named: string) => `Merge ${named}`

export const importTitle = 'Import contacts'
export const importHelp = 'Choose a vCard file (.vcf) from Google, Apple, Outlook or another program.'
export const chooseFile = 'Choose file'
export const importing = (file: string) => `Importing ${file}…`
export const fileTooLarge = 'The file is larger than 25 MB. Split it and import the parts.'
export const importDone = (counts: { added: number; updated: number; skipped: number }) =>
  `${plural(counts.added, { one: '1 contact added', other: `${formatNumber(counts.added)} contacts added` })}, ${formatNumber(counts.updated)} updated, ${formatNumber(counts.skipped)} skipped.`
export const line = 'Line'
export const reason = 'Reason'
export const exportName = 'contacts.vcf'
