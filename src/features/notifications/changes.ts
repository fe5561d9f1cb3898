import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Notification } from './schema.ts'

export const notificationChanges = declareChanges({
  'notification.created': {
    payload: Type.Pick(Notification, ['id', 'kind', 'data', 'title', 'body', 'link', 'createdAt']),
    live: 'session',
    webhook: true,
  },
  /** The list of notifications has changed. */
  'notification.changed': { payload: Type.Object({}), live: 'session' },
})

type NotificationChanges = typeof notificationChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends NotificationChanges {}
}
