import type { SaveState } from '../../features/mail/compose/use-draft.ts'

export const from = 'From'
export const to = 'To'
export const cc = 'Cc'
export const bcc = 'Bcc'
export const subject = 'Subject'
export const text = 'Text'
export const send = 'Send'
export const sendLater = 'Send later'
export const attachFiles = 'Attach files'
export const attachedFiles = 'Attached files'
export const saveAndClose = 'Save and close'
export const editorLoading = 'The editor is loading. You can type.'
export const discardDraft = 'Discard draft'
export const removeFile = (filename: string) => `Remove ${filename}`
export const couldNotAttach = ({ filename, error }: { filename: string; error: string }) =>
  `Could not attach ${filename}. ${error}`
export const fileTooLarge = ({ filename, limit }: { filename: string; limit: string }) =>
  `${filename} is too large. A file may have up to ${limit}.`
export const totalSize = ({ size, limit }: { size: string; limit: string }) => `${size} of ${limit} attached`
export const tooLarge = ({ size, limit }: { size: string; limit: string }) =>
  `${size} attached, but the mail server accepts ${limit}. Remove some files.`

// Format and templates.
export const plainText = 'Plain text'
export const plainTextTitle = 'Switch to plain text?'
export const plainTextAbout = 'Formatting is removed. Images become attachments.'
export const removeFormatting = 'Remove formatting'
export const templates = 'Templates'
export const unfilledFields = (fields: string) => `Fill in ${fields}, or send again to send it as it is.`

// Recipients.
export const recipientsOf = (label: string) => `${label}: recipients`
export const editRecipient = (name: string) => `Edit ${name}`
export const removeRecipient = (name: string) => `Remove ${name}`
export const invalidAddresses = (addresses: string) => `Invalid address: ${addresses}`
export const recipientRequired = 'Add at least one recipient.'

// Drafts.
export const saveStates = {
  untouched: '',
  dirty: 'Not saved yet',
  saving: 'Saving…',
  saved: 'Saved in Drafts',
  failed: 'Could not save. Retries when you continue.',
  elsewhere: 'Not saved',
} satisfies Record<SaveState, string>
export const couldNotSave = 'Could not save the draft. Your text is kept in this tab.'
export const couldNotSaveBecause = (error: string) =>
  `Could not save the draft. ${error} Your text is kept in this tab.`
export const changedElsewhere =
  'This draft was changed or sent in another window. Your changes are not saved.'
export const saveMyVersion = 'Save my version'
export const draftDiscarded = 'Draft discarded'
export const noAccount = 'No email account to send from. Drafts are still saved.'

// Send later.
export const thisAfternoon = 'This afternoon'
export const tomorrowMorning = 'Tomorrow morning'
export const mondayMorning = 'Monday morning'
export const scheduleAbout = 'The email stays in Drafts until then.'
export const schedule = 'Schedule'

// Delivery.
export const sending = (subject: string) => `Sending “${subject}”`
export const sendingAgain = (subject: string) => `Sending “${subject}” again`
export const scheduled = (date: string) => `Scheduled for ${date}`
export const sendingUndone = 'Sending undone'
export const sent = (subject: string) => `“${subject}” sent`
export const sentWithProblem = ({ subject, error }: { subject: string; error: string }) =>
  `“${subject}” sent. ${error}`
export const notSent = ({ subject, error }: { subject: string; error: string }) =>
  `Could not send “${subject}”. ${error}`
export const possiblySent = (subject: string) => `Could not confirm that “${subject}” was sent. See Sent.`
export const notSentYet = (subject: string) => `“${subject}” is not sent yet. Factotum retries automatically.`
export const markedAsSent = (subject: string) => `“${subject}” marked as sent`
export const sendDiscarded = (subject: string) => `“${subject}” not sent, moved to trash`
export const confirmInAssistant = 'Confirm sending in the assistant.'

// Quoted emails.
export const attribution = ({ date, sender }: { date: string; sender: string }) =>
  `On ${date}, ${sender} wrote:`
export const forwardedEmail = '---------- Forwarded message ----------'
export const forwardedHeaders = {
  from: (people: string) => `From: ${people}`,
  date: (date: string) => `Date: ${date}`,
  subject: (subject: string) => `Subject: ${subject}`,
  to: (people: string) => `To: ${people}`,
  cc: (people: string) => `Cc: ${people}`,
}
