import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sessionOf } from '../../../platform/access/caller.ts'
import { session } from '../../../platform/access/route-access.ts'
import type { StorageQuota } from '../../../platform/storage-quota.ts'
import { StorageUsage } from '../schema.ts'

export const storageRoutes =
  (quota: StorageQuota): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/storage',
      {
        config: session,
        schema: {
          operationId: 'getStorage',
          summary: 'Get your storage and its limit',
          response: { 200: StorageUsage },
        },
      },
      (request) => quota.read(sessionOf(request).userId),
    )
  }
