import { createYielder } from '../../../platform/yield.ts'

/** A message of an mbox file. */
export interface MboxMessage {
  /** Undefined if the message is too large; only its size is known. */
  raw: Buffer | undefined
  size: number
  /** The text after `From `. */
  fromLine: string
  /** Counted from 1. */
  number: number
}

export const MAX_MESSAGE_BYTES = 50 * 1024 * 1024
const CHUNK_BYTES = 4 * 1024 * 1024
const FROM = Buffer.from('From ')
const NEXT_FROM = Buffer.from('\nFrom ')
const MAX_FROM_LINE_LENGTH = 1000
const MAX_HEADER_BYTES = 256 * 1024
const ESCAPED = Buffer.from('>From ')
const NEWLINE = 0x0a
const QUOTE = 0x3e
const RETURN = 0x0d

/** Joins small chunks, because the splitter copies its rest with each one. */
async function* joinChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    kept.push(chunk)
    size += chunk.length
    if (size < CHUNK_BYTES) continue
    yield kept.length === 1 ? chunk : Buffer.concat(kept, size)
    kept = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(kept, size)
}

/**
 * A line such as `From ana@example.org Mon Jan  2 15:04:05 2012`, or `From - Mon, 2 Jan 2012 15:04:05`. The time and the
 * year are searched separately: one expression for both takes quadratic time.
 */
const isSeparator = (line: string): boolean =>
  line.startsWith('From ') && /\d:\d{2}/.test(line) && /\b\d{4}\b/.test(line)

const lineAt = (buffer: Buffer, at: number): string => {
  const end = buffer.indexOf(NEWLINE, at)
  const stop = end < 0 ? buffer.length : end
  return buffer.toString('latin1', at, Math.min(stop, at + MAX_FROM_LINE_LENGTH)).trimEnd()
}

const isBlankBefore = (buffer: Buffer, newline: number): boolean => {
  const before = buffer[newline - 1] === RETURN ? newline - 2 : newline - 1
  return before < 0 || buffer[before] === NEWLINE
}

/** The end of the header: the position of the first byte of the body; undefined if it is not in the buffer. */
const findBody = (buffer: Buffer): number | undefined => {
  // Line by line: a search for an empty line of the other kind would read the whole buffer for each message.
  for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, at + 1)) {
    if (buffer[at + 1] === NEWLINE) return at + 2
    if (buffer[at + 1] === RETURN && buffer[at + 2] === NEWLINE) return at + 3
  }
  return undefined
}

/**
 * The end of the message by its Content-Length (mboxcl). Bodies of this variant may contain lines that begin with
 * `From `. Undefined if there is no such field.
 */
const findLengthEnd = (buffer: Buffer): number | undefined => {
  const body = findBody(buffer.subarray(0, MAX_HEADER_BYTES))
  if (body === undefined) return undefined
  const [, digits] =
    /^content-length:[ \t]*(\d{1,9})[ \t]*\r?$/im.exec(buffer.toString('latin1', 0, body)) ?? []
  return digits === undefined ? undefined : body + Number(digits)
}

/** Whether a separator, or the end of the file, follows at this position. */
const endsAt = (buffer: Buffer, at: number, isLast: boolean): boolean => {
  let next = at
  while (next < buffer.length && next < at + 4 && (buffer[next] === NEWLINE || buffer[next] === RETURN))
    next++
  if (next >= buffer.length) return isLast
  return buffer.subarray(next, next + FROM.length).equals(FROM) && isSeparator(lineAt(buffer, next))
}

/** Removes one `>` from each escaped line (mboxrd; for mboxo the result is the same). */
const unescapeFrom = async (raw: Buffer): Promise<Buffer> => {
  const output = Buffer.allocUnsafe(raw.length)
  const pause = createYielder()
  let copied = 0
  let length = 0
  const copyTo = (end: number): void => {
    length += raw.copy(output, length, copied, end)
    copied = end
  }
  for (let at = raw.indexOf(ESCAPED); at >= 0; at = raw.indexOf(ESCAPED, at + 1)) {
    await pause()
    let first = at
    while (raw[first - 1] === QUOTE) first--
    if (first < copied || (first > 0 && raw[first - 1] !== NEWLINE)) continue
    copyTo(first)
    copied++
  }
  copyTo(raw.length)
  return output.subarray(0, length)
}

/** The end of the last message: the empty line after it belongs to the file. */
const withoutBlankLine = (buffer: Buffer): number => {
  const { length } = buffer
  if (buffer[length - 1] !== NEWLINE || !isBlankBefore(buffer, length - 1)) return length
  return length - (buffer[length - 2] === RETURN ? 2 : 1)
}

interface Ending {
  /** The first byte after the message. */
  end: number
  /** The first byte of the next separator. */
  next: number
  isCounted: boolean
}

/** Lines that may be separators, of one step of the search. */
const STEP_LINES = 1000

interface Search {
  /** The position up to which there is no end. */
  searched: number
  /** Whether the search continues after others had their turn. */
  isPaused: boolean
}

/** Finds the end of the message at the start of the buffer. */
const findEnding = (
  buffer: Buffer,
  { searched: from, isPaused }: Search,
  isLast: boolean,
): Ending | Search => {
  const counted = isPaused ? undefined : findLengthEnd(buffer)
  if (counted !== undefined && counted <= MAX_MESSAGE_BYTES && counted > from) {
    if (counted + MAX_FROM_LINE_LENGTH > buffer.length && !isLast) return { searched: from, isPaused: false }
    if (counted <= buffer.length && endsAt(buffer, counted, isLast)) {
      const next = buffer.indexOf(FROM, counted)
      return { end: counted, next: next < 0 ? buffer.length : next, isCounted: true }
    }
  }
  let lines = 0
  for (let at = buffer.indexOf(NEXT_FROM, from); at >= 0; at = buffer.indexOf(NEXT_FROM, at + 1)) {
    if (++lines > STEP_LINES) return { searched: at, isPaused: true }
    if (at + MAX_FROM_LINE_LENGTH > buffer.length && !isLast && buffer.indexOf(NEWLINE, at + 1) < 0)
      return { searched: at, isPaused: false }
    if (isBlankBefore(buffer, at) && isSeparator(lineAt(buffer, at + 1)))
      return { end: at, next: at + 1, isCounted: false }
  }
  // A separator may begin at the end of the buffer.
  return isLast
    ? { end: withoutBlankLine(buffer), next: buffer.length, isCounted: false }
    : { searched: Math.max(from, buffer.length - NEXT_FROM.length), isPaused: false }
}

const skipFromLine = (buffer: Buffer): number => {
  const end = buffer.indexOf(NEWLINE)
  return end < 0 ? buffer.length : end + 1
}

/** Splits an mbox file. Memory is bounded: a message above the limit is skipped without being kept. */
export async function* splitMbox(source: AsyncIterable<Buffer>): AsyncGenerator<MboxMessage> {
  let buffer: Buffer = Buffer.alloc(0)
  let fromLine: string | undefined
  let search: Search = { searched: 0, isPaused: false }
  let dropped = 0
  let number = 0
  const pause = createYielder()
  const take = async (isLast: boolean): Promise<MboxMessage | undefined> => {
    if (fromLine === undefined) {
      // The separator line must be complete.
      if (!isLast && buffer.indexOf(NEWLINE) < 0 && buffer.length < MAX_FROM_LINE_LENGTH) return undefined
      fromLine = lineAt(buffer, 0).slice(FROM.length)
      buffer = buffer.subarray(skipFromLine(buffer))
      search = { searched: 0, isPaused: false }
    }
    let ending = findEnding(buffer, search, isLast)
    for (; 'searched' in ending && ending.isPaused; ending = findEnding(buffer, ending, isLast)) await pause()
    if ('searched' in ending) {
      search = ending
      if (buffer.length > MAX_MESSAGE_BYTES + CHUNK_BYTES) {
        // Two bytes more, because the line before a separator must be empty.
        const kept = Math.max(0, search.searched - 2)
        dropped += kept
        buffer = buffer.subarray(kept)
        search = { searched: search.searched - kept, isPaused: false }
      }
      return undefined
    }
    const whole = buffer.subarray(0, ending.end)
    const size = dropped + whole.length
    const raw = dropped > 0 || size > MAX_MESSAGE_BYTES ? undefined : whole
    number++
    const message = {
      raw: raw && (ending.isCounted ? Buffer.from(raw) : await unescapeFrom(raw)),
      size,
      fromLine: fromLine as string,
      number,
    }
    buffer = buffer.subarray(ending.next)
    fromLine = undefined
    search = { searched: 0, isPaused: false }
    dropped = 0
    return message
  }
  let isFirst = true
  for await (const chunk of joinChunks(source)) {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    if (isFirst) {
      isFirst = false
      // Some programs write a byte order mark or empty lines first.
      let start = buffer[0] === 0xef && buffer[1] === 0xbb ? 3 : 0
      while (buffer[start] === NEWLINE || buffer[start] === RETURN) start++
      buffer = buffer.subarray(start)
    }
    for (let message = await take(false); message; message = await take(false)) yield message
  }
  while (buffer.length > 0 || fromLine !== undefined) {
    const message = await take(true)
    if (!message) break
    yield message
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads the date of a separator line, as asctime and Gmail write it. Without a zone, it is UTC. */
export const readFromDate = (fromLine: string): string | null => {
  const time = /(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(fromLine)
  const year = /\b((?:19|20)\d{2})\b/.exec(fromLine)
  const named =
    /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? +(\d{1,2})\b/i.exec(fromLine) ??
    /\b(\d{1,2}) +(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.exec(fromLine)
  if (!time || !year || !named) return null
  const [first = '', second = ''] = [named[1], named[2]]
  const [name, day] = /^\d/.test(first) ? [second, first] : [first, second]
  const month = MONTHS.indexOf(name.toLowerCase().slice(0, 3))
  const [, sign, hours, minutes] = /([+-])(\d{2})(\d{2})\b/.exec(fromLine) ?? []
  const offset = sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
  const at = Date.UTC(
    Number(year[1]),
    month,
    Number(day),
    Number(time[1]),
    Number(time[2]) - offset,
    Number(time[3] ?? 0),
  )
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
