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

/** A piece of something that was done piece by piece. */
export interface ActionPartRow {
  id: Generated<number>
  actionId: number
  /** JSON: what taking this piece back needs to know. */
  payload: string
}

export interface ActionsTables {
  actions: ActionRow
  action_parts: ActionPartRow
}

export const actionsKeys: TableKeys<ActionsTables> = { actions: ['id'], action_parts: ['id'] }
