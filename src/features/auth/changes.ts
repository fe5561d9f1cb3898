import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'

const None = Type.Object({})

export const accountChanges = declareChanges({
  'account.created': { payload: Type.Object({ role: Type.Enum(['owner', 'member', 'local']) }) },
  'account.deleted': { payload: None },
  'session.ended': { payload: Type.Object({ userId: Type.Integer() }) },
  'data.imported': { payload: None },
})

type AccountChanges = typeof accountChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends AccountChanges {}
}
