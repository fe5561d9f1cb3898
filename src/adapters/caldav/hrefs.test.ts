import { describe, expect, it } from 'vitest'
import { mayCarrySecret, readHref } from './webdav.ts'

describe('readHref', () => {
  const base = 'https://cal.example.com/dav/ana@example.com/work/'
  it.each([
    ['/dav/ana@example.com/x.ics', 'https://cal.example.com/dav/ana%40example.com/x.ics'],
    ['/dav/ana%40example.com/x.ics', 'https://cal.example.com/dav/ana%40example.com/x.ics'],
    ['x%2fy.ics', 'https://cal.example.com/dav/ana%40example.com/work/x%2Fy.ics'],
    ['a+b.ics', 'https://cal.example.com/dav/ana%40example.com/work/a%2Bb.ics'],
    ['ä.ics', 'https://cal.example.com/dav/ana%40example.com/work/%C3%A4.ics'],
    ['%c3%a4.ics', 'https://cal.example.com/dav/ana%40example.com/work/%C3%A4.ics'],
    ['%e4.ics', 'https://cal.example.com/dav/ana%40example.com/work/%E4.ics'],
    ['%252e.ics', 'https://cal.example.com/dav/ana%40example.com/work/%252e.ics'],
    ['../%2e%2e/x.ics', 'https://cal.example.com/dav/x.ics'],
    [' https://cal.example.com:443/x y.ics#z\n', 'https://cal.example.com/x%20y.ics'],
    ['https://ana:secret@cal.example.com/x.ics', 'https://cal.example.com/x.ics'],
    ['javascript:alert(1)', undefined],
    ['http://', undefined],
  ])('normalizes %s', (written, expected) => {
    const href = readHref(written, base)?.href
    expect(href).toBe(expected)
    if (href !== undefined) expect(readHref(href, base)?.href).toBe(href)
  })
})

describe('mayCarrySecret', () => {
  it.each([
    ['https://cal.example.com/', 'https://cal.example.com/any/where', true],
    ['https://cal.example.com/', 'https://cal.example.com:444/', false],
    ['https://cal.example.com/', 'http://cal.example.com/', false],
    ['http://cal.example.com/', 'https://cal.example.com/', true],
    ['http://cal.example.com:5232/', 'https://cal.example.com/', false],
    ['https://cal.example.com/', 'https://evil.example.com/', false],
    ['https://cal.example.com/', 'https://cal.example.com.evil.test/', false],
    ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com:443/1/', true],
    ['https://caldav.icloud.com/', 'http://p42-caldav.icloud.com/1/', false],
    ['https://caldav.icloud.com/', 'https://eviicloud.com/', false],
    ['https://cal.example.com/', 'https://p42-caldav.icloud.com/', false],
  ])('for a password of %s and the target %s returns %s', (given, to, expected) => {
    expect(mayCarrySecret(new URL(given), new URL(to))).toBe(expected)
  })
})
