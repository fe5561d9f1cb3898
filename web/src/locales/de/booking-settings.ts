import { formatNumber, plural } from '../format.ts'

export const title = 'Buchungen'
export const about = 'Buchungen bei Cal.com oder Calendly werden zu Terminen in deinem Kalender.'

export const providers = {
  calcom: 'Cal.com',
  calendly: 'Calendly',
}
export const connection = 'Verbindung'
export const provider = 'Anbieter'
export const connectedTo = (name: string) => `Verbunden mit ${name}`
export const keyHint = (hint: string) => `Schlüssel <code>${hint}</code>`
export const environmentKeyHint = (hint: string) =>
  `Schlüssel <code>${hint}</code>, vom Serververwalter festgelegt`
export const noKey = 'Kein Schlüssel'
export const apiKey = 'API-Schlüssel'
export const newApiKey = 'Neuer API-Schlüssel'
export const apiKeyHint = 'Verschlüsselt gespeichert und nie wieder angezeigt'
export const webhookSecret = 'Webhook-Geheimnis'
export const keepSecretHint = 'Leer lassen, um das gespeicherte zu behalten'
export const noSecretHint = 'Nötig, um Webhooks des Anbieters zu empfangen'
export const apiAddress = 'API-Adresse'
export const apiAddressHint = 'Leer lassen für die Standardadresse'
export const keySaved = 'Schlüssel gespeichert'
export const deleteKey = 'Schlüssel löschen'
export const deleteKeyTitle = 'Schlüssel löschen?'
export const deleteKeyAbout = 'Buchungen werden nicht mehr synchronisiert. Vorhandene Termine bleiben.'
export const keyDeleted = 'Schlüssel gelöscht'

export const sync = 'Synchronisierung'
export const neverSynced = 'Noch nicht synchronisiert'
export const lastSynced = 'Zuletzt synchronisiert: <time></time>'
export const syncStatuses = {
  ok: 'Synchronisiert',
  partial: 'Mit Fehlern synchronisiert',
  failed: 'Fehlgeschlagen',
}
export const refresh = 'Aktualisieren'
export const fullSync = 'Vollständig synchronisieren'
export const syncCounts = {
  fetched: (count: number) =>
    plural(count, { one: '1 Buchung geprüft', other: `${formatNumber(count)} Buchungen geprüft` }),
  created: (count: number) => `${formatNumber(count)} neu`,
  updated: (count: number) => `${formatNumber(count)} aktualisiert`,
  cancelled: (count: number) => `${formatNumber(count)} abgesagt`,
  unchanged: (count: number) => `${formatNumber(count)} unverändert`,
  failed: (count: number) => `${formatNumber(count)} fehlgeschlagen`,
}
export const unknownBooking = 'Unbekannte Buchung'

export const webhooks = 'Webhooks des Anbieters'
export const webhooksAbout =
  'Trage diese Adresse und das Geheimnis beim Anbieter ein, um Änderungen sofort zu erhalten.'
export const secretSaved = 'Geheimnis gespeichert'
export const noSecret = 'Kein Geheimnis'
export const copyAddress = 'Adresse kopieren'

export const eventTypes = 'Terminarten'
export const noEventTypes = 'Keine Terminarten'
export const noEventTypesAbout = 'Lege eine bei deinem Anbieter an.'
export const hidden = 'Ausgeblendet'

export const comparison = 'Abgleich'
export const comparisonAbout =
  'Vergleicht alle Buchungen, ohne etwas zu ändern. Eine vollständige Synchronisierung behebt Unterschiede.'
export const compare = 'Vergleichen'
export const noDifferences = (count: number) =>
  plural(count, {
    one: 'Keine Unterschiede bei 1 Buchung',
    other: `Keine Unterschiede bei ${formatNumber(count)} Buchungen`,
  })
export const differences = {
  missing: (count: number) =>
    plural(count, {
      one: '1 Buchung ohne Termin:',
      other: `${formatNumber(count)} Buchungen ohne Termin:`,
    }),
  changed: (count: number) =>
    plural(count, {
      one: '1 Termin, der von seiner Buchung abweicht:',
      other: `${formatNumber(count)} Termine, die von ihren Buchungen abweichen:`,
    }),
  orphaned: (count: number) =>
    plural(count, {
      one: '1 Termin, dessen Buchung der Anbieter nicht führt:',
      other: `${formatNumber(count)} Termine, deren Buchungen der Anbieter nicht führt:`,
    }),
}
/** Fields of an event that a booking sets. */
export const fields: Readonly<Record<string, string>> = {
  title: 'Titel',
  start: 'Beginn',
  end: 'Ende',
  status: 'Status',
  location: 'Ort',
  meetingUrl: 'Besprechungslink',
  attendees: 'Teilnehmende',
  timezone: 'Zeitzone',
  description: 'Beschreibung',
}
export const unreadable = (count: number) =>
  plural(count, {
    one: '1 Buchung konnte nicht gelesen werden. Alles andere ist synchronisiert.',
    other: `${formatNumber(count)} Buchungen konnten nicht gelesen werden. Alles andere ist synchronisiert.`,
  })
