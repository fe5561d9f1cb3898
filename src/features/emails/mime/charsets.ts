import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const utf8 = new TextDecoder('utf-8', { fatal: true })
const western = new TextDecoder('windows-1252')

/** Bytes that do not say what they are: UTF-8 if they can be, else what old Western programs wrote. */
export const decodeUnlabelled = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    return western.decode(bytes)
  }
}

const decodeByLabel = (bytes: Buffer, label: string): string | undefined => {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // Not one that the web knows.
  }
  const iconv = require('iconv-lite') as typeof import('iconv-lite')
  return iconv.encodingExists(label) ? iconv.decode(bytes, label) : undefined
}

const UNTRUSTED = /^(us-?ascii|ascii|utf-?8|x?-?unknown|unknown-8bit|8bit|default|none|)$/

/** Decodes what says it is in `charset`, and gets along with a wrong or an unheard-of one. */
export const decodeCharset = (bytes: Buffer, charset: string): string => {
  const label = charset.trim().toLowerCase()
  if (UNTRUSTED.test(label)) return decodeUnlabelled(bytes)
  return decodeByLabel(bytes, label) ?? decodeUnlabelled(bytes)
}
