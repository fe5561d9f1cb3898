// Texts of the command palette, of quick add and of the commands that pages add to the palette.
import { formatNumber, plural } from '../format.ts'

export const palette = 'Command palette'
export const placeholder = 'Search, or type a command'
export const results = 'Results'
export const resultCount = (count: number) =>
  plural(count, { one: '1 result', other: `${formatNumber(count)} results` })
export const noResults = 'No results'
export const groups = {
  recent: 'Recent',
  create: 'Create',
  goTo: 'Go to',
  commands: 'Commands',
  emails: 'Emails',
  tasks: 'Tasks',
  events: 'Events',
  settings: 'Settings',
  search: 'Actions',
}
export const newEmail = 'New email'
export const newEmailKeywords = 'write compose message'
export const newEvent = 'New event'
export const newEventKeywords = 'meeting appointment calendar create'
export const newTask = 'New task'
export const newTaskKeywords = 'todo reminder create'
export const quickAdd = 'Quick add'
export const quickAddKeywords = 'new task event create'
export const askAssistant = 'Ask the assistant'
export const assistantKeywords = 'ai chat help summarise'
export const subscriptions = 'Subscriptions'
export const subscriptionsKeywords = 'newsletters mailing lists unsubscribe'
export const rules = 'Rules'
export const rulesKeywords = 'filters mail automation'
export const theme = 'Change theme'
export const themeKeywords = 'appearance dark light mode colors'
export const themeNames = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' }
export const languageKeywords = 'language sprache deutsch german english'
export const switchLanguage = (language: string) => `Change language to ${language}`
export const shortcuts = 'Keyboard shortcuts'
export const shortcutsKeywords = 'keys help'
export const print = 'Print this page'
export const printKeywords = 'paper pdf'
export const signOut = 'Sign out'
export const signOutKeywords = 'log out leave'
export const addTask = (text: string) => `Add task “${text}”`
export const searchMail = (text: string) => `Search emails for “${text}”`
export const searchCalendar = (text: string) => `Search calendar for “${text}”`
export const due = (day: string) => `Due ${day}`
export const statuses = { done: 'Done', cancelled: 'Cancelled' }

export const selectedEmails = (count: number) =>
  plural(count, { one: '1 email selected', other: `${formatNumber(count)} emails selected` })
export const archive = 'Archive'
export const moveToInbox = 'Move to inbox'
export const star = 'Star'
export const unstar = 'Remove star'
export const markRead = 'Mark as read'
export const markUnread = 'Mark as unread'
export const addTag = 'Add tag…'
export const createTag = (tag: string) => `Create tag “${tag}”`
export const remove = 'Delete'
export const edit = 'Edit'
export const complete = 'Complete'
export const reopen = 'Reopen'
export const start = 'Start'
export const setDue = 'Set due date…'
export const today = 'Today'
export const showDetails = 'Show details'
export const joinMeeting = 'Join meeting'
export const moveToTomorrow = 'Move to tomorrow'
export const moveByOneWeek = 'Move by one week'
export const duplicate = 'Duplicate'
export const goToDate = 'Go to date'
export const calendarViews = {
  year: 'Year view',
  month: 'Month view',
  week: 'Week view',
  day: 'Day view',
  agenda: 'Agenda view',
}

export const taskOrEvent = 'Type'
export const task = 'Task'
export const event = 'Event'
export const taskText = 'New task'
export const eventText = 'New event'
export const taskExample = 'Pay rent every month on the 1st !high #home'
export const eventExample = 'Lunch with Bo tomorrow at 12:30 for 1h'
export const add = 'Add'
export const taskAdded = (title: string) => `Task “${title}” added`
export const eventAdded = (title: string) => `Event “${title}” added`
export const notAdded = (title: string) => `“${title}” deleted`
export const open = 'Open'
export const needsDate = 'Add a day or a time, such as “tomorrow at 9”.'
export const openFolder = (name: string) => `${name} folder`
