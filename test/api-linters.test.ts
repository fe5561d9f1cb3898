import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, it } from 'vitest'
import { startInstance } from './support/instance.ts'
import { isFullRun } from './support/scale.ts'

/**
 * These paths and `/api/calendar/events/by-bookingsvc/{bookingId}` are fixed. An event's id is a number, so it never
 * equals `by-bookingsvc`.
 */
const AMBIGUOUS_PATHS = ['alarms', 'respond'].map((name) => `#/paths/~1api~1calendar~1events~1{id}~1${name}`)

describe('the description of the API', () => {
  let body: Record<string, unknown>
  beforeAll(async () => {
    // The linters block this thread for seconds. An open server would lose its connections.
    const instance = await startInstance({ environment: { METRICS: 'on' } })
    body = (await instance.get('/api-docs')).body
    await instance.close()
  })

  it('is valid OpenAPI 3.0', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(body)
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.0')
  })

  it('has no errors in Redocly, and no warnings except for two fixed paths', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(body)
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    const found = problems.map(({ ruleId, message, location: [place] }) => [ruleId, message, place?.pointer])
    expect(found.filter(([rule]) => rule !== 'no-ambiguous-paths')).toEqual([])
    expect(found.map(([, , pointer]) => pointer)).toEqual(AMBIGUOUS_PATHS)
  })

  // Its rules are mostly those of Redocly, and it takes seven times as long.
  it.runIf(isFullRun)('has neither errors nor warnings in Spectral', async () => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    const results = await spectral.run(body)
    expect(results.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
  })
})
