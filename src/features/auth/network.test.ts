import { describe, expect, it } from 'vitest'
import { networkOf } from './login-attempts.ts'

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::a:b', '2001:db8:0:0::/64'],
    ['2001:DB8::A:B', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:1::', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2%eth1', 'fe80:0:0:0::/64'],
    ['local', 'local'],
    ['', ''],
  ])('maps the address "%s" to the network "%s"', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})
