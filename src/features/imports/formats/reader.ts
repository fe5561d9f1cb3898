import { AppError, invalid } from '../../../platform/errors.ts'
import { readPages } from '../../../platform/workers/pages.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask } from '../../../platform/workers/task.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { FileEvents } from '../../calendar/imports/file-events.ts'
import type { VCardReader } from '../../contacts/vcard-reader.ts'
import type { MessageHead } from '../../mail/messages/message-head.ts'
import { type Format, type ImportRecord, onlyProblems, Problems, skip, toProblem } from '../import-record.ts'
import { openSource, peek, type SourceFile, type UploadedFile } from '../source.ts'
import { decodeText } from './csv.ts'
import { type ReadMarks, readMaildirPath, readMarks, toMaildirMarks } from './mail-marks.ts'
import { MAX_MESSAGE_BYTES, readFromDate, splitMbox } from './mbox.ts'
import type { CalendarRows, TableInput, TableItem, TablePages } from './table-tasks.ts'

/** Functions of other features that read their own formats, and the threads for the other ones. */
export interface ReaderPorts {
  workers: WorkerPool
  readHead(raw: Buffer): MessageHead
  readCards: VCardReader
  readEvents: FileEvents['read']
}

export interface ReadOptions {
  userId: number
  timezone: string
  /** The local time of the import as milliseconds of UTC. */
  now: number
  /** The format that the user chose for an upload that is no archive. */
  format: Format | undefined
  maxBytes: number
  onFormat?(format: Format): void
}

/** Files other than mailboxes are read whole. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024
const HEAD_BYTES = 8 * 1024

const readWhole = async (
  source: AsyncIterable<Buffer>,
  path: string,
  limit = MAX_WHOLE_BYTES,
): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit)
      throw new AppError(
        'too_large',
        'too_large',
        `${path || 'The file'} is larger than ${limit / 1024 / 1024} MiB.`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const READ_TABLE_PAGES = defineTask<TableInput, TablePages>(
  new URL('./table-tasks.ts', import.meta.url),
  'readTablePages',
)

/** A table of this size takes a few milliseconds. */
const MAX_SMALL_TABLE_BYTES = 4 * 1024
/** The largest tables take some seconds. A slow and busy machine needs several times that, and nobody waits for it. */
const MIN_TIMEOUT_MS = 60_000
const MS_PER_MEGABYTE = 3_000

const HEADER_FIELD = /^(?:[\x21-\x39\x3b-\x7e]+:[ \t\r\n]|>?From )/

/** Recognises a file by its content, and by its name where the content is ambiguous. */
const detect = (head: Buffer, path: string): Format | 'csv' | 'json' | undefined => {
  const text = decodeText(head).replace(/^\uFEFF?\s*/, '')
  const name = path.toLowerCase()
  if (/^From \S/.test(text) && /^From .*\d{4}/.test(text.split('\n', 1)[0] as string)) return 'mbox'
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics'
  if (/^BEGIN:VCARD/i.test(text)) return 'vcard'
  if (/^[[{]/.test(text)) return 'json'
  if (name.endsWith('.eml') || (readMaildirPath(path) && HEADER_FIELD.test(text))) return 'eml'
  if (name.endsWith('.mbox')) return 'mbox'
  if (
    name.endsWith('.csv') ||
    name.endsWith('.txt') ||
    /^"?[^\n]{0,200}[,;\t]/.test(text.split('\n', 1)[0] ?? '')
  )
    return /^(?:[\w-]+): /.test(text) && !/^"?Date: ?\d{4}-/.test(text) ? 'eml' : 'csv'
  return HEADER_FIELD.test(text) &&
    /^(?:from|received|date|message-id|return-path|delivered-to):/im.test(text)
    ? 'eml'
    : undefined
}

const baseName = (path: string): string => path.split('/').at(-1) ?? path

const toMailRecord = (
  raw: Buffer,
  { isExpunged, lost, ...marks }: ReadMarks,
  place: { file: string; field: string; receivedAt: string | null },
): ImportRecord => {
  const { file, field, receivedAt } = place
  if (isExpunged)
    return onlyProblems(
      file,
      toProblem({ file, field }, 'unknown', 'The message was deleted in the other program. It was left out.'),
    )
  const problems = new Problems({ file })
  for (const label of lost)
    problems.changed('label', label, 'The label is too long, or the message has too many.')
  return { kind: 'emails', file, line: null, raw, marks, receivedAt, problems: problems.all }
}

/** Reads the records of an upload in a stable order, so that an interrupted import can continue. */
export class RecordReader {
  private readonly ports: ReaderPorts

  constructor(ports: ReaderPorts) {
    this.ports = ports
  }

  async *read(upload: UploadedFile, options: ReadOptions): AsyncGenerator<ImportRecord> {
    let isReported = false
    const report = (format: Format): void => {
      if (!isReported) options.onFormat?.(format)
      isReported = true
    }
    const pause = createYielder()
    for await (const file of openSource(upload, options.maxBytes)) {
      await pause()
      if (file.path === '') {
        yield* this.readFile({ ...file, path: upload.filename }, { ...options, onFormat: report }, '')
        continue
      }
      if (/(?:^|\/)takeout\//i.test(`/${file.path}`)) report('takeout')
      else if (readMaildirPath(file.path)) report('maildir')
      else if (/(?:^|\/)data\.json$/.test(file.path)) report('vikunja')
      yield* this.readEntry(file, { ...options, format: undefined })
    }
    report('archive')
  }

  /** Reads a file of an archive. A file that cannot be read does not stop the others. */
  private async *readEntry(file: SourceFile, options: ReadOptions): AsyncGenerator<ImportRecord> {
    const { onFormat: _, ...rest } = options
    try {
      yield* this.readFile(file, rest, file.path)
    } catch (error) {
      if (!(error instanceof AppError) || (error.kind !== 'invalid' && error.kind !== 'too_large'))
        throw error
      if (/^The archive was refused|damaged or incomplete/.test(error.message)) throw error
      yield skip({ file: file.path }, error.message)
    }
  }

  /** `label` is the path in reports. */
  private async *readFile(
    file: SourceFile,
    options: ReadOptions,
    label: string,
  ): AsyncGenerator<ImportRecord> {
    const { head, whole } = await peek(file.read(), HEAD_BYTES)
    const found =
      options.format && options.format !== 'archive'
        ? options.format
        : detect(head.subarray(0, HEAD_BYTES), file.path)
    const report = options.onFormat ?? (() => {})
    if (found === undefined) {
      if (label === '')
        throw invalid(
          'The format of the file is unknown. Factotum imports mbox, Maildir, Google Takeout, iCalendar, vCard, Todoist, TickTick, Vikunja and CSV files of Outlook.',
        )
      const reason = 'Factotum cannot import this kind of file.'
      yield onlyProblems(label, toProblem({ file: label, field: 'file' }, 'unknown', reason))
      return
    }
    if (found === 'mbox') {
      report('mbox')
      yield* this.readMbox(whole, file.path, label)
    } else if (found === 'eml' || found === 'maildir') {
      report('eml')
      yield await this.readMessage(whole, file.path, label)
    } else if (found === 'ics') {
      report('ics')
      yield* this.readCalendar(await readWhole(whole, file.path), options, label)
    } else if (found === 'vcard') {
      report('vcard')
      yield* this.readCards(await readWhole(whole, file.path), label)
    } else {
      const kind = found === 'json' || found === 'vikunja' || found === 'google-tasks' ? 'json' : 'csv'
      yield* this.readTable(await readWhole(whole, file.path), { kind, path: file.path }, options, label)
    }
  }

  private async *readMbox(
    source: AsyncIterable<Buffer>,
    path: string,
    file: string,
  ): AsyncGenerator<ImportRecord> {
    const mailbox = baseName(path)
    const pause = createYielder()
    for await (const { raw, size, fromLine, number } of splitMbox(source)) {
      await pause()
      const field = `message ${number}`
      const place = { file, field, value: fromLine }
      if (raw === undefined)
        yield skip(place, `The message has ${size} bytes. The limit is ${MAX_MESSAGE_BYTES}.`)
      else if (raw.length === 0) yield skip(place, 'The message is empty.')
      else
        yield toMailRecord(raw, readMarks(this.ports.readHead(raw), mailbox), {
          file,
          field,
          receivedAt: readFromDate(fromLine),
        })
    }
  }

  private async readMessage(
    source: AsyncIterable<Buffer>,
    path: string,
    file: string,
  ): Promise<ImportRecord> {
    const raw = await readWhole(source, path, MAX_MESSAGE_BYTES)
    const head = this.ports.readHead(raw)
    const place = readMaildirPath(path)
    const marks = place ? toMaildirMarks(head, place) : readMarks(head, 'import')
    // The name of a file in a Maildir begins with the time of its delivery.
    const seconds = Number(/^(\d{9,10})\./.exec(baseName(path))?.[1] ?? Number.NaN)
    const receivedAt = Number.isNaN(seconds) ? null : new Date(seconds * 1000).toISOString()
    return toMailRecord(raw, marks, { file, field: baseName(path), receivedAt })
  }

  private async *readCalendar(
    bytes: Buffer,
    options: ReadOptions,
    file: string,
  ): AsyncGenerator<ImportRecord> {
    const { userId, timezone } = options
    for await (const found of this.ports.readEvents(userId, bytes, timezone)) {
      const { line } = found
      if (found.event === null) yield skip({ file, line, field: 'UID', value: found.uid ?? '' }, found.reason)
      else {
        const { event, title, start, warning } = found
        const problems = warning === null ? [] : [toProblem({ file, line, value: title }, 'changed', warning)]
        yield { kind: 'events', file, line, event, title, start, problems }
      }
    }
  }

  private async *readCards(bytes: Buffer, file: string): AsyncGenerator<ImportRecord> {
    const cards = await this.ports.readCards(bytes)
    const reported = new Set<string>()
    for await (const { line, fields, faults, others } of cards()) {
      const problems = new Problems({ file, line })
      for (const fault of faults) problems.changed('', fields.name, fault)
      for (const { name, value } of others.filter((other) => !reported.has(other.name)))
        problems.unknown(
          name.toUpperCase(),
          value,
          'Factotum has no field for this property. It is kept, and exported again as vCard.',
        )
      for (const { name } of others) reported.add(name)
      yield { kind: 'contacts', file, line, card: fields, problems: problems.all }
    }
  }

  /** Reads a table or a JSON file. A large one is parsed in a worker thread, in several parts if needed. */
  private async *readTable(
    bytes: Buffer,
    { kind, path }: { kind: TableInput['kind']; path: string },
    options: ReadOptions,
    file: string,
  ): AsyncGenerator<ImportRecord> {
    const { timezone, now } = options
    for (let skip = 0; ; ) {
      const part = await runTask(
        this.ports.workers,
        READ_TABLE_PAGES,
        { kind, path, file, timezone, now, bytes, skip },
        {
          isCheap: bytes.length <= MAX_SMALL_TABLE_BYTES,
          subject: file || 'the file',
          code: 'unreadable_file',
          copied: 'bytes',
          timeoutMs: MIN_TIMEOUT_MS + (bytes.length / 1024 / 1024) * MS_PER_MEGABYTE,
        },
      )
      if (part.format && skip === 0) options.onFormat?.(part.format)
      for await (const item of readPages<TableItem>(part.pages))
        if (item.kind === 'calendar') yield* this.readCalendarRows(item, options, file)
        else yield item
      if (part.isWhole) return
      skip = part.count
    }
  }

  private async *readCalendarRows(
    { text, starts }: CalendarRows,
    options: ReadOptions,
    file: string,
  ): AsyncGenerator<ImportRecord> {
    const toRow = (line: number | null): number | null =>
      starts.findLast((start) => start.line <= (line ?? 0))?.row ?? null
    for await (const record of this.readCalendar(Buffer.from(text), options, file))
      yield {
        ...record,
        line: toRow(record.line),
        problems: (record.problems ?? []).map((problem) => ({ ...problem, line: toRow(problem.line) })),
      }
  }
}
