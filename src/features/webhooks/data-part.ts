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
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { Random } from '../../platform/random.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { sealSecret } from './secrets.ts'
import { newSecret } from './signature.ts'
import { checkUrl } from './webhooks.ts'

const IMPORTED = 'It was imported, without its secret. Renew the secret, then turn it on.'

/** Their secrets are in no export: they come back turned off, with one that no receiver knows. */
const endpointsWith = ({ sealer, random }: { sealer: Sealer; random: Random }) =>
  portable('webhooks', {
    file: 'webhooks.jsonl',
    of: (userId) => [sql<boolean>`${sql.ref('userId')} = ${userId}`],
    columns: {
      ...{ id: text, userId: own, name: text, url: text, events: json(Type.Array(Type.String())) },
      ...{ enabled: instead(flag, 0), disabledReason: textOrNull, secret: without('') },
      ...{ previousSecret: without(null), previousSecretUntil: without(null), failures: integer },
      ...{ failingSince: instantOrNull, pausedUntil: instantOrNull },
      ...{ leaseOwner: without(null), leaseUntil: without(null), version: integer },
      ...{ createdAt: instant, updatedAt: instant },
    },
    complete: (row) => ({
      ...row,
      url: checkUrl(row.url),
      disabledReason: row.disabledReason ?? IMPORTED,
      secret: sealSecret(sealer, row.id, newSecret(random)),
    }),
  })

const ofEndpoints = (userId: number) => sql`(select id from webhooks where ${sql.ref('userId')} = ${userId})`

/** What was sent, and how that went, is about the instance that sent it. */
const deliveries = portable('webhook_deliveries', {
  file: 'deliveries.jsonl',
  fate: 'told',
  of: (userId) => [sql<boolean>`${sql.ref('webhookId')} in ${ofEndpoints(userId)}`],
  columns: {
    ...{ id: integer, messageId: text, webhookId: text, type: text, body: text },
    ...{ state: oneOf('waiting', 'delivered', 'failed'), attempts: integer, nextAttemptAt: instantOrNull },
    ...{ createdAt: instant, finishedAt: instantOrNull },
  },
})

const attempts = portable('webhook_attempts', {
  file: 'attempts.jsonl',
  fate: 'told',
  of: (userId) => [
    sql<boolean>`${sql.ref('deliveryId')} in
      (select id from webhook_deliveries where ${sql.ref('webhookId')} in ${ofEndpoints(userId)})`,
  ],
  columns: {
    ...{ id: integer, deliveryId: integer, at: instant, durationMs: integer, status: integerOrNull },
    ...{ error: textOrNull, response: textOrNull },
  },
})

/** A sample that sends something somewhere would be none. */
export const createWebhooksPart = (deps: { sealer: Sealer; random: Random }): DataPart => ({
  folder: 'webhooks',
  tables: [endpointsWith(deps), deliveries, attempts],
  others: [],
})
