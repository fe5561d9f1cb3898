import { formatNumber, plural } from '../format.ts'

export const title = 'Bookings'
export const about = 'Bookings from Cal.com or Calendly become events in your calendar.'

export const providers = {
  calcom: 'Cal.com',
  calendly: 'Calendly',
}
export const connection = 'Connection'
export const provider = 'Provider'
export const connectedTo = (name: string) => `Connected to ${name}`
export const keyHint = (hint: string) => `Key <code>${hint}</code>`
export const environmentKeyHint = (hint: string) =>
  `Key <code>${hint}</code>, set by the server administrator`
export const noKey = 'No key'
export const apiKey = 'API key'
export const newApiKey = 'New API key'
export const apiKeyHint = 'Stored encrypted and never shown again'
export const webhookSecret = 'Webhook secret'
export const keepSecretHint = 'Leave empty to keep the saved secret'
export const noSecretHint = 'Required to receive provider webhooks'
export const apiAddress = 'API address'
export const apiAddressHint = 'Leave empty for the default'
export const keySaved = 'Key saved'
export const deleteKey = 'Delete key'
export const deleteKeyTitle = 'Delete the key?'
export const deleteKeyAbout = 'Bookings no longer sync. Existing events stay.'
export const keyDeleted = 'Key deleted'

export const sync = 'Sync'
export const neverSynced = 'Not synced yet'
export const lastSynced = 'Last synced <time></time>'
export const syncStatuses = {
  ok: 'Synced',
  partial: 'Synced with errors',
  failed: 'Failed',
}
export const refresh = 'Refresh'
export const fullSync = 'Full sync'
export const syncCounts = {
  fetched: (count: number) =>
    plural(count, { one: '1 booking checked', other: `${formatNumber(count)} bookings checked` }),
  created: (count: number) => `${formatNumber(count)} new`,
  updated: (count: number) => `${formatNumber(count)} updated`,
  cancelled: (count: number) => `${formatNumber(count)} cancelled`,
  unchanged: (count: number) => `${formatNumber(count)} unchanged`,
  failed: (count: number) => `${formatNumber(count)} failed`,
}
export const unknownBooking = 'Unknown booking'

export const webhooks = 'Provider webhooks'
export const webhooksAbout = 'Enter this address and the secret at the provider for instant updates.'
export const secretSaved = 'Secret saved'
export const noSecret = 'No secret'
export const copyAddress = 'Copy address'

export const eventTypes = 'Event types'
export const noEventTypes = 'No event types'
export const noEventTypesAbout = 'Create one at your provider.'
export const hidden = 'Hidden'

export const comparison = 'Comparison'
export const comparisonAbout = 'Compares all bookings without changes. A full sync fixes differences.'
export const compare = 'Compare'
export const noDifferences = (count: number) =>
  plural(count, {
    one: 'No differences in 1 booking',
    other: `No differences in ${formatNumber(count)} bookings`,
  })
export const differences = {
  missing: (count: number) =>
    plural(count, {
      one: '1 booking without an event:',
      other: `${formatNumber(count)} bookings without an event:`,
    }),
  changed: (count: number) =>
    plural(count, {
      one: '1 event that differs from its booking:',
      other: `${formatNumber(count)} events that differ from their bookings:`,
    }),
  orphaned: (count: number) =>
    plural(count, {
      one: '1 event whose booking the provider does not list:',
      other: `${formatNumber(count)} events whose bookings the provider does not list:`,
    }),
}
/** Fields of an event that a booking sets. */
export const fields: Readonly<Record<string, string>> = {
  title: 'title',
  start: 'start',
  end: 'end',
  status: 'status',
  location: 'location',
  meetingUrl: 'meeting link',
  attendees: 'attendees',
  timezone: 'time zone',
  description: 'description',
}
export const unreadable = (count: number) =>
  plural(count, {
    one: 'Could not read 1 booking. Everything else is synced.',
    other: `Could not read ${formatNumber(count)} bookings. Everything else is synced.`,
  })
