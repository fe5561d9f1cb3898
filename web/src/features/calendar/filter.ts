import type { CalendarEvent } from './event.ts'

const normalizeText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Matches when the event contains every word of the search. */
export const matchesSearch = (event: CalendarEvent, search: string): boolean => {
  const people = event.attendees.flatMap(({ name, email }) => [name, email])
  const { title, location, description, notes, tags } = event
  const text = normalizeText([title, location, description, notes, ...tags, ...people].join('\n'))
  return normalizeText(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}
