import { invalid } from '../../../platform/errors.ts'
import { createPageWriter } from '../../../platform/workers/pages.ts'
import { type Format, type ImportRecord, onlyProblems, skip, toProblem } from '../import-record.ts'
import { type CalendarRows, isCalendarHeader, readCalendarTable } from './calendar-table.ts'
import { contactTable } from './contact-tables.ts'
import { decodeSlices, decodeText, MAX_ROWS, readCsv, toColumnKey, UnreadableCsv } from './csv.ts'
import { readTable, type TableFormat } from './table.ts'
import { isGoogleTasks, isVikunja, readGoogleTasks, readVikunja } from './task-json.ts'
import { fitTask, skipPreamble, ticktick, todoist } from './todo-tables.ts'

// A worker-thread task for files that may take long to parse; see reader.ts.

export type { CalendarRows } from './calendar-table.ts'

export interface TableInput {
  bytes: Uint8Array
  kind: 'csv' | 'json'
  path: string
  /** The path in reports. Empty for an upload that is no archive. */
  file: string
  /** The zone of times without one. */
  timezone: string
  /** The local time of the import as milliseconds of UTC. */
  now: number
  /** The number of items to skip, because the caller has them. */
  skip: number
}

export type TableItem = ImportRecord | CalendarRows

export interface TablePages {
  pages: Uint8Array[]
  count: number
  isWhole: boolean
  format: Format | undefined
}

/** Above this output size, another task reads the rest. */
const MAX_OUTPUT_LENGTH = 48 * 1024 * 1024

type OpenFile = { format: Format | undefined; items: AsyncIterable<TableItem> | Iterable<TableItem> }

const TABLES: readonly { format: Format; table: TableFormat }[] = [
  { format: 'todoist-csv', table: todoist },
  { format: 'ticktick-csv', table: ticktick },
  { format: 'contacts-csv', table: contactTable },
]

const fitItem = (item: TableItem): TableItem => {
  if (item.kind !== 'tasks') return item
  const { task, problems } = fitTask(item.task, item)
  if (task.title === '') return skip({ ...item, field: 'title' }, 'The task has no title.')
  const former = item.former && fitTask({ ...item.task, ...item.former }, item).task
  return {
    ...item,
    task,
    ...(former && { former: { notes: former.notes, tags: former.tags } }),
    problems: [...(item.problems ?? []), ...problems],
  }
}

const openJson = ({ bytes, file, timezone }: TableInput): OpenFile => {
  let data: unknown
  try {
    data = JSON.parse(decodeText(bytes).replace(/^\uFEFF/, ''))
  } catch {
    throw invalid(`${file || 'The file'} is not valid JSON.`)
  }
  const place = { file, timezone }
  if (isVikunja(data)) return { format: 'vikunja', items: readVikunja(data, place) }
  if (isGoogleTasks(data)) return { format: 'google-tasks', items: readGoogleTasks(data, place) }
  if (file === '')
    throw invalid('The JSON file comes from no known program. Factotum reads Vikunja and Google Tasks.')
  const reason = 'The JSON file comes from no known program.'
  return {
    format: undefined,
    items: [onlyProblems(file, toProblem({ file, field: 'file' }, 'unknown', reason))],
  }
}

const toName = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[a-z0-9]{1,6}$/i, '')

const openCsv = async ({ bytes, path, file, timezone, now }: TableInput): Promise<OpenFile> => {
  const slices = decodeSlices(bytes)
  const { text, firstLine } = skipPreamble((slices.next().value ?? '').replace(/^\uFEFF/, ''))
  const rows = readCsv(text, { firstLine, rest: slices })
  const first = await rows.next()
  if (first.done) throw invalid(`${file || 'The file'} is empty.`)
  const header = first.value
  const keys = new Set(header.cells.map(toColumnKey))
  const context = { file, name: toName(path), timezone, now }
  const known = TABLES.find(({ table }) => table.matches(keys))
  if (known) return { format: known.format, items: readTable(known.table, header, rows, context) }
  if (isCalendarHeader(keys))
    return { format: 'outlook-calendar-csv', items: readCalendarTable(header, rows, context) }
  throw invalid(
    `The columns come from no known program: ${header.cells.slice(0, 10).join(', ').slice(0, 300)}. Factotum reads CSV files of Outlook, Google Contacts, Todoist and TickTick.`,
  )
}

/** Returns the records of a table or a JSON file as pages. */
export const readTablePages = async (input: TableInput): Promise<TablePages> => {
  try {
    const { format, items } = await (input.kind === 'json' ? openJson(input) : openCsv(input))
    const writer = createPageWriter()
    let count = 0
    for await (const item of items) {
      if (count++ < input.skip) continue
      if (count > MAX_ROWS) throw invalid(`The file has more than ${MAX_ROWS} records. Split it.`)
      writer.add(fitItem(item))
      if (writer.size() > MAX_OUTPUT_LENGTH) return { pages: writer.finish(), count, isWhole: false, format }
    }
    return { pages: writer.finish(), count, isWhole: true, format }
  } catch (error) {
    if (error instanceof UnreadableCsv) throw invalid(error.message)
    throw error
  }
}
