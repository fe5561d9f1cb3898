import type { FastifyInstance } from 'fastify'
import { AppError, invalid, invalidField } from '../errors.ts'
import { findNameGivenTwice } from './json-names.ts'
import { findUnkeepable } from './text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

const readJson = (bytes: Buffer, method: string): unknown => {
  if (bytes.length === 0) {
    // Many tools announce JSON with every request. An action needs no more words; a change that says nothing does.
    if (method === 'POST' || method === 'DELETE') return undefined
    throw invalid('The body is empty, but Content-Type says it is JSON.')
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
  const twice = findNameGivenTwice(text)
  if (twice !== undefined)
    throw invalid(`${twice} is given twice.`, [{ path: twice, message: 'is given twice' }])
  // Only an escape can spell what the databases do not keep, so most bodies need no second look.
  if (text.includes('\\u')) {
    const path = findUnkeepable(value)
    if (path !== undefined)
      throw invalid(`${path === '' ? 'The body' : path} has a character that is not text.`, [
        { path, message: 'has a NUL or half a surrogate pair in it' },
      ])
  }
  return value
}

/** JSON and nothing else, unless a route adds a parser of its own. */
export const addBodyParsers = (app: FastifyInstance): void => {
  // What is packed is not what its type says: read as it is, it would be kept as it is.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const coding = request.headers['content-encoding']
    if (coding === undefined || coding.toLowerCase() === 'identity') return done(null, payload)
    done(
      new AppError(
        'unsupported',
        'unsupported_media_type',
        'Send the body as it is, without Content-Encoding.',
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
