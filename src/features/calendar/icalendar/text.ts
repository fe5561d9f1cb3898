/** What no database keeps (NUL, half a character) and no text needs. Tabs and line feeds stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f]/g

export const cleanText = (text: string): string => text.toWellFormed().replace(UNWANTED, '')

const ESCAPED = /\\([\\;,:"nN])/g

/** RFC 5545, 3.3.11. Other backslashes stand for themselves: paths are written without escapes all too often. */
export const unescapeText = (value: string): string =>
  value.includes('\\')
    ? value.replace(ESCAPED, (_, character: string) => (/[nN]/.test(character) ? '\n' : character))
    : value

const SPECIAL = /\r\n?|[\n\\;,]/g

export const escapeText = (text: string): string =>
  cleanText(text.replace(SPECIAL, (found) => (/[\r\n]/.test(found) ? '\\n' : `\\${found}`)))

/** The values of a list such as CATEGORIES, at commas that are not escaped. */
export const splitList = (value: string): string[] => {
  const values: string[] = []
  let start = 0
  for (let index = 0; index < value.length; index++) {
    if (value[index] === '\\') index++
    else if (value[index] === ',') {
      values.push(value.slice(start, index))
      start = index + 1
    }
  }
  values.push(value.slice(start))
  return values
}

/** vCalendar 1.0, which old telephones and scripts still write. */
export const decodeQuotedPrintable = (value: string, charset: string): string => {
  const bytes = Buffer.from(value)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index] === EQUALS ? hexAt(bytes, index + 1) : undefined
    bytes[length++] = code ?? (bytes[index] as number)
    if (code !== undefined) index += 2
  }
  return decodeAs(charset, bytes.subarray(0, length))
}

const EQUALS = 0x3d

const hexAt = (bytes: Uint8Array, index: number): number | undefined => {
  const digits = String.fromCharCode(bytes[index] ?? 0, bytes[index + 1] ?? 0)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const decodeAs = (charset: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** RFC 6868. */
export const decodeCarets = (value: string): string =>
  value.includes('^')
    ? value.replace(/\^([n^'])/g, (_, character: string) =>
        character === 'n' ? '\n' : character === "'" ? '"' : '^',
      )
    : value

/** A parameter's value, quoted when it must be. */
export const writeParameter = (value: string): string => {
  const encoded = cleanText(value).replace(/[\^\n"]/g, (character) =>
    character === '\n' ? '^n' : character === '"' ? "^'" : '^^',
  )
  return /[;:,]/.test(encoded) ? `"${encoded}"` : encoded
}
