import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'

export const undoChanges = declareChanges({
  'action.undone': { payload: Type.Object({ kind: Type.String() }) },
})

type UndoChanges = typeof undoChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends UndoChanges {}
}
