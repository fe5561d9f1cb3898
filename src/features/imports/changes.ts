import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { FileImport } from './schema.ts'

const { id, state } = FileImport.properties

export const importChanges = declareChanges({
  'import.updated': { payload: Type.Object({ id, state, done: Type.Integer() }), live: 'session' },
})

type ImportChanges = typeof importChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends ImportChanges {}
}
