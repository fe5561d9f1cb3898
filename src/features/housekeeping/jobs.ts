import Type from 'typebox'
import type { Database } from '../../database/database.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { ActivityLog } from '../auth/activity.ts'
import type { Invitations } from '../auth/invitations.ts'
import type { Attempts } from '../auth/login-attempts.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Emails } from '../mail/messages/emails.ts'
import type { Inbox } from '../notifications/inbox.ts'
import type { Actions } from '../undo/journal.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'

const DAY_MS = 86_400_000
/** Deleted data must be gone after 30 days. One day less allows for a day of downtime. */
const JOURNALS_KEPT_DAYS = 29
const ACTIVITY_KEPT_DAYS = 365
const JOBS_KEPT_DAYS = 7

/** Deletes expired data once an hour. */
export const defineHousekeeping = (
  jobs: Jobs,
  deps: {
    database: Database
    clock: Clock
    changes: Changes
    activityLog: ActivityLog
    attempts: Attempts
    sessions: Sessions
    invitations: Invitations
    passwordReset: PasswordReset
    actions: Actions
    emails: Emails
    ai: { prune(): Promise<void> }
    assistant: { prune(): Promise<void> }
    data: { prune(): Promise<void> }
    billing: { prune(): Promise<void> }
    synced: { settle(): Promise<void> }
    deliveries: Deliveries
    inbox: Inbox
    fileImports: { prune(): Promise<void> }
    upgrades: { settle(): Promise<void> }
  },
): void => {
  const daysAgo = (days: number): Date => new Date(deps.clock.now().getTime() - days * DAY_MS)
  jobs.define({
    name: 'housekeeping',
    payload: Type.Object({}),
    schedule: '17 * * * *',
    async run() {
      await deps.sessions.prune()
      await deps.attempts.prune()
      await deps.invitations.prune()
      await deps.passwordReset.prune()
      await deps.activityLog.seal()
      await deps.activityLog.prune(daysAgo(ACTIVITY_KEPT_DAYS).toISOString())
      await deps.actions.prune(daysAgo(JOURNALS_KEPT_DAYS).toISOString())
      await deps.changes.prune(daysAgo(JOURNALS_KEPT_DAYS).toISOString())
      await deps.database.db
        .deleteFrom('idempotency_keys')
        .where('expiresAt', '<=', daysAgo(0).toISOString())
        .execute()
      await deps.emails.prune()
      await deps.ai.prune()
      await deps.assistant.prune()
      await deps.billing.prune()
      await deps.synced.settle()
      await deps.deliveries.prune()
      await deps.data.prune()
      await deps.fileImports.prune()
      await deps.inbox.prune(daysAgo(JOURNALS_KEPT_DAYS).toISOString())
      await jobs.prune(daysAgo(JOBS_KEPT_DAYS))
      await deps.database.tidy()
      await deps.upgrades.settle()
    },
  })
}
