/** The event types that an endpoint can subscribe to. */
export const EVENT_TYPES = [
  'email.received',
  'email.analyzed',
  'task.created',
  'task.updated',
  'task.completed',
  'task.due',
  'task.deleted',
  'event.created',
  'event.updated',
  'event.cancelled',
  'event.starting',
  'booking.synced',
  'stream.started',
  'stream.stopped',
  'stream.milestone_reached',
  'notification.created',
] as const

export const EVERYTHING = '*'
export const TEST_TYPE = 'webhook.test'

export type EventChoice = (typeof EVENT_TYPES)[number] | typeof EVERYTHING

/** The event type that belongs to one person. Its subject is the user id. */
const PERSONAL = 'notification.created' satisfies (typeof EVENT_TYPES)[number]

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** True if changes of this type are sent to webhooks. */
export const isPublished = (type: string): boolean => KNOWN.has(type)

export const includes = (chosen: readonly string[], type: string): boolean =>
  chosen.includes(EVERYTHING) || chosen.includes(type)

/** Keeps personal events from the endpoints of other people. */
export const mayReceive = (userId: number, { type, subject }: { type: string; subject: string }): boolean =>
  type !== PERSONAL || subject === String(userId)

export const includesNotifications = (chosen: readonly string[]): boolean => includes(chosen, PERSONAL)
