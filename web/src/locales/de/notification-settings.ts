// Texts of the notification settings.
import type { Kind } from '../../api/notifications.ts'

export const about = 'Wähle, worüber du benachrichtigt wirst'
export const emailsFromTo = ({ from, to }: { from: string; to: string }) =>
  `E-Mails gehen von ${from} an ${to}.`
export const emailsToYou = 'E-Mails gehen an deine Anmeldeadresse.'
export const saved = 'Benachrichtigungen gespeichert'
export const quietHoursSaved = 'Ruhezeiten gespeichert'
export const digestSaved = 'Zusammenfassung gespeichert'

export const type = 'Art'
export const channels = { console: 'Konsole', email: 'E-Mail', webhook: 'Webhook' }
export const inConsole = (label: string) => `${label}: in der Konsole`
export const byEmail = (label: string) => `${label}: per E-Mail`
export const byWebhook = (label: string) => `${label}: per Webhook`
export const emailTimes = { off: 'Aus', now: 'Sofort', digest: 'Gesammelt' }
export const savedTypesDiffer = 'Gespeichert ist eine andere Auswahl.'

export const kindGroups = {
  day: 'Heute',
  mail: 'E-Mail',
  calendar: 'Kalender',
  bookings: 'Buchungen',
  stream: 'Stream',
  service: 'Konten und Automatisierung',
  account: 'Sicherheit',
}
export const kinds = {
  event_starting: 'Termin beginnt bald',
  task_due: 'Aufgabe fällig',
  task_commented: 'Kommentar zu einer Aufgabe',
  commitment_due: 'Zusage fällig',
  action_waiting: 'Assistent braucht deine Bestätigung',
  mail_urgent: 'Dringende E-Mail',
  mail_due: 'Zurückgestellte E-Mail, oder keine Antwort',
  mail_received: 'Neue E-Mail',
  mail_conflict: 'E-Mail auf dem Server nicht verschoben',
  share_offered: 'Kalender oder Aufgabenliste für dich freigegeben',
  invitation_updated: 'Einladung geändert oder abgesagt',
  invitation_answered: 'Antwort auf deine Einladung',
  calendar_conflict: 'Kalenderserver hat deine Änderungen ersetzt',
  booking_made: 'Neue Buchung',
  booking_changed: 'Buchung verschoben',
  booking_cancelled: 'Buchung abgesagt',
  milestone_reached: 'Ziel erreicht',
  mail_account_failing: 'E-Mail-Konto nicht erreichbar',
  calendar_account_failing: 'Kalenderkonto nicht erreichbar',
  webhook_disabled: 'Webhook ausgeschaltet',
  job_parked: 'Hintergrundjob fehlgeschlagen',
  backup_failed: 'Backup fehlgeschlagen',
  budget_reached: 'Budget erreicht',
  sign_in: 'Anmeldung von einem neuen Gerät',
  security: 'Passwort, Tokens und Zwei-Faktor-Änderungen',
} satisfies Record<Kind, string>

export const noSender =
  'Du hast kein E-Mail-Konto zum Senden, deshalb erscheinen Benachrichtigungen nur in der Konsole. <link>E-Mail-Konto hinzufügen</link>'
export const noWebhook = 'Kein Webhook empfängt Benachrichtigungen. <link>Webhook auswählen</link>'

export const quietHours = 'Ruhezeiten'
export const quietHoursAbout = 'E-Mails und Webhooks warten bis zum Ende der Ruhezeit'
export const quietHoursZone = (city: string) => `Zeitzone: ${city}`
export const enableQuietHours = 'Tägliche Ruhezeit einschalten'
export const from = 'Von'
export const until = 'Bis'
export const alwaysSecurity = 'Über die Sicherheit meines Kontos immer benachrichtigen'
export const savedQuietHoursAre = ({ start, end }: { start: string; end: string }) =>
  `Die gespeicherte Ruhezeit ist ${start} bis ${end}.`

export const digest = 'Zusammenfassung'
export const digestAbout = 'Eine E-Mail mit gesammelten Benachrichtigungen'
export const frequency = 'Häufigkeit'
export const frequencies = { off: 'Aus (sofort senden)', daily: 'Täglich', weekly: 'Wöchentlich' }
export const weekday = 'Tag'
export const time = 'Uhrzeit'
export const savedDigestIs = ({ frequency: often, time: at }: { frequency: string; time: string }) =>
  `Gespeichert ist: ${often}, ${at}.`
