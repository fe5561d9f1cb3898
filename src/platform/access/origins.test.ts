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
      scheme: 'http',
      host: 'localhost:3000',
      ...arrival,
    })
    return undefined
  } catch (error) {
    return (error as AppError).code
  }
}

describe('open access that was not configured explicitly', () => {
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

  it('lets anyone connect if it is configured', () => {
    for (const peer of ['192.168.1.20', '::ffff:203.0.113.9', undefined])
      expect(refusalOf({ onlyThisMachine: false }, { peer })).toBeUndefined()
  })
})

describe('own origins', () => {
  const isOwn = (origin: string, url: string, rules: Partial<OriginRules> = {}): boolean => {
    const [scheme = '', host = ''] = url.split('://')
    return createOrigins({ ...RULES, ...rules }).isOwn(origin, { scheme, host })
  }

  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.0.0.2:3000',
    'http://[::1]:3000',
    'http://192.168.1.20:3000',
    'http://192.168.1.20:8080',
    'http://192.168.1.20',
    'http://[fd00::20]:3000',
    'https://192.168.1.20:8443',
    'http://nas.lan:3000',
    'http://nas.lan',
  ])('include the address of the request without PUBLIC_URL: %s', (url) => {
    expect(isOwn(url, url, { allowedHosts: ['NAS.lan'] })).toBe(true)
  })

  it('ignore the spelling of the host', () => {
    expect(isOwn('http://localhost', 'http://LOCALHOST:80')).toBe(true)
    expect(isOwn('http://[fd00::20]:3000', 'http://[FD00:0:0::20]:3000')).toBe(true)
  })

  it.each([
    ['https://localhost:3000', 'http://localhost:3000'],
    ['http://localhost:3001', 'http://localhost:3000'],
    ['http://localhost', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://192.168.1.21:3000', 'http://192.168.1.20:3000'],
    ['http://localhost.example.org:3000', 'http://localhost.example.org:3000'],
    ['http://evil.example:3000', 'http://evil.example:3000'],
    ['http://evil.localhost:3000', 'http://evil.localhost:3000'],
    ['http://nas.lan.evil.example', 'http://nas.lan.evil.example'],
    ['http://evil.example', 'http://localhost@evil.example'],
    ['null', 'http://localhost:3000'],
    ['null', 'null://localhost'],
    ['null', 'http://'],
    ['', 'http://localhost:3000'],
    ['', 'http://'],
    ['file://', 'http://localhost:3000'],
    ['chrome-extension://abcdef', 'http://localhost:3000'],
    ['http://localhost:3000, http://evil.example', 'http://localhost:3000'],
  ])('exclude, without PUBLIC_URL, %s for a request to %s', (origin, url) => {
    expect(isOwn(origin, url, { allowedHosts: ['nas.lan'] })).toBe(false)
  })

  it('include only PUBLIC_URL if it is set', () => {
    const publicUrl = 'https://desk.example.org'
    expect(isOwn(publicUrl, 'http://127.0.0.1:3000', { publicUrl })).toBe(true)
    for (const origin of [
      'http://desk.example.org',
      'https://desk.example.org:444',
      'https://evil.desk.example.org',
      'http://127.0.0.1:3000',
    ])
      expect(isOwn(origin, origin, { publicUrl })).toBe(false)
  })
})

describe('a rejection names the setting', () => {
  const messageOf = (rules: Partial<OriginRules>, headers: Arrival['headers']): string => {
    try {
      const host = headers.host ?? ''
      createOrigins({ ...RULES, onlyThisMachine: false, ...rules }).check({
        method: 'POST',
        headers,
        peer: '192.168.1.30',
        scheme: 'http',
        host,
      })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it('for an origin', () => {
    const headers = { host: 'nas.lan:3000', origin: 'http://nas.lan:3000' }
    const message = messageOf({ access: 'private' }, headers)
    expect(message).toContain('http://nas.lan:3000')
    for (const setting of ['PUBLIC_URL', 'ALLOWED_HOSTS', 'CORS_ORIGINS']) expect(message).toContain(setting)
    const named = messageOf({ access: 'private', publicUrl: 'https://desk.example.org' }, headers)
    expect(named).toContain('PUBLIC_URL is https://desk.example.org')
  })

  it('for a host', () => {
    const message = messageOf({}, { host: 'nas.lan:3000' })
    for (const part of ['"nas.lan"', 'PUBLIC_URL', 'ALLOWED_HOSTS']) expect(message).toContain(part)
  })
})
