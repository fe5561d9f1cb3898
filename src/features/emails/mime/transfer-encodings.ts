/*
 * Content-Transfer-Encodings (RFC 2045, 6) as mail has them: base64 that is padded in every line, quoted-printable with
 * escapes that are none. Each takes one pass over the bytes, whatever the length of the lines.
 */

const LF = 0x0a
const CR = 0x0d
const EQUALS = 0x3d

/** Shrinks without a second copy, which a large attachment would not leave memory for. */
const cut = (bytes: Uint8Array<ArrayBuffer>, length: number): Buffer<ArrayBuffer> =>
  Buffer.from(bytes.length === length ? bytes.buffer : bytes.buffer.transfer(length))

const BASE64 = new Uint8Array(256).fill(255)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  BASE64[character.charCodeAt(0)] = value

/** Padding ends a unit: some programs pad every line. Other characters are ignored. */
const decodeBase64 = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(Math.ceil((body.length * 3) / 4))
  let length = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    const value = BASE64[byte] as number
    if (value < 64) {
      bits = (bits << 6) | value
      if (++count < 4) continue
      bytes[length++] = bits >> 16
      bytes[length++] = bits >> 8
      bytes[length++] = bits
    } else if (byte === EQUALS) {
      if (count >= 2) bytes[length++] = count === 2 ? bits >> 4 : bits >> 10
      if (count === 3) bytes[length++] = bits >> 2
    } else continue
    bits = 0
    count = 0
  }
  if (count >= 2) bytes[length++] = count === 2 ? bits >> 4 : bits >> 10
  if (count === 3) bytes[length++] = bits >> 2
  return cut(bytes, length)
}

const hexValue = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

const decodeQuotedPrintable = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(body.length + 1)
  let length = 0
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(LF, start)
    const next = found < 0 ? body.length : found + 1
    let end = found < 0 ? body.length : found
    while (end > start && body[end - 1] === CR) end--
    const isSoft = end > start && body[end - 1] === EQUALS
    if (isSoft) end--
    for (let at = start; at < end; at++) {
      const byte = body[at] as number
      const high = byte === EQUALS && at + 2 < end ? hexValue(body[at + 1]) : -1
      const low = high < 0 ? -1 : hexValue(body[at + 2])
      bytes[length++] = low < 0 ? byte : (high << 4) | low
      if (low >= 0) at += 2
    }
    if (!isSoft) bytes[length++] = LF
    start = next
  }
  return cut(bytes, length)
}

/** As it is, with every line ended by LF alone. */
const decodeLines = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(body.length + 1)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    if (byte === LF) while (length > 0 && bytes[length - 1] === CR) length--
    bytes[length++] = byte
  }
  while (length > 0 && bytes[length - 1] === CR) length--
  if (length > 0 && bytes[length - 1] !== LF) bytes[length++] = LF
  return cut(bytes, length)
}

/** The content of a body, in a buffer of its own. */
export const decodeTransfer = (body: Uint8Array, encoding: string): Buffer<ArrayBuffer> => {
  if (encoding.includes('base64')) return decodeBase64(body)
  return encoding.includes('quoted-printable') ? decodeQuotedPrintable(body) : decodeLines(body)
}
