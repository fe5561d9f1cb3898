const TEXT = Symbol('json')

/** An answer of shape `T` that is JSON already and goes out as it is. */
export const jsonText = <T>(text: string): T => ({ [TEXT]: text }) as T

/** One resource: `id` and `version` make its ETag. */
export const resourceText = <T>(text: string, { id, version }: { id: number; version: number }): T =>
  ({ [TEXT]: text, id, version }) as T

export const textIn = (payload: unknown): string | undefined =>
  typeof payload === 'object' && payload !== null && TEXT in payload ? (payload[TEXT] as string) : undefined
