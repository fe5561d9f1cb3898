import { type ImportRecord, onlyProblems, type Problem, toProblem } from '../import-record.ts'
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

/** Describes the first value of each unknown column, so that nothing is lost without notice. */
const findUnknownValues = (
  file: string,
  line: number,
  unknown: { index: number; name: string }[],
  row: NamedRow,
  reported: Set<number>,
): Problem[] =>
  unknown.flatMap(({ index, name }) => {
    if (reported.has(index) || row.at(index) === '') return []
    reported.add(index)
    return toProblem(
      { file, line, field: name, value: row.at(index) },
      'unknown',
      'Factotum has no field for this column. Its values were added to the notes.',
    )
  })

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
  const reported = new Set<number>()
  const problems: Problem[] = []
  const named = async function* () {
    for await (const cells of rows) {
      const row = new NamedRow(cells, columns)
      problems.push(...findUnknownValues(file, row.line, unknown, row, reported))
      if (
        row.length > header.cells.length &&
        cells.cells.slice(header.cells.length).some((cell) => cell.trim() !== '')
      )
        problems.push(
          toProblem(
            { file, line: row.line, value: cells.cells.slice(header.cells.length).join(', ') },
            'changed',
            'The row has more cells than the header. The additional cells were left out.',
          ),
        )
      const others = unknown
        .flatMap(({ index, name }) => (row.at(index) === '' ? [] : [`${name}: ${row.at(index)}`]))
        .join('\n')
      yield { row, others }
    }
  }
  for await (const record of format.read(named(), context)) {
    yield problems.length > 0
      ? { ...record, problems: [...problems.splice(0), ...(record.problems ?? [])] }
      : record
  }
  if (problems.length > 0) yield onlyProblems(file, ...problems)
}

export const joinNotes = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
