import { createHash } from 'node:crypto'
import { systemRandom } from '../../platform/random.ts'

interface Challenge {
  realm: string
  nonce: string
  opaque: string | undefined
  algorithm: 'MD5' | 'SHA-256'
  /** What came before RFC 2617 knows no count. */
  hasCount: boolean
}

const PARAMETER = /([a-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,\s*|$)/giy

const readParameters = (text: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER))
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain)
  return found
}

/** RFC 7616. Undefined where a server asks for something else, or also takes what is simpler. */
export const readChallenge = (header: string | null): Challenge | undefined => {
  if (header === null || header.length > 4_000 || /(?:^|,)\s*Basic(?:\s|$)/i.test(header)) return undefined
  for (const part of header.split(/(?:^|,)\s*Digest\s+/i).slice(1)) {
    const parameters = readParameters(part)
    const [realm, nonce] = [parameters.get('realm'), parameters.get('nonce')]
    const algorithm = (parameters.get('algorithm') ?? 'MD5').toUpperCase()
    const qop = parameters.get('qop')
    const isUsual = qop === undefined || /(?:^|,)\s*auth\s*(?:,|$)/i.test(qop)
    if (realm === undefined || nonce === undefined || !isUsual) continue
    if (algorithm === 'MD5' || algorithm === 'SHA-256')
      return { realm, nonce, opaque: parameters.get('opaque'), algorithm, hasCount: qop !== undefined }
  }
  return undefined
}

/** Header values are bytes; a name that is not ASCII is sent as UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

export const answerChallenge = (
  { realm, nonce, opaque, algorithm, hasCount }: Challenge,
  { username, password }: { username: string; password: string },
  { method, uri, count, chance }: { method: string; uri: string; count: number; chance: string },
): string => {
  const hash = (...parts: string[]) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(parts.join(':'), 'latin1')
      .digest('hex')
  const user = asBytes(username)
  const [who, what] = [hash(user, realm, asBytes(password)), hash(method, uri)]
  const nc = count.toString(16).padStart(8, '0')
  const response = hasCount ? hash(who, nonce, nc, chance, 'auth', what) : hash(who, nonce, what)
  return `Digest ${[
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasCount ? ['qop=auth', `nc=${nc}`, `cnonce="${chance}"`] : []),
  ].join(', ')}`
}

/** How one person says who it is: plainly (RFC 7617), until a server wants it otherwise. */
export const createSignIn = (person: { username: string; password: string }) => {
  let challenge: Challenge | undefined
  let count = 0
  return {
    headerFor(method: string, { pathname, search }: URL): string {
      if (!challenge)
        return `Basic ${Buffer.from(`${person.username}:${person.password}`).toString('base64')}`
      const chance = systemRandom.bytes(12).toString('hex')
      return answerChallenge(challenge, person, { method, uri: pathname + search, count: ++count, chance })
    },

    /** Hears how a server that was not content wants it; says whether it was not told so already. */
    hear(header: string | null): boolean {
      const wanted = readChallenge(header)
      const isNew = wanted !== undefined && (!challenge || /\bstale\s*=\s*"?true/i.test(header ?? ''))
      if (isNew) [challenge, count] = [wanted, 0]
      return isNew
    },
  }
}
