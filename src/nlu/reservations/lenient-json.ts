/** Limits for hostile markup. Anything beyond them is dropped. */
const MAX_DEPTH = 40
const MAX_VALUES = 20_000

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Comments, strings, punctuation, and words such as numbers or names without quotes. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|'[^'\\]*(?:\\[\s\S][^'\\]*)*'?|[{}[\]:]|[^\s,;:{}[\]"']+/g

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

const unquote = (token: string): string => {
  const [quote = ''] = token
  const end = token.length > 1 && token.endsWith(quote) ? -1 : undefined
  return token
    .slice(1, end)
    .replace(/\\(?:u([\da-f]{4})|([\s\S]))/gi, (_, hex: string | undefined, sign: string) =>
      hex === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
    )
}

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const toScalar = (token: string): Json => {
  if (/^["']/.test(token)) return unquote(token)
  const known = WORDS.get(token)
  if (known !== undefined) return known
  return /^-?\d+(?:\.\d+)?$/.test(token) ? Number(token) : token
}

/** A list or object that is still open. */
interface Container {
  value: Json[] | { [name: string]: Json }
  /** The name of the next value of an object, after its colon. */
  name: string | undefined
  /** The last text of an object. It is a name if a colon follows. */
  last: string | undefined
}

const add = (container: Container, value: Json): void => {
  if (Array.isArray(container.value)) {
    if (value !== null) container.value.push(value)
  } else if (container.name !== undefined) {
    if (value !== null && !(container.name in container.value)) container.value[container.name] = value
    container.name = undefined
  } else container.last = String(value)
}

/**
 * Parses JSON with the faults that senders make: trailing or missing commas, comments, line breaks in strings,
 * a missing end. It makes one pass, and returns everything it could read.
 */
const parseLenient = (text: string): Json[] => {
  const found: Json[] = []
  const open: Container[] = [{ value: found, name: undefined, last: undefined }]
  let values = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const container = open.at(-1) as Container
    if (/^\/[/*]/.test(token)) continue
    if (token === ':') {
      container.name = container.last
      container.last = undefined
    } else if (token === '}' || token === ']') {
      // A bracket that does not fit closes nothing, as after a missing one.
      if (open.length > 1) open.pop()
    } else if (++values > MAX_VALUES || open.length > MAX_DEPTH) break
    else if (token === '{' || token === '[') {
      const value = token === '{' ? (Object.create(null) as { [name: string]: Json }) : []
      add(container, value)
      open.push({ value, name: undefined, last: undefined })
    } else add(container, toScalar(token))
  }
  return found
}

/** Returns the values of a JSON text, or what can be read of a broken one. */
export const readLenientJson = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return parseLenient(text)
  }
}
