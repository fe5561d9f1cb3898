import { declareChanges } from '../../platform/changes.ts'
import { Commitment } from './commitment.ts'

const declared = {
  payload: Commitment,
  live: 'mail:read',
  webhook: true,
} as const

export const commitmentChanges = declareChanges({
  'commitment.created': declared,
  'commitment.updated': declared,
  'commitment.due': declared,
})

type CommitmentChanges = typeof commitmentChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends CommitmentChanges {}
}
