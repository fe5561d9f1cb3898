import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Page } from '../../platform/http/shapes.ts'
import {
  Milestone,
  MilestoneChange,
  MilestoneList,
  MilestonePath,
  NewMilestone,
  Progress,
} from './milestone-schema.ts'
import type { Milestones } from './milestones.ts'

const tags = ['Stream features']
const reading = { access: 'switched', scope: 'stream:read' } as const
const writing = { access: 'switched', scope: 'stream:write' } as const

export const milestoneRoutes =
  (milestones: Milestones): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/milestones',
      {
        config: reading,
        schema: {
          operationId: 'listMilestones',
          summary: 'Milestones, the oldest first',
          tags,
          querystring: Page,
          response: { 200: MilestoneList },
        },
      },
      (request) => milestones.list(request.query),
    )

    app.post(
      '/milestones',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'createMilestone',
          summary: 'Set a milestone',
          tags,
          body: NewMilestone,
          response: { 201: Milestone },
        },
      },
      async (request, reply) => {
        const milestone = await milestones.create(request.body)
        reply.code(201).header('location', `/api/stream/milestones/${milestone.id}`)
        return milestone
      },
    )

    app.get(
      '/milestones/:id',
      {
        config: reading,
        schema: {
          operationId: 'getMilestone',
          summary: 'One milestone',
          tags,
          params: MilestonePath,
          response: { 200: Milestone },
        },
      },
      (request) => milestones.get(request.params.id),
    )

    app.patch(
      '/milestones/:id',
      {
        config: writing,
        schema: {
          operationId: 'changeMilestone',
          summary: 'Change a milestone',
          description: 'With a higher target it can be reached once more.',
          tags,
          params: MilestonePath,
          body: MilestoneChange,
          response: { 200: Milestone },
        },
      },
      (request) => milestones.change(request.params.id, request.body, request.headers['if-match']),
    )

    app.delete(
      '/milestones/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteMilestone',
          summary: 'Delete a milestone',
          tags,
          params: MilestonePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await milestones.remove(request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.post(
      '/milestones/:id/progress',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'addProgress',
          summary: 'Add to a milestone',
          description: 'Adds up exactly, however many add at once. That it is reached is told once.',
          tags,
          params: MilestonePath,
          body: Progress,
          response: { 200: Milestone },
        },
      },
      (request) => milestones.progress(request.params.id, request.body.amount),
    )
  }
