import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { OfferedShare } from './schema.ts'

const { id: shareId, kind, resourceId, name, role, status } = OfferedShare.properties
const by = OfferedShare.properties.owner.properties.name
const shared = { shareId, kind, resourceId }

/** `name` and `by` when the owner offers it. */
const ofMember = {
  payload: Type.Object({ ...shared, role, name: Type.Optional(name), by: Type.Optional(by) }),
  live: 'session',
} as const

export const shareChanges = declareChanges({
  'share.offered': ofMember,
  'share.changed': ofMember,
  'share.revoked': ofMember,
  /** For the owner. */
  'share.answered': { payload: Type.Object({ ...shared, name, status, by }), live: 'session' },
  /** For the member. */
  'share.updated': { payload: Type.Object({ ...shared, name, status }), live: 'session' },
})

type ShareChanges = typeof shareChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends ShareChanges {}
}
