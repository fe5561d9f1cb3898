import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Task = Shape<'Task'>

export const tasks = 'Aufgaben'
export const newTask = 'Neue Aufgabe'
export const editTask = 'Aufgabe bearbeiten'
export const addTask = 'Aufgabe hinzufügen'
export const add = 'Hinzufügen'
export const addDetails = 'Weitere Felder'
export const editNamed = (title: string) => `${title} bearbeiten`
export const openNamed = (title: string) => `${title} öffnen`
export const moreFor = (title: string) => `Mehr zu ${title}`
export const doneNamed = (title: string) => `Erledigt: ${title}`

export const quickAddExample = 'Miete zahlen jeden Monat am 1. !hoch #zuhause'
export const addRowHelp = 'Aufgabe eingeben und Enter drücken'
export const preview = 'Vorschau:'
export const addAsPlainText = 'Als reinen Text hinzufügen'
export const isPlainText = 'Wird als reiner Text hinzugefügt'
export const readAsEvery = '„jeden!“ gilt als „jeden“'
export const convertedFrom = (zone: string) => `${zone}, in deiner Zeitzone angezeigt`

export const priorities = {
  low: 'Niedrig',
  normal: 'Normal',
  high: 'Hoch',
  urgent: 'Dringend',
} satisfies Record<Task['priority'], string>
export const statuses = {
  todo: 'Offen',
  doing: 'In Arbeit',
  done: 'Erledigt',
  cancelled: 'Abgebrochen',
} satisfies Record<Task['status'], string>
export const views = { open: 'Offen', done: 'Erledigt', all: 'Alle' }
export const groups = {
  overdue: 'Überfällig',
  today: 'Heute',
  tomorrow: 'Morgen',
  soon: 'Nächste 7 Tage',
  later: 'Später',
  none: 'Ohne Datum',
}

export const show = 'Anzeigen'
export const searchTasks = 'Aufgaben durchsuchen'
export const anyPriority = 'Priorität'
export const anyTag = 'Schlagwort'
export const tag = 'Schlagwort'
export const showAllTags = (chosen: string) => `#${chosen}: alle Schlagwörter anzeigen`
export const showTagged = (chosen: string) => `Aufgaben mit #${chosen} anzeigen`
export const print = 'Drucken'

export const noMatches = 'Keine passenden Aufgaben'
export const clearFilters = 'Filter zurücksetzen'
export const noneDone = 'Keine erledigten Aufgaben'
export const doneAppearHere = 'Erledigte Aufgaben erscheinen hier.'
export const noTasks = 'Keine Aufgaben'
export const addFirstTask = 'Gib oben eine Aufgabe ein, etwa „Ben morgen um 10 anrufen“, und drücke Enter.'

export const title = 'Titel'
export const notes = 'Notizen'
export const dueDate = 'Fällig am'
export const dueTime = 'Uhrzeit'
export const reminderDate = 'Erinnerung'
export const reminderTime = 'Uhrzeit der Erinnerung'
export const optional = 'Optional'
export const defaultTime = (time: string) => `Standard: ${time}`
export const priority = 'Priorität'
export const status = 'Status'
export const repeat = 'Wiederholen'
export const doesNotRepeat = 'Wird nicht wiederholt'
export const estimate = 'Aufwand (Min.)'
export const tags = 'Schlagwörter'
export const newTags = 'Neue Schlagwörter'
export const separateWithCommas = 'Mit Kommas trennen'

/** The day is relative or a date: "heute", "Donnerstag, 9:30", "5. März". */
export const due = (when: string) => `Fällig: <time>${when}</time>`
export const overdue = (when: string) => `Überfällig: <time>${when}</time>`
export const completed = (when: string) => `Erledigt: <time>${when}</time>`
export const completedOn = (date: string) => `Erledigt: ${date}`

export const setDueDate = (name: string) => `Fälligkeit von ${name}`
export const setPriority = (name: string) => `Priorität von ${name}`
export const priorityOf = ({ name, priority: chosen }: { name: string; priority: string }) =>
  `Priorität von ${name}: ${chosen}`
export const setTags = (name: string) => `Schlagwörter von ${name}`
export const noDueDate = 'Ohne Datum'
export const dueOn = (day: string) => `Fällig: ${day}`
export const start = 'Beginnen'
export const cancelTask = 'Aufgabe abbrechen'
export const reopen = 'Wieder öffnen'

export const taskAdded = (name: string) => `„${name}“ hinzugefügt`
export const taskSaved = (name: string) => `„${name}“ gespeichert`
export const taskCompleted = (name: string) => `„${name}“ erledigt`
export const taskReopened = (name: string) => `„${name}“ wieder geöffnet`
export const taskStarted = (name: string) => `„${name}“ begonnen`
export const taskCancelled = (name: string) => `„${name}“ abgebrochen`
export const taskDeleted = (name: string) => `„${name}“ gelöscht`
export const taskRestored = (name: string) => `„${name}“ wiederhergestellt`
export const tasksRestored = (count: number) =>
  plural(count, {
    one: '1 Aufgabe wiederhergestellt',
    other: `${formatNumber(count)} Aufgaben wiederhergestellt`,
  })
export const taskDue = ({ name, day }: { name: string; day: string }) => `„${name}“ ist fällig: ${day}`
export const priorityChanged = ({ name, priority: chosen }: { name: string; priority: string }) =>
  `Priorität von „${name}“: ${chosen}`
export const tagsChanged = (name: string) => `Schlagwörter von „${name}“ gespeichert`
export const dueDateRemoved = (name: string) => `Fälligkeit von „${name}“ entfernt`

export const planTasks = 'Aufgaben einplanen'
export const planHelp = 'Plant offene Aufgaben in deine freie Arbeitszeit ein'
export const period = 'Zeitraum'
export const periods = { 1: 'Nächste 24 Stunden', 7: 'Nächste 7 Tage', 14: 'Nächste 14 Tage' }
export const addToCalendar = 'In den Kalender eintragen'
export const partOf = ({ part, parts }: { part: number; parts: number }) => `(${part} von ${parts})`
export const blockDay = 'Tag'
export const blockStart = 'Beginn'
export const blockMinutes = 'Minuten'
export const blockOverlaps = 'Überschneidet sich mit einem anderen Block'
export const timeOfBlock = (name: string) => `Zeit von ${name}`
export const changeTime = 'Zeit ändern'
export const changeTimeOfBlock = (name: string) => `Zeit von ${name} ändern`
export const nothingToPlan = 'Keine offenen Aufgaben oder keine freie Zeit.'
export const notPlanned = 'Nicht eingeplant'
export const partlyPlanned = 'Teilweise eingeplant'
export const alreadyPlanned = 'Bereits eingeplant'
export const notPlannedReasons = {
  due_too_soon: 'Nicht genug freie Zeit vor der Fälligkeit',
  no_time: 'Nicht genug freie Zeit im Zeitraum',
  already_planned: 'Bereits im Kalender',
} satisfies Record<Shape<'TaskPlan'>['unplanned'][number]['reason'], string>
export const blocksAdded = (count: number) =>
  plural(count, {
    one: '1 Block in den Kalender eingetragen',
    other: `${formatNumber(count)} Blöcke in den Kalender eingetragen`,
  })
export const noBlocksAdded = 'Nichts in den Kalender einzutragen'
export const planUndone = 'Planung rückgängig gemacht'

type Unit = 'day' | 'week' | 'month' | 'year'

const SINGLE = { day: 'Jeden Tag', week: 'Jede Woche', month: 'Jeden Monat', year: 'Jedes Jahr' }
const PLURAL = { day: 'Tage', week: 'Wochen', month: 'Monate', year: 'Jahre' }

export const everyWeekday = 'Jeden Werktag'
/** "Jeden Tag", "Alle 2 Wochen". */
export const every = ({ unit, interval }: { unit: Unit; interval: number }) =>
  plural(interval, { one: SINGLE[unit], other: `Alle ${formatNumber(interval)} ${PLURAL[unit]}` })
export const everyInMonths = ({ unit, interval, months }: { unit: Unit; interval: number; months: string }) =>
  plural(interval, {
    one: `${SINGLE[unit]} im ${months}`,
    other: `Alle ${formatNumber(interval)} ${PLURAL[unit]} im ${months}`,
  })
export const everyWeekOn = ({ interval, days }: { interval: number; days: string }) =>
  plural(interval, { one: `Jeden ${days}`, other: `Alle ${formatNumber(interval)} Wochen am ${days}` })
export const everyMonthOn = ({ interval, days }: { interval: number; days: string }) =>
  plural(interval, {
    one: `Jeden Monat am ${days}`,
    other: `Alle ${formatNumber(interval)} Monate am ${days}`,
  })
export const everyMonthOnOf = ({
  interval,
  days,
  months,
}: {
  interval: number
  days: string
  months: string
}) =>
  plural(interval, {
    one: `Jeden Monat am ${days} im ${months}`,
    other: `Alle ${formatNumber(interval)} Monate am ${days} im ${months}`,
  })
export const everyYearOn = ({ interval, days, months }: { interval: number; days: string; months: string }) =>
  plural(interval, {
    one: `Jedes Jahr am ${days} im ${months}`,
    other: `Alle ${formatNumber(interval)} Jahre am ${days} im ${months}`,
  })
export const dayOfMonth = (day: number) => `${day}.`
export const lastDay = 'letzten Tag'
export const weekdayOfMonth = ({ position, weekday }: { position: number; weekday: string }) =>
  ({
    1: `ersten ${weekday}`,
    2: `zweiten ${weekday}`,
    3: `dritten ${weekday}`,
    4: `vierten ${weekday}`,
    5: `fünften ${weekday}`,
    [-1]: `letzten ${weekday}`,
  })[position]
export const repeatsUntil = ({ rule, date }: { rule: string; date: string }) => `${rule}, bis ${date}`
export const repeatsTimes = ({ rule, count }: { rule: string; count: number }) =>
  plural(count, { one: `${rule}, einmal`, other: `${rule}, ${formatNumber(count)}-mal` })
export const customRule = (rule: string) => `Eigene Regel: ${rule}`
