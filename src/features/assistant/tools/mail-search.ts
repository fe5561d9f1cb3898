import { isPrivate, WITHOUT_PRIVATE } from '../../../nlu/mail/facts.ts'
import type { ToolUse } from './tool.ts'

/** The search words of a tool call. Models do not find private emails. */
export const toSearch = (query: string, { sendsToModel }: ToolUse): { q?: string } => {
  const q = `${query}${sendsToModel ? ` ${WITHOUT_PRIVATE}` : ''}`.trim()
  return q === '' ? {} : { q }
}

/** Filters the found emails again, because the search may read the words of a model differently. */
export const filterOpenEmails = <E extends { tags: readonly string[] }>(
  emails: readonly E[],
  { sendsToModel }: ToolUse,
): E[] => emails.filter(({ tags }) => !sendsToModel || !isPrivate(tags))

/** A list leaves out snoozed emails. A search for words, people or days finds them. */
export const withoutSnoozed = (query: string): { snoozed?: false } =>
  query.split(/\s+/).every((term) => /^(?:is:(?!snoozed).*|in:.*|)$/i.test(term)) ? { snoozed: false } : {}
