import { formatNumber, plural } from '../format.ts'

export const skipToContent = 'Skip to content'
export const homeLink = 'Factotum, home'
export const mainNavigation = 'Main'
export const pages = {
  home: 'Home',
  mail: 'Mail',
  calendar: 'Calendar',
  tasks: 'Tasks',
  contacts: 'Contacts',
  commitments: 'Promises',
  assistant: 'Assistant',
  stream: 'Stream',
  insights: 'Insights',
  audit: 'Audit',
  settings: 'Settings',
}
export const assistantPanel = 'Assistant panel'
export const toggleAssistant = 'Open or close the assistant'
export const more = 'More'
export const arrangeNavigation = 'Arrange navigation'
export const arrangeNavigationHelp = 'Other pages are under More. Saved on this device.'
export const movePageUp = (page: string) => `Move up: ${page}`
export const movePageDown = (page: string) => `Move down: ${page}`
export const resetNavigation = 'Reset'
export const navigationDone = 'Done'
export const connectionStates = { live: 'Live', connecting: 'Connecting…' }
export const offline = 'Could not reach Factotum. This page may be out of date. Retrying…'
export const pageNotFound = 'Page not found'
export const pageNotFoundHelp = 'Check the address, or go to another page.'
export const account = 'Account'
export const accountPrefix = 'Account:'
export const profile = 'Profile'
export const appearance = 'Appearance'
export const themes = { system: 'System', light: 'Light', dark: 'Dark' }
export const language = 'Language'
export const languageSaved = 'Language saved. Reload the page to use it.'
export const help = 'Help'
export const shortcuts = 'Keyboard shortcuts'
export const apiReference = 'API reference'
export const signOut = 'Sign out'
export const signOutFailed = 'You are still signed in: could not reach Factotum. Try again.'

export const notifications = 'Notifications'
export const newNotifications = (count: number) => `Notifications, ${formatNumber(count)} new`
export const unreadCount = (count: number) =>
  plural(count, { one: '1 unread notification', other: `${formatNumber(count)} unread notifications` })
export const unread = 'Unread:'
export const emailFailed = (reason: string) => `Email not sent: ${reason}`
export const emailUncertain = 'Email may not have been sent'
export const undoNotification = (title: string) => `Undo: ${title}`
export const deleteNotification = (title: string) => `Delete: ${title}`
export const noNotifications = 'No notifications'
export const noNotificationsHelp = 'New notifications appear here.'
export const undone = 'Undone'
export const markAllRead = 'Mark all as read'
export const deleteAll = 'Delete all'

export const timeZone = 'Time zone'
export const otherTimeZone = ({ device, account }: { device: string; account: string }) =>
  `Your device is set to ${device}, Factotum to ${account}.`
export const switchTimeZone = (city: string) => `Use ${city}`
export const keepTimeZone = (city: string) => `Keep ${city}`
export const timeZoneChanged = (city: string) => `Time zone changed to ${city}`

export const singleKeys = 'Use single-key shortcuts'
export const singleKeysHint = 'Turn off for voice control'
export const everywhere = 'Everywhere'
export const goTo = (page: string) => `Go to ${page}`
export const thenKey = (key: string) => `<kbd>g</kbd> then <kbd>${key}</kbd>`
export const openPalette = 'Command palette'
export const quickAdd = 'Quick add'
export const searchPage = 'Search this page'
export const undoLast = 'Undo'
export const lastNotification = 'Jump to last notification'
export const showShortcuts = 'Show shortcuts'
export const submit = 'Send or save'
export const closeOverlay = 'Close dialog or menu'
export const dueTodayOrTomorrow = 'Due today, tomorrow'
export const dueWeekendOrNextWeek = 'Due at the weekend, next week'
export const noDueDate = 'No due date'
export const addSubtask = 'Add subtask'
export const changeTitle = 'Change title'
export const changeValues = 'Change date, priority, list or assignee'
export const indentAndOutdent = 'Make subtask, and back'
export const moveTask = 'Move up and down'
export const foldAndUnfold = 'Hide and show subtasks'
export const newTask = 'New task'
export const nextAndPrevious = 'Next and previous'
export const open = 'Open'
export const completeOrReopen = 'Complete or reopen'
export const moveToFolder = 'Move to folder'
export const snooze = 'Snooze'
export const pin = 'Pin or unpin'
export const spam = 'Report spam'
export const deleteItem = 'Delete'
export const select = 'Select'
export const selectAll = 'Select all'
export const archive = 'Archive'
export const readOrUnread = 'Mark as read or unread'
export const star = 'Star'
export const replies = 'Reply, reply all, forward'
export const newEmail = 'New email'
export const newEvent = 'New event'
export const today = 'Today'
export const forwardAndBack = 'Forward and back'
export const calendarViews = 'Day, week, month, year, agenda'
export const moveEvent = 'Move the focused event'
export const goToDate = 'Go to date'
export const editEvent = 'Edit the focused event'
export const changeEnd = 'Change its end'
export const changeStart = 'Change its start'
export const toAllDay = 'Make it all-day'
export const toHours = 'Give it a time'
export const copyEvent = 'Copy and paste an event'
export const deleteKey = 'Delete'
export const shiftKey = 'Shift'
export const arrowKeys = 'Arrow'
export const pageUpKey = 'Page up'
export const pageDownKey = 'Page down'
export const controlKey = 'Ctrl'
/** Name of the field that takes the keys until a dialog has loaded. */
export const typeAhead = 'Loading. You can type now.'
export const collapseNavigation = 'Collapse navigation'
export const expandNavigation = 'Expand navigation'
export const snoozeChoice = 'Snooze until a suggested time'
export const addTag = 'Add tag'
export const join = 'Join'
export const joinEvent = (title: string) => `Join: ${title}`
