import { describe, expect, it } from 'vitest'
import { answerChallenge, createSignIn, readChallenge } from './webdav.ts'

describe('Digest authentication', () => {
  it.each([
    [
      'RFC 2617 §3.5',
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      'Circle Of Life',
      '0a4f113b',
      '6629fae49393a05397450978507c4ef1',
    ],
    [
      'RFC 7616 §3.9.1',
      'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", Digest realm="http-auth@example.org", qop="auth", algorithm=MD5, nonce="x"',
      'Circle of Life',
      'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    ],
  ])('computes the response of %s', (_name, header, password, cnonce, response) => {
    const challenge = readChallenge(header)
    if (!challenge) throw new Error('The challenge was not parsed.')
    const request = { method: 'GET', uri: '/dir/index.html', count: 1, cnonce }
    expect(answerChallenge(challenge, { username: 'Mufasa', password }, request)).toContain(
      `response="${response}"`,
    )
  })

  it.each([
    [null],
    ['Basic realm="x"'],
    ['Digest realm="x", nonce="y", Basic realm="z"'],
    ['Negotiate'],
    ['Digest realm="x"'],
    ['Digest realm="x", nonce="y", algorithm=MD5-sess'],
    ['Digest realm="x", nonce="y", qop="auth-int"'],
  ])('is not used for %s', (header) => {
    expect(readChallenge(header)).toBeUndefined()
  })

  it('counts requests, and does not repeat a rejected password', () => {
    const signIn = createSignIn({ username: 'ä"na', password: 'secret' })
    const url = new URL('https://cal.example.com/a?b')
    const challenge = 'Digest realm="x", nonce="y", qop=auth'
    expect(signIn.headerFor('GET', url)).toMatch(/^Basic /)
    expect(signIn.acceptChallenge(challenge)).toBe(true)
    expect(signIn.headerFor('GET', url)).toMatch(/username="Ã¤\\"na".*uri="\/a\?b".*nc=00000001/)
    expect(signIn.headerFor('GET', url)).toContain('nc=00000002')
    expect(signIn.acceptChallenge(challenge)).toBe(false)
    expect(signIn.acceptChallenge(`${challenge}, stale=true`)).toBe(true)
    expect(signIn.headerFor('GET', url)).toContain('nc=00000001')
  })
})
