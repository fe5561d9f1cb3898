// Texts of the mail templates: the menu of the composer and the settings.
export const templates = 'Templates'
export const about = 'Texts to insert into new emails'
export const none = 'No templates yet'
export const noneAbout = 'Save texts that you write often.'
export const filter = 'Find a template'
export const manage = 'Manage templates'
export const saveCurrent = 'Save text as template'
export const save = 'Save'
export const name = 'Name'
export const subject = 'Subject'
export const text = 'Text'
export const newTemplate = 'New template'
export const editTemplate = (name: string) => `Edit ${name}`
export const actionsFor = (name: string) => `More actions for ${name}`
export const removeTitle = (name: string) => `Delete ${name}?`
export const fieldsHint = (fields: string) => `Fields are filled in when you insert it: ${fields}`
export const saved = (name: string) => `${name} saved`
export const removed = (name: string) => `${name} deleted`

// Signature and identities of an email account.
export const writing = 'Signature and senders'
export const writingTitle = (name: string) => `Signature and senders of ${name}`
export const signature = 'Signature'
export const signatureHint = 'Added to new emails and replies.'
export const identities = 'Other senders'
export const identitiesHint = 'Your provider must accept these addresses.'
export const senderName = 'Sender name'
export const senderAddress = 'Email address'
export const addIdentity = 'Add sender'
export const removeIdentity = (address: string) => `Remove ${address}`
export const startsAsPlainText = 'New emails start as plain text'
