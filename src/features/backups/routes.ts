import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { owner, ownerSession } from '../../platform/access/route-access.ts'
import { Page } from '../../platform/http/shapes.ts'
import type { Activity } from '../auth/activity.ts'
import type { Backups } from './backups.ts'
import type { BackupSchedules } from './schedule.ts'
import { Backup, BackupList, BackupPath, BackupSchedule, BackupScheduleInput } from './schema.ts'

const PasswordProof = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1000, examples: ['correct horse battery'] }) },
  { additionalProperties: false, title: 'BackupDownload' },
)

export interface BackupRoutesDeps {
  backups: Backups
  schedules: BackupSchedules
  activity: Activity
  withPassword: <T>(userId: number, password: string, work: (tx: Db) => Promise<T>) => Promise<T>
}

export const backupRoutes =
  ({ backups, schedules, activity, withPassword }: BackupRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/schedule',
      {
        config: owner,
        schema: {
          operationId: 'getBackupSchedule',
          summary: 'Get the backup schedule',
          description: 'Contains no secrets.',
          response: { 200: BackupSchedule },
        },
      },
      () => schedules.get(),
    )

    app.put(
      '/schedule',
      {
        config: { ...owner, mayAnswer: [409, 412, 429, 502, 504] },
        schema: {
          operationId: 'setBackupSchedule',
          summary: 'Set the backup schedule',
          description:
            'Checks that the destination can be written before it saves. Another destination or passphrase requires your password, because a backup contains the data of all accounts.',
          body: BackupScheduleInput,
          response: { 200: BackupSchedule },
        },
      },
      ({ user, body, visit, ifMatch }) =>
        schedules.change(user, body, { visit, ifMatch }, (tx, row) => backups.arm(tx, row.nextRunAt)),
    )

    app.get(
      '/',
      {
        config: owner,
        schema: {
          operationId: 'listBackups',
          summary: 'List backups',
          description: 'Newest first.',
          querystring: Page,
          response: { 200: BackupList },
        },
      },
      ({ query }) => backups.list(query),
    )

    app.post(
      '/',
      {
        config: { ...owner, mayAnswer: [409] },
        schema: {
          operationId: 'createBackup',
          summary: 'Back up now',
          description: 'Returns at once. Poll the backup until its state is `proven` or `failed`.',
          response: { 202: Backup },
        },
      },
      () => backups.start(),
    )

    app.get(
      '/:id',
      {
        config: owner,
        schema: {
          operationId: 'getBackup',
          summary: 'Get a backup',
          params: BackupPath,
          response: { 200: Backup },
        },
      },
      ({ params }) => backups.get(params.id),
    )

    app.post(
      '/:id/download',
      {
        config: { ...ownerSession, mayAnswer: [409, 429, 502, 504] },
        schema: {
          operationId: 'downloadBackup',
          summary: 'Download a backup',
          description: 'Requires your password, because the file contains the data of all accounts.',
          params: BackupPath,
          body: PasswordProof,
          response: {
            200: {
              description: 'The file',
              content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        },
      },
      async ({ user, params, body, visit }, reply) => {
        const { id } = params
        await backups.get(id)
        await withPassword(user, body.password, (tx) =>
          activity.record(tx, user, visit, 'data.exported', { backupId: id }),
        )
        const { filename, content } = await backups.download(id)
        return reply
          .type('application/octet-stream')
          .header('content-disposition', `attachment; filename="${filename}"`)
          .header('cache-control', 'no-store')
          .send(content as never)
      },
    )

    app.delete(
      '/:id',
      {
        config: { ...owner, mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'deleteBackup',
          summary: 'Delete a backup',
          description: 'Deletes the file and its entry.',
          params: BackupPath,
          response: { 204: Type.Null() },
        },
      },
      ({ params }) => backups.remove(params.id),
    )
  }
