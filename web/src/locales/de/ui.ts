import { formatNumber, plural } from '../format.ts'

export const changedElsewhere = 'Dies wurde während deiner Bearbeitung an anderer Stelle geändert.'
export const notSavedYet = 'Deine Änderungen sind noch nicht gespeichert.'
export const loadSaved = 'Gespeicherte Version laden'
export const saveMine = 'Meine speichern'
export const showAll = (label: string) => `${label}: alle anzeigen`
export const noMatches = 'Keine Treffer'
export const progress = ({ done, total, things }: { done: number; total: number; things: string }) =>
  `${formatNumber(done)} von ${formatNumber(total)} ${things}`
export const yourPassword = 'Dein Passwort'
export const showField = (label: string) => `„${label}“ anzeigen`
export const hideField = (label: string) => `„${label}“ verbergen`
export const isRequired = (label: string) => `Bitte „${label}“ ausfüllen.`
export const emailRequired = (label: string) => `„${label}“ muss wie ana@example.org aussehen.`
export const isIncomplete = (label: string) => `„${label}“ ist unvollständig.`
export const isInvalid = (label: string) => `„${label}“ ist ungültig.`
export const tooSmall = ({ label, limit }: { label: string; limit: string }) =>
  `„${label}“ muss mindestens ${limit} sein.`
export const tooLarge = ({ label, limit }: { label: string; limit: string }) =>
  `„${label}“ darf höchstens ${limit} sein.`
export const notAdded = ({ text, reason }: { text: string; reason: string }) =>
  `„${text}“ konnte nicht hinzugefügt werden. ${reason}`
export const inputRestored = 'Nicht gespeicherte Änderungen wiederhergestellt.'
export const inputRestoredOverNewer =
  'Nicht gespeicherte Änderungen wiederhergestellt. Speichern überschreibt neuere Änderungen.'
export const inputKept = 'Nicht gespeicherte Änderungen bleiben erhalten.'
export const discard = 'Verwerfen'
export const loadMore = 'Mehr laden'
export const passwordLength = 'Mindestens 8 Zeichen'
export const passwordTooLong = 'Höchstens 72 Byte (etwa 72 Buchstaben)'
export const ruleMet = '(erfüllt)'
export const copy = 'Kopieren'
export const copied = 'Kopiert'
export const copyFailed = 'Kopieren nicht möglich. Markiere den Text und kopiere ihn selbst.'
export const secretNotSaved =
  'Du hast dies noch nicht kopiert, und es wird nur einmal angezeigt. Schließe erneut, um fortzufahren.'
export const noId = 'Ohne ID'
export const done = 'Fertig'
export const notDeletedChanged = 'Nicht gelöscht: Der Eintrag wurde inzwischen geändert.'
export const notDeleted = (reason: string) => `Nicht gelöscht. ${reason}`

export const color = 'Farbe'
export const colors = {
  blue: 'Blau',
  green: 'Grün',
  amber: 'Bernstein',
  red: 'Rot',
  purple: 'Violett',
  pink: 'Pink',
  teal: 'Türkis',
  gray: 'Grau',
}
export const otherColor = (value: string) => `Andere Farbe (${value})`
export const suggestedAddresses = 'Vorgeschlagene Adressen'
export const suggestionCount = (count: number) =>
  plural(count, { one: '1 Vorschlag', other: `${formatNumber(count)} Vorschläge` })
