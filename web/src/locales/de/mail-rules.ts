import { formatNumber, plural } from '../format.ts'

export const about = 'Regeln verarbeiten neue E-Mails in dieser Reihenfolge.'
export const yourRules = 'Deine Regeln'
export const newRule = 'Neue Regel'
export const editRule = 'Regel bearbeiten'
export const createRule = 'Regel erstellen'
export const noRules = 'Noch keine Regeln'
export const noRulesAbout = 'Erstelle eine hier oder im Menü einer E-Mail.'
export const actionsFor = (name: string) => `Aktionen für ${name}`
export const applyRule = (name: string) => `Regel ${name} anwenden`
export const on = 'Ein'
export const off = 'Aus'
export const runNow = 'Jetzt ausführen'

// The form.
export const conditions = 'Wenn für eine E-Mail gilt'
export const fields = {
  from: { label: 'Von', placeholder: 'ana@example.org' },
  to: { label: 'An', placeholder: '' },
  subject: { label: 'Betreff', placeholder: 'Rechnung' },
  words: { label: 'Wörter', placeholder: 'irgendwo in der E-Mail' },
}
export const query = 'Suchanfrage'
export const queryHint = 'Alle Suchoperatoren außer in:, is:, before: und after:'
export const actions = 'Dann'
export const move = 'Verschieben'
export const keepInInbox = 'Im Posteingang lassen'
export const moveToArchive = 'Ins Archiv'
export const moveToTrash = 'In den Papierkorb'
export const tagsPlaceholder = 'Nachrichten, wöchentlich'
export const tagsHint = 'Mit Kommas trennen'
export const createTask = 'Aufgabe erstellen'
export const noSnooze = 'Nicht zurückstellen'
export const snoozePresets = {
  'later-today': 'Für 3 Stunden',
  tomorrow: 'Bis morgen, 8:00',
  weekend: 'Bis Samstag, 8:00',
  'next-week': 'Bis Montag, 8:00',
}
export const name = 'Name'
export const actionRequired = 'Wähle mindestens eine Aktion.'
export const noMatches = 'Keine E-Mail in deinem Posteingang passt.'
export const matches = (count: number) =>
  plural(count, {
    one: '1 E-Mail in deinem Posteingang passt.',
    other: `${formatNumber(count)} E-Mails in deinem Posteingang passen.`,
  })
export const moreMatches = (count: number) =>
  `Mehr als ${formatNumber(count)} E-Mails in deinem Posteingang passen.`

// The actions of a rule, joined as a list.
export const movesToFolder = 'verschiebt in einen Ordner'
export const actionTexts = {
  archive: 'archivieren',
  trash: 'in den Papierkorb verschieben',
  tag: (tags: string) => `${tags} hinzufügen`,
  read: 'als gelesen markieren',
  starred: 'mit Stern markieren',
  pinned: 'anheften',
  snooze: {
    'later-today': '3 Stunden zurückstellen',
    tomorrow: 'bis morgen zurückstellen',
    weekend: 'bis Samstag zurückstellen',
    'next-week': 'bis Montag zurückstellen',
  },
  task: 'Aufgabe erstellen',
}

// Running a rule.
export const runTitle = (name: string) => `„${name}“ jetzt ausführen?`
export const runOlder = 'Ältere E-Mails passen ebenfalls.'
export const runActions = ({ count, actions }: { count: number; actions: string }) =>
  plural(count, {
    one: `Ändert 1 E-Mail: ${actions}.`,
    other: `Ändert ${formatNumber(count)} E-Mails: ${actions}.`,
  })
export const nothingToChange = 'Alle passenden E-Mails sind schon auf dem neuesten Stand.'
export const nothingToDo = (name: string) => `„${name}“ hat in deinem Posteingang nichts zu tun`
export const ran = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `„${name}“ auf 1 E-Mail angewendet`,
    other: `„${name}“ auf ${formatNumber(count)} E-Mails angewendet`,
  })
export const ranPartly = ({ name, count }: { name: string; count: number }) =>
  `„${name}“ auf ${formatNumber(count)} E-Mails angewendet. Führe sie für ältere E-Mails erneut aus.`
export const reverted = 'Änderungen rückgängig gemacht'

// Results.
export const created = (name: string) => `Regel „${name}“ erstellt`
export const applyToInbox = 'Auf Posteingang anwenden'
export const saved = (name: string) => `Regel „${name}“ gespeichert`
export const turnedOn = (name: string) => `Regel „${name}“ eingeschaltet`
export const turnedOff = (name: string) => `Regel „${name}“ ausgeschaltet`
export const deleted = (name: string) => `Regel „${name}“ gelöscht`
export const restored = (name: string) => `Regel „${name}“ wiederhergestellt`
