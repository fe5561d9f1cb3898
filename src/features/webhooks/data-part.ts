import { sql } from 'kysely'
import Type from 'typebox'
import {
  flag,
  instant,
  instantOrNull,
  instead,
  integer,
  integerOrNull,
  json,
  oneOf,
  own,
  portable,
  text,
  textId,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { Random } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { newSecret, sealSecret } from './signatures.ts'
import { checkUrl } from './webhooks.ts'

const IMPORTED = 'The webhook was imported without its secret. Rotate the secret, then enable it.'

/**
 * An export contains no secrets. Imported endpoints are disabled and get a new secret that no receiver knows.
 */
const createEndpointsTable = ({ sealer, random }: { sealer: Sealer; random: Random }) =>
  portable('webhooks', {
    file: 'webhooks.jsonl',
    columns: {
      id: textId('webhooks'),
      userId: own,
      name: text,
      url: text,
      events: json(Type.Array(Type.String())),
      enabled: instead(flag, 0),
      disabledReason: textOrNull,
      secret: without(''),
      previousSecret: without(null),
      previousSecretUntil: without(null),
      failures: integer,
      failingSince: instantOrNull,
      pausedUntil: instantOrNull,
      leaseOwner: without(null),
      leaseUntil: without(null),
      version: integer,
      createdAt: instant,
      updatedAt: instant,
    },
    complete: (row) => ({
      ...row,
      url: checkUrl(row.url),
      disabledReason: row.disabledReason ?? IMPORTED,
      secret: sealSecret(sealer, row.id, newSecret(random)),
    }),
  })

const ofEndpoints = (userId: number) => sql`(select id from webhooks where ${sql.ref('userId')} = ${userId})`

/** Deliveries are exported but not imported, because they belong to the instance that sent them. */
const deliveries = portable('webhook_deliveries', {
  file: 'deliveries.jsonl',
  isExportOnly: true,
  of: (userId) => [sql<boolean>`${sql.ref('webhookId')} in ${ofEndpoints(userId)}`],
  columns: {
    id: integer,
    messageId: text,
    webhookId: text,
    type: text,
    body: text,
    state: oneOf('waiting', 'delivered', 'failed'),
    attempts: integer,
    nextAttemptAt: instantOrNull,
    createdAt: instant,
    finishedAt: instantOrNull,
  },
})

const attempts = portable('webhook_attempts', {
  file: 'attempts.jsonl',
  isExportOnly: true,
  of: (userId) => [
    sql<boolean>`${sql.ref('deliveryId')} in
      (select id from webhook_deliveries where ${sql.ref('webhookId')} in ${ofEndpoints(userId)})`,
  ],
  columns: {
    id: integer,
    deliveryId: integer,
    at: instant,
    durationMs: integer,
    status: integerOrNull,
    error: textOrNull,
    response: textOrNull,
  },
})

export const createWebhooksPart = (deps: { sealer: Sealer; random: Random }): DataPart => ({
  folder: 'webhooks',
  tables: [createEndpointsTable(deps), deliveries, attempts],
  others: [],
})
