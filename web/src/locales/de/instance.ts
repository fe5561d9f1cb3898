// Texts of the settings of the instance: status, background jobs and invitations.
import { formatNumber } from '../format.ts'

// Status
export const healthy = 'In Ordnung'
export const down = 'Gestört'
export const version = 'Version'
export const database = 'Datenbank'
export const databaseDown = 'Die Datenbank antwortet nicht. Sieh im Serverprotokoll nach.'
export const storage = 'Speicher'
export const uptime = 'Laufzeit'
export const uptimeUnderOneMinute = 'Unter einer Minute'
export const checks: Readonly<Record<string, string>> = {
  databaseWrites: 'Schreiben in die Datenbank',
  fileWrites: 'Dateispeicher',
  accepting: 'Nimmt Anfragen an',
}
export const checkPassed = 'OK'
export const checkFailed = 'Fehlgeschlagen'
export const shuttingDown = 'Wird beendet'
export const aiModels = 'KI-Modelle'
export const noAiModel = 'Keine. Der eingebaute Assistent antwortet.'
export const failedJobs = 'Jobs mit Fehlern'
export const none = 'Keine'
export const manageAi = 'KI-Einstellungen'
export const showJobs = 'Hintergrundjobs'
export const doctorAbout =
  'Führe diesen Befehl auf dem Server aus. Er prüft Konfiguration, Datenbank, Festplatte und Schlüssel.'
export const doctorCommand = 'factotum doctor'
export const logsAbout = 'Der Server schreibt sein Protokoll auf die Standardausgabe.'
export const apiReference = 'API-Referenz'
export const metrics = 'Metriken'

// Background jobs
export const job = 'Jobs'
export const refresh = 'Aktualisieren'
export const status = 'Status'
export const all = 'Alle'
export const jobStates = { running: 'Läuft', waiting: 'Wartet', parked: 'Fehlgeschlagen', done: 'Erledigt' }
export const noJobs = 'Keine Jobs'
export const jobRetried = 'Job neu gestartet'
export const jobDeleted = 'Job gelöscht'
export const retryJob = (name: string) => `Erneut versuchen: ${name}`
export const deleteJob = (name: string) => `Löschen: ${name}`
export const due = 'Fällig <time>dann</time>'
export const progress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} von ${formatNumber(total)}`

// Invitations
export const registrationOpen = 'Wer diese Instanz erreicht, kann ein Konto anlegen.'
export const registrationClosed = 'Diese Instanz nimmt keine neuen Konten an, auch nicht mit einer Einladung.'
export const yourInvitations = 'Einladungen'
export const invitationsAbout = 'Jeder Link gilt eine Woche für ein Konto'
export const anyone = 'Alle mit dem Link'
export const accepted = 'Angenommen'
export const expired = 'Abgelaufen'
export const open = 'Offen'
export const createdOn = (date: string) => `Erstellt am ${date}`
export const expiresOn = (date: string) => `Läuft ab am ${date}`
export const acceptedOn = (date: string) => `Angenommen am ${date}`
export const invite = 'Person einladen'
export const inviteAbout = 'Teile den Link selbst oder lass ihn per E-Mail senden.'
export const inviteWithoutMailAbout = 'Du erhältst einen Link zum Teilen. Factotum sendet keine E-Mail.'
export const sendByEmail = 'Link per E-Mail senden'
export const invitationSent = (email: string) => `Einladung an ${email} gesendet`
export const createInvitation = 'Einladung erstellen'
export const guestEmail = 'E-Mail-Adresse (optional)'
export const guestEmailHint = 'Nur diese Adresse kann den Link verwenden'
export const noInvitations = 'Keine Einladungen'
export const noInvitationsAbout = 'Lade jemanden ein, hier ein Konto anzulegen.'
export const deleteInvitation = (guest: string) => `Einladung löschen: ${guest}`
export const deleteInvitationTitle = 'Diese Einladung löschen?'
export const deleteInvitationAbout = 'Ihr Link wird ungültig.'
export const invitationDeleted = 'Einladung gelöscht'
export const invitationLink = 'Einladungslink'
export const invitationNotSent =
  'Die E-Mail konnte nicht gesendet werden. Sende diesen Link an die eingeladene Person. Er wird nur einmal angezeigt.'
export const invitationLinkAbout =
  'Sende diesen Link an die eingeladene Person. Er wird nur einmal angezeigt.'
