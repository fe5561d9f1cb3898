import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Grant {
  email: string
  challenge: string
  redirectUri: string
  scope: string
}

/** Starts an OAuth provider (RFC 6749 with PKCE) whose tokens the test's Dovecot accepts. */
export const startIssuer = async () => {
  const codes = new Map<string, Grant>()
  const refreshTokens = new Map<string, string>()
  const state = {
    /** The user who is signed in at the provider in the test's browser. */
    email: 'nobody@example.test',
    lifeSeconds: 3600,
    renewals: 0,
    hasConsent: true,
    /** Scopes that the user refuses on the consent page. */
    refusedScopes: [] as string[],
    isDown: false,
  }
  const secret = () => randomBytes(16).toString('hex')
  const issue = (email: string) => {
    const until = Date.now() + state.lifeSeconds * 1000
    const claims = Buffer.from(JSON.stringify({ email })).toString('base64url')
    return {
      access_token: Buffer.from(JSON.stringify({ email, until, nonce: secret() })).toString('base64url'),
      expires_in: state.lifeSeconds,
      id_token: `e30.${claims}.`,
      token_type: 'Bearer',
    }
  }
  const refuse = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been revoked.' },
  }
  const answerToken = (form: URLSearchParams): { status: number; body: unknown } => {
    if (state.isDown) return { status: 503, body: {} }
    if (form.get('client_id') !== 'client-id' || form.get('client_secret') !== 'hush') return refuse
    if (form.get('grant_type') === 'refresh_token') {
      const email = refreshTokens.get(form.get('refresh_token') ?? '')
      if (email === undefined || !state.hasConsent) return refuse
      state.renewals++
      return { status: 200, body: issue(email) }
    }
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) return refuse
    const refreshToken = secret()
    refreshTokens.set(refreshToken, grant.email)
    return {
      status: 200,
      body: { ...issue(grant.email), refresh_token: refreshToken, scope: grant.scope },
    }
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://issuer')
    if (url.pathname === '/authorize') {
      const parameters = url.searchParams
      const code = secret()
      const redirectUri = parameters.get('redirect_uri') ?? ''
      const scopes = (parameters.get('scope') ?? '').split(' ')
      codes.set(code, {
        email: state.email,
        challenge: parameters.get('code_challenge') ?? '',
        redirectUri,
        scope: scopes.filter((scope) => !state.refusedScopes.includes(scope)).join(' '),
      })
      const back = new URL(redirectUri)
      back.searchParams.set('state', parameters.get('state') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('scope', parameters.get('scope') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answerToken(new URLSearchParams(body))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, state, close: () => server.close() }
}
