import type { Db } from '../../database/db.ts'
import { positionOf } from '../../database/positions.ts'
import { transactionOr } from '../../database/transaction.ts'
import { spellingsOf } from '../../database/used-tags.ts'
import { emailWords } from '../../database/word-index.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import type { MailQueue } from '../commitments/mail-reader.ts'
import type { MailTally } from '../contacts/tally.ts'
import type { SystemMail } from '../system-mail/recognition.ts'
import type { MailTasks } from '../tasks/mail-tasks.ts'
import type { Actions } from '../undo/journal.ts'
import { createEmailsPart } from './data-part.ts'
import { createStoredHtml } from './html/stored-html.ts'
import { createListFinder, createListMover, createMailingLists } from './mailing-lists/lists.ts'
import { mailingListRoutes } from './mailing-lists/routes.ts'
import { createUnsubscriber, type UnsubscriberDeps } from './mailing-lists/unsubscribe.ts'
import { createAnalyses } from './messages/analyses.ts'
import { createAttachments } from './messages/attachments.ts'
import {
  createBriefedMail,
  createEmailFigures,
  createEmailHistory,
  createFinding,
} from './messages/email-queries.ts'
import { hasAccount, listTags, listUsedTags } from './messages/email-repository.ts'
import { countReceived } from './messages/email-statistics-repository.ts'
import { createEmailEditor, createEmailWriter } from './messages/email-writer.ts'
import { createEmails } from './messages/emails.ts'
import { createInvitations, type InvitationsDeps } from './messages/invitations.ts'
import { createMailReader } from './messages/mail-reader.ts'
import { createMeetingMail } from './messages/meeting-mail.ts'
import { readMessageHead } from './messages/message-head.ts'
import { previewRoutes } from './messages/preview-routes.ts'
import { createPreviews, type PreviewDeps } from './messages/previews.ts'
import { type AskToSend, deliveryRoutes, emailRoutes } from './messages/routes.ts'
import { tagKeyOf } from './messages/search.ts'
import { createStoredSecurity } from './messages/stored-security.ts'
import { createUnreadableEmails } from './messages/unreadable-emails.ts'
import { createMailReminders } from './reminders/reminders.ts'
import { mailRuleRoutes } from './rules/routes.ts'
import { createRuleEngine } from './rules/rule-engine.ts'
import { createRuleRunner, defineUndo } from './rules/rule-runner.ts'
import { createMailRules } from './rules/rules.ts'
import { savedSearchRoutes } from './saved-searches/routes.ts'
import { createSavedSearches } from './saved-searches/saved-searches.ts'
import { mailTemplateRoutes } from './templates/routes.ts'
import { createMailTemplates } from './templates/templates.ts'
import { createThreadActions } from './threads/actions.ts'
import { createSuggestions, createThreadLists } from './threads/queries.ts'
import { threadRoutes } from './threads/routes.ts'

export const createMailFeature = (
  { database, db, clock, random, log, changes, blobs, outbound, jobs, workers, quota }: Platform,
  needs: {
    zoneOf: (userId: number) => Promise<string>
    actions: Actions
    activity: Activity
    systemMail: SystemMail
    contacts: MailTally
    commitments: MailQueue
    /** A function, because the task feature is created later. */
    tasks: () => MailTasks
    version: string
  },
) => {
  const { zoneOf, actions, activity, tasks, systemMail, contacts, commitments, version } = needs
  const fullText = emailWords(database.db)
  const reminders = createMailReminders({ db, clock, changes, jobs, zoneOf })
  const applying = createRuleEngine({ actions, tasks, clock, zoneOf })
  const reader = createMailReader({ workers, random, clock })
  const writer = createEmailWriter({
    blobs,
    fullText,
    clock,
    reader,
    changes,
    rules: applying,
    contacts,
    commitments,
    reminders,
  })
  const attachments = createAttachments({ db, blobs, clock, random, systemMail, quota })
  const editor = createEmailEditor({ clock, blobs, fullText, writer, quota, reminders, zoneOf })
  const findLists = createListFinder({ db, blobs })
  const emails = createEmails({
    db,
    clock,
    blobs,
    fullText,
    writer,
    editor,
    attachments,
    findLists,
    systemMail,
    contacts,
    commitments,
    quota,
    reminders,
    version,
    log,
  })
  const unreadable = createUnreadableEmails({ db, blobs, writer, jobs, log, version })
  const storedSecurity = createStoredSecurity({ db, blobs, writer, jobs, log })
  const storedHtml = createStoredHtml({ db, blobs, clock, reader, jobs, log })
  const finding = createFinding({ db, fullText, clock, zoneOf })
  const usedTags = async (userId: number) => spellingsOf(await listUsedTags(db, userId), tagKeyOf)
  const threads = createThreadLists({ db, fullText, finding })
  const threadActions = createThreadActions({ db, clock, blobs, editor, writer, emails, reminders })
  const suggest = createSuggestions({ db, fullText, usedTags })
  const savedSearches = createSavedSearches({ db, clock })
  const list = createMailingLists({ db, clock })
  const move = createListMover({ db, emails, actions })
  const rules = createMailRules({ db, clock, changes, activity })
  const run = createRuleRunner({ db, fullText, changes, actions, emails, tasks, clock, zoneOf })
  defineUndo({ actions, emails, tasks })
  return {
    emails,
    rules,
    mailingLists: list,
    /** Unsubscribing needs the outbox of the mail accounts. */
    createUnsubscriber: (needs: Pick<UnsubscriberDeps, 'outbox' | 'isPhishing'>) =>
      createUnsubscriber({ db, clock, blobs, outbound, ...needs }),
    editor,
    attachments,
    finding,
    unreadable,
    storedHtml,
    storedSecurity,
    /** Reads the header of a message that is not stored yet. */
    readHead: readMessageHead,
    hasAccount,
    part: createEmailsPart({ emails, blobs, reader, quota }),
    invitationMail: createMeetingMail({ blobs }),
    analyses: createAnalyses({ db, blobs, reader, clock, changes }),
    figures: createEmailFigures(db),
    history: createEmailHistory(db),
    usedTags,
    /** Returns the tags of those emails that the account has. */
    tagsOf: (userId: number, ids: readonly number[]) => listTags(transactionOr(db), userId, ids),
    /** Counts emails received since `since`. */
    countReceived: async (view: Db, userId: number, since: string): Promise<number> => {
      const ever = { from: positionOf(since), below: Number.MAX_SAFE_INTEGER }
      return (await countReceived(view, userId, [ever]))[0] ?? 0
    },
    briefed: createBriefedMail(db),
    /** Routes need the outbox of the mail accounts. */
    routes: ({
      outbox,
      askToSend,
      isPhishing,
      readCalendar,
      readInvitation,
    }: {
      outbox: Parameters<typeof deliveryRoutes>[0]
      askToSend: AskToSend
    } & Pick<UnsubscriberDeps, 'isPhishing'> &
      Pick<PreviewDeps, 'readCalendar'> &
      Pick<InvitationsDeps, 'readInvitation'>): FeatureRoutes[] => {
      const invitations = createInvitations({ db, blobs, zoneOf, readInvitation })
      return [
        { prefix: '/api', plugin: emailRoutes({ emails, finding, attachments, invitations }) },
        {
          prefix: '/api',
          plugin: previewRoutes(createPreviews({ db, blobs, clock, log, reader, readCalendar })),
        },
        { prefix: '/api', plugin: deliveryRoutes(outbox, askToSend, invitations) },
        {
          prefix: '/api',
          plugin: threadRoutes({ threads, actions: threadActions, suggest, cancelSend: outbox.cancel }),
        },
        { prefix: '/api', plugin: savedSearchRoutes(savedSearches) },
        { prefix: '/api', plugin: mailRuleRoutes({ rules, run }) },
        { prefix: '/api', plugin: mailTemplateRoutes(createMailTemplates({ db, clock, changes, editor })) },
        {
          prefix: '/api',
          plugin: mailingListRoutes({
            list,
            move,
            unsubscriber: createUnsubscriber({ db, clock, blobs, outbound, outbox, isPhishing }),
          }),
        },
      ]
    },
  }
}
