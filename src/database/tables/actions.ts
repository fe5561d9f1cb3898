import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export interface ActionRow {
  id: Generated<number>
  kind: string
  /** What was done, for a person to read. */
  summary: string
  /** JSON: what taking it back needs to know. */
  payload: string
  at: string
  undoneAt: string | null
}

export interface ActionsTables {
  actions: ActionRow
}

export const actionsKeys: TableKeys<ActionsTables> = { actions: ['id'] }
