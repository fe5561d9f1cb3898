import { describe, expect, it } from 'vitest'
import {
  address,
  BadVariable,
  choice,
  duration,
  list,
  origin,
  readOrigin,
  readVariables,
  text,
  wholeNumber,
} from '../config/values.ts'

const definitions = {
  NAME: text<string>({ means: 'a name', fallback: 'nobody', atLeast: 3 }),
  SIZE: choice(['small', 'large'] as const, { means: 'a size', fallback: 'small' }),
  COUNT: wholeNumber({ from: 1, to: 10 }, { means: 'a count', fallback: 5 }),
  WAIT: duration({ means: 'a while', example: '15m' }),
  SITES: list(readOrigin, { means: 'sites' }),
  HOME: origin({ means: 'a site', fallback: null }),
  API: address({ means: 'an address', fallback: null }),
}
const read = (environment: Record<string, string>) => readVariables(definitions, environment)

describe('reading variables', () => {
  it('uses the fallback if nothing is set', () => {
    expect(read({})).toEqual({
      NAME: 'nobody',
      SIZE: 'small',
      COUNT: 5,
      WAIT: 900_000,
      SITES: [],
      HOME: null,
      API: null,
    })
  })

  it.each([
    [{ NAME: '  Ana ' }, { NAME: 'Ana' }],
    [{ SIZE: 'large' }, { SIZE: 'large' }],
    [{ COUNT: '10' }, { COUNT: 10 }],
    [{ COUNT: '007' }, { COUNT: 7 }],
    [{ WAIT: '250ms' }, { WAIT: 250 }],
    [{ WAIT: '30s' }, { WAIT: 30_000 }],
    [{ WAIT: '12h' }, { WAIT: 43_200_000 }],
    [{ WAIT: '2d' }, { WAIT: 172_800_000 }],
    [
      { SITES: 'https://a.example,,http://b.example:8080/' },
      { SITES: ['https://a.example', 'http://b.example:8080'] },
    ],
    [{ HOME: 'HTTP://Example.org:80/' }, { HOME: 'http://example.org' }],
    [{ API: 'https://api.example.org/v1//' }, { API: 'https://api.example.org/v1' }],
    [{ UNKNOWN: 'whatever' }, {}],
  ])('%j', (environment, expected) => {
    expect(read(environment as Record<string, string>)).toMatchObject(expected)
  })

  it.each([
    ['NAME', 'ab'],
    ['SIZE', 'medium'],
    ['SIZE', 'toString'],
    ['COUNT', '0'],
    ['COUNT', '11'],
    ['COUNT', '1e1'],
    ['COUNT', '+5'],
    ['COUNT', '٥'],
    ['COUNT', '99999999999999999999999'],
    ['WAIT', '0s'],
    ['WAIT', '15'],
    ['WAIT', '1.5h'],
    ['WAIT', '9999999d'],
    ['WAIT', 'P1D'],
    ['SITES', 'https://a.example, nonsense'],
    ['HOME', 'javascript:alert(1)'],
    ['HOME', 'https://example.org#here'],
    ['API', 'https://example.org/?key=1'],
    ['API', 'https://me@example.org'],
  ])("%s=%s is rejected with the variable's name", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(BadVariable)
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} must .+$`))
  })

  it('names the variable also if the parser throws another error', () => {
    const broken = {
      means: 'x',
      example: '',
      fallback: null,
      read: () => {
        throw 'not even an error'
      },
    }
    expect(() => readVariables({ BROKEN: broken }, { BROKEN: 'x' })).toThrow('BROKEN is not valid')
  })
})
