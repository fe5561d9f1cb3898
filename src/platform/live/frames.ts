import type { PlacedChange } from '../../database/change-order.ts'

/** What is told of a change, the same to everyone and everywhere: `data` is the JSON that stands in the log. */
export const tellingOf = (change: {
  id: number
  type: string
  subject: string
  data: string
  at: string
}): string => {
  const { id, type, subject, data, at } = change
  return `{"id":${id},"type":${JSON.stringify(type)},"subject":${JSON.stringify(subject)},"timestamp":"${at}","data":${data}}`
}

/** An event as the wire has it, made once for all who get it. */
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
  frame: Buffer.from(`id: ${change.position}\nevent: ${change.type}\ndata: ${tellingOf(change)}\n\n`),
})

/** An event that is not of the log, for one client alone. */
export const spokenFrame = (type: string, data: unknown): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * An id without data: a browser keeps it and tells nobody. It shows that the line is alive, and whoever comes back
 * with it need not be read what was not for them.
 */
export const placeFrame = (position: number): string => `id: ${position}\n\n`
