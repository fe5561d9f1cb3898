import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { describeApi } from './openapi.ts'
import type { RouteEntry } from './route-table.ts'

const Author = Type.Object({ name: Type.String() }, { title: 'Author' })
const Note = Type.Object(
  {
    weight: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, examples: [0.5] }),
    place: Type.Tuple([Type.Number(), Type.String()]),
    author: Type.Union([Author, Type.Null()]),
    due: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    kind: Type.Literal('note'),
  },
  { title: 'Note' },
)

const createNote = {
  method: 'POST',
  url: '/api/notes',
  access: 'session',
  config: { idempotency: 'kept' },
  schema: {
    operationId: 'createNote',
    summary: 'Create a note',
    body: Note,
    response: { 201: Note },
  },
} as unknown as RouteEntry

const describeNotes = () =>
  describeApi(
    { entries: () => [createNote] },
    {
      title: 'Notes',
      version: '1.2.3',
      description: 'All about notes.',
      access: 'private',
      publicUrl: null,
      tags: [
        { name: 'Notes', description: 'Notes.', paths: ['notes'] },
        { name: 'Unused', description: 'No operation has this tag.', paths: ['unused'] },
      ],
      catalogue: {
        'note.created': { payload: Note, live: 'session', webhook: true },
        'note.read': { payload: Type.Object({}) },
      },
    },
  )

it('describes the changes that webhooks can subscribe to', async () => {
  const webhooks = (await describeNotes())['x-webhooks'] as Record<string, { post: object }>
  expect(Object.keys(webhooks)).toEqual(['note.created'])
  expect(webhooks['note.created']?.post).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { properties: { data: { $ref: expect.any(String) } } } } },
    },
  })
})

it('converts bounds, tuples, null and literals to OpenAPI 3.0', async () => {
  const document = await describeNotes()
  const { errors } = await new Validator().validate(structuredClone(document))
  expect(errors ?? []).toEqual([])
  expect(document.components.schemas.Note?.properties).toEqual({
    weight: {
      type: 'number',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 1,
      exclusiveMaximum: true,
      example: 0.5,
    },
    place: {
      type: 'array',
      items: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      minItems: 2,
    },
    author: {
      anyOf: [{ $ref: '#/components/schemas/Author' }, { type: 'object', nullable: true, enum: [null] }],
    },
    due: {
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'object', nullable: true, enum: [null] }],
    },
    kind: { type: 'string', enum: ['note'] },
  })
})

it('shares schemas and error responses, and lists only used tags', async () => {
  const document = await describeNotes()
  const operation = document.paths['/api/notes']?.post
  expect(operation?.requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/Note',
  })
  expect(operation?.responses['409']).toEqual({ $ref: '#/components/responses/409' })
  expect(operation?.responses['201']).toMatchObject({ headers: { Location: { schema: { type: 'string' } } } })
  expect(document.tags.map(({ name }) => name)).toEqual(['Notes'])
})

it('rejects two different schemas with one title', async () => {
  const other = Type.Object({ text: Type.String() }, { title: 'Note' })
  const list = {
    ...createNote,
    url: '/api/notes/all',
    schema: { ...createNote.schema, operationId: 'listNotes', response: { 200: other } },
  }
  const description = {
    title: '',
    version: '',
    description: '',
    access: 'open',
    publicUrl: null,
    tags: [{ name: 'Notes', description: 'Notes.', paths: ['notes'] }],
    catalogue: {},
  } as const
  await expect(describeApi({ entries: () => [createNote, list] }, description)).rejects.toThrow('Note')
})
