import type { PlacedChange } from '../../database/change-order.ts'

/** Builds the public form of a change, equal for all receivers. `data` is the JSON text of the log. */
export const toEventPayload = (change: {
  id: number
  type: string
  subject: string
  data: string
  at: string
}): string => {
  const { id, type, subject, data, at } = change
  return `{"id":${id},"type":${JSON.stringify(type)},"subject":${JSON.stringify(subject)},"timestamp":"${at}","data":${data}}`
}

/** An encoded event, created once for all clients. */
export interface LiveEvent {
  readonly position: number
  readonly type: string
  readonly subject: string
  readonly frame: Buffer
}

export const liveEventOf = (change: PlacedChange): LiveEvent => ({
  position: change.position,
  type: change.type,
  subject: change.subject,
  frame: Buffer.from(`id: ${change.position}\nevent: ${change.type}\ndata: ${toEventPayload(change)}\n\n`),
})

/** Encodes an event for a single client that is not part of the log. */
export const formatEvent = (type: string, data: unknown): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * An id without data: a browser stores it and fires no event. It serves as heartbeat, and lets a reconnecting
 * client skip events that were not for it.
 */
export const formatPosition = (position: number): string => `id: ${position}\n\n`
