/** A field as it stands, unfolded; `latin1` text, one character a byte. */
export interface HeaderField {
  name: string
  value: string
}

const FIELD = /^([!-9;-~]{1,200})[ \t]*:(.*)$/s
/** No honest message has more; what comes after is left to the raw message. */
export const LARGEST_HEADER = 512 * 1024
const LARGEST_FIELD = 256 * 1024
const MOST_FIELDS = 2_000

/** Where the header begins: some programs leave empty lines before it. */
const startOfHeader = (raw: Buffer): number => {
  let start = 0
  while (raw[start] === 0x0a || raw[start] === 0x0d) start++
  return start
}

/** Where the header ends: at the empty line before the body. */
export const endOfHeader = (raw: Buffer): number => {
  const first = startOfHeader(raw)
  for (let start = first; ; ) {
    const end = raw.indexOf(0x0a, start)
    if (end < 0) return raw.length
    const length = end > start && raw[end - 1] === 0x0d ? end - 1 - start : end - start
    if (length === 0 && start > first) return start
    start = end + 1
  }
}

/** The fields of a header in their order. What is no field is passed over. */
export const fieldsIn = (header: Buffer): HeaderField[] => {
  // No header may have a NUL (RFC 5322 4.1), and no id be nothing else.
  const text = header.toString('latin1', 0, LARGEST_HEADER).replaceAll('\0', '')
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
    if (name === undefined) continue
    if (fields.length >= MOST_FIELDS) break
    fields.push({ name: name.toLowerCase(), value: (value as string).trim().slice(0, LARGEST_FIELD) })
  }
  return fields
}

/** The fields of a message's header. */
export const readHeader = (raw: Buffer): HeaderField[] =>
  fieldsIn(raw.subarray(startOfHeader(raw), endOfHeader(raw)))

/** Those of a name that say something. */
export const fieldsNamed = (fields: readonly HeaderField[], name: string): string[] =>
  fields.filter((field) => field.name === name && field.value !== '').map((field) => field.value)
