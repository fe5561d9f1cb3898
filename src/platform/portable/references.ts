import type { Tables } from '../../database/tables.ts'

/** Tables whose ids are random texts. All other ids are whole numbers. */
const TEXT_ID_TABLES = [
  'access_tokens',
  'feed_tokens',
  'mail_accounts',
  'calendar_accounts',
  'webhooks',
  'attachments',
  'ai_conversations',
  'ai_actions',
] as const satisfies readonly (keyof Tables)[]

export type TextIdTable = (typeof TEXT_ID_TABLES)[number]
export type NumberIdTable = Exclude<keyof Tables, TextIdTable>

const isTextIdTable = (table: keyof Tables): table is TextIdTable =>
  (TEXT_ID_TABLES as readonly string[]).includes(table)

/** Translates the ids of an export to the ids that its rows get here. */
export interface Ids {
  number(table: NumberIdTable, id: number): number
  text(table: TextIdTable, id: string): string
}

export const SAME_IDS: Ids = { number: (_table, id) => id, text: (_table, id) => id }

/** Far above any id in use, and far below the maximum that a sequence can reach. */
export const HIGHEST_ID = 2 ** 48

export const isId = (given: unknown): given is number =>
  Number.isInteger(given) && (given as number) >= 1 && (given as number) <= HIGHEST_ID

/**
 * The ids in a JSON value: paths such as `events.*.id`, with the table that they refer to. `*` stands for every entry of a
 * list.
 */
export type References = Readonly<Record<string, keyof Tables>>

const translateId = (path: string, given: unknown, table: keyof Tables, ids: Ids): unknown => {
  if (given === null || given === undefined) return given
  // A number as text would reach the database as the same id.
  if (isTextIdTable(table)) {
    if (typeof given !== 'string') throw new Error(`is not valid (${path} must be text)`)
    return ids.text(table, given)
  }
  if (!isId(given)) throw new Error(`is not valid (${path} must be a positive whole number)`)
  return ids.number(table, given)
}

const translateAt = (
  path: string,
  value: unknown,
  names: readonly string[],
  table: keyof Tables,
  ids: Ids,
): unknown => {
  const [name, ...rest] = names
  if (name === undefined) return translateId(path, value, table, ids)
  if (value === null || value === undefined) return value
  if (name === '*') {
    if (!Array.isArray(value)) throw new Error(`is not valid (${path} must be a list)`)
    return value.map((entry: unknown) => translateAt(path, entry, rest, table, ids))
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Error(`is not valid (${path} is misplaced)`)
  if (!Object.hasOwn(value, name)) return value
  return { ...value, [name]: translateAt(path, (value as Record<string, unknown>)[name], rest, table, ids) }
}

/** Translates the ids at known places of a JSON value. Throws an error if something else is there. */
export const translateReferences = (value: unknown, references: References, ids: Ids): unknown =>
  Object.entries(references).reduce(
    (translated, [path, table]) => translateAt(path, translated, path.split('.'), table, ids),
    value,
  )
