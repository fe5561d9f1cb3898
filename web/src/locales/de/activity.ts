import { formatList, formatNumber, plural } from '../format.ts'

/** Names of the changed fields of an account. */
export const fields: Record<string, string> = {
  name: 'Name',
  avatar: 'Bild',
  timezone: 'Zeitzone',
  locale: 'Sprache und Region',
  weekStart: 'erster Wochentag',
  workingHours: 'Arbeitszeiten',
  remoteImages: 'externe Bilder',
  imageSenders: 'Absender, deren Bilder geladen werden',
  conferencingLink: 'Link für Videoanrufe',
}

export const accountCreated = 'Konto erstellt'
export const signedIn = 'Angemeldet'
export const signedOut = 'Abgemeldet'
export const sessionsEnded = (count: number) =>
  plural(count, {
    one: 'Eine andere Sitzung beendet',
    other: `${formatNumber(count)} andere Sitzungen beendet`,
  })
export const tokenReuse = 'Auf einem Gerät abgemeldet, um dein Konto zu schützen'
export const tokenReuseOn = (device: string) => `Abgemeldet auf ${device}, um dein Konto zu schützen`
export const profileChanged = 'Profil geändert'
export const profileFieldsChanged = (names: readonly string[]) => `Im Profil geändert: ${formatList(names)}`
export const preferencesChanged = 'Allgemeine Einstellungen geändert'
export const preferenceFieldsChanged = (names: readonly string[]) =>
  `In den Einstellungen geändert: ${formatList(names)}`
export const notificationsChanged = 'Benachrichtigungen geändert'
export const passwordChanged = 'Passwort geändert'
export const passwordReset = 'Passwort per E-Mail zurückgesetzt'
export const emailChanged = 'E-Mail-Adresse geändert'
export const emailChangedTo = (address: string) => `E-Mail-Adresse geändert in ${address}`
export const twoFactorEnabled = 'Zwei-Faktor-Authentifizierung aktiviert'
export const twoFactorDisabled = 'Zwei-Faktor-Authentifizierung deaktiviert'
export const backupCodesReplaced = 'Backup-Codes ersetzt'
export const backupCodeUsed = 'Mit einem Backup-Code angemeldet'
export const tokenCreated = (name: string) => `Zugriffstoken „${name}“ erstellt`
export const tokenRotated = (name: string) => `Geheimnis des Zugriffstokens „${name}“ ersetzt`
export const tokenRevoked = (name: string) => `Zugriffstoken „${name}“ widerrufen`
export const appPasswordCreated = (name: string) => `App-Passwort „${name}“ erstellt`
export const invitingAppPasswordCreated = (name: string) =>
  `App-Passwort „${name}“ erstellt: Die App sendet Einladungen ohne Rückfrage`
export const appPasswordChanged = (name: string) => `Einladungen des App-Passworts „${name}“ geändert`
export const appPasswordRevoked = (name: string) => `App-Passwort „${name}“ widerrufen`
export const linkCreated = (name: string) => `Privaten Link „${name}“ erstellt`
export const linkRevoked = 'Privaten Link widerrufen'
export const invited = (address: string) => `${address} eingeladen`
export const invitationCreated = 'Einladung erstellt'
export const invitationRevoked = 'Einladung widerrufen'
export const signInProviders: Readonly<Record<string, string>> = { google: 'Google', microsoft: 'Microsoft' }
export const oauthClientChanged = (provider: string) => `Anmeldung mit ${provider} geändert`
export const oauthClientDeleted = (provider: string) => `Anmeldung mit ${provider} gelöscht`
export const mailAccountAdded = (address: string) => `E-Mail-Konto ${address} hinzugefügt`
export const mailAccountChanged = (address: string) => `E-Mail-Konto ${address} geändert`
export const mailAccountDeleted = (address: string) => `E-Mail-Konto ${address} gelöscht`
export const ruleCreated = (name: string) => `Regel „${name}“ erstellt`
export const ruleChanged = (name: string) => `Regel „${name}“ geändert`
export const ruleDeleted = (name: string) => `Regel „${name}“ gelöscht`
export const calendarAccountAdded = (name: string) => `Kalenderkonto „${name}“ hinzugefügt`
export const calendarAccountChanged = (name: string) => `Kalenderkonto „${name}“ geändert`
export const calendarAccountDeleted = (name: string) => `Kalenderkonto „${name}“ gelöscht`
export const aiKeySaved = (provider: string) => `API-Schlüssel für ${provider} gespeichert`
export const aiKeyDeleted = (provider: string) => `API-Schlüssel für ${provider} gelöscht`
export const webhookAdded = (name: string) => `Webhook „${name}“ hinzugefügt`
export const webhookChanged = (name: string) => `Webhook „${name}“ geändert`
export const webhookRotated = (name: string) => `Geheimnis des Webhooks „${name}“ ersetzt`
export const webhookDeleted = (name: string) => `Webhook „${name}“ gelöscht`
export const webhookDisabled = (name: string) => `Webhook „${name}“ nach wiederholten Fehlern abgeschaltet`
export const bookingKeyChanged = 'Schlüssel des Buchungsanbieters geändert'
export const checkoutStarted = 'Bezahlvorgang gestartet'
export const planCancelled = 'Tarif gekündigt'
export const billingDetailsChanged = 'Rechnungsangaben geändert'
export const budgetChanged = 'Budget geändert'
export const dataExported = 'Alle Daten exportiert'
export const dataImported = 'Daten aus einem Export importiert'
export const sampleDataDeleted = 'Beispieldaten gelöscht'

/** The server names a device in English: "Firefox on Linux". */
export const deviceName = (name: string) => name.replace(/^(.+) on (.+)$/, '$1 unter $2')
export const accountDisabled = 'Konto gesperrt'
export const accountEnabled = 'Konto entsperrt'
export const accountDeleted = (email: string) => `Konto ${email} gelöscht`
export const ownershipHandedOver = 'Eigentümerschaft übergeben'
export const ownershipReceived = 'Eigentümer dieser Instanz geworden'
export const registrationChanged = 'Registrierung geändert'
export const storageLimitChanged = 'Speicherlimit eines Kontos geändert'
export const instanceChanged = 'Einstellungen dieser Instanz geändert'
export const backupDestinationChanged = (destination: string) => `Backup-Ziel geändert: ${destination}`
export const backupPassphraseChanged = 'Passphrase der Backups geändert'
export const backupPassphraseRemoved = 'Passphrase der Backups entfernt'
export const instanceMailChanged = (address: string) =>
  `E-Mails dieser Instanz werden gesendet von ${address}`
