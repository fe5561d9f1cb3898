// Texte der E-Mail-Vorlagen: Menü beim Schreiben und Einstellungen.
export const templates = 'Vorlagen'
export const about = 'Texte zum Einfügen in neue E-Mails'
export const none = 'Noch keine Vorlagen'
export const noneAbout = 'Speichere Texte, die du oft schreibst.'
export const filter = 'Vorlage suchen'
export const manage = 'Vorlagen verwalten'
export const saveCurrent = 'Text als Vorlage speichern'
export const save = 'Speichern'
export const name = 'Name'
export const subject = 'Betreff'
export const text = 'Text'
export const newTemplate = 'Neue Vorlage'
export const editTemplate = (name: string) => `${name} bearbeiten`
export const actionsFor = (name: string) => `Weitere Aktionen für ${name}`
export const removeTitle = (name: string) => `${name} löschen?`
export const fieldsHint = (fields: string) => `Felder werden beim Einfügen ausgefüllt: ${fields}`
export const saved = (name: string) => `${name} gespeichert`
export const removed = (name: string) => `${name} gelöscht`

// Signatur und Absender eines E-Mail-Kontos.
export const writing = 'Signatur und Absender'
export const writingTitle = (name: string) => `Signatur und Absender von ${name}`
export const signature = 'Signatur'
export const signatureHint = 'Steht unter neuen E-Mails und Antworten.'
export const identities = 'Weitere Absender'
export const identitiesHint = 'Dein Anbieter muss diese Adressen annehmen.'
export const senderName = 'Absendername'
export const senderAddress = 'E-Mail-Adresse'
export const addIdentity = 'Absender hinzufügen'
export const removeIdentity = (address: string) => `${address} entfernen`
export const startsAsPlainText = 'Neue E-Mails beginnen als reiner Text'
