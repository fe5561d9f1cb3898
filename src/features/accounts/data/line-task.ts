import { invalid } from '../../../platform/errors.ts'

/** A row has a few dozen values, or thousands if it contains a list. */
const MAX_VALUES = 100_000

const countValues = (value: unknown): number => {
  let count = 0
  const pending = [value]
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    count++
    if (count > MAX_VALUES) break
    if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) pending.push(one)
  }
  return count
}

export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('it is not JSON')
  }
}

/**
 * Parses a long line of an export in a worker thread. The limit on values keeps the result cheap to clone.
 */
export const parseLine = ({ bytes }: { bytes: Uint8Array }): { value: unknown } => {
  const value = parseJson(bytes)
  if (countValues(value) > MAX_VALUES) throw invalid(`it has more than ${MAX_VALUES} values`)
  return { value }
}
