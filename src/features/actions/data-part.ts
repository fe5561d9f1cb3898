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

export const actionsPart: DataPart = { folder: 'actions', tables: [actions], others: [] }
