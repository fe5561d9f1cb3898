import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { startAnthropic } from './support/providers/anthropic.ts'
import { startGoogle } from './support/providers/google.ts'
import { startOpenAi } from './support/providers/openai.ts'
import type { Provider } from './support/providers/provider.ts'

const KEY = 'sk-runtime-key-0123456789-wxyz'
const ENVIRONMENT_KEY = 'sk-environment-0123456789-envi'

/** Creates a logger that keeps its lines for searching. */
const createRecordingLog = () => {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: pino({ level: 'trace' }, sink) as never }
}

onOneDatabase('sqlite', 'API keys of providers', (engine) => {
  let openai: Provider
  let instance: Instance
  const { lines, log } = createRecordingLog()
  beforeAll(async () => {
    openai = await startOpenAi()
    const environment = {
      MODEL_A: 'openai:gpt-5',
      OPENAI_BASE_URL: openai.url,
      OPENAI_API_KEY: ENVIRONMENT_KEY,
    }
    instance = await startInstance({ engine, environment, deps: { log } })
  })
  afterAll(async () => {
    await instance.close()
    await openai.close()
  })

  const findKey = async (keyId = 'openai') => {
    const { body } = await instance.get('/api/api-keys')
    return body.keys.find((key: { keyId: string }) => key.keyId === keyId)
  }
  const lastKey = async (): Promise<string | undefined> => {
    openai.key = null
    await instance.post('/api/ai/generate', { prompt: 'Hello' })
    return openai.asked.at(-1)?.headers.authorization
  }

  it('are listed by provider with their status only', async () => {
    const { status, body } = await instance.get('/api/api-keys')
    expect(status).toBe(200)
    expect(body.keys.map(({ provider }: { provider: string }) => provider)).toEqual([
      'openai',
      'anthropic',
      'google',
      'openai-compatible',
    ])
    expect(body.keys[0]).toEqual({
      keyId: 'openai',
      provider: 'openai',
      configured: true,
      source: 'environment',
      hint: '…envi',
      baseUrl: openai.url,
      model: null,
      verified: null,
      reason: null,
      updatedAt: null,
    })
    expect(body.keys[1]).toMatchObject({ configured: false, source: 'none', hint: '' })
  })

  it('apply to the next request, and the environment key applies after removal', async () => {
    expect(await lastKey()).toBe(`Bearer ${ENVIRONMENT_KEY}`)
    openai.key = KEY
    const once = { headers: { 'idempotency-key': `saved-${engine}` } }
    const made = await instance.post('/api/api-keys', { provider: 'openai', key: KEY }, once)
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe('/api/api-keys/openai')
    const again = await instance.post('/api/api-keys', { provider: 'openai', key: KEY }, once)
    expect([again.status, again.body]).toEqual([201, made.body])
    expect(made.body).toMatchObject({ source: 'runtime', hint: '…wxyz', verified: true, reason: null })
    expect(await lastKey()).toBe(`Bearer ${KEY}`)
    const changed = await instance.post('/api/api-keys', { provider: 'openai', key: `${KEY}-2` })
    expect(changed.status).toBe(200)
    expect(await lastKey()).toBe(`Bearer ${KEY}-2`)
    expect((await instance.call('DELETE', '/api/api-keys/openai')).status).toBe(204)
    expect(await lastKey()).toBe(`Bearer ${ENVIRONMENT_KEY}`)
    expect((await findKey()).source).toBe('environment')
    expect((await instance.call('DELETE', '/api/api-keys/openai')).status).toBe(404)
    expect((await instance.call('DELETE', '/api/api-keys/nonsense')).status).toBe(404)
  })

  it('apply immediately on every instance, and after a restart', async () => {
    const other = await startInstance({
      engine,
      place: instance.place,
      environment: { MODEL_A: 'openai:gpt-5', OPENAI_BASE_URL: openai.url },
    })
    openai.key = null
    expect((await other.get('/api/ai-model')).body.ready).toBe(false)
    await instance.post('/api/api-keys', { provider: 'openai', key: KEY })
    expect((await other.get('/api/ai-model')).body.ready).toBe(true)
    await other.post('/api/ai/generate', { prompt: 'Hello' })
    expect(openai.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    await instance.call('DELETE', '/api/api-keys/openai')
    const letter = { prompt: 'Thank Ana for the cake' }
    expect((await other.post('/api/ai/generate', letter)).body.engine).toBe('builtin')
    await other.close()
  })

  it('are stored with the reason if the provider rejects them, and can be verified again', async () => {
    openai.key = 'sk-another-0123456789'
    const { body } = await instance.post('/api/api-keys', { provider: 'openai', key: KEY })
    expect(body).toMatchObject({ configured: true, verified: false, reason: 'OpenAI refused the key (401).' })
    expect(await findKey()).toMatchObject({ verified: false, reason: 'OpenAI refused the key (401).' })
    openai.key = KEY
    expect((await instance.post('/api/api-keys/openai/verify')).body).toMatchObject({
      verified: true,
      reason: null,
    })
    expect(await findKey()).toMatchObject({ verified: true, reason: null })
    expect((await instance.post('/api/api-keys/google/verify')).status).toBe(409)
    await instance.call('DELETE', '/api/api-keys/openai')
  })

  it('are sent only to the base URL they were saved for', async () => {
    openai.key = null
    await instance.post('/api/api-keys', { provider: 'openai', key: KEY })
    const elsewhere = await startOpenAi()
    const moved = await startInstance({
      engine,
      place: instance.place,
      environment: { MODEL_A: 'openai:gpt-5', OPENAI_BASE_URL: elsewhere.url },
    })
    const { body } = await moved.get('/api/api-keys')
    expect(body.keys[0]).toMatchObject({
      configured: false,
      source: 'none',
      reason: expect.stringContaining('again'),
    })
    await moved.post('/api/ai/generate', { prompt: 'Hello' })
    expect(elsewhere.asked).toEqual([])
    await moved.close()
    await elsewhere.close()
    await instance.call('DELETE', '/api/api-keys/openai')
  })

  it('are optional for a custom OpenAI-compatible server', async () => {
    const server = await startOpenAi()
    const payload = { provider: 'openai-compatible', baseUrl: new URL(server.url).origin }
    const { status, body } = await instance.post('/api/api-keys', payload)
    expect([status, body.verified, body.baseUrl]).toEqual([201, true, payload.baseUrl])
    const said = await instance.post('/api/ai/generate', { prompt: 'Hello', model: 'model_d' })
    expect(said.body).toMatchObject({ engine: 'llm', provider: 'openai-compatible' })
    expect(server.asked[0]).toMatchObject({ path: '/v1/chat/completions' })
    expect(server.asked[0]?.headers.authorization).toBeUndefined()
    await instance.call('DELETE', '/api/api-keys/openai-compatible')
    await server.close()
  })

  it.each([
    [{ provider: 'openai' }, 'key'],
    [{ provider: 'openai-compatible', key: KEY }, 'baseUrl'],
    [{ provider: 'mistral', key: KEY }, 'provider'],
    [{ provider: 'openai', key: 'with space' }, 'key'],
    [{ provider: 'openai', key: '' }, 'key'],
    [{ provider: 'openai', key: KEY, baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    [{ provider: 'openai', key: KEY, baseUrl: 'http://user:secret@host/' }, 'baseUrl'],
    [{ provider: 'openai', key: KEY, baseUrl: 'https://host/?a=b' }, 'baseUrl'],
    [{ provider: 'openai', key: KEY, url: 'x' }, 'url'],
  ])('are rejected if invalid: %j', async (payload, path) => {
    const { status, body } = await instance.post('/api/api-keys', payload)
    expect([status, body.errors[0].path]).toEqual([400, path])
  })

  it('are verified with the endpoint of each provider', async () => {
    const others = [
      { provider: 'anthropic', server: await startAnthropic() },
      { provider: 'google', server: await startGoogle() },
    ]
    for (const { provider, server } of others) {
      server.key = KEY
      const payload = { provider, baseUrl: server.url }
      expect((await instance.post('/api/api-keys', { ...payload, key: KEY })).body.verified).toBe(true)
      expect(server.modelListRequests).toBe(1)
      const refused = await instance.post('/api/api-keys', { ...payload, key: 'sk-wrong-0123456789' })
      expect(refused.body).toMatchObject({
        verified: false,
        reason: expect.stringContaining('refused the key'),
      })
      await instance.call('DELETE', `/api/api-keys/${provider}`)
      await server.close()
      const gone = await instance.post('/api/api-keys', { ...payload, key: KEY })
      expect(gone.body).toMatchObject({ verified: false, reason: expect.stringContaining('connection') })
      await instance.call('DELETE', `/api/api-keys/${provider}`)
    }
  })

  it('are encrypted in the database and appear in no response, export or log line', async () => {
    openai.key = null
    openai.script = [{ say: 'fine' }, { status: 500 }, { fault: 'garbage' }, { status: 401 }]
    const answers = [await instance.post('/api/api-keys', { provider: 'openai', key: KEY })]
    const mail = 'a letter about the marmalade under the bridge'
    for (let n = 0; n < 4; n++) answers.push(await instance.post('/api/ai/generate', { prompt: mail }))
    answers.push(await instance.get('/api/api-keys'), await instance.get('/api/ai-model'))
    const rows = await instance.database.db
      .selectFrom('ai_keys')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(rows).toHaveLength(1)
    const person = await register(instance)
    const exported = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.token}` },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const everything = JSON.stringify([answers.map(({ body }) => body), rows])
    expect(exported.status).toBe(200)
    expect(Buffer.from(await exported.arrayBuffer()).includes(KEY)).toBe(false)
    expect(everything).not.toContain(KEY)
    expect(everything).not.toContain(ENVIRONMENT_KEY)
    const logged = lines.join('')
    expect(logged).toContain('request failed because a service is unavailable')
    for (const secret of [KEY, ENVIRONMENT_KEY, 'marmalade', 'sk-provider-echo'])
      expect(logged).not.toContain(secret)
    openai.script = [{ say: 'Hello there.' }]
    await instance.call('DELETE', '/api/api-keys/openai')
  })

  it('are inaccessible to personal access tokens, and changes appear in the activity log', async () => {
    const person = await register(instance)
    const payload = { password: PASSWORD, name: 't', scopes: ['ai:write', 'workflow:write'] }
    const { body } = await instance.post('/api/settings/tokens', payload, person)
    const { token } = body
    expect((await instance.get('/api/api-keys', { token })).status).toBe(403)
    expect((await instance.post('/api/api-keys', { provider: 'openai', key: KEY }, { token })).status).toBe(
      403,
    )
    expect((await instance.call('DELETE', '/api/api-keys/openai', { token })).status).toBe(403)
    await instance.post('/api/api-keys', { provider: 'openai', key: KEY }, person)
    await instance.call('DELETE', '/api/api-keys/openai', person)
    const { body: log } = await instance.get('/api/settings/security/activity', person)
    const actions = log.activity.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 2)).toEqual(['ai_key.removed', 'ai_key.saved'])
    expect(JSON.stringify(log)).not.toContain(KEY)
  })

  it('belong to each account while access is private', async () => {
    const place = await startInstance({ engine, environment: { ACCESS: 'private', REGISTRATION: 'open' } })
    const owner = await register(place)
    const member = await register(place)
    expect((await place.get('/api/api-keys')).status).toBe(401)
    for (const person of [owner, member]) expect((await place.get('/api/api-keys', person)).status).toBe(200)
    const payload = { provider: 'openai', key: KEY, baseUrl: openai.url }
    // On a network, users cannot enter private addresses.
    for (const person of [owner, member]) {
      const typed = await place.post('/api/api-keys', payload, person)
      expect(typed.body).toMatchObject({ verified: false, reason: expect.stringContaining('OUTBOUND_ALLOW') })
    }
    await place.close()
  })

  it('report a lost SECRET_KEY, and the built-in engine answers', async () => {
    openai.key = null
    await instance.post('/api/api-keys', { provider: 'openai', key: KEY })
    const lost = await startInstance({
      engine,
      place: instance.place,
      environment: { SECRET_KEY: 'a-third-secret-key-0123456789-0123456789', OPENAI_BASE_URL: openai.url },
    })
    const { keys } = (await lost.get('/api/api-keys')).body
    expect(keys[0]).toMatchObject({ configured: false, reason: expect.stringContaining('SECRET_KEY') })
    expect((await lost.get('/api/ai-model')).body.engine).toBe('builtin')
    expect((await lost.post('/api/api-keys', { provider: 'openai', key: KEY })).body.configured).toBe(true)
    await lost.close()
    await instance.call('DELETE', '/api/api-keys/openai')
  })

  it('are encrypted again after a change of SECRET_KEY', async () => {
    openai.key = null
    await instance.post('/api/api-keys', { provider: 'openai', key: KEY })
    const sealed = async () =>
      (
        await instance.database.db
          .selectFrom('ai_keys')
          .select('key')
          .modifyEnd(ALL_ACCOUNTS)
          .executeTakeFirstOrThrow()
      ).key as string
    const before = await sealed()
    const old = instance.place.environment.SECRET_KEY as string
    const rotated = await startInstance({
      engine,
      place: instance.place,
      environment: {
        SECRET_KEY: 'another-secret-key-0123456789-0123456789',
        SECRET_KEY_PREVIOUS: old,
        MODEL_A: 'openai:gpt-5',
        OPENAI_BASE_URL: openai.url,
      },
    })
    await rotated.database.db.transaction().execute((tx) => rotated.app.features.aiKeys.reseal(tx))
    expect((await sealed()).split('.')[1]).not.toBe(before.split('.')[1])
    await rotated.post('/api/ai/generate', { prompt: 'Hello' })
    expect(openai.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    await rotated.close()
  })
})
