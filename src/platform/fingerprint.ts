import { digest } from './secrets/seal.ts'

const sortProperties = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Serializes a value as JSON with sorted properties, so that their order has no meaning. */
export const toSortedJson = (value: unknown): string => JSON.stringify(value, sortProperties) ?? ''

export const isSameJson = (a: unknown, b: unknown): boolean => a === b || toSortedJson(a) === toSortedJson(b)

/** A change of the algorithm needs another number, so that stored fingerprints are compared as they were made. */
const VERSION = '2:'

/** Hashes a value of JSON, whatever the order of its properties. */
export const fingerprint = (value: unknown): string => `${VERSION}${digest(toSortedJson(value))}`

/** Compares a value with a stored fingerprint. Those of version 0.2.0 hash the properties in their order. */
export const hasFingerprint = (value: unknown, stored: string): boolean =>
  stored === (stored.startsWith(VERSION) ? fingerprint(value) : digest(JSON.stringify(value)))
