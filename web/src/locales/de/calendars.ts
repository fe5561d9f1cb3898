// Texts of the calendars of a person: sidebar, their menu and dialogs.
import type { CalendarColor } from '../../api/calendars.ts'
import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Role = Shape<'Share'>['role']

export const calendars = 'Kalender'
export const calendar = 'Kalender'
export const myCalendars = 'Meine Kalender'
export const sharedWithMe = 'Für mich freigegeben'
export const addCalendar = 'Kalender hinzufügen'
export const add = 'Hinzufügen'
export const name = 'Name'
export const color = 'Farbe'
export const colors = {
  '#3366cc': 'Blau',
  '#2e8b57': 'Grün',
  '#c2410c': 'Orange',
  '#7c3aed': 'Lila',
  '#b91c1c': 'Rot',
  '#0e7490': 'Petrol',
  '#a16207': 'Gold',
  '#be185d': 'Pink',
} satisfies Record<CalendarColor, string>
/** The access of the user to a calendar of somebody else. */
export const roles = {
  viewer: 'Kann ansehen',
  editor: 'Kann bearbeiten',
  freeBusy: 'Nur belegte Zeiten',
} satisfies Record<Role, string>
export const readOnly = 'Schreibgeschützt'
export const sharedWithOthers = 'Für andere freigegeben'
export const offers = (count: number) =>
  plural(count, {
    one: '1 Kalender wird dir angeboten',
    other: `${formatNumber(count)} Kalender werden dir angeboten`,
  })
export const newEventsGoHere = 'Für neue Termine'
export const busy = 'Belegt'

// Menu
export const actionsFor = (calendarName: string) => `Aktionen für ${calendarName}`
export const rename = 'Umbenennen …'
export const makeDefault = 'Als Standard verwenden'
export const share = 'Freigeben …'
export const privateLink = 'Privater Link …'
export const importFile = 'Importieren …'
export const remove = 'Löschen …'
export const leave = 'Verlassen …'

// Dialogs
export const renameTitle = (calendarName: string) => `„${calendarName}“ umbenennen`
export const deleteTitle = (calendarName: string) => `„${calendarName}“ löschen?`
export const deleteAbout = (target: string) =>
  `Die Termine kommen in „${target}“. Du kannst das nicht rückgängig machen.`
export const deleteEventsToo = 'Auch die Termine löschen'
export const importInto = (calendarName: string) => `In „${calendarName}“ importieren`
export const linksOf = (calendarName: string) => `Private Links von „${calendarName}“`

// Results of actions
export const added = (calendarName: string) => `Kalender „${calendarName}“ hinzugefügt`
export const renamed = (calendarName: string) => `Kalender in „${calendarName}“ umbenannt`
export const deleted = (calendarName: string) => `Kalender „${calendarName}“ gelöscht`
export const defaultChanged = (calendarName: string) => `Neue Termine kommen in „${calendarName}“`

// Event details
export const calendarOf = ({ calendarName, owner }: { calendarName: string; owner: string }) =>
  `${calendarName} (${owner})`
export const changedBy = (person: string) => `Zuletzt geändert von ${person}`
