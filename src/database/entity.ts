import type { Static, TObject } from 'typebox'

/** Converts a field between the value that the API serves and the value that its column holds. */
export interface Encoding {
  toColumn(value: never): unknown
  fromColumn(stored: never): unknown
}

/** Null stays null, so that a column can be searched for it. */
export const json: Encoding = {
  toColumn: (value: unknown) => (value === null ? null : JSON.stringify(value)),
  fromColumn: (stored: string | null) => (stored === null ? null : JSON.parse(stored)),
}

/** A boolean as 0 or 1. */
export const flag: Encoding = {
  toColumn: (value: boolean) => (value ? 1 : 0),
  fromColumn: (stored: number) => stored === 1,
}

/**
 * Maps the fields of an entity to columns of the same name. The schema of the entity is the only list of its fields;
 * `encodings` names those whose column holds another value than the API serves.
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
      const value = given[name as keyof typeof given] as never
      if (value !== undefined) converted[name] = encoding ? encoding[direction](value) : value
    }
    return converted
  }
  return {
    names,
    fromRow: (row: Partial<Record<keyof Entity, unknown>>): Entity => convert('fromColumn', row) as Entity,
    toRow: (entity: Partial<Entity>) => convert('toColumn', entity),
  }
}
