import type { CalendarEvent } from './words.ts'

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Every word of the search is somewhere in what the event says. */
export const isFound = (event: CalendarEvent, search: string): boolean => {
  const people = event.attendees.flatMap(({ name, email }) => [name, email])
  const { title, location, description, notes, tags } = event
  const text = plain([title, location, description, notes, ...tags, ...people].join('\n'))
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}
