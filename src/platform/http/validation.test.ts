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

describe('a body of choices', () => {
  it.each([
    [{ from: { name: 'Ana', adress: 'a@b' } }, 'from.adress', 'is not known here; did you mean address?'],
    [{ from: { nme: 'Ana', address: 'a@b' } }, 'from.nme', 'is not known here; did you mean name?'],
    [{ guests: [{ adress: 'a@b' }] }, 'guests.0.adress', 'is not known here; did you mean address?'],
    [{ when: { strat: 'now', end: 'then' } }, 'when.strat', 'is not known here; did you mean start?'],
  ])('names the field of one of them that is unknown: %j', (given, path, message) => {
    const errors = errorsOf(Choices, 'body', given)
    expect(errors).toContainEqual({ path, message })
    expect(errors?.map((error) => error.message).join()).not.toContain('null')
  })

  it('says what it may be when it is none of them', () => {
    expect(errorsOf(Choices, 'body', { from: 5 })?.map(({ path }) => path)).toEqual(['from'])
  })
})

describe('a body', () => {
  it.each([
    [{ title: 'x' }],
    [{ title: '', colour: 'red', ends: null, guests: [] }],
    [{ title: '🦉', guests: [{ email: 'a@b', rank: 1 }] }],
  ])('fits: %j', (given) => {
    expect(check(Body, 'body', given)).toEqual({ value: given })
  })

  it.each([
    [undefined, [['title', 'is required']]],
    [{}, [['title', 'is required']]],
    [{ title: 1 }, [['title', 'string']]],
    [{ title: 'x'.repeat(11) }, [['title', '10']]],
    [{ title: 'x', colour: 'green' }, [['colour', 'must be one of red, blue']]],
    [{ title: 'x', ends: 5 }, [['ends', 'string']]],
    [{ title: 'x', colou: 'red' }, [['colou', 'is not known here; did you mean colour?']]],
    [{ title: 'x', zzz: 1 }, [['zzz', 'is not known here']]],
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
    [JSON.parse('{"title":"x","__proto__":{"a":1}}'), [['__proto__', 'is not known here']]],
    [JSON.parse('{"title":"x","constructor":1}'), [['constructor', 'is not known here']]],
    [{ title: 'x', 'a/b~c': 1 }, [['a/b~c', 'is not known here']]],
  ])('does not fit: %j', (given, expected) => {
    const errors = errorsOf(Body, 'body', given)
    expect(errors?.map(({ path }) => path).sort()).toEqual(expected.map(([path]) => path).sort())
    for (const [path, message] of expected)
      expect(errors?.find((error) => error.path === path)?.message).toContain(message)
  })

  it('that is empty or blank where it must not be is told so, once', () => {
    const Named = Type.Object({ name: Type.String({ minLength: 1, pattern: '\\S' }) }, strict)
    for (const name of ['', '  '])
      expect(errorsOf(Named, 'body', { name })).toEqual([{ path: 'name', message: 'must not be empty' }])
  })

  it('that is not of the form that is asked for is told which, and never in the form of a pattern', () => {
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
      [{ day: 'March' }, 'day', 'must be written like 2026-03 or must be null'],
      [{ tags: ['home', 'A'] }, 'tags.1', 'must be written like home'],
      [{ line: 'a\nb' }, 'line', 'must be one line, without control characters'],
      [{ other: 'y' }, 'other', 'is not written as it must be'],
    ] as const)
      expect(errorsOf(Form, 'body', given)).toEqual([{ path, message }])
  })

  it('is told of its unknown fields in the same words when there are many, and of the missing ones too', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`colour${n}`, 1]))
    const errors = errorsOf(Body, 'body', many) ?? []
    expect(errors).toContainEqual({ path: 'title', message: 'is required' })
    const unknown = errors.filter(({ path }) => path !== 'title')
    expect(unknown.length).toBeGreaterThan(0)
    for (const { message } of unknown) expect(message).toContain('is not known here')
  })

  it('is never read for more than it is: text stays text', () => {
    expect(errorsOf(Type.Object({ n: Type.Integer() }, strict), 'body', { n: '5' })).toHaveLength(1)
    expect(errorsOf(Type.Object({ b: Type.Boolean() }, strict), 'body', { b: 'true' })).toHaveLength(1)
  })

  it('is told about in a sentence that names the first field and counts the rest', () => {
    const { error } = check(Body, 'body', { titel: 'x' })
    expect(error?.code).toBe('validation_failed')
    expect(error?.message).toMatch(/^(title|titel) .+ \(and 1 more\)$/)
    expect(check(Body, 'body', []).error?.message).toMatch(/^The body /)
  })
})

describe('a query', () => {
  it.each([
    [{}, { limit: 50 }],
    [{ limit: '7' }, { limit: 7 }],
    [{ ratio: '-0.5' }, { limit: 50, ratio: -0.5 }],
    [{ unread: 'false' }, { limit: 50, unread: false }],
    [{ tag: '1' }, { limit: 50, tag: [1] }],
    [{ tag: ['1', '2'] }, { limit: 50, tag: [1, 2] }],
    [{ q: '5' }, { limit: 50, q: '5' }],
    [{ q: 'true' }, { limit: 50, q: 'true' }],
  ])('%j is read as %j', (given, value) => {
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
  ])('%j is refused', (given, path) => {
    expect(errorsOf(Query, 'querystring', Object.assign(Object.create(null), {}, given))?.[0]?.path).toBe(
      path,
    )
    expect(errorsOf(Query, 'querystring', given)?.[0]?.path).toBe(path)
  })
})
