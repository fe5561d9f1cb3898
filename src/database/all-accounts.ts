import { sql } from 'kysely'

/**
 * Marks a query of a background job, a backup or the owner's administration that concerns the rows of all accounts.
 * Every other query on personal data names the account; a test rejects it otherwise. Use it with `modifyEnd`, or inside
 * a raw query.
 */
export const ALL_ACCOUNTS = sql`/* all accounts */`
