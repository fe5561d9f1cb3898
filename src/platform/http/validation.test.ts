import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { AppError, FieldError } from '../errors.ts'
import { compileValidator } from './validation.ts'

const strict = { additionalProperties: false }
const Guest = Type.Object(
  { email: Type.String({ minLength: 3 }), rank: Type.Optional(Type.Integer()) },
  strict,
)
const Body = Type.Object(
  {
    title: Type.String({ maxLength: 10 }),
    colour: Type.Optional(Type.Enum(['red', 'blue'])),
    ends: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    guests: Type.Optional(Type.Array(Guest, { maxItems: 2 })),
  },
  strict,
)
const Query = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    ratio: Type.Optional(Type.Number()),
    unread: Type.Optional(Type.Boolean()),
    tag: Type.Optional(Type.Array(Type.Integer())),
    q: Type.Optional(Type.String()),
  },
  strict,
)

const check = (schema: TSchema, httpPart: 'body' | 'querystring' | 'params', given: unknown) => {
  const validate = compileValidator({ schema, httpPart, method: 'GET', url: '/' } as never) as (
    value: unknown,
  ) => {
    value?: unknown
    error?: AppError
  }
  return validate(given)
}
const errorsOf = (schema: TSchema, part: 'body' | 'querystring', given: unknown): FieldError[] | undefined =>
  check(schema, part, given).error?.details.errors

const Person = Type.Union([
  Type.String(),
  Type.Object({ name: Type.Optional(Type.String()), address: Type.String() }, strict),
])
const Choices = Type.Object(
  {
    from: Type.Optional(Type.Union([Person, Type.Null()])),
    guests: Type.Optional(Type.Array(Person)),
    when: Type.Optional(
      Type.Union([
        Type.Object({ day: Type.String() }, strict),
        Type.Object({ start: Type.String(), end: Type.String() }, strict),
      ]),
    ),
  },
  strict,
)

describe('a body with alternatives', () => {
  it.each([
    [{ from: { name: 'Ana', adress: 'a@b' } }, 'from.adress', 'is unknown; did you mean address?'],
    [{ from: { nme: 'Ana', address: 'a@b' } }, 'from.nme', 'is unknown; did you mean name?'],
    [{ guests: [{ adress: 'a@b' }] }, 'guests.0.adress', 'is unknown; did you mean address?'],
    [{ when: { strat: 'now', end: 'then' } }, 'when.strat', 'is unknown; did you mean start?'],
  ])('names the unknown field of the matching alternative: %j', (given, path, message) => {
    const errors = errorsOf(Choices, 'body', given)
    expect(errors).toContainEqual({ path, message })
    expect(errors?.map((error) => error.message).join()).not.toContain('null')
  })

  it('lists the alternatives when none matches', () => {
    expect(errorsOf(Choices, 'body', { from: 5 })?.map(({ path }) => path)).toEqual(['from'])
  })
})

describe('body validation', () => {
  it.each([
    [{ title: 'x' }],
    [{ title: '', colour: 'red', ends: null, guests: [] }],
    [{ title: '🦉', guests: [{ email: 'a@b', rank: 1 }] }],
  ])('accepts %j', (given) => {
    expect(check(Body, 'body', given)).toEqual({ value: given })
  })

  it.each([
    [undefined, [['title', 'is required']]],
    [{}, [['title', 'is required']]],
    [{ title: 1 }, [['title', 'string']]],
    [{ title: 'x'.repeat(11) }, [['title', '10']]],
    [{ title: 'x', colour: 'green' }, [['colour', 'must be one of red, blue']]],
    [{ title: 'x', ends: 5 }, [['ends', 'string']]],
    [{ title: 'x', colou: 'red' }, [['colou', 'is unknown; did you mean colour?']]],
    [{ title: 'x', zzz: 1 }, [['zzz', 'is unknown']]],
    [
      { titel: 'x' },
      [
        ['title', 'is required'],
        ['titel', 'did you mean title?'],
      ],
    ],
    [
      { title: 'x', guests: [{ email: 'a@b' }, { emial: 'c@d' }] },
      [
        ['guests.1.email', 'is required'],
        ['guests.1.emial', 'did you mean email?'],
      ],
    ],
    [{ title: 'x', guests: [{ email: 'a@b', rank: 1.5 }] }, [['guests.0.rank', 'integer']]],
    [{ title: 'x', guests: {} }, [['guests', 'array']]],
    [{ title: 'x', guests: [{ email: '' }] }, [['guests.0.email', 'must have 3 characters or more']]],
    [{ title: 'x', guests: Array(3).fill({ email: 'a@b' }) }, [['guests', 'must have 2 items or fewer']]],
    [[], [['', 'object']]],
    ['text', [['', 'object']]],
    [JSON.parse('{"title":"x","__proto__":{"a":1}}'), [['__proto__', 'is unknown']]],
    [JSON.parse('{"title":"x","constructor":1}'), [['constructor', 'is unknown']]],
    [{ title: 'x', 'a/b~c': 1 }, [['a/b~c', 'is unknown']]],
  ])('rejects %j', (given, expected) => {
    const errors = errorsOf(Body, 'body', given)
    expect(errors?.map(({ path }) => path).sort()).toEqual(expected.map(([path]) => path).sort())
    for (const [path, message] of expected)
      expect(errors?.find((error) => error.path === path)?.message).toContain(message)
  })

  it('reports an empty or blank value once', () => {
    const Named = Type.Object({ name: Type.String({ minLength: 1, pattern: '\\S' }) }, strict)
    for (const name of ['', '  '])
      expect(errorsOf(Named, 'body', { name })).toEqual([{ path: 'name', message: 'must not be empty' }])
  })

  it('reports the expected format, and never as a pattern', () => {
    const line = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
    const Form = Type.Object({
      day: Type.Optional(
        Type.Union([Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-03'] }), Type.Null()]),
      ),
      tags: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z]+$', examples: ['home'] }))),
      line: Type.Optional(line),
      other: Type.Optional(Type.String({ pattern: '^x$' })),
    })
    for (const [given, path, message] of [
      [{ day: 'March' }, 'day', 'must have the format of 2026-03 or must be null'],
      [{ tags: ['home', 'A'] }, 'tags.1', 'must have the format of home'],
      [{ line: 'a\nb' }, 'line', 'must be one line, without control characters'],
      [{ other: 'y' }, 'other', 'has the wrong format'],
    ] as const)
      expect(errorsOf(Form, 'body', given)).toEqual([{ path, message }])
  })

  it('reports many unknown fields in the same words, and missing fields as well', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`colour${n}`, 1]))
    const errors = errorsOf(Body, 'body', many) ?? []
    expect(errors).toContainEqual({ path: 'title', message: 'is required' })
    const unknown = errors.filter(({ path }) => path !== 'title')
    expect(unknown.length).toBeGreaterThan(0)
    for (const { message } of unknown) expect(message).toContain('is unknown')
  })

  it('never coerces text', () => {
    expect(errorsOf(Type.Object({ n: Type.Integer() }, strict), 'body', { n: '5' })).toHaveLength(1)
    expect(errorsOf(Type.Object({ b: Type.Boolean() }, strict), 'body', { b: 'true' })).toHaveLength(1)
  })

  it('summarizes errors in a sentence with the first field and the number of others', () => {
    const { error } = check(Body, 'body', { titel: 'x' })
    expect(error?.code).toBe('validation_failed')
    expect(error?.message).toMatch(/^(title|titel) .+ \(and 1 more\)$/)
    expect(check(Body, 'body', []).error?.message).toMatch(/^The body /)
  })
})

describe('query validation', () => {
  it.each([
    [{}, { limit: 50 }],
    [{ limit: '7' }, { limit: 7 }],
    [{ ratio: '-0.5' }, { limit: 50, ratio: -0.5 }],
    [{ unread: 'false' }, { limit: 50, unread: false }],
    [{ tag: '1' }, { limit: 50, tag: [1] }],
    [{ tag: ['1', '2'] }, { limit: 50, tag: [1, 2] }],
    [{ q: '5' }, { limit: 50, q: '5' }],
    [{ q: 'true' }, { limit: 50, q: 'true' }],
  ])('converts %j to %j', (given, value) => {
    expect(check(Query, 'querystring', given)).toEqual({ value })
  })

  it.each([
    [{ limit: '' }, 'limit'],
    [{ limit: '1e2' }, 'limit'],
    [{ limit: '٥' }, 'limit'],
    [{ limit: ['1', '2'] }, 'limit'],
    [{ limit: '201' }, 'limit'],
    [{ ratio: 'NaN' }, 'ratio'],
    [{ ratio: '.5' }, 'ratio'],
    [{ unread: '1' }, 'unread'],
    [{ unread: '' }, 'unread'],
    [{ tag: ['1', 'x'] }, 'tag.1'],
    [{ q: 'a\0b' }, 'q'],
    [{ q: '\ud800' }, 'q'],
    [{ limt: '5' }, 'limt'],
    [{ constructor: 'x' }, 'constructor'],
    [JSON.parse('{"__proto__":"x"}'), '__proto__'],
    [JSON.parse('{"__proto__":["x","y"]}'), '__proto__'],
  ])('rejects %j', (given, path) => {
    expect(errorsOf(Query, 'querystring', Object.assign(Object.create(null), {}, given))?.[0]?.path).toBe(
      path,
    )
    expect(errorsOf(Query, 'querystring', given)?.[0]?.path).toBe(path)
  })
})
