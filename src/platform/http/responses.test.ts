import fastify from 'fastify'
import { expect, it } from 'vitest'
import { addDeclaredStatus } from './responses.ts'

const CREATED = { schema: { response: { 201: { type: 'object', additionalProperties: true } } } }

it('names a new resource in Location, also below another resource', async () => {
  const app = fastify()
  addDeclaredStatus(app)
  app.post('/api/notes', CREATED, () => ({ id: 7 }))
  app.post('/api/notes/:noteId/comments', CREATED, async () => ({ id: 8 }))
  app.post('/api/notes/:noteId/copy', CREATED, (_request, reply) => {
    reply.header('location', '/api/notes/9')
    return { id: 9 }
  })
  const locationOf = async (url: string) => {
    const { statusCode, headers } = await app.inject({ method: 'POST', url })
    return [statusCode, headers.location]
  }
  expect(await locationOf('/api/notes')).toEqual([201, '/api/notes/7'])
  expect(await locationOf('/api/notes/a%2Fb/comments')).toEqual([201, '/api/notes/a%2Fb/comments/8'])
  expect(await locationOf('/api/notes/7/copy')).toEqual([201, '/api/notes/9'])
  await app.close()
})

it('leaves the status of a failed request to the error', async () => {
  const app = fastify()
  addDeclaredStatus(app)
  app.post('/api/notes', CREATED, () => {
    throw Object.assign(new Error('taken'), { statusCode: 409 })
  })
  expect((await app.inject({ method: 'POST', url: '/api/notes' })).statusCode).toBe(409)
  await app.close()
})
