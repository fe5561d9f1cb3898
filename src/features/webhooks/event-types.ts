/** What an endpoint can be told of. */
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

/** What is one person's alone: its subject says whose. */
const PERSONAL = 'notification.created' satisfies (typeof EVENT_TYPES)[number]

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Whether changes of this type go out at all. */
export const isTold = (type: string): boolean => KNOWN.has(type)

export const includes = (chosen: readonly string[], type: string): boolean =>
  chosen.includes(EVERYTHING) || chosen.includes(type)

/** Nobody's endpoints are told what is another's. */
export const mayHear = (userId: number, { type, subject }: { type: string; subject: string }): boolean =>
  type !== PERSONAL || subject === String(userId)

export const hearsOfNotifications = (chosen: readonly string[]): boolean => includes(chosen, PERSONAL)
