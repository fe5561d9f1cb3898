import { expect, it } from 'vitest'
import { deviceOf } from './caller.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox on Windows',
    'computer',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
    'phone',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Chrome on Linux',
    'computer',
  ],
  ['curl/8.9.1', 'curl', 'program'],
  ['factotum command line', 'factotum command line', 'program'],
  ['', 'Unknown device', 'program'],
  ['/', 'Unknown device', 'program'],
])('describes %s as "%s", a %s', (userAgent, name, kind) => {
  expect(deviceOf(userAgent)).toEqual({ name, kind })
})
