import Type from 'typebox'
import { id, instant, instantOrNull, json, text } from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart } from '../settings/data/parts.ts'

const actions = portable('actions', {
  file: 'actions.jsonl',
  columns: {
    id,
    kind: text,
    summary: text,
    payload: json(Type.Object({})),
    at: instant,
    undoneAt: instantOrNull,
  },
})

/** Rows as they were, which somebody may have written otherwise: they are for the person to read, and not brought back. */
const parts = portable('action_parts', {
  file: 'action-parts.jsonl',
  isAdded: true,
  fate: 'told',
  columns: { id, actionId: id, payload: json(Type.Object({})) },
})

export const actionsPart: DataPart = { folder: 'actions', tables: [actions, parts], others: [] }
