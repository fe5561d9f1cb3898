import { decodeUnlabelled } from './charsets.ts'

/*
 * Texts that are in another charset than they say. Whoever takes a message apart goes by what it says: what calls itself
 * ASCII and is not, is read as Windows-1252; what calls itself UTF-8, or nothing, and is not, has U+FFFD in its place.
 */

const WESTERN = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))).map(
    (character, byte) => [character, byte],
  ),
)

const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.alloc(text.length)
  for (let at = 0; at < text.length; at++) {
    const byte = WESTERN.get(text[at] as string)
    if (byte === undefined) return undefined
    bytes[at] = byte
  }
  return bytes
}

const BEYOND_ASCII = /[^\0-\x7f]/g

export const isAscii = (text: string): boolean => text.search(BEYOND_ASCII) < 0

export const saysAscii = (header: string): boolean => /charset\s*=\s*"?(?:us-?)?ascii/i.test(header)

/** What calls itself ASCII, of which every other character was read as Windows-1252. */
export const fromAscii = (text: string): string => {
  if (isAscii(text)) return text
  const bytes = bytesOf(text)
  return bytes ? decodeUnlabelled(bytes) : text
}

const MISREAD = /\ufffd/g

/** More of it could not be read as UTF-8 than could: a single one may have been cut, or written so. */
export const isNoUtf8 = (text: string): boolean => {
  const misread = text.match(MISREAD)?.length ?? 0
  return misread > 0 && misread * 2 > (text.match(BEYOND_ASCII)?.length ?? 0)
}

/** The message, in which what is called UTF-8, or nothing at all, is called Western instead. */
export const asWestern = (raw: Buffer): Buffer => {
  const text = raw.toString('latin1')
  const renamed = text.replace(/(charset\s*=\s*"?)utf-?8\b/gi, '$1windows-1252')
  if (renamed !== text) return Buffer.from(renamed, 'latin1')
  const named = text.replace(
    /^(content-type:[ \t]*text\/(?:plain|html))[ \t]*;?[ \t]*(?=\r?\n\S)/im,
    '$1; charset=windows-1252',
  )
  const label = named === text ? 'content-type: text/plain; charset=windows-1252\r\n' : ''
  return Buffer.from(label + named, 'latin1')
}
