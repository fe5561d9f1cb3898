// The owner's page about the accounts of the instance.
export const accounts = 'Konten'
export const accountsAbout = 'Jedes Konto hat eigene Daten. Die Daten anderer kannst du nicht sehen.'
export const owner = 'Eigentümer'
export const disabled = 'Gesperrt'
export const neverSignedIn = 'Noch nie angemeldet'
export const lastSignIn = 'Letzte Anmeldung:'
export const actionsFor = (name: string) => `Aktionen für ${name}`
export const disable = 'Sperren'
export const enable = 'Entsperren'
export const accountDisabled = (name: string) => `Konto von ${name} gesperrt`
export const accountEnabled = (name: string) => `Konto von ${name} entsperrt`

export const handOver = 'Zum Eigentümer machen …'
export const handOverTitle = (name: string) => `${name} zum Eigentümer machen?`
export const handOverAbout =
  'Der neue Eigentümer verwaltet Konten, Einladungen und die Einstellungen dieser Instanz. Du wirst Mitglied und behältst deine Daten.'
export const handedOver = (name: string) => `${name} ist jetzt Eigentümer`

export const deleteTitle = (name: string) => `Konto von ${name} löschen?`
export const deleteAbout =
  'Löscht das Konto mit allen E-Mails, Aufgaben, Kalendern und Dateien. Das lässt sich nicht rückgängig machen.'
export const deleteAccount = 'Konto löschen'
export const accountDeleted = (name: string) => `Konto von ${name} gelöscht`

export const registration = 'Registrierung'
export const registrationAbout = 'Wer auf dieser Instanz ein Konto anlegen kann'
export const whoMayRegister = 'Neue Konten'
export const registrations = {
  open: 'Alle können sich registrieren',
  invite: 'Nur mit Einladung',
  first: 'Niemand',
}
export const registrationFixed =
  'REGISTRATION ist in der Konfiguration des Servers festgelegt. Ändere es dort.'
export const registrationSaved = 'Registrierung gespeichert'

export const storageUsed = (used: string) => `Speicher: ${used}`
export const storageUsedOfLimit = ({ used, limit }: { used: string; limit: string }) =>
  `Speicher: ${used} von ${limit}`
export const setStorageLimit = 'Speicherlimit festlegen …'
export const storageLimitTitle = (name: string) => `Speicherlimit von ${name}`
export const storageLimitAbout =
  'Ein volles Konto kann nichts mehr speichern. Neue E-Mails bleiben auf dem Mailserver, und nichts wird gelöscht.'
export const gigabytes = 'Gigabyte'
export const noLimitHint = 'Leer lassen für kein Limit'
export const storageLimitSaved = 'Speicherlimit gespeichert'
export const defaultStorage = 'Speicherlimit neuer Konten'
export const defaultStorageAbout = 'Ändert bestehende Konten nicht'

export const instanceMail = 'E-Mails der Instanz'
export const instanceMailAbout = 'Sendet Links für neue Passwörter und Einladungen'
export const sender = 'Absender'
export const oldestMailAccount = 'Dein ältestes E-Mail-Konto'
export const turnedOffAccount = (address: string) => `${address} (aus)`
export const changeSender = 'Absender ändern'
export const senderSaved = 'Absender gespeichert'
export const sentFrom = (address: string) => `Absender: ${address}`
export const sentByServer = (address: string) =>
  `Absender: ${address}. SMTP_URL ist in der Konfiguration des Servers festgelegt.`
export const noSender =
  'Kein E-Mail-Konto kann senden. Links für neue Passwörter und Einladungen werden nicht verschickt.'
export const addMailAccount = 'E-Mail-Konten'
export const noPublicUrl =
  'PUBLIC_URL ist in der Konfiguration des Servers nicht festgelegt. Links für neue Passwörter und Einladungen werden nicht verschickt.'
