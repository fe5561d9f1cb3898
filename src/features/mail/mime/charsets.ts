import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const utf8 = new TextDecoder('utf-8')
const windows1252 = new TextDecoder('windows-1252')

/** Decodes bytes without a charset: as UTF-8 if they are valid UTF-8, otherwise as Windows-1252. */
export const decodeUnlabelled = (bytes: Buffer): string => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

/** RFC 2152. `TextDecoder` does not support UTF-7. */
const decodeUtf7 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => {
    if (encoded === '') return '+'
    const units = Buffer.from(encoded, 'base64')
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le')
  })

/** Labels of ISO-2022-JP that neither decoder knows, and equivalent code pages. */
const JAPANESE = /^(?:x-?|cs)?(?:iso-?2022-?jp|(?:cp|ms|windows-?)?5022[012]$)/

type Decode = (bytes: Buffer) => string

const findDecoder = (label: string): Decode | undefined => {
  if (/^(?:unicode-1-1-|x-)?utf-?7$/.test(label)) return decodeUtf7
  try {
    const decoder = new TextDecoder(JAPANESE.test(label) ? 'iso-2022-jp' : label)
    return (bytes) => decoder.decode(bytes)
  } catch {
    // `TextDecoder` does not support this label.
  }
  const iconv = require('iconv-lite') as typeof import('iconv-lite')
  const name = [label, label.replace(/^(?:x-|cs)/, '')].find((each) => iconv.encodingExists(each))
  return name === undefined ? undefined : (bytes) => iconv.decode(bytes, name)
}

const MAX_CACHED = 100

const decoders = new Map<string, Decode | undefined>()

/** Finding a decoder is slower than most decoding, and a message can name a charset thousands of times. */
const getDecoder = (label: string): Decode | undefined => {
  if (!decoders.has(label)) {
    if (decoders.size >= MAX_CACHED) decoders.clear()
    decoders.set(label, findDecoder(label))
  }
  return decoders.get(label)
}

const UNRELIABLE_LABEL = /^(us-?ascii|ascii|utf-?8|x?-?unknown|unknown-8bit|8bit|default|none|)$/

/** Decodes bytes labelled with `charset`. Tolerates wrong and unknown labels. */
export const decodeCharset = (bytes: Buffer, charset: string): string => {
  const label = charset.trim().toLowerCase()
  if (UNRELIABLE_LABEL.test(label)) return decodeUnlabelled(bytes)
  return (getDecoder(label) ?? decodeUnlabelled)(bytes)
}

const REPLACEMENT_CHARACTER = 0xfffd

/**
 * True if most non-ASCII characters failed to decode. A single replacement character may be genuine or
 * truncated.
 */
const isNotUtf8 = (text: string): boolean => {
  if (!text.includes(String.fromCharCode(REPLACEMENT_CHARACTER))) return false
  let replacements = 0
  let others = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === REPLACEMENT_CHARACTER) replacements++
    else if (code > 0x7f) others++
  }
  return replacements > others
}

/** Decodes a body. If the label is UTF-8 or missing but the bytes are not UTF-8, uses Windows-1252. */
export const decodeText = (bytes: Buffer, charset: string): string => {
  const label = charset.trim().toLowerCase()
  if (!/^(?:utf-?8)?$/.test(label)) return decodeCharset(bytes, label)
  const text = utf8.decode(bytes)
  return isNotUtf8(text) ? windows1252.decode(bytes) : text
}
