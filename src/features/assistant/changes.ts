import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { WaitingAction } from './schema.ts'

export const assistantChanges = declareChanges({
  'action.waiting': {
    payload: Type.Pick(WaitingAction, ['id', 'conversationId', 'tool', 'summary', 'expiresAt']),
  },
})

type AssistantChanges = typeof assistantChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends AssistantChanges {}
}
