import type { FastifyInstance } from 'fastify'
import { AppError, invalid, invalidField } from '../errors.ts'
import { findUnstorable } from './responses.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Returns the index of the closing quote of the string that starts at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
}

const COLON = /[ \t\r\n]*:/y

const isName = (text: string, end: number): boolean => {
  COLON.lastIndex = end + 1
  return COLON.test(text)
}

/**
 * Finds a duplicate name in an object of valid JSON text. `JSON.parse` silently keeps the last value (RFC
 * 8259 section 4 allows that), but this API rejects it.
 */
const findDuplicateName = (text: string): string | undefined => {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) open.push(new Set())
    else if (code === 0x7d) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (isName(text, end)) {
        const written = text.slice(at + 1, end)
        const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        const names = open.at(-1) as Set<string>
        if (names.has(name)) return name
        names.add(name)
      }
      at = end
    }
  }
  return undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const readJson = (bytes: Buffer, method: string): unknown => {
  if (bytes.length === 0) {
    // Many clients send a JSON content type with every request. An action may have an empty body; a change
    // may not.
    if (method === 'POST' || method === 'DELETE') return undefined
    throw invalid('The body is empty, but Content-Type is JSON.')
  }
  let value: unknown
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8.')
  }
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null) throw invalidField('', 'must be an object')
  const duplicate = findDuplicateName(text)
  if (duplicate !== undefined)
    throw invalid(`${duplicate} is a duplicate name.`, [{ path: duplicate, message: 'is a duplicate name' }])
  // Only an escape can contain characters that the databases reject, so most bodies need no second check.
  if (text.includes('\\u')) {
    const path = findUnstorable(value)
    if (path !== undefined)
      throw invalid(`${path === '' ? 'The body' : path} contains a character that cannot be stored.`, [
        { path, message: 'contains NUL or an unpaired surrogate' },
      ])
  }
  return value
}

/** Accepts only JSON, unless a route adds its own parser. */
export const addBodyParsers = (app: FastifyInstance): void => {
  // Rejects compressed bodies: their bytes would be stored as if they had the declared type.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const coding = request.headers['content-encoding']
    if (coding === undefined || coding.toLowerCase() === 'identity') return done(null, payload)
    done(
      new AppError(
        'unsupported',
        'unsupported_media_type',
        'Send the body uncompressed, without Content-Encoding.',
      ),
    )
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readJson(body as Buffer, request.method))
    } catch (error) {
      done(error as Error)
    }
  })
}
