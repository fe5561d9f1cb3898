/** A setting that is read from the environment, with its meaning, default and parser. */
export interface Variable<T> {
  means: string
  /** The value in `.env.example`. */
  example: string
  fallback: T
  read(text: string): T
}

/** A value that is not valid. The message is one line that names the variable. */
export class BadVariable extends Error {}

type Reader<T> = (text: string) => T
interface Described<T> {
  means: string
  example?: string
  fallback: T
}

const variable = <T>(read: Reader<NonNullable<T>>, described: Described<T>): Variable<T> => ({
  means: described.means,
  example: described.example ?? (described.fallback === null ? '' : String(described.fallback)),
  fallback: described.fallback,
  read: read as Reader<T>,
})

export const text = <T extends string | null>(described: Described<T> & { atLeast?: number }): Variable<T> =>
  variable((value) => {
    if (described.atLeast !== undefined && value.length < described.atLeast)
      throw new BadVariable(`must have at least ${described.atLeast} characters`)
    return value as NonNullable<T>
  }, described)

export const choice = <C extends string, T extends C | null>(
  choices: readonly C[],
  described: Described<T>,
): Variable<C | T> =>
  variable<C | T>((value) => {
    if (!choices.includes(value as C))
      throw new BadVariable(`must be one of ${choices.join(', ')}, not "${value}"`)
    return value as NonNullable<C | T>
  }, described)

export const wholeNumber = (
  range: { from: number; to: number },
  described: Described<number>,
): Variable<number> =>
  variable((value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < range.from || number > range.to)
      throw new BadVariable(`must be a whole number from ${range.from} to ${range.to}, not "${value}"`)
    return number
  }, described)

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `15m` or `30d` to milliseconds. */
export const duration = (described: { means: string; example: string }): Variable<number> => {
  const read = (value: string): number => {
    const [, amount, unit] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(value) ?? []
    const milliseconds = Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
    if (!(milliseconds > 0))
      throw new BadVariable(`must be a duration such as 15m, 12h or 30d, not "${value}"`)
    return milliseconds
  }
  return { ...described, fallback: read(described.example), read }
}

export const list = <E>(
  readEntry: Reader<E>,
  described: { means: string; example?: string },
): Variable<readonly E[]> =>
  variable<readonly E[]>(
    (value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
        .map(readEntry),
    { ...described, example: described.example ?? '', fallback: [] },
  )

/** Parses an absolute http(s) address without path, query or credentials: `https://factotum.example.org`. */
export const readOrigin = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  )
    throw new BadVariable('must be an address such as https://factotum.example.org')
  return url.origin
}

export const origin = (described: Described<string | null>): Variable<string | null> =>
  variable<string | null>(readOrigin, described)

/** An absolute http(s) address, optionally with a path. */
export const address = (described: Described<string | null>): Variable<string | null> =>
  variable<string | null>((value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
      throw new BadVariable('must be an http or https address without a user name and password')
    return value.replace(/\/+$/, '')
  }, described)

export const custom = <T>(read: Reader<NonNullable<T>>, described: Described<T>): Variable<T> =>
  variable(read, described)

type Values<V> = { readonly [K in keyof V]: V[K] extends Variable<infer T> ? T : never }

/**
 * Reads every variable; an empty one counts as unset. The first invalid one throws an error that names it.
 */
export const readVariables = <V extends Record<string, Variable<unknown>>>(
  variables: V,
  environment: Readonly<Record<string, string | undefined>>,
): Values<V> => {
  const read = ([name, definition]: [string, Variable<unknown>]): [string, unknown] => {
    const given = environment[name]?.trim()
    if (given === undefined || given === '') return [name, definition.fallback]
    try {
      return [name, definition.read(given)]
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is not valid'
      throw new BadVariable(`${name} ${message.replace(/\s+/g, ' ')}`)
    }
  }
  return Object.fromEntries(Object.entries(variables).map(read)) as Values<V>
}
