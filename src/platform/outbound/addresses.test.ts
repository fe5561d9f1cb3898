import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyAddress, mayReach, normaliseHost, parseAllowEntry, type Trust } from './addresses.ts'

const reach = (trust: Trust, address: string, allow: string[] = [], more = {}) =>
  mayReach({ allow: allow.map(parseAllowEntry), typedMayBePrivate: false, ...more }, trust, {
    host: 'box.lan',
    port: 8080,
    address,
  })

describe('the class of an address', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => expect(classifyAddress(address)).toBe('public'))

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.1.2.3',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fdff::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
  ])('%s is private', (address) => expect(classifyAddress(address)).toBe('private'))

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::8.8.8.8',
    '::8.8.8.8',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:0:8.8.8.8',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'nonsense',
    '',
    '0x7f.1',
  ])('%s is guarded', (address) => expect(classifyAddress(address)).toBe('guarded'))

  it('is the same for an IPv4 address and for its mapped and NAT64 forms', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const plain = classifyAddress(address)
        expect(classifyAddress(`::ffff:${address}`)).toBe(plain)
        expect(classifyAddress(`64:ff9b::${address}`)).toBe(plain)
      }),
    )
  })
})

describe('a host', () => {
  it.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['１２７.０.０.１', '127.0.0.1'],
    ['①②⑦.0.0.1', '127.0.0.1'],
    ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
    ['::1', '::1'],
    ['LocalHost.', 'localhost'],
    ['ｌｏｃａｌｈｏｓｔ', 'localhost'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s is normalized to %s', (text, host) => expect(normaliseHost(text)).toBe(host))

  it.each([
    '',
    '.',
    'a..b',
    'a b',
    'a/b',
    'a@b',
    'a:80',
    'a?b',
    'a#b',
    'a\\b',
    'a%2eb',
    '[::1',
    'fe80::1%eth0',
    '1.2.3.4.5',
  ])('%j is rejected', (text) => expect(normaliseHost(text)).toBeUndefined())
})

describe('an allow entry', () => {
  it.each([
    ['ollama.lan', '10.0.0.5', false],
    ['box.lan', '10.0.0.5', true],
    ['BOX.lan.', '10.0.0.5', true],
    [' box.lan ', '10.0.0.5', true],
    ['box.lan:8080', '10.0.0.5', true],
    ['box.lan:80', '10.0.0.5', false],
    ['*.lan', '10.0.0.5', true],
    ['*.lan:8080', '10.0.0.5', true],
    ['*.lan:80', '10.0.0.5', false],
    ['*.box.lan', '10.0.0.5', false],
    ['*.ox.lan', '10.0.0.5', false],
    ['10.0.0.5', '10.0.0.5', true],
    ['10.0.0.5', '::ffff:10.0.0.5', true],
    ['10.0.0.5', '10.0.0.6', false],
    ['10.0.0.5:8080', '10.0.0.5', true],
    ['10.0.0.5:80', '10.0.0.5', false],
    ['10.0.0.0/8', '10.200.0.5', true],
    ['10.0.0.0/8', '127.0.0.1', false],
    ['::1', '::1', true],
    ['[::1]:8080', '::1', true],
    ['[::1]', '127.0.0.1', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '10.0.0.1', false],
    ['box.lan', '169.254.169.254', false],
    ['*.lan', 'fe80::1', false],
    ['0.0.0.0/0', '169.254.169.254', false],
    ['0.0.0.0/0', '192.168.7.7', true],
    ['fd00::/8', 'fd00:ec2::254', false],
    ['fd00:ec2::254', 'fd00:ec2::254', true],
    ['169.254.0.0/16', '169.254.169.254', true],
    ['169.254.169.254', '::ffff:169.254.169.254', true],
    ['169.254.169.254:80', '169.254.169.254', false],
    ['fe80::/10', 'fe80::1%eth0', true],
  ])('%s allows the operator box.lan:8080 at %s: %s', (entry, address, answer) => {
    expect(reach('operator', address, [entry])).toBe(answer)
    expect(reach('typed', address, [entry])).toBe(answer)
  })

  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['http://ollama.lan:11434', 'is a URL'],
    ['ollama.lan/path', 'not a network'],
    ['a/b/c', 'not a host name'],
    ['10.0.0.0/33', 'not a network'],
    ['10.0.0.0/', 'not a network'],
    ['10.0.0.0/-1', 'not a network'],
    ['10/8', 'not a network'],
    ['10.0.0.5/8', 'write "10.0.0.0/8"'],
    ['fd12::/8', 'write "fd00::/8"'],
    ['::ffff:10.0.0.1', 'wraps an IPv4 address'],
    ['::ffff:a00:1', 'wraps an IPv4 address'],
    ['64:ff9b::/96', 'wraps an IPv4 address'],
    ['0x7f.1', 'write "127.0.0.1"'],
    ['2130706433', 'write "127.0.0.1"'],
    ['fe80::1%eth0', 'not a network'],
    ['ollama.lan:0', 'port outside'],
    ['ollama.lan:65536', 'port outside'],
    ['ollama.lan:http', 'not a host name'],
    ['*', 'not a host name'],
    ['*.', 'not a host name'],
    ['*.*.lan', 'not a host name'],
    ['a.*.lan', 'not a host name'],
    ['user@ollama.lan', 'not a host name'],
    ['two words', 'not a host name'],
    ['[::1', 'not a host name'],
    ['a..b', 'not a host name'],
    ['new\nline', 'not a host name'],
    ['10.0.0.0\n/8', 'not a network'],
  ])('%j is rejected with a one-line message', (text, reason) => {
    const read = () => parseAllowEntry(text)
    expect(read).toThrow(reason)
    expect(read).toThrow(/^[^\n]+$/)
  })

  it('is either parsed or rejected with an Error, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'*.:/[]%a10fx-_ @?#') }), (text) => {
        try {
          expect(['host', 'network']).toContain(parseAllowEntry(text).kind)
        } catch (error) {
          expect(error).toHaveProperty('name', 'Error')
        }
      }),
    )
  })
})

describe('trust', () => {
  const everything = ['0.0.0.0/0', '::/0', 'box.lan', '169.254.0.0/16']

  it('content reaches public addresses only, whatever is allowed', () => {
    const open = { typedMayBePrivate: true }
    expect(reach('content', '1.1.1.1')).toBe(true)
    for (const address of ['127.0.0.1', '10.0.0.5', '169.254.169.254', '::1', 'fd00::1', '203.0.113.1'])
      expect(reach('content', address, everything, open)).toBe(false)
  })

  it('a typed setting reaches private addresses if the instance is open', () => {
    expect(reach('typed', '10.0.0.5')).toBe(false)
    expect(reach('typed', '10.0.0.5', [], { typedMayBePrivate: true })).toBe(true)
    expect(reach('typed', '::1', [], { typedMayBePrivate: true })).toBe(true)
    expect(reach('operator', '10.0.0.5', [], { typedMayBePrivate: true })).toBe(false)
  })

  it('a typed setting never reaches a metadata address that is not allowed by name', () => {
    const open = { typedMayBePrivate: true }
    for (const address of ['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '2002:a9fe:a9fe::'])
      expect(reach('typed', address, [], open)).toBe(false)
    expect(reach('typed', '169.254.169.254', ['169.254.169.254'], open)).toBe(true)
  })
})
