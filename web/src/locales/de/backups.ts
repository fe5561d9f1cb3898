// Texts of the backup settings.
import { formatList } from '../format.ts'

export const lastProven = 'Zuletzt nachweislich wiederherstellbar'
export const neverProven = 'Noch nie'
export const neverProvenAbout = 'Noch kein Backup ist geprüft. Erstelle jetzt eins.'
export const provenAbout = 'Dieses Backup wurde zur Probe wiederhergestellt und verglichen.'
export const backUpNow = 'Jetzt sichern'
export const backupStarted = 'Backup gestartet'
export const nextBackup = 'Nächstes Backup: <time></time>'
export const notScheduled = 'Kein Zeitplan'

// Schedule
export const scheduled = 'Geplante Backups'
export const on = 'An'
export const off = 'Aus'
export const frequency = 'Häufigkeit'
export const frequencies = { daily: 'Täglich', weekly: 'Wöchentlich' }
export const weekday = 'Wochentag'
export const weekdays = {
  monday: 'Montag',
  tuesday: 'Dienstag',
  wednesday: 'Mittwoch',
  thursday: 'Donnerstag',
  friday: 'Freitag',
  saturday: 'Samstag',
  sunday: 'Sonntag',
}
export const time = 'Uhrzeit'
export const timeHint = (zone: string) => `Zeitzone: ${zone}`
export const keepCount = 'Backups behalten'
export const keepCountHint = 'Das neueste geprüfte Backup bleibt immer'
export const keepDays = 'Löschen nach Tagen'
export const keepDaysHint = 'Leer: keine Begrenzung'
export const passphrase = 'Passphrase'
export const passphraseHint = 'Verschlüsselt Backups. Bewahre eine Kopie woanders auf.'
export const passphraseKeptHint = 'Verschlüsselt. Leer lassen, um sie zu behalten.'
export const encryption = 'Verschlüsselung'
export const encryptionChoices = { off: 'Nicht verschlüsselt', on: 'Mit Passphrase' }
export const destination = 'Ziel'
export const destinations = { folder: 'Ordner auf dem Server', s3: 'S3-kompatibler Speicher' }
export const folder = 'Ordner'
export const folderHint = (folder: string, allowed: readonly string[]) =>
  allowed.length === 0
    ? `Leer: ${folder}. Andere benötigen BACKUP_FOLDERS.`
    : `Leer: ${folder}. Andere unter: ${formatList(allowed)}`
export const endpoint = 'Serveradresse'
export const region = 'Region'
export const bucket = 'Bucket'
export const prefix = 'Präfix'
export const prefixHint = 'Optional, zum Beispiel home/'
export const accessKeyId = 'Zugriffsschlüssel'
export const secretAccessKey = 'Geheimer Schlüssel'
export const passwordHint = 'Für ein anderes Ziel oder eine andere Passphrase'
export const secretKeptHint = 'Leer lassen, um ihn zu behalten'
export const scheduleSaved = 'Zeitplan gespeichert'

// List
export const states = {
  running: 'Läuft',
  written: 'Noch nicht geprüft',
  proven: 'Geprüft',
  failed: 'Fehlgeschlagen',
}
export const steps = {
  waiting: 'Wartet',
  writing: 'Wird geschrieben',
  uploading: 'Wird hochgeladen',
  downloading: 'Wird heruntergeladen',
  verifying: 'Wird geprüft',
}
export const encrypted = 'Verschlüsselt'
export const noBackups = 'Noch keine Backups'
export const noBackupsAbout = 'Sichere jetzt oder lege einen Zeitplan fest.'
export const download = 'Herunterladen'
export const downloadBackup = (name: string) => `${name} herunterladen`
export const downloadAbout = 'Die Datei enthält die Daten aller Konten.'
export const deleteBackup = (name: string) => `${name} löschen`
export const deleteAbout = 'Auch die Datei wird gelöscht.'
export const deleted = 'Backup gelöscht'

// Restore
export const restoreAbout = 'Führe diesen Befehl auf dem Server aus, während Factotum nicht läuft.'
export const restoreCommand = 'factotum restore DATEI'
export const restoreHint =
  'Die Instanz muss leer sein, sonst ergänze --replace. Bei einem verschlüsselten Backup wirst du nach der Passphrase gefragt.'
