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
import { createListMover, createMailingLists } from './mailing-lists/lists.ts'
import { mailingListRoutes } from './mailing-lists/routes.ts'
import { createUnsubscriber, type UnsubscriberNeeds } from './mailing-lists/unsubscribe.ts'
import { createAnalyses } from './messages/analyses.ts'
import { createAttachments } from './messages/attachments.ts'
import {
  createBriefedMail,
  createEmailFigures,
  createEmailHistory,
  createFinding,
} from './messages/email-queries.ts'
import { hasAccount, holdEmail, listTags, listUsedTags } from './messages/email-repository.ts'
import { countReceived } from './messages/email-statistics-repository.ts'
import { createEmailEditor, createEmailWriter } from './messages/email-writer.ts'
import { createEmails } from './messages/emails.ts'
import { createInvitations, type InvitationsNeeds } from './messages/invitations.ts'
import { createMailReader } from './messages/mail-reader.ts'
import { createMeetingMail } from './messages/meeting-mail.ts'
import { readMessageHead } from './messages/message-head.ts'
import { createPreviews, type PreviewNeeds } from './messages/previews.ts'
import { type AskToSend, deliveryRoutes, emailRoutes, previewRoutes } from './messages/routes.ts'
import { tagKeyOf } from './messages/search.ts'
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

/** Reads stored mail. It needs no other feature, so that calendar, tasks and commitments can be built on it. */
export const createStoredMail = (platform: Platform) => {
  const reader = createMailReader(platform)
  return {
    reader,
    analyses: createAnalyses(platform, reader),
    has: holdEmail,
    /** Returns the tags of those emails that the account has. */
    tagsOf: (userId: number, ids: readonly number[]) => listTags(transactionOr(platform.db), userId, ids),
  }
}

export const createMailFeature = (
  platform: Platform,
  needs: {
    zoneOf: (userId: number) => Promise<string>
    actions: Actions
    activity: Activity
    systemMail: SystemMail
    contacts: MailTally
    mailQueues: readonly MailQueue[]
    tasks: MailTasks
    version: string
    stored: ReturnType<typeof createStoredMail>
  },
) => {
  const { db, clock, changes, blobs, quota } = platform
  const { reader } = needs.stored
  const { zoneOf, actions, activity, tasks, systemMail, contacts, mailQueues, version } = needs
  const fullText = emailWords(db)
  const reminders = createMailReminders(platform, zoneOf)
  const applying = createRuleEngine({ actions, tasks, clock, zoneOf })
  const writer = createEmailWriter(platform, {
    fullText,
    reader,
    rules: applying,
    contacts,
    mailQueues,
    reminders,
  })
  const attachments = createAttachments(platform, systemMail)
  const editor = createEmailEditor(platform, { fullText, writer, reminders, zoneOf })
  const emails = createEmails({
    ...platform,
    fullText,
    writer,
    editor,
    attachments,
    systemMail,
    contacts,
    mailQueues,
    reminders,
    version,
  })
  const finding = createFinding(platform, { fullText, zoneOf })
  const usedTags = async (userId: number) => spellingsOf(await listUsedTags(db, userId), tagKeyOf)
  const threads = createThreadLists(db, fullText, finding)
  const threadActions = createThreadActions(platform, { editor, writer, emails, reminders })
  const suggest = createSuggestions(db, fullText, usedTags)
  const list = createMailingLists(platform)
  const move = createListMover(platform, { emails, actions })
  const rules = createMailRules(platform, activity)
  const run = createRuleRunner({ db, fullText, changes, actions, emails, tasks, clock, zoneOf })
  defineUndo({ actions, emails, tasks })
  return {
    emails,
    rules,
    mailingLists: list,
    /** Unsubscribing needs the outbox of the mail accounts. */
    createUnsubscriber: (late: UnsubscriberNeeds) => createUnsubscriber(platform, late),
    editor,
    attachments,
    finding,
    unreadable: createUnreadableEmails(platform, { writer, version }),
    storedHtml: createStoredHtml(platform, reader),
    /** Reads the header of a message that is not stored yet. */
    readHead: readMessageHead,
    hasAccount,
    part: createEmailsPart({ emails, blobs, reader, quota }),
    invitationMail: createMeetingMail({ blobs }),
    figures: createEmailFigures(db),
    history: createEmailHistory(db),
    usedTags,
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
    } & Pick<UnsubscriberNeeds, 'isPhishing'> &
      Pick<PreviewNeeds, 'readCalendar'> &
      Pick<InvitationsNeeds, 'readInvitation'>): FeatureRoutes[] => {
      const invitations = createInvitations(platform, { zoneOf, readInvitation })
      return [
        { prefix: '/api', plugin: emailRoutes({ emails, finding, attachments, invitations }) },
        { prefix: '/api', plugin: previewRoutes(createPreviews(platform, { reader, readCalendar })) },
        { prefix: '/api', plugin: deliveryRoutes(outbox, askToSend, invitations) },
        {
          prefix: '/api',
          plugin: threadRoutes({ threads, actions: threadActions, suggest, cancelSend: outbox.cancel }),
        },
        { prefix: '/api', plugin: savedSearchRoutes(createSavedSearches(platform)) },
        { prefix: '/api', plugin: mailRuleRoutes({ rules, run }) },
        { prefix: '/api', plugin: mailTemplateRoutes(createMailTemplates(platform, editor)) },
        {
          prefix: '/api',
          plugin: mailingListRoutes({
            list,
            move,
            unsubscriber: createUnsubscriber(platform, { outbox, isPhishing }),
          }),
        },
      ]
    },
  }
}
