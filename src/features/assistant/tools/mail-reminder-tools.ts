import Type from 'typebox'
import { invalid } from '../../../platform/errors.ts'
import type { EmailView } from '../../mail/messages/email.ts'
import type { EmailChange } from '../../mail/messages/schema.ts'
import { near, says } from './commands.ts'
import { ChangedItem, fieldsOf, pickValues, unlessChanged } from './journal.ts'
import { toEmailTarget } from './mail-tools.ts'
import { getOpenEmail } from './privacy.ts'
import { formatStart, getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse, type WriteProposal } from './tool.ts'

/** Drafts and discarded emails of the conversation stay as they are. */
const UNAFFECTED: readonly string[] = ['drafts', 'trash', 'junk']
const MAX_EMAILS = 200

type ThreadMember = Pick<EmailView, 'id' | 'folder'>

/** Tools that put conversations off, pin them, or remind of a missing answer. */
export const createMailReminderTools = ({ contracts, emails, journal, zoneOf }: ToolDeps): Tool[] => {
  const recordChanged = journal.define(
    'email',
    'assistant.email_reminded',
    Type.Object({
      id: Type.Integer(),
      emails: Type.Array(Type.Object({ ...ChangedItem, before: fieldsOf<EmailChange>() })),
    }),
    async (left, _tx, userId) => {
      for (const one of left.emails)
        await unlessChanged('email', one, (etag) => emails.change(userId, one.id, one.before, etag))
    },
  )

  const isMember = ({ folder }: ThreadMember): boolean => !UNAFFECTED.includes(folder)

  /** Changes emails of a conversation, and records how to undo it. */
  const change = async <C extends EmailChange>(
    email: EmailView,
    use: ToolUse,
    given: C,
    summary: string,
    isAffected = isMember,
  ) => {
    const { userId } = use
    const input = await emails.readTimes(userId, given)
    const { result, undoId } = await recordChanged(userId, async () => {
      const { emails: all } = await emails.thread(userId, email.id, { limit: MAX_EMAILS })
      const changed: { id: number; version: number; before: EmailChange }[] = []
      for (const one of all.filter(isAffected)) {
        const { version } = await emails.change(userId, one.id, input, undefined)
        const before = pickValues(one, [
          ...Object.keys(input),
          ...('snoozedUntil' in input ? ['returned'] : []),
        ])
        changed.push({ id: one.id, version, before })
      }
      return {
        result: { id: email.id, threadId: email.threadId, subject: email.subject, ...input },
        summary,
        payload: { id: email.id, emails: changed },
      }
    })
    return { result, undoId, emails: [email.id] }
  }

  type Sentence = (texts: ReturnType<typeof getProposalTexts>, subject: string, time: string) => string

  const propose = async (
    { id, time }: { id: number; time?: string | undefined },
    use: ToolUse,
    sentence: Sentence,
  ): Promise<WriteProposal> => {
    const email = await getOpenEmail({ emails }, id, use)
    const zone = await zoneOf(use.userId)
    const start = time === undefined ? undefined : await emails.readTimes(use.userId, { snoozedUntil: time })
    const when = start?.snoozedUntil ? formatStart({ start: start.snoozedUntil }, zone, use.language) : ''
    return {
      summary: sentence(getProposalTexts(use.language), email.subject, when),
      about: { kind: 'email', id, version: email.version },
      target: toEmailTarget(email),
    }
  }

  return [
    defineTool(contracts.snooze_email, {
      verbs: () => [
        says({
          words: ['snooze|unsnooze|defer|postpone|remind(?! (?:me|us) (?:what|who|when|how))'],
          stems: ['schlummer|erinner|zurückstell', near('stell', 'zurück'), near('leg', 'wiedervorlage')],
        }),
      ],
      propose: ({ id, until }, use) =>
        propose({ id, time: until }, use, (texts, subject, when) =>
          until === undefined ? texts.endSnooze(subject) : texts.snooze(subject, when),
        ),
      async run({ id, until }, use) {
        const email = await getOpenEmail({ emails }, id, use)
        const verb = until === undefined ? 'Ended the snooze of' : 'Snoozed'
        return change(email, use, { snoozedUntil: until ?? null }, `${verb} “${email.subject}”`)
      },
    }),
    defineTool(contracts.pin_email, {
      verbs: () => [says({ words: ['pin|unpin'], stems: ['heft|pinn', near('lös', 'anheft|pin')] })],
      propose: ({ id, pinned = true }, use) =>
        propose({ id }, use, (texts, subject) => (pinned ? texts.pin(subject) : texts.unpin(subject))),
      async run({ id, pinned = true }, use) {
        const email = await getOpenEmail({ emails }, id, use)
        return change(email, use, { pinned }, `${pinned ? 'Pinned' : 'Unpinned'} “${email.subject}”`)
      },
    }),
    defineTool(contracts.remind_if_unanswered, {
      verbs: () => [says({ words: ['remind|follow up|nudge'], stems: ['erinner|fass|hak'] })],
      propose: ({ id, by }, use) =>
        propose({ id, time: by }, use, (texts, subject, when) =>
          by === undefined ? texts.endFollowUp(subject) : texts.followUp(subject, when),
        ),
      async run({ id, by }, use) {
        const email = await getOpenEmail({ emails }, id, use)
        if (email.folder !== 'sent' && email.delivery?.status !== 'queued')
          throw invalid('Only a sent email can get a reminder. Choose an email that the person sent.')
        const summary =
          by === undefined
            ? `Removed the follow-up of “${email.subject}”`
            : `Follow up “${email.subject}” without an answer`
        return change(email, use, { followUpAt: by ?? null }, summary, (one) => one.id === id)
      },
    }),
  ]
}
