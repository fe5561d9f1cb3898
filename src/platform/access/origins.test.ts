import { describe, expect, it } from 'vitest'
import type { AppError } from '../errors.ts'
import { type Arrival, createOrigins, type OriginRules } from './origins.ts'

const RULES: OriginRules = {
  access: 'open',
  onlyThisMachine: true,
  publicUrl: null,
  corsOrigins: [],
  allowedHosts: [],
}

const refusalOf = (rules: Partial<OriginRules>, arrival: Partial<Arrival>): string | undefined => {
  const origins = createOrigins({ ...RULES, ...rules })
  try {
    origins.check({
      method: 'GET',
      headers: { host: 'localhost:3000' },
      peer: '127.0.0.1',
      port: 3000,
      ...arrival,
    })
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

describe('who may connect while nobody asked for open access', () => {
  it.each([
    ['127.0.0.1', undefined],
    ['127.8.9.10', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    ['192.168.1.20', 'forbidden'],
    ['10.0.0.1', 'forbidden'],
    ['203.0.113.9', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::ffff:192.168.1.20', 'forbidden'],
    ['::ffff:10.127.0.1', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fd00::127', 'forbidden'],
    ['2001:db8::1', 'forbidden'],
    [undefined, 'forbidden'],
  ])('%s', (peer, refusal) => {
    expect(refusalOf({}, { peer })).toBe(refusal)
  })

  it('anyone may once it was asked for', () => {
    for (const peer of ['192.168.1.20', '::ffff:203.0.113.9', undefined])
      expect(refusalOf({ onlyThisMachine: false }, { peer })).toBeUndefined()
  })
})

describe('whose pages are ours', () => {
  const isOwn = (publicUrl: string | null, origin: string, port = 3000): boolean =>
    createOrigins({ ...RULES, publicUrl }).isOwn(origin, port)

  it.each([
    ['http://localhost:3000', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:3000', true],
    ['https://localhost:3000', false],
    ['http://localhost:3001', false],
    ['http://localhost', false],
    ['http://localhost.example.org:3000', false],
    ['http://evil.localhost:3000', false],
    ['null', false],
    ['', false],
    ['file://', false],
    ['chrome-extension://abcdef', false],
    ['http://localhost:3000, http://evil.example', false],
  ])('without PUBLIC_URL: %s', (origin, own) => {
    expect(isOwn(null, origin)).toBe(own)
  })

  it('on port 80 an origin names no port', () => {
    expect(isOwn(null, 'http://localhost', 80)).toBe(true)
  })

  it('with PUBLIC_URL it alone is', () => {
    const publicUrl = 'https://desk.example.org'
    expect(isOwn(publicUrl, publicUrl)).toBe(true)
    for (const origin of [
      'http://desk.example.org',
      'https://desk.example.org:444',
      'https://evil.desk.example.org',
    ])
      expect(isOwn(publicUrl, origin)).toBe(false)
  })
})
