// Texts of the calendars of a person: sidebar, their menu and dialogs.
import type { MirrorDetail } from '../../api/calendar-mirrors.ts'
import type { CalendarColor } from '../../api/calendars.ts'
import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Role = Shape<'Share'>['role']

export const calendars = 'Calendars'
export const calendar = 'Calendar'
export const myCalendars = 'My calendars'
export const sharedWithMe = 'Shared with me'
export const addCalendar = 'Add calendar'
export const add = 'Add'
export const name = 'Name'
export const color = 'Color'
export const colors = {
  '#3366cc': 'Blue',
  '#2e8b57': 'Green',
  '#c2410c': 'Orange',
  '#7c3aed': 'Purple',
  '#b91c1c': 'Red',
  '#0e7490': 'Teal',
  '#a16207': 'Gold',
  '#be185d': 'Pink',
} satisfies Record<CalendarColor, string>
/** The access of the user to a calendar of somebody else. */
export const roles = {
  viewer: 'Can view',
  editor: 'Can edit',
  freeBusy: 'Only busy times',
} satisfies Record<Role, string>
export const readOnly = 'Read-only'
export const sharedWithOthers = 'Shared with others'
export const offers = (count: number) =>
  plural(count, {
    one: '1 calendar offered to you',
    other: `${formatNumber(count)} calendars offered to you`,
  })
export const newEventsGoHere = 'New events go here'
export const busy = 'Busy'

// Menu
export const actionsFor = (calendarName: string) => `Actions for ${calendarName}`
export const rename = 'Rename…'
export const makeDefault = 'Make default'
export const share = 'Share…'
export const showAsBusyIn = 'Show as busy in…'
export const privateLink = 'Private link…'
export const importFile = 'Import…'
export const remove = 'Delete…'
export const leave = 'Leave…'
export const notifications = 'Notifications'
export const notificationChoices = {
  all: 'On',
  reminders: 'Only reminders',
  none: 'Off',
} satisfies Record<Shape<'Calendar'>['notifications'], string>

// Dialogs
export const renameTitle = (calendarName: string) => `Rename “${calendarName}”`
export const deleteTitle = (calendarName: string) => `Delete “${calendarName}”?`
export const deleteAbout = (target: string) => `Its events move to “${target}”. This cannot be undone.`
export const deleteEventsToo = 'Delete its events too'
export const importInto = (calendarName: string) => `Import into “${calendarName}”`
export const linksOf = (calendarName: string) => `Private links of “${calendarName}”`

export const mirrorTitle = (calendarName: string) => `Show “${calendarName}” in another calendar`
export const mirrorHelp = 'Guests, reminders and attachments are never copied.'
export const mirrorDetail = 'Details'
export const mirrorDetails = {
  busy: 'Only “Busy”',
  title: 'Title',
  all: 'All details',
} satisfies Record<MirrorDetail, string>
export const mirrorDetailOf = (calendarName: string) => `Details in “${calendarName}”`
export const stopMirroringIn = (calendarName: string) => `Stop showing in “${calendarName}”`
export const showEvents = 'Show'
export const targets = 'Shown in'
export const noTargets = 'Not shown in another calendar.'
export const noMirrorTarget = 'There is no other calendar to show it in. Add one first.'

// Results of actions
export const added = (calendarName: string) => `Calendar “${calendarName}” added`
export const renamed = (calendarName: string) => `Calendar renamed to “${calendarName}”`
export const deleted = (calendarName: string) => `Calendar “${calendarName}” deleted`
export const defaultChanged = (calendarName: string) => `New events go to “${calendarName}”`
export const mirrorAdded = (calendarName: string) => `Events appear in “${calendarName}”`
export const mirrorChanged = (calendarName: string) => `Changed for “${calendarName}”`
export const mirrorRemoved = (calendarName: string) => `No longer shown in “${calendarName}”`

// Event details
export const mirroredFrom = (calendarName: string) => `Shown from “${calendarName}”`
export const mirrored = 'Shown from another calendar'
export const calendarOf = ({ calendarName, owner }: { calendarName: string; owner: string }) =>
  `${calendarName} (${owner})`
export const changedBy = (person: string) => `Last changed by ${person}`
