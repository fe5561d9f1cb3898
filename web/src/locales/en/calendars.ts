// Texts of the calendars of a person: sidebar, their menu and dialogs.
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
export const privateLink = 'Private link…'
export const importFile = 'Import…'
export const remove = 'Delete…'
export const leave = 'Leave…'

// Dialogs
export const renameTitle = (calendarName: string) => `Rename “${calendarName}”`
export const deleteTitle = (calendarName: string) => `Delete “${calendarName}”?`
export const deleteAbout = (target: string) => `Its events move to “${target}”. This cannot be undone.`
export const deleteEventsToo = 'Delete its events too'
export const importInto = (calendarName: string) => `Import into “${calendarName}”`
export const linksOf = (calendarName: string) => `Private links of “${calendarName}”`

// Results of actions
export const added = (calendarName: string) => `Calendar “${calendarName}” added`
export const renamed = (calendarName: string) => `Calendar renamed to “${calendarName}”`
export const deleted = (calendarName: string) => `Calendar “${calendarName}” deleted`
export const defaultChanged = (calendarName: string) => `New events go to “${calendarName}”`

// Event details
export const calendarOf = ({ calendarName, owner }: { calendarName: string; owner: string }) =>
  `${calendarName} (${owner})`
export const changedBy = (person: string) => `Last changed by ${person}`
