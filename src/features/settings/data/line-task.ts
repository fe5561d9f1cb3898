import { invalid } from '../../../platform/errors.ts'

/** Rows have some dozens of values, and thousands where they hold a list. */
const MOST_VALUES = 100_000

const countValues = (value: unknown): number => {
  let count = 0
  const pending = [value]
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop()) {
    count++
    if (count > MOST_VALUES) break
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

/** Reads a long line of an export in a worker thread. What it gives back is cheap to clone: it has few values. */
export const parseLine = ({ bytes }: { bytes: Uint8Array }): { value: unknown } => {
  const value = parseJson(bytes)
  if (countValues(value) > MOST_VALUES) throw invalid(`it has more than ${MOST_VALUES} values`)
  return { value }
}
