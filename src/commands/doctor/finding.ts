import type { Config } from '../../config/config.ts'
import type { Database } from '../../database/database.ts'
import type { MigrationState } from '../../database/migrate.ts'
import type { CommandContext } from '../command.ts'

export interface Finding {
  level: 'ok' | 'warn' | 'FAIL'
  what: string
  detail: string
  /** What to do about it. */
  remedy?: string
}

/** The instance as far as it can be looked at. */
export interface Patient {
  context: CommandContext
  config: Config
  /** Null when there is none yet, or it does not answer. */
  database: Database | null
  /** Why it does not answer. */
  complaint: string | null
  migration: MigrationState | null
}

/** One subject. It changes nothing, and calls nobody outside this machine but the database and the server in SMTP_URL. */
export interface Check {
  what: string
  run(patient: Patient): Promise<Omit<Finding, 'what'>[]> | Omit<Finding, 'what'>[]
}

type Part = Omit<Finding, 'what'>

export const ok = (detail: string): Part => ({ level: 'ok', detail })
export const warn = (detail: string, remedy: string): Part => ({ level: 'warn', detail, remedy })
export const fail = (detail: string, remedy: string): Part => ({ level: 'FAIL', detail, remedy })
