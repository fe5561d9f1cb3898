import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { findMissingNames, listAddresses } from './addresses.ts'

const entry = (address: string, internal = false) => ({
  address,
  internal,
  family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
})
const INTERFACES = {
  lo: [entry('127.0.0.1', true), entry('::1', true)],
  eth0: [entry('192.168.1.20'), entry('fd00::20'), entry('fe80::1')],
  wlan0: [entry('10.0.0.7')],
} as never

describe('the addresses that startup prints', () => {
  it.each([
    [{}, ['http://127.0.0.1:3000']],
    [{ HOST: '::1' }, ['http://[::1]:3000']],
    [{ HOST: '192.168.1.20' }, ['http://192.168.1.20:3000']],
    [{ HOST: '0.0.0.0' }, ['http://127.0.0.1:3000', 'http://192.168.1.20:3000', 'http://10.0.0.7:3000']],
    [
      { HOST: '::' },
      [
        'http://127.0.0.1:3000',
        'http://[::1]:3000',
        'http://192.168.1.20:3000',
        'http://[fd00::20]:3000',
        'http://10.0.0.7:3000',
      ],
    ],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://desk.example.org' }, ['https://desk.example.org']],
  ])('for %j are %j', (environment, addresses) => {
    expect(listAddresses(readConfig(environment), 3000, INTERFACES)).toEqual(addresses)
  })

  it.each([
    [{}, false],
    [{ HOST: 'localhost' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '192.168.1.20' }, true],
    [{ HOST: '0.0.0.0', ALLOWED_HOSTS: 'nas.lan' }, false],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://nas.lan:3000' }, false],
  ])('have a warning that names the settings: %j %j', (environment, isWarned) => {
    const warning = findMissingNames(readConfig(environment))
    expect(warning !== undefined).toBe(isWarned)
    if (isWarned) expect(warning).toMatch(/PUBLIC_URL.*ALLOWED_HOSTS/)
  })
})
