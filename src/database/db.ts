import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A database or a transaction: repositories accept either. */
export type Db = Kysely<Tables>
