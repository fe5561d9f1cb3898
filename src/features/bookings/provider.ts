import type { Clock } from '../../platform/clock.ts'
import type { Outbound, Trust } from '../../platform/outbound/outbound.ts'

export const PROVIDERS = ['calcom', 'calendly'] as const
export type ProviderName = (typeof PROVIDERS)[number]

interface Guest {
  name: string
  email: string
}

/** A booking in our words. Instants are canonical text. */
export interface Booking {
  uid: string
  title: string
  description: string
  location: string
  meetingUrl: string | null
  start: string
  end: string
  /** Null where the provider names none that exists. */
  timezone: string | null
  status: 'confirmed' | 'tentative' | 'cancelled'
  organizer: Guest | null
  guests: Guest[]
  /** The booking that this one is another time for, and the one that is another time for this. */
  replaces: string | null
  replacedBy: string | null
}

/** What a list holds in one place. */
export type Found =
  | {
      uid: string
      /** Of all that was said of it: the same as last time means that there is nothing to read. */
      digest: string
      /** By the provider's clock. */
      changedAt: string | null
      /** What the provider said, to be kept if it cannot be read. */
      raw: unknown
      /** May ask the provider for the rest. */
      read(): Booking | Broken | Promise<Booking | Broken>
    }
  | Broken

/** A booking that cannot be understood, and why: told of, and the rest goes on. */
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

/** A provider, as one who holds a key sees it. Failures are `upstream` errors; what may be tried again was. */
export interface BookingProvider {
  /**
   * Page by page: everything, or at least what changed after `since`. What changes meanwhile may come twice or not
   * at all, but nothing that stays the same is missed.
   */
  list(since: string | null, signal: AbortSignal): AsyncIterable<readonly Found[]>
  /** Undefined when the provider has no such booking. */
  find(uid: string, signal: AbortSignal): Promise<Found | undefined>
  eventTypes(signal: AbortSignal): Promise<EventType[]>
}

/** What a provider tells without being asked. */
export interface Notice {
  uid: string
  /** When it was sent, by the provider's clock. */
  at: string | null
  /** What it says, for when the provider cannot be asked. */
  read(): Booking | Broken
}

export interface Signed {
  /** By lower-case name. */
  header(name: string): string | undefined
  body: Buffer
}

export interface ProviderKind {
  readonly defaultBaseUrl: string
  connect(world: { outbound: Outbound; clock: Clock }, account: ProviderAccount): BookingProvider
  /** Whether whoever sent this knows the secret, and lately. */
  isGenuine(signed: Signed, secret: string, now: Date): boolean
  /** Null for what is about no booking. */
  readNotice(body: unknown): Notice | null
}

export interface ProviderAccount {
  baseUrl: string
  apiKey: string
  /** Where one is set, in place of the one we know. */
  apiVersions: Readonly<Record<string, string>>
  /** Who chose the address. */
  trust: Trust
}

export type ProviderKinds = Readonly<Record<ProviderName, ProviderKind>>
