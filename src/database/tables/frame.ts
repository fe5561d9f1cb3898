import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface IdempotencyKeyRow {
  /** Caller, method, path and key, hashed. */
  scope: string
  bodyHash: string
  /** The request that works on it. Another may take over once the request's process has ended. */
  claim: string
  /** See process-lock.ts. Null where an earlier version kept the answer. */
  processId: number | null
  /** Null while the first request is in flight. */
  answer: string | null
  expiresAt: string
}

export interface ChangeRow {
  id: Generated<number>
  type: string
  subject: string
  data: string
  at: string
  /** Where it stands in the order of commits, on PostgreSQL; null until that is known (change-order.ts). */
  position: Generated<number | null>
}

export interface SampleRow {
  kind: string
  reference: string
}

/** At most one, and no part of a backup. */
export interface RestoreRow {
  /** See epoch.ts. */
  epoch: number
}

export interface FrameTables {
  idempotency_keys: IdempotencyKeyRow
  changes: ChangeRow
  samples: SampleRow
  restores: RestoreRow
}

export const frameKeys: TableKeys<FrameTables> = {
  idempotency_keys: ['scope'],
  changes: ['id'],
  samples: ['kind', 'reference'],
  restores: null,
}
