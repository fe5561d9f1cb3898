export const commitments = 'Zusagen'
export const about =
  'Aus deinen E-Mails. Automatisch geschlossen, sobald eine E-Mail oder die Aufgabe sie als erledigt zeigt.'
export const show = 'Anzeigen'
export const views = { mine: 'Von mir', theirs: 'An mich', done: 'Erledigt', dismissed: 'Verworfen' }

export const none = {
  mine: 'Keine offenen Zusagen von dir',
  theirs: 'Niemand schuldet dir etwas',
  done: 'Noch keine erledigten Zusagen',
  dismissed: 'Nichts verworfen',
}
export const noneHelp = {
  mine: 'Wenn du „Ich schicke es bis Freitag“ schreibst, erscheint es hier.',
  theirs: 'Wenn jemand „Ich rufe dich morgen an“ schreibt, erscheint es hier.',
  done: 'Hier erscheinen eingehaltene Zusagen.',
  dismissed: 'Hier erscheinen verworfene Zusagen. Du kannst sie wieder öffnen.',
}

export const to = (name: string) => `An ${name}`
export const from = (name: string) => `Von ${name}`
export const due = (when: string) => `Fällig ${when}`
export const overdue = (when: string) => `Überfällig seit ${when}`
export const noDate = 'Ohne Datum'
export const promisedOn = 'Zugesagt'
export const openEmail = 'E-Mail öffnen'
export const openTask = 'Aufgabe öffnen'

export const done = 'Erledigt'
export const markDone = (text: string) => `Erledigt: ${text}`
export const dismiss = 'Verwerfen'
export const makeTask = 'Aufgabe anlegen'
export const reopen = 'Wieder öffnen'
export const reopenCommitment = (text: string) => `Wieder öffnen: ${text}`
export const actionsFor = (text: string) => `Aktionen für „${text}“`

export const maybeDone = 'Vielleicht erledigt:'
export const notYet = 'Noch nicht'
export const notYetCommitment = (text: string) => `Noch nicht: ${text}`
export const showEvidence = 'E-Mail öffnen'

export const closedBy = {
  email: 'Durch eine E-Mail erledigt',
  task: 'Durch die Aufgabe erledigt',
  user: 'Von dir erledigt',
}

export const markedDone = 'Zusage erledigt'
export const dismissed = 'Zusage verworfen'
export const reopened = 'Zusage wieder geöffnet'
export const taskCreated = 'Aufgabe angelegt'
export const kept = 'Bleibt offen'

export const person = 'Person'
export const everybody = 'Alle'
export const noneWith = 'Keine Zusagen mit dieser Person'
export const showEverybody = 'Alle anzeigen'
export const edit = 'Bearbeiten …'
export const editCommitment = 'Zusage bearbeiten'
export const text = 'Zusage'
export const dueDay = 'Fällig am'
export const dueTime = 'Uhrzeit'
export const dueTimeHint = 'Leer: der ganze Tag'
export const saved = 'Zusage gespeichert'
export const restored = 'Zusage wiederhergestellt'
