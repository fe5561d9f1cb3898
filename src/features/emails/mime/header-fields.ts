/** A field as it stands, unfolded; `latin1` text, one character a byte. */
export interface HeaderField {
  name: string
  value: string
}

const FIELD = /^([!-9;-~]{1,200})[ \t]*:(.*)$/s
/** No honest message has more; what comes after is left to the raw message. */
export const LARGEST_HEADER = 512 * 1024
const LARGEST_FIELD = 256 * 1024

/** Where the header ends and the body begins. */
const endOfHeader = (raw: Buffer): number => {
  let start = 0
  // Some programs leave empty lines before it.
  while (raw[start] === 0x0a || raw[start] === 0x0d) start++
  const first = start
  for (;;) {
    const end = raw.indexOf(0x0a, start)
    if (end < 0) return raw.length
    const length = end > start && raw[end - 1] === 0x0d ? end - 1 - start : end - start
    if (length === 0 && start > first) return start
    start = end + 1
  }
}

/** The fields of a message's header in their order. What is no field is passed over. */
export const readHeader = (raw: Buffer): HeaderField[] => {
  // No header may have a NUL (RFC 5322 4.1), and no id be nothing else.
  const text = raw.toString('latin1', 0, Math.min(endOfHeader(raw), LARGEST_HEADER)).replaceAll('\0', '')
  const fields: HeaderField[] = []
  let isField = false
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      const last = fields.at(-1)
      if (isField && last && last.value.length < LARGEST_FIELD) last.value += ` ${line.trim()}`
      continue
    }
    const [, name, value] = FIELD.exec(line) ?? []
    isField = name !== undefined
    if (name !== undefined)
      fields.push({ name: name.toLowerCase(), value: (value as string).trim().slice(0, LARGEST_FIELD) })
  }
  return fields
}

/** Beyond this its header is a small part of what a message costs, and a copy of it a large one. */
const LARGEST_COPIED = 1024 * 1024

/**
 * The message with nothing in its header but what says how its body is to be read: all else is read here, and need not
 * be by who takes the body apart. One whose lines can be understood in two ways is left as it is.
 */
export const withBodyFields = (raw: Buffer): Buffer => {
  const end = endOfHeader(raw)
  const isPlain = raw[0] !== 0x0a && raw[0] !== 0x0d && end < raw.length && raw.length <= LARGEST_COPIED
  const header = isPlain ? raw.toString('latin1', 0, end) : ''
  if (!isPlain || /\r(?!\n)/.test(header)) return raw
  let isKept = true
  const kept = header.split('\n').filter((line) => {
    if (!/^[ \t]/.test(line)) isKept = !FIELD.test(line) || /^content-/i.test(line)
    return isKept
  })
  return Buffer.concat([Buffer.from(kept.join('\n'), 'latin1'), raw.subarray(end)])
}

/** Those of a name that say something. */
export const fieldsNamed = (fields: readonly HeaderField[], name: string): string[] =>
  fields.filter((field) => field.name === name && field.value !== '').map((field) => field.value)
