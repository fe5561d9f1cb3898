import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './seal.ts'

/*
 * JSON Web Signature (RFC 7515), compact form, HS256 only. Not a library, because both libraries that were
 * measured against Wycheproof's vectors misjudged some. One accepts encodings with spaces or stray bits, the
 * other rejects payloads that are not JSON. security-vectors.test.ts checks the vectors.
 */

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

const macOf = (input: string, key: KeyObject): Buffer => createHmac('sha256', key).update(input).digest()

/** Decodes base64url, and rejects every form except the canonical one (RFC 4648). */
const decodeCanonical = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

const isHs256Header = (text: string): boolean => {
  if (text === HEADER) return true
  const bytes = decodeCanonical(text)
  if (!bytes) return false
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return (
      typeof header === 'object' &&
      header !== null &&
      'alg' in header &&
      header.alg === 'HS256' &&
      // `crit` lists extensions that must be understood (RFC 7515, 4.1.11). None is supported.
      !('crit' in header) &&
      !('b64' in header)
    )
  } catch {
    return false
  }
}

export const signJws = (payload: string, key: KeyObject): string => {
  const input = `${HEADER}.${Buffer.from(payload).toString('base64url')}`
  return `${input}.${macOf(input, key).toString('base64url')}`
}

/** Returns the payload if the signature is valid, else undefined. */
export const verifyJws = (token: string, key: KeyObject): Buffer | undefined => {
  const [header, payload, signature, ...rest] = token.split('.')
  if (!header || !payload || !signature || rest.length > 0) return undefined
  if (!isHs256Header(header)) return undefined
  const given = decodeCanonical(signature)
  const expected = macOf(`${header}.${payload}`, key)
  if (!given || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return decodeCanonical(payload)
}

export const SIGNATURE_HEADER = 'X-Factotum-Signature'

export type SystemMailKind = 'reset' | 'notice' | 'invitation'

export interface SignedMail {
  kind: SystemMailKind
  id: string
}

/**
 * Marks mail that the server sends. The value depends on no other part of the message, because relays rewrite
 * the Message-ID, the recipients, the subject and the body.
 */
export interface MailSignature {
  /** Returns the header value. `id` consists of base64url characters. */
  sign(mail: SignedMail): string
  /** Finds all signatures in a text that were made with the current or the previous key. */
  find(text: string): SignedMail[]
}

// No whitespace: a relay folds a header line at whitespace only.
const VALUE = /v1\.(reset|notice|invitation)\.([\w-]{16,64})\.([\w-]{43})/g
/** Bounds the work for a message that consists of forged signatures. */
const MAX_VALUES = 100

const computeMac = (keys: KeyRing, { kind, id }: SignedMail): Buffer =>
  createHmac('sha256', keys.mail).update(`v1.${kind}.${id}`).digest()

export const createMailSignature = (keys: KeyRing, previousKeys: KeyRing | null): MailSignature => {
  const accepted = previousKeys === null ? [keys] : [keys, previousKeys]
  return {
    sign: (mail) => `v1.${mail.kind}.${mail.id}.${computeMac(keys, mail).toString('base64url')}`,

    find(text) {
      const found: SignedMail[] = []
      for (const [, kind, id, mac] of text.matchAll(VALUE).take(MAX_VALUES)) {
        const mail = { kind: kind as SystemMailKind, id: id as string }
        const given = Buffer.from(mac as string, 'base64url')
        if (accepted.some((each) => timingSafeEqual(computeMac(each, mail), given))) found.push(mail)
      }
      return found
    },
  }
}
