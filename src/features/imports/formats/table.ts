import { type ImportRecord, onlyProblems, type Problem, Problems } from '../import-record.ts'
import { type CsvRow, findUnknownColumns, NamedRow, toColumnKey } from './csv.ts'

/** A kind of table that another program exports. */
export interface TableFormat {
  /** Whether a header belongs to this table. */
  matches(keys: ReadonlySet<string>): boolean
  /** The columns that `toRecords` reads or that carry no data of the person. */
  columns: readonly string[]
  /** Columns with a number or a language in their name. */
  pattern?: RegExp
  /** Converts the rows. `others` is the text of all unknown columns of a row. */
  read(
    rows: AsyncIterable<{ row: NamedRow; others: string }>,
    context: TableContext,
  ): AsyncGenerator<ImportRecord>
}

export interface TableContext {
  file: string
  /** The name of the file without its path and extension. */
  name: string
  /** The zone of times without one. */
  timezone: string
  /** The local time of the import as milliseconds of UTC, for relative dates. */
  now: number
}

/** Reads a table whose header is known, and reports columns without a field. */
export async function* readTable(
  format: TableFormat,
  header: CsvRow,
  rows: AsyncIterable<CsvRow>,
  context: TableContext,
): AsyncGenerator<ImportRecord> {
  const { file } = context
  const columns = new Map<string, number>()
  for (const [index, name] of header.cells.entries())
    if (!columns.has(toColumnKey(name))) columns.set(toColumnKey(name), index)
  const known = new Set(format.columns.map(toColumnKey))
  const unknown = findUnknownColumns(
    header.cells,
    (key) => known.has(key) || (format.pattern?.test(key) ?? false),
  )
  /** The columns whose first value is described, so that nothing is lost without notice. */
  const reported = new Set<number>()
  const waiting: Problem[] = []
  const named = async function* () {
    for await (const cells of rows) {
      const row = new NamedRow(cells, columns)
      const problems = new Problems({ file, line: row.line })
      for (const { index, name } of unknown) {
        if (reported.has(index) || row.at(index) === '') continue
        reported.add(index)
        problems.unknown(
          name,
          row.at(index),
          'Factotum has no field for this column. Its values were added to the notes.',
        )
      }
      const additional = cells.cells.slice(header.cells.length)
      if (additional.some((cell) => cell.trim() !== ''))
        problems.changed(
          '',
          additional.join(', '),
          'The row has more cells than the header. The additional cells were left out.',
        )
      waiting.push(...problems.all)
      const others = unknown
        .flatMap(({ index, name }) => (row.at(index) === '' ? [] : [`${name}: ${row.at(index)}`]))
        .join('\n')
      yield { row, others }
    }
  }
  for await (const record of format.read(named(), context)) {
    yield waiting.length > 0
      ? { ...record, problems: [...waiting.splice(0), ...(record.problems ?? [])] }
      : record
  }
  if (waiting.length > 0) yield onlyProblems(file, ...waiting)
}

export const joinNotes = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
