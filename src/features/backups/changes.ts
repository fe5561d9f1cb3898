import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'

export const backupChanges = declareChanges({
  'backup.failed': { payload: Type.Object({ filename: Type.String(), problem: Type.String() }) },
})

type BackupChanges = typeof backupChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends BackupChanges {}
}
