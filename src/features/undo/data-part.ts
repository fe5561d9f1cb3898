import { sql } from 'kysely'
import Type from 'typebox'
import {
  id,
  instant,
  instantOrNull,
  json,
  own,
  portable,
  text,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import type { Actions } from './journal.ts'

const actionsWith = ({ translatePayload }: Pick<Actions, 'translatePayload'>) =>
  portable('actions', {
    file: 'actions.jsonl',
    columns: {
      id: id('actions'),
      userId: own,
      kind: text,
      summary: text,
      payload: json(Type.Object({})),
      at: instant,
      undoneAt: instantOrNull,
      // The subjects of imported actions are read from their payloads.
      hasSubjects: without(null),
    },
    translate: (row, ids) => ({ ...row, payload: translatePayload(row.kind, row.payload, ids) }),
  })

/** Exported for reading only. Not imported, because the rows could have been edited. */
const parts = portable('action_parts', {
  file: 'action-parts.jsonl',
  isAdded: true,
  isExportOnly: true,
  of: (userId) => [
    sql<boolean>`${sql.ref('actionId')} in (select id from actions where ${sql.ref('userId')} = ${userId})`,
  ],
  columns: { id: id('action_parts'), actionId: id('actions'), payload: json(Type.Object({})) },
})

export const createActionsPart = (actions: Actions): DataPart => ({
  folder: 'actions',
  tables: [actionsWith(actions), parts],
  others: ['action_subjects'],
})
