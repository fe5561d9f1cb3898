import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { SyncReport } from './schema.ts'

export const bookingChanges = declareChanges({
  'booking.synced': {
    payload: Type.Omit(SyncReport, ['errors', 'unreadable', 'startedAt', 'finishedAt']),
    live: 'booking:read',
    webhook: true,
  },
})

type BookingChanges = typeof bookingChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends BookingChanges {}
}
