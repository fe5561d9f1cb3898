export const insights = 'Einblicke'
export const about = 'E-Mails, Besprechungen, Aufgaben und KI-Kosten im Zeitverlauf'
export const range = 'Zeitraum'
export const ranges = {
  '7d': '7 Tage',
  '30d': '30 Tage',
  '90d': '90 Tage',
  '12m': '12 Monate',
} as const
export const showAsTable = 'Als Tabelle anzeigen'
export const noData = 'Keine Daten in diesem Zeitraum'
export const noDataHelp = 'Wähle einen längeren Zeitraum.'
export const chartHelp = 'Mit den Pfeiltasten liest du einzelne Werte.'
export const total = 'Gesamt'
export const periods = { day: 'Tag', week: 'Woche ab', month: 'Monat' } as const
export const noValue = 'keine'
export const seriesValue = ({ name, value }: { name: string; value: string }) => `${name}: ${value}`

export const emails = 'E-Mails'
export const received = 'Empfangen'
export const sent = 'Gesendet'
export const answered = 'Beantwortet'
export const replyTime = 'Antwortzeit'
export const replyTimeAbout = 'Median der Zeit bis zu deiner Antwort'
export const median = 'Median'
export const meetings = 'Besprechungen'
export const meetingsAbout = 'Termine mit Uhrzeit, in denen du beschäftigt bist, ohne geplante Arbeit'
export const count = 'Anzahl'
export const meetingTime = 'Zeit in Besprechungen'
export const duration = 'Dauer'
export const tasks = 'Aufgaben'
export const created = 'Erstellt'
export const completed = 'Erledigt'
export const aiCost = 'KI-Kosten'
export const cost = 'Kosten'
export const unknownPrice = 'Der Preis einiger Modelle ist unbekannt.'

export const unitEmails = 'E-Mails'
export const unitHours = 'Stunden'
export const unitMeetings = 'Besprechungen'
export const unitTasks = 'Aufgaben'
export const unitDollars = 'US-Dollar'
