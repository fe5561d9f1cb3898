// Texts of email accounts and calendar accounts.
import { formatList, formatNumber, plural } from '../format.ts'

export const emailAccounts = 'E-Mail-Konten'
export const emailAccountsAbout = 'Deine E-Mails bleiben auf deinem Server. Factotum hält sie synchron.'
export const calendarAccounts = 'Kalenderkonten'
export const calendarAccountsAbout =
  'Synchronisierung in beide Richtungen mit CalDAV-Servern. Abonnements sind schreibgeschützt.'
export const connected = 'Konto verbunden. E-Mails werden synchronisiert.'

export const noEmailAccount = 'Kein E-Mail-Konto'
export const noEmailAccountAbout = 'Gib deine Adresse ein. Wir ermitteln die Servereinstellungen.'
export const noCalendarAccount = 'Kein Kalenderkonto'
export const noCalendarAccountAbout = 'Füge den Kalender deines Telefons hinzu oder abonniere einen.'

export const connectedAccounts = 'Verbundene Konten'
export const addAccount = 'Konto hinzufügen'
export const addEmailAccount = 'E-Mail-Konto hinzufügen'
export const addEmailAddress = (address: string) => `${address} hinzufügen`
export const addCalendarAccount = 'Kalenderkonto hinzufügen'
export const emailAccountAdded = (name: string) => `${name} hinzugefügt. E-Mails werden synchronisiert.`
export const calendarAccountAdded = (name: string) => `${name} hinzugefügt. Termine werden synchronisiert.`
export const accountSaved = (name: string) => `${name} gespeichert`
export const editAccountTitle = (name: string) => `${name} bearbeiten`
export const editAccount = 'Konto bearbeiten'

export const actionsFor = (name: string) => `Weitere Aktionen für ${name}`
export const refresh = (name: string) => `${name} aktualisieren`
export const refreshing = (name: string) => `${name} wird aktualisiert`
export const testConnection = 'Verbindung testen'
export const testing = 'Verbindung wird getestet …'
export const test = 'Testen'
export const turnOff = 'Ausschalten'
export const turnOn = 'Einschalten'
export const turnedOff = (name: string) => `${name} ausgeschaltet`
export const turnedOn = (name: string) => `${name} eingeschaltet`

export const statuses = {
  waiting: 'Wartet',
  syncing: 'Wird synchronisiert',
  live: 'Synchronisiert',
  paused: 'Pausiert',
  failing: 'Fehlgeschlagen',
  signed_out: 'Abgemeldet',
  off: 'Aus',
}
export const checkedAt = 'Geprüft: <time></time>'
export const neverChecked = 'Noch nicht synchronisiert'
export const emailCount = (count: number) =>
  plural(count, { one: '1 E-Mail', other: `${formatNumber(count)} E-Mails` })
export const unreadableEmails = (count: number) => `${formatNumber(count)} nicht lesbar`
export const unreadableEvents = (count: number) =>
  plural(count, {
    one: '1 Termin konnte nicht gelesen werden. Alles andere ist synchronisiert.',
    other: `${formatNumber(count)} Termine konnten nicht gelesen werden. Alles andere ist synchronisiert.`,
  })
export const download = 'Herunterladen'
export const newEventsHere = 'Erhält neue Termine'
export const localChanges = (count: number) =>
  plural(count, {
    one: '1 Änderung per E-Mail nur hier gespeichert',
    other: `${formatNumber(count)} Änderungen per E-Mail nur hier gespeichert`,
  })
export const unsyncedChanges = (count: number) =>
  plural(count, {
    one: '1 Änderung hochzuladen',
    other: `${formatNumber(count)} Änderungen hochzuladen`,
  })
export const progressLabel = (name: string) => `Fortschritt der Synchronisierung von ${name}`
export const emailProgress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} von ${formatNumber(total)} E-Mails`
export const eventProgress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} von ${formatNumber(total)} Terminen`

export const deleteTitle = (name: string) => `${name} löschen?`
export const deleteEmailAccountAbout =
  'Synchronisierte E-Mails bleiben hier und auf dem Server. Nicht gesendete E-Mails dieses Kontos werden nicht gesendet.'
export const deleteCalendarAccountAbout =
  'Die Kalender auf dem Server bleiben. Ihre Termine verschwinden hier.'
export const deleteSubscriptionAbout = 'Die Termine verschwinden aus deinem Kalender.'
export const keepEvents = 'Termine hier behalten'
export const accountDeleted = (name: string) => `${name} gelöscht`

export const emailAddress = 'E-Mail-Adresse'
export const emailAddressHint = 'Wir ermitteln die Servereinstellungen'
export const continueAction = 'Weiter'
export const back = 'Zurück'
export const serverSources = {
  provider: 'Servereinstellungen gefunden.',
  dns: 'Servereinstellungen in den DNS-Einträgen der Domain gefunden.',
  autoconfig: 'Der Anbieter hat diese Servereinstellungen veröffentlicht.',
  none: 'Keine Servereinstellungen gefunden. Sie stehen auf den Hilfeseiten deines Anbieters.',
}
export const providers = {
  google: 'Google',
  microsoft: 'Microsoft',
}
export const signInWith = (provider: string) => `Mit ${provider} anmelden`
export const signInAbout = (provider: string) =>
  `Du meldest dich bei ${provider} an. Factotum erfährt dein Passwort nicht.`
export const useAppPassword = 'App-Passwort verwenden'
export const orChooseProvider = 'Oder wähle deinen Anbieter'
export const otherProvider = 'Anderer Anbieter'
export const addProviderAccount = (provider: string) => `${provider} verbinden`
export const stepsAt = (provider: string) => `Erledige zuerst diese Schritte bei ${provider}:`
export const signInNotSetUp = (provider: string) =>
  `Die Anmeldung mit ${provider} ist auf dieser Instanz noch nicht eingerichtet.`
export const setUpSignIn = (provider: string) => `Anmeldung mit ${provider} einrichten`
export const askOwnerForSignIn = (provider: string) =>
  `Bitte den Eigentümer dieser Instanz, die Anmeldung mit ${provider} einzurichten.`
export const alsoGoogleCalendars = 'Auch meine Google-Kalender verbinden'
export const connectCalendars = 'Kalender verbinden'
export const connectedWithoutCalendar =
  'Konto verbunden, aber Google hat den Zugriff auf deine Kalender nicht erlaubt. Melde dich erneut an und erlaube ihn.'
export const calendarAddressNote = ({ url, isAppPassword }: { url: string; isAppPassword: boolean }) =>
  isAppPassword
    ? `Kalender: Füge ${url} unter Kalenderkonten mit demselben App-Passwort hinzu.`
    : `Kalender: Füge ${url} unter Kalenderkonten mit demselben Passwort hinzu.`
export const providerCalendars =
  'Google-Kalender: Verwende „Mit Google anmelden“ unter <link>E-Mail-Konten</link>. Kalender von Microsoft-Konten sind noch nicht verfügbar; abonniere einen veröffentlichten.'
export const signInAgain = 'Dieses Konto ist nicht angemeldet. Melde dich erneut an.'
export const bridgePassword = 'Passwort aus Bridge'
export const bridgeCertificateHint = 'Inhalt von cert.pem, exportiert von Bridge'
export const usernameHint = 'Leer lassen, um die E-Mail-Adresse zu verwenden'
export const password = 'Passwort'
export const appPassword = 'App-Passwort'
export const passwordAgain = 'Passwort erneut eingeben'
export const newPassword = 'Neues Passwort'
export const keepPasswordHint = 'Leer lassen, um das aktuelle zu behalten'
export const otherServerHint = 'Nötig für einen anderen Server oder Benutzernamen'
export const appPasswordHint = 'Bei Zwei-Faktor-Authentifizierung ein App-Passwort verwenden'
export const senderName = 'Absendername'
export const senderNameExample = 'Anna Muster'
export const serverSettings = 'Servereinstellungen'
export const username = 'Benutzername'
export const serverSides = {
  imap: 'Posteingangsserver (IMAP)',
  smtp: 'Postausgangsserver (SMTP)',
}
export const server = 'Server'
export const port = 'Port'
export const security = 'Sicherheit'
export const securityKinds = {
  implicit: 'TLS',
  starttls: 'STARTTLS',
  none: 'Keine (unverschlüsselt)',
}
export const selfSignedCertificate = 'Selbst signiertes Zertifikat'
export const certificate = 'Zertifikat (PEM)'
export const certificateHint = 'Nur für deinen eigenen Server'
export const testPassed = (side: string) => `<strong>${side}:</strong> verbunden`
export const testFailed = ({ side, failure }: { side: string; failure: string }) =>
  `<strong>${side}:</strong> ${failure}`
export const failedSteps = {
  dns: 'Server nicht gefunden',
  connect: 'Verbindung fehlgeschlagen',
  tls: 'Sichere Verbindung fehlgeschlagen',
  greeting: 'Keine gültige Antwort',
  login: 'Anmeldung fehlgeschlagen',
  select: 'Postfach konnte nicht geöffnet werden',
  command: 'Befehl fehlgeschlagen',
}

export const name = 'Name'
export const syncAccount = 'Dieses Konto synchronisieren'

export const calendarType = 'Art'
export const calendarKinds = {
  caldav: 'CalDAV-Konto',
  ics: 'Abonnement',
}
export const calendarKindsAbout = {
  caldav: 'Synchronisierung in beide Richtungen mit Nextcloud, iCloud, Fastmail und anderen',
  ics: 'Schreibgeschützter Kalender über eine Adresse, zum Beispiel Feiertage',
}
export const calendarUrls = {
  caldav: 'Serveradresse',
  ics: 'Kalenderadresse',
}
export const calendarUrlHints = {
  caldav: 'Oft genügt der Servername',
  ics: 'Beginnt mit https:// oder webcal://',
}
export const savedUrlHint = 'Verborgen wie ein Passwort. Unverändert lassen, um sie zu behalten.'
export const calendarNameExamples = {
  caldav: 'Arbeit',
  ics: 'Feiertage',
}
export const calendarNameHint = 'Ohne Angabe der Servername'
export const optionalUsernameHint = 'Nur wenn die Adresse einen verlangt'
export const newEvents = 'Neue Termine diesem Konto hinzufügen'
export const newEventsCalendar = 'Kalender für neue Termine'
export const firstCalendar = 'Erster Kalender'
export const syncedCalendars = 'Synchronisierte Kalender'
export const readOnly = 'schreibgeschützt'
export const calendarFollowed = (calendar: string) => `${calendar} wird synchronisiert`
export const calendarHidden = (calendar: string) => `${calendar} wird nicht mehr synchronisiert`
export const foundCalendars = (calendars: readonly string[]) =>
  `Verbunden. Gefunden: ${formatList(calendars)}`
export const foundNoCalendars = 'Verbunden. Keine Kalender gefunden.'
