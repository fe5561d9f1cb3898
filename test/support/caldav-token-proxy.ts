import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PasswordTarget } from '../../src/features/calendar/remote/calendar-server.ts'
import { radicale } from './calendar-servers.ts'

/** Starts a CalDAV server that accepts only bearer tokens of the test's OAuth provider. Radicale does the rest. */
export const startCaldavTokenProxy = async () => {
  const users = new Map<string, PasswordTarget>()
  const state = {
    /** Tokens that the server no longer accepts. */
    revoked: new Set<string>(),
    accepted: [] as string[],
  }
  const findUser = (authorization: string): PasswordTarget | undefined => {
    const token = /^Bearer (.+)$/.exec(authorization)?.[1]
    if (token === undefined || state.revoked.has(token)) return undefined
    const { email } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { email: string }
    state.accepted.push(token)
    return users.get(email)
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const user = findUser(request.headers.authorization ?? '')
    if (!user) return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    const { host: _, connection: __, authorization: ___, ...headers } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', radicale().url), {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: {
        ...(headers as Record<string, string>),
        authorization: `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`,
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const passed = ['content-type', 'etag', 'location', 'dav'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response.writeHead(answer.status, Object.fromEntries(passed))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    addUser: (user: PasswordTarget) => users.set(user.username, user),
    close: () => server.close(),
  }
}
