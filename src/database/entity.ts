import type { Static, TObject } from 'typebox'

/** Converts a field between the value that the API serves and the value that its column holds. */
export interface Encoding {
  toColumn(value: never): unknown
  fromColumn(stored: never): unknown
}

export const json: Encoding = {
  toColumn: (value: unknown) => JSON.stringify(value),
  fromColumn: (stored: string) => (stored === '[]' ? [] : JSON.parse(stored)),
}

/** SQLite has no booleans, so both databases store 0 and 1. */
export const flag: Encoding = {
  toColumn: (value: boolean) => (value ? 1 : 0),
  fromColumn: (stored: number) => stored === 1,
}

type NullableName<E> = { [N in keyof E]: null extends E[N] ? N : never }[keyof E]

/** Returns null for each nullable field of an entity: the value of a field that was not given. */
export const nullFields = <S extends TObject>(schema: S): Record<NullableName<Static<S>>, null> =>
  Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([, field]) => 'anyOf' in field && (field.anyOf as { type?: string }[]).at(-1)?.type === 'null')
      .map(([name]) => [name, null]),
  ) as Record<NullableName<Static<S>>, null>

/**
 * Maps the fields of an entity to columns of the same name. The schema of the entity is the only list of its fields;
 * `encodings` names those whose column holds another value than the API serves. Null is stored as null.
 */
export const columns = <S extends TObject>(
  schema: S,
  encodings: Partial<Record<keyof Static<S> & string, Encoding>>,
) => {
  type Entity = Static<S>
  const names = Object.keys(schema.properties) as (keyof Entity & string)[]
  const fields = names.map((name) => ({ name, encoding: encodings[name] }))
  const convert = (direction: keyof Encoding, given: object): Record<string, unknown> => {
    const converted: Record<string, unknown> = {}
    for (const { name, encoding } of fields) {
      const value = given[name as keyof typeof given] as unknown
      if (value === undefined) continue
      converted[name] = encoding && value !== null ? encoding[direction](value as never) : value
    }
    return converted
  }
  return {
    names,
    fromRow: (row: Partial<Record<keyof Entity, unknown>>): Entity => convert('fromColumn', row) as Entity,
    toRow: (entity: Partial<Entity>) => convert('toColumn', entity),
  }
}
