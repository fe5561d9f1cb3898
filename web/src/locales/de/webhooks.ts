import { formatNumber, plural } from '../format.ts'

export const endpoints = 'Endpunkte'
export const title = 'Webhooks'
export const about =
  'Signierte Anfragen an deine Programme, wenn etwas geschieht (<link>Standard Webhooks</link>)'
export const noWebhooks = 'Keine Webhooks'
export const noWebhooksAbout = 'Füge einen hinzu, um ein anderes Programm zu benachrichtigen.'
export const newWebhook = 'Neuer Webhook'
export const editWebhook = 'Webhook bearbeiten'
export const addWebhook = 'Webhook hinzufügen'
export const formAbout = 'Erhält für jedes Ereignis eine signierte POST-Anfrage'
export const address = 'Adresse'
export const name = 'Name'
export const nameHint = 'Ohne Angabe der Hostname'
export const webhookSaved = 'Webhook gespeichert'

export const events = 'Ereignisse'
export const everything = 'Alle Ereignisse'
export const everythingLabel = 'Alle Ereignisse, auch künftige'
export const eventsMissing = 'Wähle mindestens ein Ereignis aus.'
export const selectOne = 'Wähle mindestens eines aus.'
export const groups = {
  mail: 'E-Mail',
  tasks: 'Aufgaben',
  calendar: 'Kalender',
  bookings: 'Buchungen',
  stream: 'Stream',
  notifications: 'Benachrichtigungen',
}
export const eventTypes = {
  'email.received': 'E-Mail empfangen',
  'email.analyzed': 'E-Mail analysiert',
  'email.due': 'E-Mail wieder im Posteingang',
  'commitment.created': 'Zusage gefunden',
  'commitment.updated': 'Zusage geändert',
  'commitment.due': 'Zusage fällig',
  'task.created': 'Aufgabe erstellt',
  'task.updated': 'Aufgabe geändert',
  'task.completed': 'Aufgabe erledigt',
  'task.due': 'Aufgabe fällig',
  'task.deleted': 'Aufgabe gelöscht',
  'task.comment_created': 'Kommentar zu einer Aufgabe erstellt',
  'task.comment_updated': 'Kommentar zu einer Aufgabe geändert',
  'task.comment_deleted': 'Kommentar zu einer Aufgabe gelöscht',
  'task.time_entry_created': 'Zeiteintrag erstellt',
  'task.time_entry_updated': 'Zeiteintrag geändert',
  'task.time_entry_deleted': 'Zeiteintrag gelöscht',
  'event.created': 'Termin erstellt',
  'event.updated': 'Termin geändert',
  'event.cancelled': 'Termin abgesagt',
  'event.starting': 'Termin beginnt',
  'booking.synced': 'Buchungen synchronisiert',
  'stream.started': 'Stream gestartet',
  'stream.stopped': 'Stream beendet',
  'stream.milestone_reached': 'Ziel erreicht',
  'notification.created': 'Benachrichtigung erstellt',
}
export const allOfGroup = (group: string) => `${group}: alle`

export const statuses = {
  on: 'Ein',
  off: 'Aus',
  failing: 'Fehlerhaft',
}
export const failingSince = 'Fehlerhaft seit: <time></time>'
export const turnedOffBecause = (reason: string) => `Ausgeschaltet: ${reason}`
export const actionsFor = (webhook: string) => `Aktionen für ${webhook}`
export const sendTest = 'Test senden'
export const testDelivered = 'Test zugestellt'
export const testFailed = (reason: string) => `Test fehlgeschlagen: ${reason}`
export const turnOff = 'Ausschalten'
export const turnOn = 'Einschalten'
export const turnedOff = (webhook: string) => `„${webhook}“ ausgeschaltet`
export const turnedOn = (webhook: string) => `„${webhook}“ eingeschaltet`
export const newSecret = 'Neues Geheimnis'
export const newSecretTitle = (webhook: string) => `Neues Geheimnis für „${webhook}“`
export const newSecretAbout = 'Einen Tag lang wird mit beiden signiert, damit du wechseln kannst.'
export const createSecret = 'Geheimnis erstellen'
export const secretTitle = 'Geheimnis des Webhooks'
export const secretAbout = 'Damit prüfst du die Signaturen. Es wird nur einmal angezeigt.'
export const deleteTitle = (webhook: string) => `„${webhook}“ löschen?`
export const deleteAbout =
  'Auch der Zustellungsverlauf wird gelöscht. Das lässt sich nicht rückgängig machen.'
export const deleted = (webhook: string) => `„${webhook}“ gelöscht`

export const deliveries = 'Zustellungen'
export const deliveriesTo = (webhook: string) => `Zustellungen an „${webhook}“`
export const deliveriesAbout = 'Neueste zuerst, 30 Tage aufbewahrt'
export const noDeliveries = 'Keine Zustellungen'
export const deliveryStates = {
  waiting: 'Wartet',
  delivered: 'Zugestellt',
  failed: 'Fehlgeschlagen',
}
export const attempts = 'Versuche'
export const attemptCount = (count: number) =>
  plural(count, { one: '1 Versuch', other: `${formatNumber(count)} Versuche` })
export const noResponse = 'keine Antwort'
export const responded = (status: number) => `Der Endpunkt hat mit ${status} geantwortet.`
export const redirectNotFollowed =
  'Der Endpunkt hat mit einer Weiterleitung geantwortet. Weiterleitungen werden nicht verfolgt.'
export const attempt = ({ status, duration }: { status: string; duration: string }) =>
  `<time></time>: ${status}, ${duration}`
export const details = 'Details'
export const hideDetails = 'Details ausblenden'
export const redeliver = 'Erneut senden'
export const redelivering = 'Wird erneut gesendet'
export const redeliverFailed = 'Konnte nicht erneut gesendet werden. Versuche es später.'
