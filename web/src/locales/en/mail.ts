import type { Folder } from '../../features/mail/folders.ts'
import { formatNumber, plural } from '../format.ts'

// The list of emails.
export const mail = 'Mail'
export const emails = 'Emails'
export const newEmail = 'New email'
export const searchEmails = 'Search emails'
export const searchResults = 'Search results'
export const loadOlder = 'Load older emails'
export const loadingOlder = 'Loading older emails…'

export const foldersTitle = 'Folders'
export const folders = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  trash: 'Trash',
  junk: 'Spam',
  other: 'Other folder',
} satisfies Record<Folder, string>
export const inFolder = (folder: string) => `In ${folder}.`
export const backToFolder = (folder: string) => `Back to ${folder}`
export const unreadBadge = (count: string) => `, ${count} unread`
export const draftsBadge = (count: string) => `, ${count} unfinished`
export const subscriptions = 'Subscriptions'
export const rules = 'Rules'

export const emptyFolders = {
  inbox: { title: 'Inbox is empty', about: 'New emails appear here automatically.' },
  drafts: { title: 'No drafts', about: 'Drafts stay here until you send them.' },
  sent: { title: 'No sent emails', about: 'Emails that you send appear here.' },
  archive: { title: 'No archived emails', about: 'Press e to archive an email.' },
  trash: { title: 'Trash is empty', about: 'Deleted emails stay here until you delete them permanently.' },
  junk: { title: 'No spam', about: 'Spam stays here until you delete it.' },
  other: { title: 'Folder is empty', about: 'Move emails here with v.' },
} satisfies Record<Folder, { title: string; about: string }>
export const firstSync = 'Fetching your mail…'
export const firstSyncProgress = ({ stored, total }: { stored: number; total: number }) =>
  total === 0
    ? 'New emails appear here as they arrive.'
    : `${stored.toLocaleString('en')} of ${total.toLocaleString('en')} emails`
export const noEmailsFound = 'No emails found'
export const noEmailsFoundAbout = 'Try fewer words or clear a filter.'
export const noAccount = 'No email account yet'
export const noAccountAbout = 'Your mail stays on your server. Factotum keeps it in sync.'
export const addAccount = 'Add email account'

// Filters and search.
export const unread = 'Unread'
export const unreadPrefix = 'Unread. '
export const tags = 'Tags'
export const onlyFolder = (folder: string) => `Only ${folder}`
export const clearTagFilter = 'Clear tag filter'
export const comfortableList = 'Comfortable list'
export const starred = 'Starred'
export const noStarred = 'No starred emails'
export const noStarredAbout = 'Press s to star an email.'
export const suggestions = 'Suggestions'
export const savedSearches = 'Saved searches'
export const saveSearch = 'Save search'
export const searchName = 'Name'
export const searchSaved = 'Search saved'
export const searchDeleted = (name: string) => `“${name}” deleted`
export const searchActions = (name: string) => `Actions for ${name}`
export const rename = 'Rename'
export const renameSearch = 'Rename search'
export const searchOperators = 'Search operators'
/** The words are examples. The operators are the same in every language. */
export const searchExamples = [
  { example: 'invoice march', meaning: 'both words' },
  { example: '"final report"', meaning: 'exact phrase' },
  { example: 'invo*', meaning: 'words with this beginning' },
  { example: '-draft', meaning: 'without this word' },
  { example: 'from:ana', meaning: 'from Ana' },
  { example: 'to:ben', meaning: 'to Ben' },
  { example: 'subject:lunch', meaning: 'in the subject' },
  { example: 'tag:work', meaning: 'with this tag' },
  { example: 'list:news.example.org', meaning: 'from this subscription' },
  { example: 'is:unread', meaning: 'also is:read, is:starred, is:pinned, is:snoozed' },
  { example: 'has:attachment', meaning: 'with attachments' },
  { example: 'in:archive', meaning: 'in one folder' },
  { example: 'after:2026-03-01', meaning: 'since that day; also before:' },
  { example: 'after:7d', meaning: 'last 7 days; also 2w, 3m, 1y, yesterday' },
]

const unknownFolder = (value: string) =>
  `Folder “${value}” does not exist. Use inbox, sent, drafts, archive, trash, junk, or the name of a folder in quotes.`
const unknownDate = (value: string) =>
  `“${value}” is not a date. Use a date such as 2026-03-01, a month, a year, today, yesterday, or a period such as 7d, 2w, 3m, 1y.`
/** Explains an invalid value, by search operator. */
export const searchHints = {
  is: (value: string) =>
    `is: does not accept “${value}”. Use unread, read, starred, unstarred, pinned or snoozed.`,
  has: (value: string) => `has: does not accept “${value}”. Use has:attachment.`,
  in: unknownFolder,
  folder: unknownFolder,
  before: unknownDate,
  after: unknownDate,
}

// A row of the list.
export const unknownSender = 'Unknown sender'
export const noRecipients = 'No recipients'
export const toPeople = (names: string) => `To ${names}`
export const noSubject = '(no subject)'
export const selectEmail = ({ subject, people }: { subject: string; people: string }) =>
  `Select ${subject}, ${people}`
export const starEmail = (subject: string) => `Star ${subject}`
export const messageCount = (count: number) =>
  plural(count, { one: '1 email', other: `${formatNumber(count)} emails` })
export const withAttachments = 'with attachments'
export const unreadable = 'Unreadable'
export const deliveryStates = { queued: 'Queued', failed: 'Not sent', uncertain: 'Possibly sent' }

// Actions on emails.
export const selectedEmails = 'Selected emails'
export const selectedCount = (count: number) => `${formatNumber(count)} selected`
export const selectAll = 'Select all'
export const clearSelection = 'Clear selection'
export const emailActions = 'Email actions'
export const moreEmailActions = 'More actions'
export const back = 'Back'
export const archive = 'Archive'
export const moveToInbox = 'Move to inbox'
export const markRead = 'Mark as read'
export const markUnread = 'Mark as unread'
export const star = 'Star'
export const unstar = 'Remove star'
export const print = 'Print'
export const reply = 'Reply'
export const replyAll = 'Reply all'
export const forward = 'Forward'
export const draftReply = 'Draft reply'
export const add = 'Add'
export const addTag = 'Add tag'
export const newTag = 'New tag'
export const removeTagTitle = 'Remove tag'
export const moveTo = 'Move to'
export const removeTag = (tag: string) => `Remove tag ${tag}`
export const showTagged = (tag: string) => `Show emails tagged #${tag}`
export const deletePermanently = 'Delete permanently'
export const deleteAbout = 'Attachments are deleted too.'

/** One email is named by its subject. */
interface Emails {
  count: number
  subject: string
}

export const deleteTitle = ({ count, subject }: Emails) =>
  plural(count, {
    one: `Delete “${subject}” permanently?`,
    other: `Delete ${formatNumber(count)} emails permanently?`,
  })
export const archived = ({ count, subject }: Emails) =>
  plural(count, { one: `“${subject}” archived`, other: `${formatNumber(count)} emails archived` })
export const movedToInbox = ({ count, subject }: Emails) =>
  plural(count, {
    one: `“${subject}” moved to inbox`,
    other: `${formatNumber(count)} emails moved to inbox`,
  })
export const movedToTrash = ({ count, subject }: Emails) =>
  plural(count, {
    one: `“${subject}” moved to trash`,
    other: `${formatNumber(count)} emails moved to trash`,
  })
export const deleted = ({ count, subject }: Emails) =>
  plural(count, { one: `“${subject}” deleted`, other: `${formatNumber(count)} emails deleted` })
export const restored = ({ count, subject }: Emails) =>
  plural(count, { one: `“${subject}” restored`, other: `${formatNumber(count)} emails restored` })
export const tagAdded = ({ tag, count }: { tag: string; count: number }) =>
  plural(count, {
    one: `#${tag} added to 1 email`,
    other: `#${tag} added to ${formatNumber(count)} emails`,
  })

export const tagRemoved = ({ tag, count }: { tag: string; count: number }) =>
  plural(count, {
    one: `#${tag} removed from 1 email`,
    other: `#${tag} removed from ${formatNumber(count)} emails`,
  })

// An open email.
export const emailNotFound = 'Email not found'
export const emailNotFoundAbout = 'It may have been deleted.'
export const draft = 'Draft'
export const continueDraft = 'Continue'
export const fromSender = (sender: string) => `From ${sender}`
export const emailFrom = (sender: string) => `Email from ${sender}`
export const replyToSender = (sender: string) => `Reply to ${sender}`
export const moreActions = (sender: string) => `More actions for the email from ${sender}`
export const showDetails = 'Show details'
export const hideDetails = 'Hide details'
export const showFormatted = 'Show original formatting'
export const showPlainText = 'Show as plain text'
export const createRule = 'Create rule from this email'
export const downloadEmail = 'Download (.eml)'
export const deleteEmail = 'Delete this email'
export const toRecipients = ({ names, more }: { names: string; more: number }) =>
  more === 0 ? `to ${names}` : `to ${names} and ${formatNumber(more)} more`
export const details = {
  from: 'From',
  replyTo: 'Reply to',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  date: 'Date',
  folder: 'Folder',
}
export const couldNotRead = 'Could not read this email.'
export const downloadOriginal = 'Download original'
export const imagesBlocked = 'Remote images are blocked to protect your privacy.'
export const loadImages = 'Load images'
export const alwaysLoadImages = 'Always load from this sender'
export const imagesAlwaysLoaded = (address: string) => `Images from ${address} always load now.`
export const hiddenTextNotice = (text: string) => `Text in this email that is not displayed: “${text}”`
export const showQuote = 'Show quoted text'
export const hideQuote = 'Hide quoted text'
export const noText = 'This email has no text.'

// Delivery of a sent email.
export const waitingToSend = 'This email is waiting to be sent.'
export const scheduledFor = (date: string) => `This email will be sent on ${date}.`
export const notSentYet = 'Not sent yet. Factotum retries automatically.'
export const cancelAndEdit = 'Cancel and edit'
export const notSent = 'This email was not sent.'
export const notSentAbout = 'Correct the email and send it again, or test the account.'
export const sendAgain = 'Send again'
export const doNotSend = 'Discard'
export const emailAccounts = 'Email accounts'
export const possiblySent = 'Could not confirm that this email was sent.'
export const connectionLost = 'The connection was lost during sending.'
export const possiblySentAbout = 'It stays in Sent and is not sent again automatically.'
export const markAsSent = 'Mark as sent'
export const sendAgainTitle = 'Send again?'
export const sendAgainAbout = 'Recipients may get this email twice.'
export const notDeliveredToAll = 'Some recipients did not get this email.'

// Invitations.
export const addToCalendar = 'Add to calendar'
export const undone = 'Undone'

// Analysis of an email.
export const aboutEmail = 'About this email'
export const unreadableLanguage = (code: string) =>
  `This email is in ${new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code}. Without a language model, Factotum reads only English and German.`
export const noReplyReasons = {
  phishing: 'This email may be phishing. Do not reply.',
  dunning: 'This is a demand for payment. Check it yourself before you reply.',
  advertising: 'This is advertising. A reply would only confirm your address.',
  'no-reply': 'The sender address does not accept email.',
  newsletter: 'This is a newsletter. Nobody expects a reply.',
  notification: 'This is an automatic notification. Nobody expects a reply.',
  shipping: 'This is an automatic shipping notification. Nobody expects a reply.',
  security: 'This is a security notification. Never send a code or a password.',
  'auto-reply': 'This is an automatic reply. Nobody expects an answer.',
  bounce: 'This is a delivery failure report. Nobody expects a reply.',
}
export const phishingWarning = (text: string) =>
  `The sender of this email may be forged: “${text}”. Do not open its links.`
export const injectionWarning = (text: string) =>
  `This email contains instructions for AI assistants: “${text}”. Factotum ignores them.`
export const hiddenTextWarning = (text: string) => `This email contains hidden text: “${text}”.`
export const urgencyLevels = { low: 'Low', normal: 'Normal', high: 'High', critical: 'Critical' }
export const urgency = (level: string) => `Urgency: ${level}`
export const urgentTags = { high: 'Urgent', critical: 'Critical' }
export const categories = {
  conversation: 'Conversation',
  meeting: 'Meeting',
  newsletter: 'Newsletter',
  receipt: 'Receipt',
  shipping: 'Shipping',
  notification: 'Notification',
  security: 'Security',
  'auto-reply': 'Automatic reply',
  bounce: 'Undelivered',
}
export const tasks = 'Tasks'
export const events = 'Events'
export const questions = 'Questions'
export const taskCount = (count: number) =>
  plural(count, { one: '1 task', other: `${formatNumber(count)} tasks` })
export const eventCount = (count: number) =>
  plural(count, { one: '1 event', other: `${formatNumber(count)} events` })
export const questionCount = (count: number) =>
  plural(count, { one: '1 question', other: `${formatNumber(count)} questions` })
export const promisedBySender = 'Promised by sender'
export const due = (date: string) => `due ${date}`
export const addTask = 'Add task'
export const addTaskNamed = (title: string) => `Add task: ${title}`
export const added = 'Added'
export const addedNamed = (title: string) => `Added: ${title}`
export const addToCalendarNamed = (title: string) => `Add to calendar: ${title}`
export const taskAdded = (title: string) => `Task “${title}” added`
export const eventAdded = (title: string) => `“${title}” added to calendar`
export const eventExists = (title: string) => `“${title}” is already in your calendar`
export const replyDrafted = 'Reply drafted. Check it before sending.'
export const replyDraftedWithGaps = 'Reply drafted. Fill in the [brackets] before sending.'
export const layout = 'Layout'
export const readingPane = 'Reading pane'
export const readingPanes = { right: 'Right', below: 'Below', off: 'Off' }
export const folderColumn = 'Folder column'
export const foldersWidth = 'Width of the folders'
export const listWidth = 'Width of the list'
export const listHeight = 'Height of the list'
