import { assistantChanges } from './features/assistant/changes.ts'
import { accountChanges } from './features/auth/changes.ts'
import { backupChanges } from './features/backups/changes.ts'
import { billingChanges } from './features/billing/changes.ts'
import { bookingChanges } from './features/bookings/changes.ts'
import { calendarChanges } from './features/calendar/changes.ts'
import { commitmentChanges } from './features/commitments/changes.ts'
import { contactChanges } from './features/contacts/changes.ts'
import { importChanges } from './features/imports/changes.ts'
import { mailChanges } from './features/mail/changes.ts'
import { notificationChanges } from './features/notifications/changes.ts'
import { shareChanges } from './features/sharing/changes.ts'
import { streamChanges } from './features/stream/changes.ts'
import { taskChanges } from './features/tasks/changes.ts'
import { undoChanges } from './features/undo/changes.ts'
import type { ChangeCatalogue } from './platform/changes.ts'

/** All changes, each declared by its feature. The API lists those for webhooks in this order. */
export const CHANGES: ChangeCatalogue = {
  ...mailChanges,
  ...commitmentChanges,
  ...taskChanges,
  ...calendarChanges,
  ...bookingChanges,
  ...streamChanges,
  ...notificationChanges,
  ...contactChanges,
  ...importChanges,
  ...shareChanges,
  ...accountChanges,
  ...billingChanges,
  ...assistantChanges,
  ...undoChanges,
  ...backupChanges,
}
