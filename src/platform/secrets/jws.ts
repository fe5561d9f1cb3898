import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/*
 * JSON Web Signature (RFC 7515), compact form, HS256 and nothing else. Written out because the two libraries
 * that were measured against Wycheproof's vectors each misjudged some: one takes encodings with spaces or
 * stray bits, the other refuses payloads that are not JSON. The verdicts are held by jws.test.ts.
 */

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

const macOf = (input: string, key: KeyObject): Buffer => createHmac('sha256', key).update(input).digest()

/** Decodes base64url, refusing every spelling but the one RFC 4648 calls canonical. */
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
      // Extensions we would have to understand (RFC 7515, 4.1.11): we understand none.
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

/** The payload when the signature is right, undefined for anything else. */
export const verifyJws = (token: string, key: KeyObject): Buffer | undefined => {
  const [header, payload, signature, ...rest] = token.split('.')
  if (!header || !payload || !signature || rest.length > 0) return undefined
  if (!isHs256Header(header)) return undefined
  const given = decodeCanonical(signature)
  const expected = macOf(`${header}.${payload}`, key)
  if (!given || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return decodeCanonical(payload)
}
