import { describe, expect, it } from 'vitest'
import { ApiError, describeError, isFromProxy, isMissing, toApiError } from './problem.ts'

const response = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers })

const error = (status: number, code: string, retryAfterSeconds: number | null = null) =>
  new ApiError({ status, code, message: 'From the server.', retryAfterSeconds })

describe('an error of the API', () => {
  it('keeps its code, text and fields', async () => {
    const body = {
      code: 'validation_failed',
      detail: 'The title is missing.',
      errors: [{ path: 'title', message: 'is required' }],
    }
    const { status, code, message, fields } = await toApiError(response(400), body)
    expect({ status, code, message }).toEqual({
      status: 400,
      code: 'validation_failed',
      message: 'The title is missing.',
    })
    expect(fields).toMatchObject([{ path: 'title', message: 'is required' }])
  })

  it('of a gateway without a JSON body means that the service is unreachable', async () => {
    expect((await toApiError(response(502, { 'content-type': 'text/html' }), null)).code).toBe('unreachable')
    expect(isFromProxy(response(503, { 'content-type': 'application/problem+json' }))).toBe(false)
  })

  it('without a problem document names its status', async () => {
    const { code, message } = await toApiError(response(500), 'oops')
    expect(code).toBe('internal')
    expect(message).toContain('500')
  })

  it('of a rate limit says how many minutes to wait', () => {
    expect(describeError(error(429, 'rate_limited', 30))).toContain('a minute')
    expect(describeError(error(429, 'rate_limited', 61))).toContain('2 minutes')
    expect(describeError(error(429, 'rate_limited'))).toBe('From the server.')
  })

  it('is told apart from an unexpected exception', () => {
    expect(describeError(error(409, 'conflict'))).toBe('From the server.')
    expect(describeError(new TypeError('x is undefined'))).not.toContain('undefined')
    expect(isMissing(error(404, 'not_found'))).toBe(true)
    expect(isMissing(new Error('404'))).toBe(false)
  })
})
