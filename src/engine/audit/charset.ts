import { readMarkup } from './markup.ts'

export interface Decoded {
  html: string
  charset: string
  /** How many characters could not be read. */
  undecodable: number
}

/** How far the HTML standard looks for a page's own word on its encoding. */
const PRESCANNED = 1024

const decoderOf = (label: string | undefined) => {
  try {
    return label ? new TextDecoder(label) : undefined
  } catch {
    return undefined
  }
}

const CHARSET = /charset\s*=\s*["']?([^\s;"']{1,40})/i

/** What the page says of itself; UTF-16 cannot be true there, for then it could not have been read. */
const declaredIn = (bytes: Uint8Array): string | undefined => {
  let found: string | undefined
  readMarkup(new TextDecoder('latin1').decode(bytes.subarray(0, PRESCANNED)), {
    open({ name, attributes }) {
      if (name !== 'meta' || found !== undefined) return
      found = attributes.get('charset')?.trim() ?? CHARSET.exec(attributes.get('content') ?? '')?.[1]
    },
    close() {},
    text() {},
    doctype() {},
  })
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}

const markOf = (bytes: Uint8Array): string | undefined => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined
}

const unreadIn = (text: string): number => {
  let [count, at] = [0, text.indexOf('\ufffd')]
  while (at >= 0) {
    count++
    at = text.indexOf('\ufffd', at + 1)
  }
  return count
}

/** The page as text, found as browsers do: by its mark, its header, its own word; else UTF-8. */
export const decodePage = (bytes: Uint8Array, contentType: string): Decoded => {
  const decoder =
    decoderOf(markOf(bytes)) ??
    decoderOf(CHARSET.exec(contentType)?.[1]) ??
    decoderOf(declaredIn(bytes)) ??
    new TextDecoder()
  const html = decoder.decode(bytes)
  return { html, charset: decoder.encoding, undecodable: unreadIn(html) }
}
