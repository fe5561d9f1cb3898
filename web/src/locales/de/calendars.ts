// Texts of the calendars of a person: sidebar, their menu and dialogs.
import type { MirrorDetail } from '../../api/calendar-mirrors.ts'
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
export const showAsBusyIn = 'Als belegt anzeigen in …'
export const privateLink = 'Privater Link …'
export const importFile = 'Importieren …'
export const remove = 'Löschen …'
export const leave = 'Verlassen …'
export const notifications = 'Benachrichtigungen'
export const notificationChoices = {
  all: 'An',
  reminders: 'Nur Erinnerungen',
  none: 'Aus',
} satisfies Record<Shape<'Calendar'>['notifications'], string>

// Dialogs
export const renameTitle = (calendarName: string) => `„${calendarName}“ umbenennen`
export const deleteTitle = (calendarName: string) => `„${calendarName}“ löschen?`
export const deleteAbout = (target: string) =>
  `Die Termine kommen in „${target}“. Du kannst das nicht rückgängig machen.`
export const deleteEventsToo = 'Auch die Termine löschen'
export const importInto = (calendarName: string) => `In „${calendarName}“ importieren`
export const linksOf = (calendarName: string) => `Private Links von „${calendarName}“`

export const mirrorTitle = (calendarName: string) => `„${calendarName}“ in einem anderen Kalender anzeigen`
export const mirrorHelp = 'Gäste, Erinnerungen und Anhänge werden nie übernommen.'
export const mirrorDetail = 'Was angezeigt wird'
export const mirrorDetails = {
  busy: 'Nur „Belegt“',
  title: 'Titel',
  all: 'Alle Angaben',
} satisfies Record<MirrorDetail, string>
export const mirrorDetailOf = (calendarName: string) => `Was „${calendarName}“ anzeigt`
export const stopMirroringIn = (calendarName: string) => `Nicht mehr in „${calendarName}“ anzeigen`
export const showEvents = 'Anzeigen'
export const targets = 'Wird angezeigt in'
export const noTargets = 'Wird in keinem anderen Kalender angezeigt.'
export const noMirrorTarget = 'Es gibt keinen anderen Kalender dafür. Füge zuerst einen hinzu.'

// Results of actions
export const added = (calendarName: string) => `Kalender „${calendarName}“ hinzugefügt`
export const renamed = (calendarName: string) => `Kalender in „${calendarName}“ umbenannt`
export const deleted = (calendarName: string) => `Kalender „${calendarName}“ gelöscht`
export const defaultChanged = (calendarName: string) => `Neue Termine kommen in „${calendarName}“`
export const mirrorAdded = (calendarName: string) => `Die Termine erscheinen in „${calendarName}“`
export const mirrorChanged = (calendarName: string) => `Für „${calendarName}“ geändert`
export const mirrorRemoved = (calendarName: string) => `Wird nicht mehr in „${calendarName}“ angezeigt`

// Event details
export const mirroredFrom = (calendarName: string) => `Angezeigt aus „${calendarName}“`
export const mirrored = 'Angezeigt aus einem anderen Kalender'
export const calendarOf = ({ calendarName, owner }: { calendarName: string; owner: string }) =>
  `${calendarName} (${owner})`
export const changedBy = (person: string) => `Zuletzt geändert von ${person}`
