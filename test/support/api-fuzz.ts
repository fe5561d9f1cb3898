import { readFileSync } from 'node:fs'

/** The parts of an OpenAPI 3.0 schema that the API document uses. */
interface Schema {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  nullable?: boolean
  example?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema: Schema
  example?: unknown
}

interface Operation {
  method: string
  path: string
  parameters: Parameter[]
  content: [contentType: string, media: { schema?: Schema; example?: unknown }][]
}

interface OpenApiDocument {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema?: Schema }> } }
    >
  >
  components: { schemas: Record<string, Schema> }
}

export interface FuzzRequest {
  /** The operation id. */
  operation: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
export const createRandomGenerator = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (probability: number): boolean => next() < probability,
    below: (limit: number): number => Math.floor(next() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  }
}

export type RandomGenerator = ReturnType<typeof createRandomGenerator>

const SPECIAL_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a'.repeat(300),
  'ä'.repeat(5_000),
  '🙂'.repeat(600),
  "' OR 1=1 --",
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=?utf-8?q?=00?=',
  '\u202e\u200b\ufeff',
  'is:unread from:"',
  'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=WEEKLY;COUNT=0',
  '9999-12-31T23:59:59Z',
  '0000-01-01',
  '2026-02-30',
  '2026-03-02T09:00:00+01:00',
  '2026-11-20',
  'Europe/Berlin',
  'ana@example.org',
  'Ana <ana@example.org>, ',
  'https://example.invalid/',
  'http://127.0.0.1:1/',
  'null',
  '__proto__',
  'constructor',
  '*',
  '"',
  'a* -b (c OR d)',
]
const SPECIAL_NUMBERS = [0, -1, 1, 0.5, 200, 201, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308]
const SPECIAL_VALUES = [null, true, [], {}, [[]], { __proto__: 1 }, 'text', 7]
const PASSWORD = 'correct horse battery'

const BODIES: Record<string, (string | Buffer)[]> = {
  'text/calendar': [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//fuzz//\r\nBEGIN:VEVENT\r\nUID:fuzz-1\r\nDTSTART:20261120T090000Z\r\nSUMMARY:One\r\nRRULE:FREQ=DAILY;COUNT=3\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:fuzz-2\r\nDTSTART;TZID=Nowhere:20261120T090000\r\nDTEND:19000101\r\nEND:VEVENT\r\nEND:VCALENDAR',
    'BEGIN:VCALENDAR',
  ],
  'message/rfc822': [
    'From: Ana <ana@example.org>\r\nTo: ben@example.org\r\nSubject: Hello\r\nMessage-ID: <fuzz@example.org>\r\n\r\nLunch on Friday at 12?\r\n',
    'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-7\r\n\r\n<b>+AGE-\r\n--x',
    '\r\n\r\n',
  ],
  'text/vtt': ['WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n', 'WEBVTT\n\n1:--> x\n', 'no captions'],
  'application/zip': [Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'), 'PK'],
  'image/png': [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    'no picture',
  ],
}

/** Collects ids from responses, by path, so that later requests reach existing resources. */
const createIdPool = (random: RandomGenerator) => {
  const pools = new Map<string, (string | number)[]>()
  const all: (string | number)[] = []
  const keyOf = (path: string): string => path.split('?')[0]?.replace(/\/[^/]*\d[^/]*/g, '') ?? ''
  const add = (key: string, id: string | number): void => {
    const pool = pools.get(key) ?? []
    if (pool.length < 200) pool.push(id)
    else pool[random.below(200)] = id
    pools.set(key, pool)
    all[random.below(500)] = id
  }
  const collect = (key: string, value: unknown, depth = 0): void => {
    if (depth > 4 || value === null || typeof value !== 'object') return
    for (const [name, entry] of Object.entries(value)) {
      const isId = /^id$|Id$/.test(name) && (typeof entry === 'string' || typeof entry === 'number')
      if (isId) add(name === 'id' ? key : `${name}`, entry as string | number)
      else collect(key, entry, depth + 1)
    }
  }
  return {
    collect: (path: string, body: unknown): void => collect(keyOf(path), body),
    take(path: string, name: string): string | number {
      const near =
        pools.get(keyOf(path.slice(0, path.indexOf('{')).replace(/\/$/, ''))) ?? pools.get(name) ?? all
      const known = near.filter((id) => id !== undefined)
      if (known.length === 0 || random.chance(0.15))
        return random.pick([1, 0, -1, 'x', 2 ** 31, 2 ** 53, '%00', '1e3'])
      return random.pick(known)
    },
  }
}

const specialTexts = (): string[] => {
  try {
    const lines = readFileSync('../shared/data/security-vectors/blns.public.jsonl', 'utf8').trim().split('\n')
    return [...SPECIAL_TEXTS, ...lines.map((line) => String(Object.values(JSON.parse(line) as object)[0]))]
  } catch {
    return SPECIAL_TEXTS
  }
}

/** Generates requests from the OpenAPI document: mostly valid ones, with some hostile values. */
export const createRequestGenerator = (document: OpenApiDocument, random: RandomGenerator) => {
  const texts = specialTexts()
  const ids = createIdPool(random)
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      content: Object.entries(requestBody?.content ?? {}),
    })),
  )

  const resolve = (schema: Schema): Schema => {
    if (!schema.$ref) return schema
    return document.components.schemas[schema.$ref.split('/').at(-1) as string] ?? {}
  }

  const text = (name: string, schema: Schema): string => {
    if (/password/i.test(name)) return random.chance(0.7) ? PASSWORD : random.pick(texts)
    if (schema.format === 'date-time')
      return new Date(Date.UTC(2026, random.below(24), random.below(28))).toISOString()
    if (random.chance(0.5)) return random.pick(texts)
    return `text ${random.below(1_000)}`.padEnd(Math.min(schema.minLength ?? 0, 2_000), 'x')
  }

  const valueFor = (given: Schema, name: string, depth: number): unknown => {
    const schema = resolve(given)
    if (schema.nullable && random.chance(0.2)) return null
    if (/Id$/.test(name) && random.chance(0.8)) return ids.take('', name)
    if (schema.enum) return random.pick(schema.enum)
    if (schema.anyOf) return valueFor(random.pick(schema.anyOf), name, depth)
    if (schema.example !== undefined && random.chance(0.5)) return schema.example
    if (schema.type === 'string') return text(name, schema)
    if (schema.type === 'boolean') return random.chance(0.5)
    if (schema.type === 'integer' || schema.type === 'number')
      return random.chance(0.3) ? random.pick(SPECIAL_NUMBERS) : (schema.minimum ?? 1) + random.below(60)
    if (schema.type === 'array')
      return Array.from({ length: random.pick([0, 1, 1, 2, 5]) }, () =>
        valueFor(schema.items ?? {}, name, depth + 1),
      )
    const required = new Set(schema.required)
    const isKept = (key: string): boolean => required.has(key) || random.chance(depth === 0 ? 0.4 : 0.3)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([key]) => depth < 6 && isKept(key))
        .map(([key, value]) => [key, valueFor(value, key, depth + 1)]),
    )
  }

  /** Replaces or drops one value, or adds an unknown one. */
  const mutate = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object' || random.chance(0.1))
      return random.pick([...SPECIAL_VALUES, ...texts])
    const entries = Object.entries(value)
    if (entries.length === 0) return value
    const [key, inner] = random.pick(entries)
    const action = random.below(8)
    if (Array.isArray(value)) return value.with(Number(key), mutate(inner))
    if (action === 0) return Object.fromEntries(entries.filter(([name]) => name !== key))
    if (action === 1) return { ...value, [random.pick(texts)]: 1 }
    return { ...value, [key]: mutate(inner) }
  }

  const jsonBody = ({ schema = {}, example }: { schema?: Schema; example?: unknown }): string => {
    let value = example !== undefined && random.chance(0.4) ? example : valueFor(schema, '', 0)
    for (let changes = random.pick([0, 0, 0, 1, 1, 2]); changes > 0; changes--) value = mutate(value)
    const json = JSON.stringify(value)
    return random.chance(0.02) ? json.slice(0, -1) : json
  }

  const addBody = (request: FuzzRequest, { content }: Operation): void => {
    if (content.length === 0) return
    const [contentType, media] = random.pick(content)
    request.headers['content-type'] = random.chance(0.02)
      ? 'text/plain'
      : contentType.replace('*/*', 'text/plain')
    if (contentType === 'application/json') request.body = jsonBody(media)
    else request.body = random.pick(BODIES[contentType] ?? texts)
  }

  const build = (operation: Operation): FuzzRequest => {
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    let { path } = operation
    for (const { name, in: place, required, schema, example } of operation.parameters) {
      if (place === 'path') {
        const value = /id$/i.test(name) || example === undefined ? ids.take(operation.path, name) : example
        const chosen =
          resolve(schema).enum && random.chance(0.9) ? random.pick(resolve(schema).enum ?? []) : value
        path = path.replace(`{${name}}`, encodeURIComponent(String(chosen).toWellFormed()))
      } else if (required || random.chance(0.25)) {
        const value = random.chance(0.3) ? random.pick(texts) : valueFor(schema, name, 1)
        if (place === 'query') query.append(name, String(value ?? '').toWellFormed())
        else if (/^[\x21-\x7e]{1,200}$/.test(String(value))) headers[name] = String(value)
      }
    }
    if (random.chance(0.02)) query.append('unknown', '1')
    const request = {
      operation: `${operation.method} ${operation.path}`,
      method: operation.method,
      path: query.size > 0 ? `${path}?${query}` : path,
      headers,
    }
    addBody(request, operation)
    return request
  }

  return {
    operations,
    learn: ids.collect,
    next: (isWanted: (operation: Operation) => boolean): FuzzRequest => {
      let operation = random.pick(operations)
      while (!isWanted(operation)) operation = random.pick(operations)
      return build(operation)
    },
  }
}

export type { OpenApiDocument, Operation }
