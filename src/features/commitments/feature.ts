import Type from 'typebox'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import type { Analyses } from '../mail/messages/analyses.ts'
import { createBriefingCommitments } from './briefed.ts'
import { Commitments, type CommitmentsDeps } from './commitments.ts'
import { createCommitmentsPart } from './data-part.ts'
import { CommitmentMailReader, type MailReaderDeps } from './mail-reader.ts'
import { commitmentRoutes } from './routes.ts'

/** Mail is stored after this feature exists: it queues what the commitments are read from. */
export const createCommitmentsFeature = (
  platform: Platform,
  needs: Pick<CommitmentsDeps, 'actions' | 'zoneOf'> & {
    preferences: Pick<PreferenceRules, 'accompany'>
    analyses: Pick<Analyses, 'read'>
    tasks: CommitmentsDeps['tasks']
    emailTags: CommitmentsDeps['emailTags']
    ownAddresses: MailReaderDeps['ownAddresses']
    /** Makes the contacts of stored mail, so that promises can name them. */
    settleContacts: () => Promise<void>
  },
) => {
  const { actions, zoneOf, preferences, analyses, tasks, emailTags, ownAddresses, settleContacts } = needs
  const { db, clock, jobs, changes } = platform
  const reader = new CommitmentMailReader({
    ...platform,
    analyses,
    commitments: () => commitments,
    zoneOf,
    ownAddresses,
  })
  const commitments: Commitments = new Commitments({
    db,
    clock,
    changes,
    actions,
    tasks,
    zoneOf,
    emailTags,
    settle: async (userId) => {
      await reader.settle(userId)
      await settleContacts()
    },
  })
  preferences.accompany((tx, userId, { timezone }) => commitments.recalculateDays(tx, userId, timezone))
  changes.accompany(async (tx, recorded) => {
    for (const { userId, type, subject, data } of recorded)
      if (type === 'task.completed' || type === 'task.updated')
        await commitments.followTask(tx, userId, Number(subject), data.status)
  })
  jobs.define({
    name: 'commitment-reminders',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    async run() {
      while (await commitments.remind());
    },
  })
  const routes: FeatureRoutes[] = [{ prefix: '/api/commitments', plugin: commitmentRoutes(commitments) }]
  return {
    commitments,
    queue: reader,
    briefed: createBriefingCommitments(platform, (userId) => reader.settle(userId)),
    part: createCommitmentsPart({ commitments, zoneOf }),
    routes,
  }
}
