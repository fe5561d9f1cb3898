import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Actions } from '../actions/actions.ts'
import type { ActivityLog } from '../auth/activity-log.ts'
import type { Attempts } from '../auth/attempts.ts'
import type { Invitations } from '../auth/invitations.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Emails } from '../emails/emails.ts'

const DAY_MS = 86_400_000
const CHANGES_KEPT_DAYS = 30
const ACTIONS_KEPT_DAYS = 30
const ACTIVITY_KEPT_DAYS = 365
const JOBS_KEPT_DAYS = 7

/** Removes what has had its time, once an hour. */
export const defineHousekeeping = (
  jobs: Jobs,
  deps: {
    db: Db
    clock: Clock
    changes: Changes
    activityLog: ActivityLog
    attempts: Attempts
    sessions: Sessions
    invitations: Invitations
    passwordReset: PasswordReset
    actions: Actions
    emails: Emails
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
      await deps.actions.prune(daysAgo(ACTIONS_KEPT_DAYS).toISOString())
      await deps.changes.prune(daysAgo(CHANGES_KEPT_DAYS).toISOString())
      await deps.db
        .deleteFrom('idempotency_keys')
        .where('expiresAt', '<=', daysAgo(0).toISOString())
        .execute()
      await deps.emails.prune()
      await jobs.prune(daysAgo(JOBS_KEPT_DAYS))
    },
  })
}
