import { invalidField } from '../errors.ts'
import { readInstant } from '../time.ts'

/*
 * Reads untrusted data of other systems. Missing required values throw an error that names them; optional
 * values are taken if they are valid.
 */

export type Foreign = Readonly<Record<string, unknown>>

export const isForeign = (value: unknown): value is Foreign =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const foreignOf = (value: unknown): Foreign => (isForeign(value) ? value : {})

export const listOf = (value: unknown): readonly Foreign[] =>
  Array.isArray(value) ? value.filter(isForeign) : []

/** Removes characters that a database rejects, and truncates the text. */
export const textOf = (value: unknown, longest: number): string => {
  if (typeof value !== 'string') return ''
  const text = value.length > longest ? value.slice(0, longest) : value
  return text.isWellFormed() && !text.includes('\0') ? text : text.replaceAll('\0', '').toWellFormed()
}

export const requireText = (path: string, value: unknown, longest: number): string => {
  if (typeof value !== 'string' || value === '') throw invalidField(path, 'is missing')
  if (value.length > longest || textOf(value, longest) !== value)
    throw invalidField(path, 'is not a valid name')
  return value
}

/** Accepts any offset, with up to microseconds. */
export const requireInstant = (path: string, value: unknown): string => {
  if (typeof value !== 'string') throw invalidField(path, 'is missing')
  return readInstant(path, value, 'UTC')
}

export const instantOf = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  try {
    return readInstant('', value, 'UTC')
  } catch {
    return null
  }
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

/** Returns undefined for an address that no mail can be sent to. */
export const addressOf = (value: unknown): string | undefined => {
  const address = textOf(value, 320)
  return ADDRESS.test(address) ? address : undefined
}

export const linkOf = (value: unknown): string | null => {
  const link = textOf(value, 2000)
  return /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null
}
