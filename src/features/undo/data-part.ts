import Type from 'typebox'
import { id, instant, instantOrNull, json, portable, text } from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'

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

/** Exported for reading only. Not imported, because the rows could have been edited. */
const parts = portable('action_parts', {
  file: 'action-parts.jsonl',
  isAdded: true,
  isExportOnly: true,
  columns: { id, actionId: id, payload: json(Type.Object({})) },
})

export const actionsPart: DataPart = { folder: 'actions', tables: [actions, parts], others: [] }
