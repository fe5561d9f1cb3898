import { invalid } from '../errors.ts'

/**
 * Text that both databases keep as it is. NUL is refused by PostgreSQL, and half a surrogate pair would come back
 * as something else: what cannot be kept is refused at the door instead of being changed.
 */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const DEEPEST = 100

export const findUnkeepable = (value: unknown, path = '', depth = 0): string | undefined => {
  if (depth > DEEPEST) throw invalid('The body is nested too deeply.')
  if (typeof value === 'string') return isKeepable(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!isKeepable(key)) return path
    const found = findUnkeepable(inner, path === '' ? key : `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
