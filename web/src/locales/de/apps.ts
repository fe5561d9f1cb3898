// Texts of app passwords and of the setup of calendar, task and contact apps.

export const appPasswords = 'App-Passwörter'
export const appsAbout = 'Nutze deine Kalender in den Apps deiner Geräte.'
export const onlyCalendars =
  'Apps gleichen vorerst Kalender ab. Die Auswahl für Aufgaben, Kontakte und Einladungen gilt erst in einer späteren Version.'
export const noPasswords = 'Keine App-Passwörter'
export const noPasswordsAbout = 'Erstelle eines für jedes Gerät.'
export const newPassword = 'Neues App-Passwort'
export const newPasswordAbout = 'Für ein Gerät. Dein eigenes Passwort gilt in Apps nicht.'
export const createPassword = 'App-Passwort erstellen'
export const name = 'Name'
export const nameHint = 'Zum Beispiel „Pixel 9“'
export const calendars = 'Kalender'
export const tasks = 'Aufgaben'
export const contacts = 'Kontakte'
export const levels = {
  write: 'Lesen und schreiben',
  read: 'Lesen',
  none: 'Kein Zugriff',
}
export const grants = {
  calendars: { read: 'Kalender: lesen', write: 'Kalender: lesen und schreiben' },
  tasks: { read: 'Aufgaben: lesen', write: 'Aufgaben: lesen und schreiben' },
  contacts: { read: 'Kontakte: lesen', write: 'Kontakte: lesen und schreiben' },
}
export const accessMissing = 'Wähle aus, worauf die App zugreifen darf.'
export const invitations = 'Einladungen an Gäste von Terminen'
export const invitationChoices = {
  ask: 'Nach deiner Bestätigung senden',
  yes: 'Sofort senden',
  no: 'Nicht senden',
}
export const invitationNotes = {
  ask: 'Einladungen warten auf deine Bestätigung.',
  yes: 'Sendet Einladungen ohne Rückfrage.',
  no: 'Sendet keine Einladungen. Nur Apps mit eigenem E-Mail-Versand laden ein.',
}
export const actionsFor = (name: string) => `Aktionen für ${name}`
export const rename = 'Umbenennen'
export const renameTitle = 'App-Passwort umbenennen'
export const renamed = 'App-Passwort umbenannt'
export const askFirst = 'Vor dem Senden von Einladungen fragen'
export const asksFirst = (name: string) => `„${name}“ fragt vor dem Senden von Einladungen`
export const revoke = 'Widerrufen'
export const revokeTitle = (name: string) => `„${name}“ widerrufen?`
export const revokeAbout = 'Die App verliert sofort den Zugriff. Das lässt sich nicht rückgängig machen.'
export const revoked = (name: string) => `„${name}“ widerrufen`
export const yourPassword = 'Dein App-Passwort'
export const yourPasswordAbout =
  'Gib diese drei Werte in der App ein. Das Passwort wird nur einmal angezeigt.'
export const server = 'Server'
export const username = 'Benutzername'
export const password = 'Passwort'
export const passwordFromAbove = 'Ein App-Passwort dieser Seite'

export const reachNotes = {
  local:
    'Nur dieser Rechner kann diese Instanz öffnen, ein Telefon kann sich also nicht verbinden. <link>Richte zuerst HTTPS ein.</link>',
  http: 'Andere Geräte brauchen HTTPS, weil das Passwort sonst im Netz lesbar wäre. <link>Richte zuerst HTTPS ein.</link>',
}
export const connect = 'App verbinden'
export const connectAbout = 'Jede App fragt nach diesen drei Werten. <link>Mehr zu jeder App</link>'
export const appSteps = {
  apple: {
    title: 'iPhone, iPad und Mac',
    steps: [
      'Lade das Profil unten auf dem Gerät herunter und öffne es in den Einstellungen. Es fragt nach dem App-Passwort.',
      'Ohne das Profil: Einstellungen → Apps → Kalender → Kalenderaccounts → Account hinzufügen → Andere → CalDAV-Account hinzufügen.',
    ],
  },
  android: {
    title: 'Android mit DAVx⁵',
    steps: [
      'Installiere DAVx⁵ aus F-Droid oder Google Play.',
      'In DAVx⁵: + → Mit URL und Benutzername anmelden.',
      'Gib Server, Benutzername und App-Passwort ein.',
      'Wähle die Kalender aus, die abgeglichen werden.',
    ],
  },
  thunderbird: {
    title: 'Thunderbird',
    steps: [
      'Neuer Kalender → Im Netzwerk. Gib Benutzername und Server ein und wähle die Kalender aus.',
      'Gib das App-Passwort ein, wenn Thunderbird danach fragt.',
    ],
  },
  evolution: {
    title: 'Evolution und GNOME',
    steps: [
      'Datei → Neu → Sammelkonto. Gib den Benutzernamen ein, und den Server unter „Erweiterte Optionen“.',
      'Gib das App-Passwort ein und wähle die Kalender aus.',
    ],
  },
}
export const downloadProfile = 'Profil für iPhone und Mac herunterladen'
