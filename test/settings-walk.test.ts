import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RouteEntry } from '../src/platform/http/route-table.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

type Field = TSchema & { examples?: unknown[]; default?: unknown; enum?: unknown[] }
interface ObjectSchema {
  required?: string[]
  properties?: Record<string, Field>
}

const SCOPES = ['tasks', 'calendar', 'mail', 'ai', 'stream', 'booking', 'workflow'].flatMap((area) => [
  `${area}:read`,
  `${area}:write`,
])

const bodyOf = ({ schema }: RouteEntry): ObjectSchema | undefined => {
  const body = schema.body as ObjectSchema | undefined
  return body?.properties ? body : undefined
}

/** Builds a valid body from the schema of the route. */
const validBody = ({ properties = {}, required = [] }: ObjectSchema): Record<string, unknown> =>
  Object.fromEntries(
    // A change needs at least one field.
    (required.length > 0 ? required : Object.keys(properties).slice(0, 1)).map((name) => {
      const field = properties[name] ?? ({} as Field)
      const known = { password: PASSWORD, email: 'someone@example.org', code: '000000' }[name]
      const inner = field as ObjectSchema
      const made = inner.properties ? validBody(inner) : undefined
      return [name, known ?? field.examples?.[0] ?? field.default ?? field.enum?.[0] ?? made ?? 'text']
    }),
  )

/** True if the path identifies something that belongs to a person. An enum value does not. */
const hasId = ({ url, schema }: RouteEntry): boolean => {
  const { properties = {} } = (schema.params ?? {}) as ObjectSchema
  return url.includes(':') && Object.values(properties).every((field) => field.enum === undefined)
}

const NEW_APP_PASSWORD = {
  password: PASSWORD,
  name: 'Phone',
  access: { calendars: 'write', tasks: 'read', contacts: 'none' },
}

const WRONG = [[{}], {}, 42.5, true, 'x'.repeat(100_001), null]
const wrongValue = (field: TSchema): unknown => {
  const check = Compile(field)
  return WRONG.find((value) => !check.Check(value))
}

onOneDatabase('sqlite', 'every route of the settings', (engine) => {
  let instance: Instance
  let owner: Person
  let stranger: Person
  let pat: string
  let routes: RouteEntry[]
  /** The ids of the owner's items, by the path segment before the parameter. */
  let ids: Record<string, string>

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { REGISTRATION: 'open' } })
    owner = await register(instance)
    stranger = await register(instance)
    const { token } = owner
    const make = async (path: string, body: unknown): Promise<Answer['body']> => {
      const made = await instance.post(`/api/settings${path}`, body, { token })
      if (made.status >= 300) throw new Error(`${path}: ${JSON.stringify(made.body)}`)
      return made.body
    }
    const server = { host: '127.0.0.1', port: 9, tls: 'none' }
    const account = { address: 'a@example.org', password: 'secret', imap: server, smtp: server }
    const hook = await make('/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })
    await instance.post('/api/tasks', { title: 'An event for the webhook' })
    const { deliveries } = (await instance.get(`/api/settings/webhooks/${hook.id}/deliveries`, { token }))
      .body
    const { sessions } = (await instance.get('/api/settings/security/sessions', { token })).body
    const made = await make('/tokens', { password: PASSWORD, name: 'all', scopes: SCOPES })
    pat = made.token
    ids = {
      tokens: made.id,
      'feed-tokens': (await make('/feed-tokens', { name: 'Phone', purpose: 'calendar' })).id,
      'app-passwords': (await make('/app-passwords', NEW_APP_PASSWORD)).id,
      invitations: (await make('/invitations', { password: PASSWORD })).id,
      'mail-accounts': (await make('/mail-accounts', account)).id,
      'calendar-accounts': (
        await make('/calendar-accounts', { kind: 'ics', url: 'http://127.0.0.1:9/a.ics' })
      ).id,
      sessions: sessions[0].id,
      webhooks: hook.id,
      deliveries: deliveries[0].id,
    }
    routes = instance.app.routes
      .entries()
      .filter(({ url, method }) => url.startsWith('/api/settings/') && method !== 'HEAD')
  })
  afterAll(() => instance.close())

  const named = ({ method, url }: RouteEntry): string => `${method} ${url}`
  /** Fills the path with the owner's ids, or with `value`. */
  const pathOf = ({ url }: RouteEntry, value?: string): string =>
    url.replace(/([\w-]+)\/:\w+/g, (_, thing: string) => `${thing}/${value ?? ids[thing] ?? 'aiRequests'}`)
  const call = async (route: RouteEntry, token: string | undefined, body?: unknown, path = pathOf(route)) => {
    const answer = await instance.call(route.method, path, { token, ...(body !== undefined && { body }) })
    expect([named(route), path, answer.status < 500]).toEqual([named(route), path, true])
    return answer
  }
  const sessionRoutes = () => routes.filter(({ access }) => access === 'session')

  it('is found', () => {
    expect(routes.length).toBeGreaterThanOrEqual(40)
    const open = routes.filter(({ access }) => access !== 'session').map(named)
    expect(open).toEqual(['GET /api/settings/mail-accounts/oauth/callback'])
  })

  it('requires a session: 401 without a valid token, 403 with a personal access token', async () => {
    for (const route of sessionRoutes()) {
      const body = bodyOf(route) && {}
      for (const token of [undefined, 'wrong', 'fct_wrong', `${owner.token}x`]) {
        const answer = await call(route, token, body)
        expect([named(route), answer.status, answer.body.code]).toEqual([named(route), 401, 'unauthorized'])
      }
      const answer = await call(route, pat, body)
      expect([named(route), answer.status, answer.body.code]).toEqual([
        named(route),
        403,
        'insufficient_scope',
      ])
    }
  })

  it('responds with 404 to unknown ids and to the ids of another person', async () => {
    for (const route of sessionRoutes().filter(hasId)) {
      const schema = bodyOf(route)
      const body = schema && validBody(schema)
      const answer = await call(route, stranger.token, body)
      const expected = route.ownerOnly ? [403, 'forbidden'] : [404, 'not_found']
      expect([named(route), answer.status, answer.body.code]).toEqual([named(route), ...expected])
      for (const odd of ['nothing', '4711', '%00', '..%2F..', 'x'.repeat(400), '%F0%9F%8E%89', "'--"]) {
        const { status } = await call(route, owner.token, body, pathOf(route, odd))
        expect([named(route), odd, status === 400 || status === 404]).toEqual([named(route), odd, true])
      }
    }
  })

  it('responds with 400 and the path of a missing, invalid or unknown field', async () => {
    for (const route of sessionRoutes()) {
      const schema = bodyOf(route)
      if (!schema) continue
      const valid = validBody(schema)
      const expectRejected = async (body: unknown, field: string): Promise<void> => {
        const answer = await call(route, owner.token, body)
        const paths = (answer.body.errors ?? []).map(({ path }: { path: string }) => path)
        const isReported = paths.some((path: string) => path === field || path.startsWith(`${field}.`))
        expect([named(route), field, answer.status, answer.body.code, isReported]).toEqual([
          named(route),
          field,
          400,
          'validation_failed',
          true,
        ])
        expect(answer.headers.get('content-type')).toContain('application/problem+json')
      }
      for (const field of schema.required ?? []) {
        const { [field]: _, ...rest } = valid
        await expectRejected(rest, field)
      }
      for (const [field, kind] of Object.entries(schema.properties ?? {}))
        await expectRejected({ ...valid, [field]: wrongValue(kind) }, field)
      await expectRejected({ ...valid, zzUnknown: 1 }, 'zzUnknown')
      for (const body of ['[]', '"x"', '{', 'null'])
        expect((await call(route, owner.token, body)).status).toBe(400)
    }
  })

  it('rejects unknown parameters and unsupported media types', async () => {
    for (const route of sessionRoutes()) {
      const schema = bodyOf(route)
      const path = `${pathOf(route)}?zzUnknown=1`
      const answer = await call(route, owner.token, schema && validBody(schema), path)
      expect([named(route), answer.status, answer.body.errors?.[0]?.path]).toEqual([
        named(route),
        400,
        'zzUnknown',
      ])
      if (!route.schema.body) continue
      const headers = { 'content-type': 'application/x-unknown' }
      const other = await instance.call(route.method, pathOf(route), {
        token: owner.token,
        body: 'x',
        headers,
      })
      expect([named(route), other.status]).toEqual([named(route), 415])
    }
  })
})
