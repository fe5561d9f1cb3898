import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Activity } from '../../auth/activity.ts'
import { sessionOf, visitOf } from '../../../platform/access/visit.ts'
import { Password } from '../../auth/schema.ts'
import { PasswordProof } from '../security/schema.ts'
import type { Security } from '../security/security.ts'
import type { Deletion } from './deletion.ts'
import type { Export } from './export.ts'
import type { SampleData } from './sample.ts'

const tags = ['Settings']

const AccountDeletion = Type.Object(
  {
    password: Password,
    wipe: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Required for the owner: deletes everything in the instance' }),
    ),
  },
  { additionalProperties: false, title: 'AccountDeletion' },
)

export const dataRoutes =
  (deps: {
    security: Security
    activity: Activity
    exportAll: Export
    sample: SampleData
    deletion: Deletion
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { security, activity, exportAll, sample, deletion } = deps

    app.post(
      '/export',
      {
        config: { access: 'session', ownerOnly: true, mayAnswer: [429] },
        schema: {
          operationId: 'exportEverything',
          summary: 'Everything you have, as a zip',
          description:
            'Every room’s things as JSON lines, e-mails also as messages, attachments, the calendar as a file. `SHA256SUMS` has the sum of every file, `manifest.json` says what made it and counts. No secret is in it. `POST /api/settings/import` takes it.',
          tags,
          body: PasswordProof,
          response: {
            200: {
              description: 'The zip',
              content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
      async (request, reply) => {
        const { userId } = sessionOf(request)
        await security.withPassword(userId, request.body.password, (tx) =>
          activity.record(tx, userId, visitOf(request), 'data.exported'),
        )
        return reply
          .type('application/zip')
          .header('content-disposition', 'attachment; filename="factotum-export.zip"')
          .send(exportAll(userId) as never)
      },
    )

    app.delete(
      '/sample-data',
      {
        config: { access: 'session', ownerOnly: true },
        schema: {
          operationId: 'removeSampleData',
          summary: 'Remove the sample data',
          description: 'What you added yourself stays. Whoever is signed in as the sample account is signed out by it.',
          tags,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await sample.remove(sessionOf(request).userId, visitOf(request))
        reply.code(204)
        return null
      },
    )

    app.delete(
      '/account',
      {
        config: { access: 'session', mayAnswer: [409, 429] },
        schema: {
          operationId: 'deleteAccount',
          summary: 'Delete your account',
          description:
            "A member's settings, sessions and tokens go. The owner's account takes everything in the instance along, and asks for `wipe: true`.",
          tags,
          body: AccountDeletion,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { password, wipe = false } = request.body
        await security.withPassword(sessionOf(request).userId, password, (tx, user) =>
          deletion.remove(tx, user, wipe),
        )
        await deletion.settle()
        reply.code(204)
        return null
      },
    )
  }
