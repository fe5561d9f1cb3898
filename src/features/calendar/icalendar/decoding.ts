const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09

/** The text of a calendar file, whichever of the usual encodings it is in. RFC 5545 knows UTF-8 alone; programs do not. */
export const decodeCalendar = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeUtf8(bytes) ?? decodeSplit(bytes) ?? decodeDamaged(bytes)
}

const SPLIT_CHARACTER = /[\x80-\xff]\r?\n[ \t][\x80-\xbf]/

/** Mostly there is none, and looking at every byte takes long. */
const decodeSplit = (bytes: Uint8Array): string | undefined =>
  SPLIT_CHARACTER.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
    ? decodeUtf8(joinSplitCharacters(bytes))
    : undefined

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Some programs fold after 75 octets even in the middle of a character (RFC 5545, 3.1 warns of it). */
const joinSplitCharacters = (bytes: Uint8Array): Uint8Array => {
  const joined = new Uint8Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const fold = foldLength(bytes, index)
    const insideCharacter =
      fold > 0 && (joined[length - 1] ?? 0) >= 0x80 && ((bytes[index + fold] ?? 0) & 0xc0) === 0x80
    if (insideCharacter) index += fold
    joined[length++] = bytes[index] as number
  }
  return joined.subarray(0, length)
}

const foldLength = (bytes: Uint8Array, index: number): number => {
  const breakLength = bytes[index] === CR && bytes[index + 1] === LF ? 2 : bytes[index] === LF ? 1 : 0
  const after = bytes[index + breakLength]
  return breakLength > 0 && (after === SPACE || after === TAB) ? breakLength + 1 : 0
}

/** Windows-1252, unless more characters are good UTF-8 than not: then a few are broken, and the rest is kept. */
const decodeDamaged = (bytes: Uint8Array): string => {
  const text = new TextDecoder('utf-8').decode(bytes)
  let [broken, good] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0xfffd) broken++
    else if (code >= 0x80) good++
  }
  return good > broken ? text : new TextDecoder('windows-1252').decode(bytes)
}
