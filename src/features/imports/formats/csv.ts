import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** Outlook writes the code page of Windows, or UTF-16; other programs write UTF-8. */
const findEncoding = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // Text in UTF-16 without a mark has a zero in every second byte.
  if (bytes.length > 3 && bytes[1] === 0 && bytes[3] === 0) return 'utf-16le'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder(findEncoding(bytes)).decode(bytes)

const SLICE = 64 * 1024

/** Decodes in steps, because the text of a large file may need twice the memory of its bytes. */
export function* decodeSlices(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(findEncoding(bytes))
  for (let at = 0; at < bytes.length; at += SLICE)
    yield decoder.decode(bytes.subarray(at, at + SLICE), { stream: at + SLICE < bytes.length })
}

export interface CsvRow {
  /** The first line of the row, counted from 1. */
  line: number
  cells: string[]
}

const DELIMITERS = [',', ';', '\t'] as const

/** The delimiter of the first line, outside of quotes. */
const findDelimiter = (text: string): string => {
  const line =
    text
      .slice(0, 10_000)
      .split(/\r?\n/, 1)[0]
      ?.replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (delimiter: string): number => line.split(delimiter).length
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] as string
}

export const MAX_ROWS = 200_000
const MAX_CELL_LENGTH = 1024 * 1024

export class UnreadableCsv extends Error {}

function* prepend(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
}

/** Reads the rows of a CSV text in steps. Rows may have any number of cells. The header is in `text`. */
export async function* readCsv(
  text: string,
  { firstLine = 1, rest = [] }: { firstLine?: number; rest?: Iterable<string> } = {},
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter: findDelimiter(text),
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_CELL_LENGTH,
    info: true,
  })
  let line = firstLine
  let rows = 0
  const source = Readable.from(prepend(text, rest), { encoding: 'utf8' })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (++rows > MAX_ROWS)
        throw new UnreadableCsv(`The table has more than ${MAX_ROWS} rows. Split the file.`)
      yield { line, cells: record }
      line = firstLine + info.lines
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableCsv(`Line ${line} is not valid CSV: ${error.message}`)
    throw error
  } finally {
    source.destroy()
  }
}

/** Compares names of columns without case, spaces and punctuation. */
export const toColumnKey = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const columnKeys = new Map<string, string>()

/** The key of a column that a format names. There are a few hundred of them. */
const toKnownKey = (name: string): string => {
  const known = columnKeys.get(name)
  if (known !== undefined) return known
  const key = toColumnKey(name)
  columnKeys.set(name, key)
  return key
}

/** A row by the names of its columns. */
export class NamedRow {
  readonly line: number
  private readonly cells: readonly string[]
  private readonly columns: ReadonlyMap<string, number>

  constructor(row: CsvRow, columns: ReadonlyMap<string, number>) {
    this.line = row.line
    this.cells = row.cells
    this.columns = columns
  }

  /** The first of these columns that has a value; empty if none has one. */
  get(...names: readonly string[]): string {
    for (const name of names) {
      const index = this.columns.get(toKnownKey(name))
      const value = index === undefined ? '' : (this.cells[index] ?? '').trim()
      if (value !== '') return value
    }
    return ''
  }

  has(name: string): boolean {
    return this.columns.has(toKnownKey(name))
  }

  at(index: number): string {
    return (this.cells[index] ?? '').trim()
  }
}

/** The columns of a table that a format does not use. */
export const findUnknownColumns = (
  header: readonly string[],
  isKnown: (key: string) => boolean,
): { index: number; name: string }[] =>
  header.flatMap((name, index) =>
    name.trim() === '' || isKnown(toColumnKey(name)) ? [] : [{ index, name: name.trim() }],
  )
