// Texts of the security settings.
import { formatNumber, plural } from '../format.ts'

// Password
export const passwordAbout = 'Eine Änderung beendet alle anderen Sitzungen'
export const currentPassword = 'Aktuelles Passwort'
export const newPassword = 'Neues Passwort'
export const changePassword = 'Passwort ändern'
export const passwordChanged = (sessionsEnded: number) =>
  sessionsEnded === 0
    ? 'Passwort geändert'
    : plural(sessionsEnded, {
        one: 'Passwort geändert. 1 andere Sitzung wurde beendet.',
        other: `Passwort geändert. ${formatNumber(sessionsEnded)} andere Sitzungen wurden beendet.`,
      })

// Two-factor authentication
export const twoFactorAbout = 'Fragt beim Anmelden nach einem Code vom Smartphone'
export const on = 'Ein'
export const off = 'Aus'
export const setUpTwoFactor = 'Zwei-Faktor einrichten'
export const setUpAbout =
  'Du brauchst eine Authenticator-App, zum Beispiel Aegis, 2FAS, Google Authenticator oder 1Password.'
export const next = 'Weiter'
export const connectApp = 'App verbinden'
export const connectAppAbout =
  'Scanne den QR-Code mit deiner Authenticator-App und gib dann den angezeigten Code ein.'
export const qrCode = 'QR-Code für deine Authenticator-App'
export const cannotScan = 'Scannen nicht möglich?'
export const enterKey =
  'Gib diesen Schlüssel in der App ein oder <link>öffne die App auf diesem Gerät</link>.'
export const code = 'Code'
export const codeHint = 'Die sechs Ziffern aus der App'
export const turnOn = 'Einschalten'
export const turnOff = 'Ausschalten'
export const turnedOn = 'Zwei-Faktor-Authentifizierung ist eingeschaltet'
export const turnedOff = 'Zwei-Faktor-Authentifizierung ist ausgeschaltet'
export const turnOffTitle = 'Zwei-Faktor-Authentifizierung ausschalten?'
export const turnOffAbout =
  'Du meldest dich dann nur mit deinem Passwort an. Deine Backup-Codes werden gelöscht.'
export const onSince = (date: string) => `Eingeschaltet seit ${date}`
export const backupCodesLeft = (count: number) =>
  plural(count, { one: 'Noch 1 Backup-Code', other: `Noch ${formatNumber(count)} Backup-Codes` })
export const fewBackupCodes = 'Erstelle neue Backup-Codes, bevor sie aufgebraucht sind.'
export const newBackupCodes = 'Backup-Codes erstellen'
export const newBackupCodesAbout = 'Deine alten Backup-Codes werden ungültig.'
export const saveBackupCodes = 'Backup-Codes sichern'
export const saveBackupCodesAbout =
  'Jeder Code gilt einmal, falls du dein Smartphone nicht hast. Bewahre sie sicher auf.'
export const backupCodesFile = (codes: string) =>
  `Factotum-Backup-Codes\nJeder Code gilt einmal.\n\n${codes}\n`
export const backupCodesSaved = 'Ich habe die Codes sicher aufbewahrt'
export const download = 'Herunterladen'
export const print = 'Drucken'

// Sessions
export const sessionsAbout = 'Geräte, die angemeldet sind'
export const thisSession = 'Diese Sitzung'
export const lastSeen = 'Zuletzt aktiv <time>dann</time>'
export const signedInOn = (date: string) => `Angemeldet am ${date}`
export const expiresOn = (date: string) => `Läuft ab am ${date}`
export const signOut = 'Abmelden'
export const signOutDevice = (device: string) => `${device} abmelden`
export const signOutOthers = 'Überall sonst abmelden'
export const signOutOthersTitle = 'Überall sonst abmelden?'
export const signOutOthersAbout = 'Alle Sitzungen außer dieser enden sofort.'
export const signOutTitle = 'Diese Sitzung abmelden?'
export const signOutAbout = ({ device, ip }: { device: string; ip: string }) =>
  `${device} (${ip}) wird sofort abgemeldet.`
export const signedOutDevice = (device: string) => `${device} abgemeldet`
export const sessionsEnded = (count: number) =>
  plural(count, { one: '1 Sitzung beendet', other: `${formatNumber(count)} Sitzungen beendet` })

// Activity
export const activityAbout = 'Letzte Anmeldungen und Änderungen am Konto'
export const noActivity = 'Noch keine Aktivitäten'
