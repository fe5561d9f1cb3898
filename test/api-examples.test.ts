import Ajv from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

type Schema = Record<string, unknown>

interface Media {
  schema?: Schema
  example?: unknown
}
interface Operation {
  description?: string
  parameters?: (Media & { name: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
interface Document {
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Operation['responses']
  }
}

const described = await startInstance()
const document = (await described.get('/api-docs')).body as Document
await described.close()

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const exampleFor = (path: string, method: string): unknown =>
  document.paths[path]?.[method]?.requestBody?.content['application/json']?.example

/** Examples that need something that a fresh instance does not have, with the expected error. */
const REFUSALS: Record<string, [code: string, reason: string]> = {
  'POST /api/auth/refresh': ['invalid_refresh_token', 'an issued refresh token'],
  'POST /api/auth/password-reset': ['not_configured', 'a way to send mail'],
  'POST /api/auth/password-reset/confirm': ['invalid_reset_token', 'a mailed token'],
  'POST /api/settings/security/2fa/enable': ['conflict', 'a set-up with a current code'],
  'POST /api/settings/security/2fa/disable': ['conflict', 'two-factor authentication'],
  'POST /api/settings/security/2fa/backup-codes': ['conflict', 'two-factor authentication'],
  'POST /api/emails/send': ['not_configured', 'a mail account'],
  'POST /api/folders': ['validation_failed', 'a mail account'],
  'PATCH /api/folders/{id}': ['not_found', 'a folder of a mail account'],
  'PATCH /api/threads': ['not_found', 'a thread'],
  'PATCH /api/threads/{id}': ['not_found', 'a thread'],
  'PUT /api/backups/schedule': ['validation_failed', 'a directory of BACKUP_FOLDERS'],
  'POST /api/threads/delete': ['not_found', 'a thread'],
  'POST /api/emails/{id}/resend': ['not_found', 'a message that failed to send'],
  'POST /api/emails/{id}/unsubscribe': ['not_found', 'a message of a mailing list'],
  'POST /api/calendar/events/{id}/respond': ['meeting_refused', 'an invitation'],
  'POST /api/calendar/invitations/{emailId}/respond': ['not_found', 'an invitation'],
  'PATCH /api/calendar/events/by-bookingsvc/{bookingId}': ['not_found', 'a booking'],
  'POST /api/settings/mail-accounts/oauth/start': ['not_configured', 'an OAuth client of the operator'],
  'PUT /api/ai/local-models': ['conflict', 'a model server on this machine'],
  'POST /api/ai/model-test': ['not_configured', 'a model'],
  'PATCH /api/ai/conversations/{id}': ['not_found', 'a conversation'],
  'PATCH /api/ai/actions/{id}': ['not_found', 'an action that waits'],
  'POST /api/ai/actions/{id}/confirm': ['not_found', 'an action that waits'],
  'PATCH /api/notifications/{id}': ['not_found', 'a notification'],
  'POST /api/bookingsvc/webhook': ['not_configured', 'a signing secret'],
  'PATCH /api/accounts/{id}': ['not_found', 'another account'],
  'DELETE /api/accounts/{id}': ['not_found', 'another account'],
  'PATCH /api/task-lists/{id}/shares/{shareId}': ['not_found', 'a share'],
  'PATCH /api/calendars/{id}/shares/{shareId}': ['not_found', 'a share'],
  'PATCH /api/task-lists/{id}/sections/{sectionId}': ['not_found', 'a section'],
  'PATCH /api/tasks/{id}/comments/{commentId}': ['not_found', 'a comment'],
  'PATCH /api/tasks/{id}/time-entries/{entryId}': ['not_found', 'a time entry'],
  'POST /api/calendars/{id}/mirrors': ['validation_failed', 'another calendar'],
  'PATCH /api/calendars/{id}/mirrors/{mirrorId}': ['not_found', 'a mirror'],
  'POST /api/contacts/{id}/merge': ['validation_failed', 'another contact'],
  'POST /api/backups/{id}/download': ['conflict', 'a finished backup'],
  'POST /api/imports/{id}/start': ['not_found', 'an uploaded file'],
  'POST /api/tasks/plan': ['conflict', 'open tasks'],
  'PATCH /api/commitments/{id}': ['not_found', 'a promise'],
  'POST /api/billing/webhook': ['not_configured', 'a signing secret'],
  'POST /api/settings/billing/subscribe': ['not_configured', 'payments'],
  'POST /api/settings/billing/cancel': ['not_configured', 'payments'],
}

describe('a documented request example', () => {
  const examples = operations.filter(
    ({ method, path }) => exampleFor(path, method.toLowerCase()) !== undefined,
  )

  let shared: Instance
  beforeAll(async () => {
    shared = await startInstance()
    // The owner. The examples use other accounts.
    await register(shared)
  })
  afterAll(() => shared.close())

  const send = async (
    instance: Instance,
    token: string | undefined,
    { method, path, operation }: (typeof examples)[number],
  ): Promise<Answer> => {
    let target = path
    for (const { name, example } of operation.parameters ?? [])
      if (!/id$/i.test(name)) target = target.replace(`{${name}}`, String(example))
    if (target.includes('{')) {
      const collection = path.slice(0, path.indexOf('/{'))
      const made = await instance.post(collection, exampleFor(collection, 'post'), { token })
      target = target.replace(/\{[^}]+\}/, String(made.body?.id ?? 4711)).replaceAll(/\{[^}]+\}/g, '4711')
    }
    return instance.call(method, target, { body: exampleFor(path, method.toLowerCase()), token })
  }

  it.each(examples)('works for a new user: $method $path', async (example) => {
    const [code] = REFUSALS[`${example.method} ${example.path}`] ?? []
    const isExpected = ({ status, body }: Answer): boolean =>
      code === undefined ? status < 300 : body.code === code
    // Examples that sign in, name the first row of a table, or are for the owner need an instance of their own.
    if (!example.path.startsWith('/api/auth/')) {
      const { token } = await register(shared)
      if (isExpected(await send(shared, token, example))) return
    }
    const fresh = await startInstance()
    try {
      // Registration is itself an example, so it is sent to an instance without an account.
      const isRegistration = example.path === '/api/auth/register'
      const person = { email: 'ana@example.org', name: 'Ana' }
      const token = isRegistration ? undefined : (await register(fresh, person)).token
      const answer = await send(fresh, token, example)
      expect(isExpected(answer), JSON.stringify(answer.body)).toBe(true)
    } finally {
      await fresh.close()
    }
  })
})

/**
 * Converts OpenAPI 3.0.3 to JSON Schema: `nullable` adds null to the `type` beside it, and has no effect
 * without one.
 */
const toJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (value === null || typeof value !== 'object') return value
  const { nullable, example: _, ...rest } = value as Schema
  const schema = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, toJsonSchema(inner)]))
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#', 'api#')
  return nullable === true && schema.type !== undefined ? { ...schema, type: [schema.type, 'null'] } : schema
}

describe('the OpenAPI document', () => {
  it('has examples that match their schemas', () => {
    const ajv = new Ajv.default({ strict: false, logger: false, inlineRefs: false })
    ajv.addSchema({ $id: 'api', components: toJsonSchema(document.components) })
    const wrong: string[] = []
    const check = (where: string, { schema, example }: Media): void => {
      if (schema === undefined || example === undefined) return
      const isValid = ajv.compile(toJsonSchema(schema) as Schema)
      if (!isValid(example)) wrong.push(`${where}: ${ajv.errorsText(isValid.errors)}`)
    }
    for (const [status, { content = {} }] of Object.entries(document.components.responses))
      for (const media of Object.values(content)) check(status, media)
    for (const { method, path, operation } of operations) {
      for (const parameter of operation.parameters ?? [])
        check(`${method} ${path} ${parameter.name}`, parameter)
      for (const media of Object.values(operation.requestBody?.content ?? {}))
        check(`${method} ${path}`, media)
      for (const [status, { content = {} }] of Object.entries(operation.responses))
        for (const media of Object.values(content)) check(`${method} ${path} ${status}`, media)
    }
    expect(wrong).toEqual([])
  })

  it('uses nullable only beside a type', () => {
    const found: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (value === null || typeof value !== 'object') return
      const { nullable, type } = value as Schema
      if (nullable === true && typeof type !== 'string') found.push(path)
      for (const [name, inner] of Object.entries(value))
        if (name !== 'example') visit(inner, `${path}/${name}`)
    }
    visit(document, '#')
    expect(found).toEqual([])
  })

  it('names the server, and only scopes that tokens can have', () => {
    expect(document.servers).toEqual([{ url: '/' }])
    for (const { operation } of operations) expect(operation.description ?? '').not.toMatch(/scope `any`/)
  })
})
