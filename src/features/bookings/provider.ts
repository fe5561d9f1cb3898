import type { Clock } from '../../platform/clock.ts'
import type { Trust } from '../../platform/outbound/outbound.ts'
import type { Outbound } from '../../platform/outbound/port.ts'

export const PROVIDERS = ['calcom', 'calendly'] as const
export type ProviderName = (typeof PROVIDERS)[number]

interface Guest {
  name: string
  email: string
}

/** A booking, independent of its provider. Instants are in canonical form. */
export interface Booking {
  uid: string
  title: string
  description: string
  location: string
  meetingUrl: string | null
  start: string
  end: string
  /** Null if the provider names no valid timezone. */
  timezone: string | null
  status: 'confirmed' | 'tentative' | 'cancelled'
  organizer: Guest | null
  guests: Guest[]
  /** Uid of the booking that this one reschedules, and of the one that reschedules it. */
  replaces: string | null
  replacedBy: string | null
}

/** The fields that say where a booking takes place. */
export const PLACE_FIELDS = ['location', 'meetingUrl'] as const satisfies (keyof Booking)[]

/** One entry of a list. */
export type Found =
  | {
      uid: string
      /** Digest of all provider data. An equal digest means that nothing has changed. */
      digest: string
      /** Time of the last change, by the clock of the provider. */
      changedAt: string | null
      /** Original data, stored if the booking cannot be parsed. */
      raw: unknown
      /** May fetch missing details from the provider. */
      read(): Booking | Broken | Promise<Booking | Broken>
    }
  | Broken

/** A booking that cannot be parsed, and the reason. It is reported, and the sync continues. */
export interface Broken {
  uid: string | null
  broken: string
  raw?: unknown
}

export interface EventType {
  id: string
  title: string
  slug: string
  durationMinutes: number | null
  description: string
  url: string | null
  active: boolean
}

/** A connection to a provider. Failures are `upstream` errors. Retries have already been made. */
export interface BookingProvider {
  /**
   * Yields pages of all bookings, or at least of those changed after `since`.
   * Bookings that change meanwhile may be listed twice or be missing. Unchanged bookings are never missing.
   */
  list(since: string | null, signal: AbortSignal): AsyncIterable<readonly Found[]>
  /** Returns undefined if the provider does not know the booking. */
  find(uid: string, signal: AbortSignal): Promise<Found | undefined>
  eventTypes(signal: AbortSignal): Promise<EventType[]>
}

/** A parsed webhook. */
export interface Notice {
  uid: string
  /** Time at which the provider sent it, by the clock of the provider. */
  at: string | null
  /** Parses the booking in the webhook. Used if the provider does not respond. */
  read(): Booking | Broken
}

export interface Signed {
  /** `name` is in lower case. */
  header(name: string): string | undefined
  body: Buffer
}

export interface ProviderKind {
  readonly defaultBaseUrl: string
  connect(world: { outbound: Outbound; clock: Clock }, account: ProviderAccount): BookingProvider
  /** Tells whether the signature is valid and recent. */
  isGenuine(signed: Signed, secret: string, now: Date): boolean
  /** Returns null if the webhook is not about a booking. */
  readNotice(body: unknown): Notice | null
}

export interface ProviderAccount {
  baseUrl: string
  apiKey: string
  /** Overrides the default API versions. */
  apiVersions: Readonly<Record<string, string>>
  /** Trust level of the base URL, which depends on who configured it. */
  trust: Trust
}

export type ProviderKinds = Readonly<Record<ProviderName, ProviderKind>>
