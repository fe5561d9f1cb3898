import { parse } from 'node:querystring'

/** A query that is not UTF-8 comes out as text that no parameter takes, so that it is refused and not guessed at. */
export const readQuery = (text: string): Record<string, unknown> => {
  try {
    decodeURIComponent(text)
  } catch {
    return { query: '\0' }
  }
  return parse(text, '&', '=', { maxKeys: 0 })
}
