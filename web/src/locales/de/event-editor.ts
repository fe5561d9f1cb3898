// Texts of the event editor: times, recurrence, reminders, attendees.
import type { Unit } from '../../features/calendar/editor/repeat.ts'
import type { Availability } from '../../features/calendar/find-time/times.ts'
import { formatNumber, plural } from '../format.ts'

export const newEvent = 'Neuer Termin'
export const editEvent = 'Termin bearbeiten'
export const create = 'Anlegen'
export const savedVersion = ({ title, when }: { title: string; when: string }) =>
  `Gespeicherte Version: „${title}“, ${when}.`
export const title = 'Titel'
export const location = 'Ort'
export const meetingLink = 'Besprechungslink'
export const status = 'Status'
export const moreDetails = 'Teilnehmende, Notizen und Schlagwörter'
export const description = 'Beschreibung'
export const notes = 'Notizen'
export const notesHint = 'Nur für dich sichtbar'
export const tags = 'Schlagwörter'
export const tagsHint = 'Mit Kommas trennen'
export const showAsBusy = 'Als beschäftigt anzeigen'
export const addVideoCall = 'Videoanruf hinzufügen'
export const buffers = { bufferBefore: 'Weg oder Puffer davor', bufferAfter: 'Weg oder Puffer danach' }
export const noBuffer = 'Keine'

// Times
export const allDay = 'Ganztägig'
export const start = 'Beginn'
export const end = 'Ende'
export const startTime = 'Startzeit'
export const endTime = 'Endzeit'
export const timeZone = 'Zeitzone'
export const dateAndTime = ({ date, time }: { date: string; time: string }) => `${date}, ${time}`
export const timeInCity = ({ hours, city }: { hours: string; city: string }) => `${hours} in ${city}`
export const timeInCityDayBefore = ({ hours, city }: { hours: string; city: string }) =>
  `${hours} in ${city} (am Tag davor)`
export const timeInCityDayAfter = ({ hours, city }: { hours: string; city: string }) =>
  `${hours} in ${city} (am Tag danach)`

// Attendees
export const attendees = 'Teilnehmende'
export const attendeesExample = 'ana@example.org'
export const addAttendee = 'Person hinzufügen'
export const invalidAttendee =
  'Gib eine Adresse ein, zum Beispiel ana@example.org oder Ana Ruiz <ana@example.org>.'
export const invitedAttendees = 'Eingeladene Personen'
export const removeAttendee = (name: string) => `${name} entfernen`

// Reminders
export const reminders = 'Erinnerungen'
export const noReminders = 'Keine; hinzufügen …'
export const addReminder = 'Weitere hinzufügen …'
export const activeReminders = 'Aktive Erinnerungen'
export const removeReminder = (reminder: string) => `Entfernen: ${reminder}`
export const sourceAlarms = 'Erinnerungen des Quellkalenders'
export const atStart = 'Zu Beginn'
export const atEnd = 'Am Ende'
export const before = (duration: string) => `${duration} vorher`
export const beforeStart = (duration: string) => `${duration} vor Beginn`
export const afterStart = (duration: string) => `${duration} nach Beginn`
export const beforeEnd = (duration: string) => `${duration} vor dem Ende`
export const afterEnd = (duration: string) => `${duration} nach dem Ende`

// Recurrence
export const repeat = 'Wiederholen'
export const doesNotRepeat = 'Nicht wiederholen'
export const custom = 'Benutzerdefiniert …'
export const customRule = 'Eigene Regel (RRULE) …'
export const rule = 'Regel'
export const ruleHint = 'RFC 5545, zum Beispiel FREQ=MONTHLY;BYDAY=-1FR'
export const customRuleText = (text: string) => `Eigene Regel: ${text}`
export const every = 'Alle'
export const unit = 'Einheit'
export const units = {
  day: (count: number) => plural(count, { one: 'Tag', other: 'Tage' }),
  week: (count: number) => plural(count, { one: 'Woche', other: 'Wochen' }),
  month: (count: number) => plural(count, { one: 'Monat', other: 'Monate' }),
  year: (count: number) => plural(count, { one: 'Jahr', other: 'Jahre' }),
} satisfies Record<Unit, (count: number) => string>
export const repeatOn = 'Wiederholen am'
export const onDate = (day: number) => `${formatNumber(day)}. des Monats`
const ordinals = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften']
export const onWeekday = ({ ordinal, weekday }: { ordinal: number; weekday: string }) =>
  `${ordinals[ordinal - 1] ?? ''} ${weekday}`
export const onLastWeekday = (weekday: string) => `letzten ${weekday}`
export const ends = 'Endet'
export const endings = { never: 'Nie', on: 'Am Datum', after: 'Nach … Terminen' }
export const endDate = 'Enddatum'
export const occurrences = 'Anzahl'
const everyUnit = (count: number, one: string, other: string) =>
  plural(count, { one, other: `Alle ${formatNumber(count)} ${other}` })
export const daily = (count: number) => everyUnit(count, 'Jeden Tag', 'Tage')
export const weekly = ({ count, days }: { count: number; days: string }) =>
  `${everyUnit(count, 'Jede Woche', 'Wochen')} am ${days}`
export const weekdays = (count: number) =>
  `${everyUnit(count, 'Jede Woche', 'Wochen')} von Montag bis Freitag`
export const monthlyOnDate = ({ count, day }: { count: number; day: number }) =>
  `${everyUnit(count, 'Jeden Monat', 'Monate')} am ${formatNumber(day)}.`
export const monthlyOnWeekday = (value: { count: number; ordinal: number; weekday: string }) =>
  `${everyUnit(value.count, 'Jeden Monat', 'Monate')} am ${ordinals[value.ordinal - 1] ?? ''} ${value.weekday}`
export const monthlyOnLastWeekday = ({ count, weekday }: { count: number; weekday: string }) =>
  `${everyUnit(count, 'Jeden Monat', 'Monate')} am letzten ${weekday}`
export const yearly = ({ count, date }: { count: number; date: string }) =>
  `${everyUnit(count, 'Jedes Jahr', 'Jahre')} am ${date}`
export const limitedTimes = ({ pattern, count }: { pattern: string; count: number }) =>
  plural(count, { one: `${pattern}, einmal`, other: `${pattern}, ${formatNumber(count)}-mal` })
export const limitedUntil = ({ pattern, date }: { pattern: string; date: string }) =>
  `${pattern}, bis ${date}`

// Zeit finden
export const findTime = 'Zeit finden'
export const useTime = 'Diese Zeit nehmen'
export const chosenTime = 'Gewählte Zeit'
export const you = 'Du'
export const availabilities = {
  free: 'Frei',
  busy: 'Belegt',
  away: 'Arbeitet nicht',
  unknown: 'Unbekannt',
} satisfies Record<Availability, string>
export const nobodyBusy = (time: string) => `${time}: niemand ist belegt.`
export const somebodyBusy = ({ time, names }: { time: string; names: string }) =>
  `${time}: belegt bei ${names}.`
export const unknownPeople = 'Unbekannt: gibt dir keinen Kalender frei.'
export const suggestedTimes = 'Vorschläge'
export const noSuggestedTimes = 'In zwei Wochen keine Zeit, zu der alle frei sind.'
