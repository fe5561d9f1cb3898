// Texts of the calendar page: views, event details, quick create, import and private links.

import type { View } from '../../features/calendar/address.ts'
import type { Rsvp, Source, Status } from '../../features/calendar/event.ts'
import { formatNumber, plural } from '../format.ts'

export const pageName = (days: string) => `${days} · Calendar`
export const tooManyEvents = 'Too many events to show. Choose fewer days.'
export const noMatches = 'No matching events'
export const clearFilters = 'Clear filters'
export const nothingPlanned = 'Nothing planned. Click a time and type “Lunch with Ana at the lake”.'
export const nothingPlannedTouch = 'Nothing planned. Tap a time and type “Lunch with Ana at the lake”.'

// Toolbar
export const views = {
  year: 'Year',
  month: 'Month',
  week: 'Week',
  day: 'Day',
  agenda: 'Agenda',
} satisfies Record<View, string>
export const view = 'View'
export const today = 'Today'
export const back = 'Back'
export const forward = 'Forward'
export const goToDate = 'Go to date'
export const go = 'Go'
export const date = 'Date'
export const previousMonth = 'Previous month'
export const nextMonth = 'Next month'
export const week = 'Week'
export const weekNumber = (week: number) => `Week ${formatNumber(week)}`
export const weekNumberShort = (week: number) => `W${formatNumber(week)}`
export const secondZone = 'Second time zone'
export const secondZoneMenu = 'Second time zone…'
export const showZone = 'Show'
export const timeZone = 'Time zone'
export const weekNumbers = 'Week numbers'
export const searchEvents = 'Search events'
export const filter = 'Filter'
export const activeFilters = (count: number) =>
  plural(count, { one: 'Filter: 1 active', other: `Filter: ${formatNumber(count)} active` })
export const any = 'Any'
export const moreActions = 'More calendar actions'
export const importMenu = 'Import…'
export const exportMenu = 'Export'
export const printMenu = 'Print'
export const subscribeMenu = 'Private links…'
export const newEvent = 'New event'
export const exported = 'Calendar exported'

// Events
export const status = 'Status'
export const statuses = {
  confirmed: 'Confirmed',
  tentative: 'Tentative',
  cancelled: 'Cancelled',
} satisfies Record<Status, string>
export const source = 'Source'
export const sources = {
  manual: 'Created by you',
  email: 'From an email',
  chat: 'From the assistant',
  bookingsvc: 'Booking',
  ics: 'Imported file',
  caldav: 'Synced calendar',
} satisfies Record<Source, string>
export const rsvps = {
  'needs-action': 'Not responded',
  accepted: 'Accepted',
  declined: 'Declined',
  tentative: 'Maybe',
} satisfies Record<Rsvp, string>
export const allDay = 'All day'
export const allDayInLabel = 'all day'
export const allDayRow = 'all day'
/** Shortens a formatted range of times where space is scarce. */
export const shortHours = (hours: string) => hours
export const timeRange = ({ start, end }: { start: string; end: string }) => `${start} to ${end}`
export const bookedInLabel = 'booked'
export const repeatsInLabel = 'repeats'

// Views
export const hours = 'Hours'
export const earlier = 'earlier'
export const later = 'later'
export const fromTime = (time: string) => `from ${time}`
export const untilTime = (time: string) => `until ${time}`
export const dayOfDays = ({ day, days }: { day: number; days: number }) =>
  `Day ${formatNumber(day)} of ${formatNumber(days)}`
export const online = 'Online'
export const repeats = 'Repeats'
export const attendeeCount = (count: number) =>
  plural(count, { one: '1 attendee', other: `${formatNumber(count)} attendees` })
export const noEvents = 'No events'
export const eventsOnDay = ({ day, count }: { day: string; count: number }) =>
  plural(count, { one: `${day}: 1 event`, other: `${day}: ${formatNumber(count)} events` })
export const eventsOnToday = ({ day, count }: { day: string; count: number }) =>
  plural(count, { one: `${day}, today: 1 event`, other: `${day}, today: ${formatNumber(count)} events` })
export const moreOnDay = ({ count, day }: { count: number; day: string }) =>
  `${formatNumber(count)} more on ${day}`
export const moreEvents = 'more'

// Event details
export const time = 'Time'
export const location = 'Location'
export const meetingLink = 'Meeting link'
export const attendees = 'Attendees'
export const organizer = 'Organizer'
export const reminders = 'Reminders'
export const description = 'Description'
export const notes = 'Notes'
export const tags = 'Tags'
export const timeInZone = ({ hours: time, city }: { hours: string; city: string }) =>
  `${time} (event time zone: ${city})`
export const repeatsOnDates = 'Repeats on selected dates'
export const bookingManaged = 'Booking. Time, status and guests follow the booking provider.'
export const join = 'Join'
export const buffer = 'Travel and buffer time'
export const bufferInLabel = (time: string) => `travel or buffer time: ${time}`
export const going = 'Going?'
export const answers = { accepted: 'Yes', tentative: 'Maybe', declined: 'No' }
export const remindersSaved = 'Reminders saved'
export const responseSent = (title: string) => `Response to “${title}” sent`

// Quick create
export const title = 'Title'
export const titleExample = 'Coffee with Ben Monday 15 at the lake'
export const understoodKinds = {
  title: 'Title',
  start: 'Start',
  end: 'End',
  allDay: 'All day',
  place: 'Location',
  person: 'Person',
  recurrence: 'Repeats',
  reminder: 'Reminder',
  zone: 'Time zone',
}
export const moreOptionsKey = 'Shift+Enter'
export const addAsPlainText = 'Add as plain text'
export const moreOptions = 'More options'
export const create = 'Create'

// Repeating events
export const changeSeries = 'Edit repeating event'
export const deleteSeries = 'Delete repeating event'
export const respondToSeries = 'Respond to repeating event'
export const change = 'Save'
export const respond = 'Send'
export const whichEvents = 'Events'
export const scopes = {
  this: 'This event',
  following: 'This and following events',
  all: 'All events',
}

// Results of actions
export const eventAdded = (name: string) => `“${name}” added`
export const eventSaved = (name: string) => `“${name}” saved`
export const eventMoved = (name: string) => `“${name}” moved`
export const eventCopied = (name: string) => `“${name}” copied. Ctrl+V pastes it on the focused day.`
export const duplicate = 'Duplicate'
export const moveCancelled = 'Move cancelled'
export const moveUndone = 'Move undone'
export const eventDeleted = (name: string) => `“${name}” deleted`
export const seriesDeleted = (name: string) => `“${name}” and its repeats deleted`
export const eventRestored = (name: string) => `“${name}” restored`
export const overlapsWith = ({ text, first, others }: { text: string; first: string; others: number }) =>
  others === 0
    ? `${text}. Overlaps with “${first}”`
    : plural(others, {
        one: `${text}. Overlaps with “${first}” and 1 other event`,
        other: `${text}. Overlaps with “${first}” and ${formatNumber(others)} other events`,
      })
export const show = 'Show'
export const changedMeanwhile = 'The event was changed meanwhile. You now see the latest version.'

// Tasks
export const showTasks = 'Tasks on their day'
export const showTaskLane = 'Task list beside the hours'
export const tasks = 'Tasks'
export const noTasks = 'No open tasks'
export const taskLaneHint = 'Drag a task onto the hours'
export const plan = 'Plan'
export const planUndone = 'Plan undone'
export const planTime = (name: string) => `Plan time for “${name}”`
export const completeTask = (name: string) => `Complete “${name}”`
export const taskPlanned = ({ title, when }: { title: string; when: string }) => `Planned “${title}”: ${when}`

// Import
export const importTitle = 'Import calendar'
export const importAbout = 'An .ics file. Existing events are not duplicated.'
export const importLost = 'Connection lost. Import the file again; existing events are not duplicated.'
export const fileTooLarge = 'Could not import: the file is larger than 25 MB. Split it and try again.'
export const dropFile = 'Drop a file here, or'
export const chooseFile = 'Choose file'
export const calendarFile = 'Calendar file'
export const importing = (name: string) => `Importing “${name}”…`
export const importProgress = (counts: {
  found: number
  created: number
  updated: number
  skipped: number
}) =>
  `${plural(counts.found, { one: '1 entry', other: `${formatNumber(counts.found)} entries` })}: ${formatNumber(counts.created)} new, ${formatNumber(counts.updated)} updated, ${formatNumber(counts.skipped)} skipped`
export const importDone = (report: {
  name: string
  created: number
  updated: number
  unchanged: number
  skipped: number
}) =>
  `“${report.name}”: ${plural(report.created, { one: '1 new event', other: `${formatNumber(report.created)} new events` })}, ${formatNumber(report.updated)} updated, ${formatNumber(report.unchanged)} unchanged, ${formatNumber(report.skipped)} skipped`
export const line = 'Line'
export const skippedEntries = 'Skipped entries'
export const adjustedEntries = 'Adjusted entries'
export const imported = (name: string) => `“${name}” imported`
export const importUndone = 'Import undone'
export const importAnother = 'Import another'
export const done = 'Done'

// Private links
export const privateLinks = 'Private links'
export const privateLinksAbout = 'Show this calendar in another app. Use one link per app.'
export const newPrivateLink = 'New private link'
export const linkName = 'Name'
export const linkNameExample = 'Phone'
export const createLink = 'Create link'
export const noPrivateLinks = 'No private links'
export const neverUsed = 'never used'
export const lastUsed = (when: string) => `used ${when}`
export const revoke = 'Revoke'
export const revokeLink = (name: string) => `Revoke ${name}`
export const linkCreated = 'Private link created'
export const linkCreatedAbout =
  'Add it to your calendar app. Anyone with this link can read your calendar. Copy it now; it is shown only once.'
export const revokeQuestion = (name: string) => `Revoke “${name}”?`
export const revokeAbout = 'Apps that use this link lose access. This cannot be undone.'
export const linkRevoked = (name: string) => `“${name}” revoked`
