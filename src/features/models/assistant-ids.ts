import { type Ids, isId, type NumberIdTable } from '../../platform/portable/references.ts'

/*
 * Inputs and results of tools have no common schema, and the history of a conversation keeps them as text. Their field
 * names show which ids they contain. An id that is missed here refers to nothing, because every tool checks the account.
 */

/** The items that a field or the name of a tool is about. */
const SUBJECTS: readonly [RegExp, NumberIdTable][] = [
  [/rule/i, 'mail_rules'],
  [/contact/i, 'contacts'],
  [/stream/i, 'streams'],
  [/booking/i, 'events'],
  [/task|due/i, 'tasks'],
  [/event|conflict|meeting|calendar/i, 'events'],
  [/mail|waiting|promise/i, 'emails'],
]

const findSubject = (name: string): NumberIdTable | undefined =>
  SUBJECTS.find(([pattern]) => pattern.test(name))?.[1]

const ID_FIELDS: readonly [RegExp, NumberIdTable][] = [
  [/^taskIds?$/, 'tasks'],
  [/^(?:event|recurringEvent|series)Ids?$/, 'events'],
  [/^(?:email|thread)Ids?$/, 'emails'],
  [/^listId$/, 'task_lists'],
  [/^calendarId$/, 'calendars'],
]

/** Returns the table of the ids in a field, or undefined if it has no ids. */
const findIdTable = (name: string, subject: NumberIdTable | undefined): NumberIdTable | undefined =>
  /^ids?$/.test(name) ? subject : ID_FIELDS.find(([pattern]) => pattern.test(name))?.[1]

const translateIds = (value: unknown, table: NumberIdTable, ids: Ids): unknown => {
  if (Array.isArray(value)) return value.map((entry: unknown) => translateIds(entry, table, ids))
  return isId(value) ? ids.number(table, value) : value
}

const translateFields = (value: unknown, subject: NumberIdTable | undefined, ids: Ids): unknown => {
  if (Array.isArray(value)) return value.map((entry: unknown) => translateFields(entry, subject, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      const table = findIdTable(name, subject)
      const translated = table
        ? translateIds(inner, table, ids)
        : translateFields(inner, findSubject(name) ?? subject, ids)
      return [name, translated]
    }),
  )
}

/** Translates the ids in the input or the result of a tool. */
export const translateToolData = (tool: string, data: unknown, ids: Ids): unknown =>
  translateFields(data, findSubject(tool), ids)

/** The same for a result as the text that a model reads. */
export const translateToolOutput = (tool: string, output: string, ids: Ids): string => {
  let data: unknown
  try {
    data = JSON.parse(output)
  } catch {
    return output
  }
  return JSON.stringify(translateToolData(tool, data, ids))
}
