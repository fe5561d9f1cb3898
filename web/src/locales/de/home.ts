import { formatNumber, plural } from '../format.ts'

export const home = 'Start'
export const hello = 'Hallo'
export const goodMorning = (name: string) => `Guten Morgen, ${name}`
export const goodAfternoon = (name: string) => `Guten Tag, ${name}`
export const goodEvening = (name: string) => `Guten Abend, ${name}`
export const helloTo = (name: string) => `Hallo, ${name}`
export const dateAndPlace = ({ date, time, city }: { date: string; time: string; city: string }) =>
  `${date} · ${time} in ${city}`

export const today = 'Heute'
export const overdue = 'Überfällig'
export const allDay = 'Ganztägig'
export const schedule = 'Tagesplan'
export const toAnswer = 'Warten auf deine Antwort'
export const commitments = 'Zusagen'
export const tomorrow = 'Morgen'
export const now = 'Jetzt'
export const until = (time: string) => `bis ${time}`
export const tentative = 'Vorläufig'
export const booking = 'Buchung'
export const conflict = 'Überschneidung'
export const planned = 'Geplante Arbeit'
export const showMore = (count: number) =>
  plural(count, { one: '1 weitere anzeigen', other: `${formatNumber(count)} weitere anzeigen` })
export const openCalendar = 'Kalender öffnen'

export const completeTask = (title: string) => `„${title}“ erledigen`
export const plan = 'Einplanen'
export const planTask = (title: string) => `Zeit für „${title}“ einplanen`
export const taskPlanned = ({ title, when }: { title: string; when: string }) =>
  `„${title}“ eingeplant: ${when}`
export const alreadyPlanned = (title: string) => `„${title}“ steht schon im Kalender.`
export const noFreeTime = 'Keine freie Zeit in den nächsten 7 Tagen.'
export const noFreeTimeBeforeDue = 'Keine freie Zeit vor der Fälligkeit. Ändere zuerst die Fälligkeit.'
export const planUndone = 'Planung rückgängig gemacht'
export const moreFor = (title: string) => `Weitere Aktionen für „${title}“`
export const dueOn = (day: string) => `Fällig: ${day}`
export const open = 'Öffnen'

export const join = 'Teilnehmen'
export const joinEvent = (title: string) => `An „${title}“ teilnehmen`
export const responses = { accepted: 'Zusagen', tentative: 'Vielleicht', declined: 'Absagen' } as const
export const respondTo = ({ response, title }: { response: string; title: string }) =>
  `${response}: „${title}“`
export const responsesSent = {
  accepted: 'Einladung angenommen',
  tentative: 'Mit „Vielleicht“ geantwortet',
  declined: 'Einladung abgelehnt',
} as const

export const reply = 'Antworten'
export const replyTo = (name: string) => `${name} antworten`
export const archive = 'Archivieren'
export const archiveEmail = (subject: string) => `„${subject}“ archivieren`
export const emailArchived = 'E-Mail archiviert'
export const archivingUndone = 'E-Mail in den Posteingang verschoben'
export const noSubject = '(kein Betreff)'
export const unknownSender = 'Unbekannter Absender'
export const youPromised = (name: string) => `Du an ${name}`
export const promisedBy = (day: string) => `bis ${day}`

export const nothingToday = 'Für heute ist nichts mehr offen'
export const nothingTodayHelp = 'Füge oben eine Aufgabe oder einen Termin hinzu.'

export const newAccount = 'Hier erscheint dein Tag'
export const newAccountHelp = 'Verbinde zuerst deine E-Mail, oder lege oben eine Aufgabe an.'

export const firstSteps = 'Erste Schritte'
export const hide = 'Ausblenden'
export const connect = 'Verbinden'
export const setUp = 'Einrichten'
export const connectEmail = 'E-Mail verbinden'
export const connectCalendar = 'Kalender verbinden'
export const addEmailAccount = 'E-Mail-Konto hinzufügen'
export const addEmailAccountHelp = 'Deine E-Mails bleiben auf deinem Server. Factotum hält sie synchron.'
export const addCalendar = 'Kalender hinzufügen'
export const addCalendarHelp = 'Google, iCloud, Fastmail oder ein anderer CalDAV-Kalender'
export const moveIn = 'Umziehen von Gmail, Outlook oder Todoist'
export const moveInHelp = 'Nimm E-Mails, Kontakte, Termine und Aufgaben mit'
export const importFiles = 'Importieren'
export const turnOnTwoFactor = 'Zwei-Faktor-Authentifizierung einschalten'
export const turnOnTwoFactorHelp = 'Schützt dein Konto, falls jemand dein Passwort kennt'
