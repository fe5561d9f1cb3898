import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A database or a transaction in it: stores take either. */
export type Db = Kysely<Tables>
