import Type, { type Static } from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Actions } from '../../actions/actions.ts'
import type { Marked } from './deeds.ts'

export const KIND = 'emails.ruled'

const Folder = Type.Enum(['inbox', 'archive', 'trash'])
/** What rules did, as the journal keeps it. */
export const Done = Type.Object({
  emails: Type.Array(
    Type.Object({
      id: Type.Integer(),
      folder: Type.Optional(Type.Object({ was: Folder, is: Folder })),
      tags: Type.Optional(Type.Array(Type.String())),
      read: Type.Optional(Type.Literal(true)),
      starred: Type.Optional(Type.Literal(true)),
    }),
  ),
  tasks: Type.Array(Type.Object({ id: Type.Integer(), version: Type.Integer() })),
})

/** Part of the transaction of what was done. */
export const recordDone = (
  actions: Actions,
  tx: Db,
  summary: string,
  done: { emails: readonly Marked[]; tasks: Static<typeof Done>['tasks'] },
): Promise<number> => actions.record(tx, { kind: KIND, summary, payload: done })
