import type { Db } from '../../database/db.ts'
import { emailWords } from '../../database/email-words.ts'
import { positionOf } from '../../database/positions.ts'
import { readingIn } from '../../database/transaction.ts'
import { spellingsOf } from '../../database/used-tags.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { Actions } from '../actions/actions.ts'
import type { Activity } from '../auth/activity.ts'
import type { MailTasks } from '../tasks/mail-tasks.ts'
import { createAnalyses } from './analyses.ts'
import { createAttachments } from './attachments.ts'
import { createBriefedMail } from './briefed-mail.ts'
import { createComposing } from './composing.ts'
import { createEmailsPart } from './data-part.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { createEmails } from './emails.ts'
import { createEmailFigures } from './figures.ts'
import { createFiling } from './filing.ts'
import { createFinding } from './finding.ts'
import { createMailReader } from './mail-reader.ts'
import { createMailingLists } from './mailing-lists/lists.ts'
import { createListMoving } from './mailing-lists/moving.ts'
import { mailingListRoutes } from './mailing-lists/routes.ts'
import { createListFinding } from './mailing-lists/unlisted.ts'
import { createUnsubscribing, type UnsubscribingDeps } from './mailing-lists/unsubscribing.ts'
import { createMeetingMail } from './meeting-mail.ts'
import { emailRoutes } from './routes.ts'
import { createRuleApplying } from './rules/applying.ts'
import { mailRuleRoutes } from './rules/routes.ts'
import { createMailRules } from './rules/rules.ts'
import { createRunning } from './rules/running.ts'
import { defineUndo } from './rules/undoing.ts'
import { tagKeyOf } from './search.ts'
import { countReceived, listTags, listUsedTags } from './store.ts'

export const createEmailsRoom = (
  { database, db, clock, random, changes, blobs, outbound, workers }: Platform,
  needs: {
    timezone: () => Promise<string>
    actions: Actions
    activity: Activity
    /** Asked once all rooms are there. */
    tasks: () => MailTasks
  },
) => {
  const { timezone, actions, activity, tasks } = needs
  const fullText = emailWords(database.engine)
  const applying = createRuleApplying({ actions, tasks })
  const reader = createMailReader({ workers, random })
  const filing = createFiling({ blobs, fullText, clock, reader, changes, rules: applying })
  const attachments = createAttachments({ db, blobs, clock, random })
  const composing = createComposing({ clock, blobs, fullText, filing, attachments, timezone })
  const findLists = createListFinding({ db, blobs })
  const emails = createEmails({ db, clock, blobs, fullText, filing, composing, attachments, findLists })
  const finding = createFinding({ db, fullText, timezone })
  const list = createMailingLists({ db, clock })
  const move = createListMoving({ db, emails, actions })
  const rules = createMailRules({ db, clock, changes, activity })
  const run = createRunning({ db, fullText, changes, actions, emails, tasks })
  defineUndo({ actions, emails, tasks })
  return {
    ...{ emails, attachments, finding },
    part: createEmailsPart({ emails, composing, blobs, reader }),
    desk: createMeetingMail({ blobs }),
    analyses: createAnalyses({ db, blobs, reader, clock, changes }),
    figures: createEmailFigures(db),
    usedTags: async () => spellingsOf(await listUsedTags(db), tagKeyOf),
    /** Of those that are there. */
    tagsOf: (ids: readonly number[]) => listTags(readingIn(db), ids),
    /** How many have been received since then. */
    countReceived: async (view: Db, since: string): Promise<number> => {
      const ever = { from: positionOf(since), below: Number.MAX_SAFE_INTEGER }
      return (await countReceived(view, [ever]))[0] ?? 0
    },
    briefed: createBriefedMail(db),
    /** Mail goes out by way of the accounts. */
    doors: ({
      outbox,
      isPhishing,
    }: { outbox: Parameters<typeof deliveryRoutes>[0] } & Pick<UnsubscribingDeps, 'isPhishing'>): Door[] => [
      { prefix: '/api', routes: emailRoutes({ emails, finding, attachments }) },
      { prefix: '/api', routes: deliveryRoutes(outbox) },
      { prefix: '/api', routes: mailRuleRoutes({ rules, run }) },
      {
        prefix: '/api',
        routes: mailingListRoutes({
          ...{ list, move },
          unsubscribing: createUnsubscribing({ db, clock, blobs, outbound, outbox, isPhishing }),
        }),
      },
    ],
  }
}
