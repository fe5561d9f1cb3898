import * as t from '#locale/assistant'
import type { PageSubject } from '../../shell/page-subject.ts'

type Place = keyof typeof t.suggestions

const PLACES: Readonly<Record<string, Place>> = {
  mail: 'mail',
  calendar: 'calendar',
  tasks: 'tasks',
  contacts: 'contacts',
  promises: 'commitments',
}

const MAX_SUGGESTIONS = 4

const isPlace = (place: string): place is keyof typeof t.modelSuggestions => place in t.modelSuggestions

/** Suggestions that fit the page and its open item. Without a model, only those that the built-in engine understands. */
export const listSuggestions = (
  path: string,
  subject: PageSubject | null,
  hasModel: boolean,
): readonly string[] => {
  if (subject?.type === 'contact') return t.contactSuggestions(subject.title)
  const place = subject?.type ?? PLACES[path.split('/')[1] ?? ''] ?? 'general'
  const own: readonly string[] = t.suggestions[place]
  const others: readonly string[] = hasModel && isPlace(place) ? t.modelSuggestions[place] : []
  return [...new Set([...others, ...own])].slice(0, MAX_SUGGESTIONS)
}
