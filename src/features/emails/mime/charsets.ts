import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const utf8 = new TextDecoder('utf-8')
const western = new TextDecoder('windows-1252')

/** Bytes that do not say what they are: UTF-8 if they can be, else what old Western programs wrote. */
export const decodeUnlabelled = (bytes: Buffer): string => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return western.decode(bytes)
  }
}

/** RFC 2152, which the decoders of the web leave out. */
const decodeUtf7 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => {
    if (encoded === '') return '+'
    const units = Buffer.from(encoded, 'base64')
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le')
  })

/** Labels of ISO-2022-JP that neither decoder knows, and code pages that are the same. */
const JAPANESE = /^(?:x-?|cs)?(?:iso-?2022-?jp|(?:cp|ms|windows-?)?5022[012]$)/

type Decode = (bytes: Buffer) => string

const findDecoder = (label: string): Decode | undefined => {
  if (/^(?:unicode-1-1-|x-)?utf-?7$/.test(label)) return decodeUtf7
  try {
    const decoder = new TextDecoder(JAPANESE.test(label) ? 'iso-2022-jp' : label)
    return (bytes) => decoder.decode(bytes)
  } catch {
    // Not one that the web knows.
  }
  const iconv = require('iconv-lite') as typeof import('iconv-lite')
  const name = [label, label.replace(/^(?:x-|cs)/, '')].find((each) => iconv.encodingExists(each))
  return name === undefined ? undefined : (bytes) => iconv.decode(bytes, name)
}

const MOST_KNOWN = 100

/** Looking for a decoder costs more than most decoding, and a message can name one thousands of times. */
const createDecoderCache = (): ((label: string) => Decode | undefined) => {
  const known = new Map<string, Decode | undefined>()
  return (label) => {
    if (!known.has(label)) {
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(label, findDecoder(label))
    }
    return known.get(label)
  }
}
const decoderOf = createDecoderCache()

const UNTRUSTED = /^(us-?ascii|ascii|utf-?8|x?-?unknown|unknown-8bit|8bit|default|none|)$/

/** Decodes what says it is in `charset`, and gets along with a wrong or an unheard-of one. */
export const decodeCharset = (bytes: Buffer, charset: string): string => {
  const label = charset.trim().toLowerCase()
  if (UNTRUSTED.test(label)) return decodeUnlabelled(bytes)
  return (decoderOf(label) ?? decodeUnlabelled)(bytes)
}

const MISREAD = 0xfffd

/** More of it could not be read as UTF-8 than could: a single one may have been cut, or written so. */
const isNoUtf8 = (text: string): boolean => {
  if (!text.includes(String.fromCharCode(MISREAD))) return false
  let misread = 0
  let others = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === MISREAD) misread++
    else if (code > 0x7f) others++
  }
  return misread > others
}

/** Decodes a body. One that calls itself UTF-8 or nothing, and is neither, is read as Windows-1252. */
export const decodeText = (bytes: Buffer, charset: string): string => {
  const label = charset.trim().toLowerCase()
  if (!/^(?:utf-?8)?$/.test(label)) return decodeCharset(bytes, label)
  const text = utf8.decode(bytes)
  return isNoUtf8(text) ? western.decode(bytes) : text
}
