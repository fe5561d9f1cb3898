import { formatNumber, plural } from '../format.ts'

// Snooze.
export const snooze = 'Zurückstellen'
export const unsnooze = 'Nicht mehr zurückstellen'
export const snoozed = 'Zurückgestellt'
export const snoozedBadge = (count: string) => `, ${count} zurückgestellt`
export const noSnoozed = 'Nichts zurückgestellt'
export const noSnoozedAbout = 'Drücke h, um eine E-Mail zurückzustellen.'
export const snoozeAbout = 'Die E-Mail kommt oben in den Posteingang zurück.'
export const snoozedUntil = (when: string) => `Zurückgestellt bis ${when}`
export const backFromSnooze = 'Wieder da'

/** One email is named by its subject. */
interface Snoozed {
  count: number
  subject: string
  when: string
}
export const snoozedEmails = ({ count, subject, when }: Snoozed) =>
  plural(count, {
    one: `„${subject}“ bis ${when} zurückgestellt`,
    other: `${formatNumber(count)} E-Mails bis ${when} zurückgestellt`,
  })
export const unsnoozed = ({ count, subject }: { count: number; subject: string }) =>
  plural(count, {
    one: `„${subject}“ ist wieder im Posteingang`,
    other: `${formatNumber(count)} E-Mails sind wieder im Posteingang`,
  })

// Pinned conversations.
export const pin = 'Anheften'
export const unpin = 'Lösen'
export const pinned = 'Angeheftet'
export const otherEmails = 'Alles andere'

// Reminder about a missing answer.
export const remindMe = 'Erinnern, wenn niemand antwortet'
export const remindAbout = 'Eine Antwort hebt die Erinnerung auf.'
export const remind = 'Erinnerung setzen'
export const removeReminder = 'Erinnerung entfernen'
export const remindedAt = (when: string) => `Erinnerung ohne Antwort: ${when}`
export const reminderSet = (when: string) => `Du wirst am ${when} erinnert`
export const reminderRemoved = 'Erinnerung entfernt'
export const noAnswer = 'Noch keine Antwort'

// The choice of a time.
export const suggestedTimes = 'Vorgeschlagene Zeiten'
export const laterToday = 'Später heute'
export const tomorrowMorning = 'Morgen früh'
export const thisWeekend = 'Am Wochenende'
export const nextWeek = 'Nächste Woche'
export const inTwoDays = 'In zwei Tagen'
export const inOneWeek = 'In einer Woche'
export const typeTime = 'Zeit eingeben'
export const timeExample = 'nächsten Dienstag um 9, in 3 Stunden'
export const noTimeFound = 'Keine Zeit erkannt'
export const date = 'Datum'
export const time = 'Uhrzeit'
export const timeZone = (zone: string) => `Zeitzone: ${zone}`
export const pastTime = 'Wähle eine Zeit in der Zukunft.'
