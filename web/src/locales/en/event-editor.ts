// Texts of the event editor: times, recurrence, reminders, attendees.
import type { Unit } from '../../features/calendar/editor/repeat.ts'
import type { Availability } from '../../features/calendar/find-time/times.ts'
import { formatNumber, plural } from '../format.ts'

export const newEvent = 'New event'
export const editEvent = 'Edit event'
export const create = 'Create'
export const savedVersion = ({ title, when }: { title: string; when: string }) =>
  `Saved version: “${title}”, ${when}.`
export const title = 'Title'
export const location = 'Location'
export const meetingLink = 'Meeting link'
export const status = 'Status'
export const moreDetails = 'Attendees, notes and tags'
export const description = 'Description'
export const notes = 'Notes'
export const notesHint = 'Only visible to you'
export const tags = 'Tags'
export const tagsHint = 'Separate with commas'
export const showAsBusy = 'Show as busy'
export const addVideoCall = 'Add video call'
export const buffers = { bufferBefore: 'Travel or buffer before', bufferAfter: 'Travel or buffer after' }
export const noBuffer = 'None'

// Times
export const allDay = 'All day'
export const start = 'Start'
export const end = 'End'
export const startTime = 'Start time'
export const endTime = 'End time'
export const timeZone = 'Time zone'
export const dateAndTime = ({ date, time }: { date: string; time: string }) => `${date}, ${time}`
export const timeInCity = ({ hours, city }: { hours: string; city: string }) => `${hours} in ${city}`
export const timeInCityDayBefore = ({ hours, city }: { hours: string; city: string }) =>
  `${hours} in ${city} (the day before)`
export const timeInCityDayAfter = ({ hours, city }: { hours: string; city: string }) =>
  `${hours} in ${city} (the day after)`

// Attendees
export const attendees = 'Attendees'
export const attendeesExample = 'ana@example.org'
export const addAttendee = 'Add attendee'
export const invalidAttendee = 'Enter an address such as ana@example.org or Ana Ruiz <ana@example.org>.'
export const invitedAttendees = 'Invited attendees'
export const removeAttendee = (name: string) => `Remove ${name}`

// Reminders
export const reminders = 'Reminders'
export const noReminders = 'None; add one…'
export const addReminder = 'Add another…'
export const activeReminders = 'Active reminders'
export const removeReminder = (reminder: string) => `Remove: ${reminder}`
export const sourceAlarms = 'Reminders of the source calendar'
export const atStart = 'At the start'
export const atEnd = 'At the end'
export const before = (duration: string) => `${duration} before`
export const beforeStart = (duration: string) => `${duration} before the start`
export const afterStart = (duration: string) => `${duration} after the start`
export const beforeEnd = (duration: string) => `${duration} before the end`
export const afterEnd = (duration: string) => `${duration} after the end`

// Recurrence
export const repeat = 'Repeat'
export const doesNotRepeat = 'Does not repeat'
export const custom = 'Custom…'
export const customRule = 'Custom rule (RRULE)…'
export const rule = 'Rule'
export const ruleHint = 'RFC 5545, for example FREQ=MONTHLY;BYDAY=-1FR'
export const customRuleText = (text: string) => `Custom rule: ${text}`
export const every = 'Every'
export const unit = 'Unit'
export const units = {
  day: (count: number) => plural(count, { one: 'day', other: 'days' }),
  week: (count: number) => plural(count, { one: 'week', other: 'weeks' }),
  month: (count: number) => plural(count, { one: 'month', other: 'months' }),
  year: (count: number) => plural(count, { one: 'year', other: 'years' }),
} satisfies Record<Unit, (count: number) => string>
export const repeatOn = 'Repeat on'
export const onDate = (day: number) => `Day ${formatNumber(day)}`
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
export const onWeekday = ({ ordinal, weekday }: { ordinal: number; weekday: string }) =>
  `The ${ordinals[ordinal - 1] ?? ''} ${weekday}`
export const onLastWeekday = (weekday: string) => `The last ${weekday}`
export const ends = 'Ends'
export const endings = { never: 'Never', on: 'On date', after: 'After a number of times' }
export const endDate = 'End date'
export const occurrences = 'Times'
const everyUnit = (count: number, one: string, other: string) =>
  plural(count, { one: `Every ${one}`, other: `Every ${formatNumber(count)} ${other}` })
export const daily = (count: number) => everyUnit(count, 'day', 'days')
export const weekly = ({ count, days }: { count: number; days: string }) =>
  `${everyUnit(count, 'week', 'weeks')} on ${days}`
export const weekdays = (count: number) => `${everyUnit(count, 'week', 'weeks')} on weekdays`
export const monthlyOnDate = ({ count, day }: { count: number; day: number }) =>
  `${everyUnit(count, 'month', 'months')} on day ${formatNumber(day)}`
export const monthlyOnWeekday = (value: { count: number; ordinal: number; weekday: string }) =>
  `${everyUnit(value.count, 'month', 'months')} on the ${ordinals[value.ordinal - 1] ?? ''} ${value.weekday}`
export const monthlyOnLastWeekday = ({ count, weekday }: { count: number; weekday: string }) =>
  `${everyUnit(count, 'month', 'months')} on the last ${weekday}`
export const yearly = ({ count, date }: { count: number; date: string }) =>
  `${everyUnit(count, 'year', 'years')} on ${date}`
export const limitedTimes = ({ pattern, count }: { pattern: string; count: number }) =>
  plural(count, { one: `${pattern}, once`, other: `${pattern}, ${formatNumber(count)} times` })
export const limitedUntil = ({ pattern, date }: { pattern: string; date: string }) =>
  `${pattern}, until ${date}`

// Find a time
export const findTime = 'Find a time'
export const useTime = 'Use this time'
export const chosenTime = 'Chosen time'
export const you = 'You'
export const availabilities = {
  free: 'Free',
  busy: 'Busy',
  away: 'Not working',
  unknown: 'Unknown',
} satisfies Record<Availability, string>
export const nobodyBusy = (time: string) => `${time}: nobody is busy.`
export const somebodyBusy = ({ time, names }: { time: string; names: string }) =>
  `${time}: busy for ${names}.`
export const unknownPeople = 'Unknown: shares no calendar with you.'
export const suggestedTimes = 'Suggested times'
export const noSuggestedTimes = 'No time within two weeks when all are free.'
