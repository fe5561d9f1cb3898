import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../src/platform/docs/error-catalogue.ts'
import { digestApi } from './support/api-digest.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Call, type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { readSchemaText } from './support/schema-text.ts'

/* Golden files: the public contract. A change is visible in review; `npm test -- --update` rewrites them. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe('the API', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ environment: { METRICS: 'on', TZ_DEFAULT: 'UTC' } })
  })
  afterAll(() => instance.close())

  it('has these routes with these access rules, and these fields', async () => {
    const routes = instance.app.routes
      .entries()
      .filter(({ method }) => METHODS.includes(method))
      .map(({ method, url, access, scope, purpose, ownerOnly }) =>
        [method.padEnd(6), url.padEnd(48), access, scope, purpose, ownerOnly && 'owner only']
          .filter(Boolean)
          .join(' '),
      )
    const { body, status } = await instance.get('/api-docs')
    expect(status).toBe(200)
    const text = [...routes.toSorted(), '', ...digestApi(body)].join('\n')
    await expect(`${text}\n`).toMatchFileSnapshot('golden/api.txt')
  })

  it('declares its tags, describes every operation, and has examples that fit their format', async () => {
    const { body } = await instance.get('/api-docs')
    const declared = body.tags.map(({ name }: { name: string }) => name)
    const operations = Object.values(body.paths as Record<string, Record<string, never>>).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string; tags: string[]; description?: string }>),
    )
    for (const { operationId, tags, description } of operations) {
      expect([operationId, tags.filter((tag) => !declared.includes(tag))]).toEqual([operationId, []])
      expect([operationId, Boolean(description)]).toEqual([operationId, true])
    }
    expect(body.info).toMatchObject({ license: { name: 'MIT' }, contact: { name: expect.any(String) } })
    const texts: string[] = []
    const walk = (value: unknown, name = ''): void => {
      if (value === 'text' && /(?:At|Until|Since|Start|End)$/.test(name)) texts.push(name)
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, key)
    }
    walk(body.paths)
    expect(texts).toEqual([])
  })

  it('has a summary, a tag, an id, examples, errors and security for every operation', async () => {
    const { body } = await instance.get('/api-docs')
    const operations = Object.entries(
      body.paths as Record<string, Record<string, Record<string, never>>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    for (const [status, { content }] of Object.entries(
      body.components.responses as Record<string, { content?: Record<string, { example?: unknown }> }>,
    ))
      for (const { example } of Object.values(content ?? {}))
        expect([status, example === undefined]).toEqual([status, false])
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, method, operation } of operations) {
      const where = `${method} ${path}`
      const { summary, tags, responses, security, requestBody } = operation as unknown as {
        summary: string
        tags: string[]
        responses: Record<string, { content?: Record<string, { example?: unknown }> }>
        security: unknown[]
        requestBody?: { content: Record<string, { example?: unknown }> }
      }
      expect([where, Boolean(summary), tags.length, Array.isArray(security)]).toEqual([where, true, 1, true])
      expect([where, Object.keys(responses).some((status) => status >= '400')]).toEqual([where, true])
      const media = [...Object.values(responses), ...(requestBody ? [requestBody] : [])]
        .flatMap(({ content }) => Object.entries(content ?? {}))
        .filter(([type]) => type.includes('json'))
      for (const [, { example }] of media) expect([where, example === undefined]).toEqual([where, false])
    }
  })

  it('has the required groups, with the required number of operations', async () => {
    const { body } = await instance.get('/api-docs')
    const tags = Object.values(body.paths as Record<string, Record<string, { tags: string[] }>>)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.tags)
    const wanted = {
      Authentication: 5,
      Emails: 4,
      Tasks: 4,
      AI: 6,
      Calendar: 12,
      Settings: 25,
      'Stream features': 10,
    }
    for (const [name, count] of Object.entries(wanted))
      expect([name, tags.filter((tag) => tag === name).length]).toEqual([
        name,
        expect.toSatisfy((n) => n >= count),
      ])
  })

  it('documents the responses to an unknown parameter, an invalid token and a matching ETag', async () => {
    const { token } = await register(instance)
    const { body } = await instance.get('/api-docs')
    const paths = body.paths as Record<string, Record<string, { responses: Record<string, object> }>>
    for (const [path, methods] of Object.entries(paths)) {
      const place = path.replace(/\{\w+\}/g, '1')
      for (const [method, { responses }] of Object.entries(methods)) {
        const ask = (url: string, given: Call) => instance.call(method.toUpperCase(), url, given)
        const answers = [await ask(`${place}?frobnicate=1`, { token }), await ask(place, { token: 'bad' })]
        for (const { status } of answers)
          expect([method, path, Object.keys(responses)]).toEqual([
            method,
            path,
            expect.arrayContaining([`${status}`]),
          ])
      }
      if (!methods.get || /\/events$|\{/.test(path)) continue
      const { status, headers } = await instance.get(place, { token })
      const hasVersion = status === 200 && headers.get('etag') !== null
      if (status === 200) expect([path, '304' in methods.get.responses]).toEqual([path, hasVersion])
    }
  })

  it('describes every error code', async () => {
    const { body } = await instance.get('/api-docs')
    for (const { code } of ERROR_CATALOGUE) expect(body.info.description).toContain(`### ${code}\n`)
  })

  it('requires a body only where one is necessary', async () => {
    const { body } = await instance.get('/api-docs')
    const isAsked = (path: string) => body.paths[path].post.requestBody.required
    expect(isAsked('/api/tasks')).toBe(true)
    expect(isAsked('/api/ai/actions/{id}/confirm')).toBe(false)
    expect(isAsked('/api/emails/{id}/reply-draft')).toBe(false)
  })

  it('accepts its own example request bodies', async () => {
    const { Value } = await import('typebox/value')
    const document = await instance.app.describe()
    for (const { method, url, schema } of instance.app.routes.entries()) {
      const body = schema.body as { type?: string; title?: string } | undefined
      if (body?.type !== 'object') continue
      const path = url.replace(/:([^/]+)/g, '{$1}')
      const example =
        document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.example
      expect([method, url, [...Value.Errors(schema.body as never, example)]]).toEqual([method, url, []])
    }
  })
})

onEveryDatabase('the migrated schema', (engine) => {
  it('matches the golden file', async () => {
    const instance = await startInstance({ engine })
    const text = await readSchemaText(instance.database)
    await expect(text).toMatchFileSnapshot(`golden/schema.${engine}.txt`)
    await instance.close()
  })
})
