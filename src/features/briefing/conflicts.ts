import type { BriefedEvent } from './sources.ts'

const MOST = 20

export interface Conflict {
  start: string
  end: string
  events: { id: number; title: string }[]
}

/** Pairs of events that want the same time. Whole days are a background, not an appointment. */
export const conflictsIn = (events: readonly BriefedEvent[]): Conflict[] => {
  const timed = events.filter(({ busy, allDay }) => busy && !allDay)
  const found: Conflict[] = []
  for (const [index, one] of timed.entries())
    for (const other of timed.slice(index + 1)) {
      // They come in the order of their beginning.
      if (other.start >= one.end || found.length >= MOST) break
      found.push({
        start: other.start,
        end: other.end < one.end ? other.end : one.end,
        events: [one, other].map(({ id, title }) => ({ id, title })),
      })
    }
  return found
}
