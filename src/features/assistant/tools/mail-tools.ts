import Type from 'typebox'
import { ownText } from '../../../nlu/history.ts'
import { isPrivate, privateTagsOf } from '../../../nlu/mail/facts.ts'
import { pick } from '../../../platform/collections.ts'
import type { EmailSummary, EmailView } from '../../mail/messages/email.ts'
import type { EmailChange } from '../../mail/messages/schema.ts'
import { near, says } from './commands.ts'
import { MARKED_FIELDS, SENT_FIELDS, SUMMARY_FIELDS } from './contracts/mail.ts'
import type { ToolInput } from './contracts.ts'
import { Changed, ChangedItem, fieldsOf, MovedTo, pickValues, unlessChanged } from './journal.ts'
import { filterOpenEmails, toSearch, withoutSnoozed } from './mail-search.ts'
import { createUrgencyRating } from './mail-urgency.ts'
import { getOpenEmail, requireOpenEmail } from './privacy.ts'
import { type EmailsChangeName, getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { type ChangeTarget, defineTool, type Tool, type ToolUse } from './tool.ts'

const MAX_TEXT_LENGTH = 20_000
const DAY_MS = 86_400_000
/** Limits for rating emails without a stored analysis: age in days and number. */
const URGENT_DAYS = 14
const MAX_RATED = 50
/** Default recipients and subject of a reply. */
const answerTo = (original: EmailView) => {
  const sender = original.replyTo.length > 0 ? original.replyTo : original.from ? [original.from] : []
  const subject = /^re:/i.test(original.subject) ? original.subject : `Re: ${original.subject}`
  return { to: sender.map(({ address, name }) => ({ address, name })), subject }
}

/** How a person names an email: by its subject or its sender. */
export const toEmailTarget = ({ id, subject, from }: EmailView): ChangeTarget => ({
  kind: 'email',
  id,
  titles: [subject],
  people: from ? [from] : [],
})

const createReadTools = (deps: ToolDeps): Tool[] => {
  const { contracts, finding, clock } = deps
  const urgencyOf = createUrgencyRating(deps)
  const summaryOf = <E extends EmailSummary>(email: E) => pick(email, SUMMARY_FIELDS)

  /** Rates the latest emails without a stored analysis and returns those with the given urgency. */
  const rateRecent = async (userId: number, urgency: string, query: { q?: string; limit: number }) => {
    const since = new Date(clock.now().getTime() - URGENT_DAYS * DAY_MS).toISOString()
    const { emails: latest } = await finding.list(userId, { folder: 'inbox', ...query, limit: MAX_RATED })
    const unanalysed = latest.filter(({ analysis, date }) => analysis === null && date >= since)
    const levels = await urgencyOf(userId, unanalysed)
    return unanalysed.filter(({ id }) => levels.get(id) === urgency)
  }

  return [
    defineTool(contracts.find_emails, {
      async run({ query = '', limit = 10, urgency, ...filters }, use) {
        const search = { ...filters, limit, ...withoutSnoozed(query), ...toSearch(query, use) }
        const found = await finding.list(use.userId, { ...search, ...(urgency && { urgency }) })
        if (urgency) {
          const all = [...found.emails, ...(await rateRecent(use.userId, urgency, search))]
          found.emails = all.toSorted((a, b) => b.date.localeCompare(a.date)).slice(0, limit)
        }
        const visible = filterOpenEmails(found.emails, use)
        return {
          result: { emails: visible.map(summaryOf), more: found.nextCursor !== null },
          emails: visible.map(({ id }) => id),
        }
      },
    }),
    defineTool(contracts.read_email, {
      async run({ id }, use) {
        const email = await getOpenEmail(deps, id, use)
        const text = ownText(email.text).slice(0, MAX_TEXT_LENGTH)
        const attachments = email.attachments.map(({ filename, size }) => ({ filename, size }))
        return { result: { ...summaryOf(email), cc: email.cc, text, attachments }, emails: [id] }
      },
    }),
  ]
}

/** A folder without a special use is named by its id. */
const folderIdOf = ({ folder, folderId }: { folder: string; folderId: number | null }) =>
  folder === 'other' && folderId !== null ? { folderId } : {}

type MarkInput = Omit<ToolInput<'tag_email'>, 'id'>

const ARCHIVE = 'archiv|inbox|posteingang|away'
const MARK_VERBS: Readonly<Record<string, RegExp>> = {
  archived: says({
    words: ['archive|unarchive', near('move|put|file', ARCHIVE)],
    stems: ['archivier', near('verschieb|leg', ARCHIVE)],
  }),
  read: says({ words: [near('mark|set', '(?:un)?read')], stems: [near('markier|setz', '(?:un)?gelesen')] }),
  starred: says({
    words: ['star|unstar|flag|unflag', near('mark|add|remove', 'stars?')],
    stems: [near('markier|setz|gib|entfern', 'stern')],
  }),
  add: says({
    words: ['tag|label', near('mark', 'as|with'), near('add|put|set', 'tags?|labels?')],
    stems: ['tagg|kennzeichn|etikettier|markier'],
  }),
  remove: says({ words: ['untag|remove|delete'], stems: ['entfern|lösch|nimm|nehm'] }),
}

/** A field without words of its own is never named. */
const findMarkVerbs = (marks: MarkInput): RegExp[] =>
  Object.keys(marks).map((name) => MARK_VERBS[name] ?? /(?!)/gu)

const describeMarks = (
  { add = [], remove = [], archived, read, starred }: MarkInput,
  subject: string,
  texts: ReturnType<typeof getProposalTexts>,
): string => {
  const change = (name: EmailsChangeName, tag = '') =>
    texts.changeEmails(name, { count: 1, more: false }, [subject], tag)
  return [
    ...(archived === undefined ? [] : [archived ? change('archive') : texts.unarchive(subject)]),
    ...(read === undefined ? [] : [change(read ? 'read' : 'unread')]),
    ...(starred === undefined ? [] : [change(starred ? 'star' : 'unstar')]),
    ...add.map((tag) => change('tag', tag)),
    ...remove.map((tag) => texts.removeTag(subject, tag)),
  ].join('; ')
}

const createMarkTools = (deps: ToolDeps): Tool[] => {
  const { contracts, emails, journal } = deps
  const recordMarked = journal.define(
    'email',
    'assistant.email_marked',
    Type.Object({ ...Changed, before: fieldsOf<EmailChange>(), movedTo: MovedTo }),
    (left, _tx, userId) =>
      unlessChanged('email', left, (etag) =>
        emails.change(userId, left.id, left.before, etag, { from: left.movedTo }),
      ),
  )

  /** Changes an email, and returns what the journal needs to undo it. */
  const changeEmail = async (userId: number, email: EmailView, input: EmailChange) => {
    const { id, version: found } = email
    const changed = await emails.change(userId, id, input, undefined)
    const before = { ...pickValues(email, Object.keys(input)), ...folderIdOf(email) }
    return { changed, payload: { id, version: changed.version, found, before, movedTo: changed.folder } }
  }

  return [
    defineTool(contracts.tag_email, {
      verbs: ({ id: _, ...marks }) => findMarkVerbs(marks),
      async propose({ id, ...marks }, use) {
        const email = await getOpenEmail(deps, id, use)
        return {
          summary: describeMarks(marks, email.subject, getProposalTexts(use.language)),
          about: { kind: 'email', id, version: email.version },
          target: toEmailTarget(email),
        }
      },
      async run({ id, add = [], remove = [], archived, ...flags }, use) {
        const marked = await recordMarked(use.userId, async () => {
          const email = await getOpenEmail(deps, id, use)
          const gone = remove.map((tag) => tag.toLowerCase())
          // Keep the private tag: only the person may remove it.
          const kept = email.tags.filter((tag) => !gone.includes(tag.toLowerCase()) || isPrivate([tag]))
          const { changed, payload } = await changeEmail(use.userId, email, {
            tags: [...new Set([...kept, ...add])],
            ...flags,
            ...(archived !== undefined && { folder: archived ? 'archive' : 'inbox' }),
          })
          const summary = `Updated the email “${email.subject}”`
          return { result: pick(changed, MARKED_FIELDS), summary, payload }
        })
        return { ...marked, emails: [id] }
      },
    }),
    defineTool(contracts.delete_email, {
      async propose({ id }, use) {
        const { subject, version } = await getOpenEmail(deps, id, use)
        return {
          summary: getProposalTexts(use.language).trash(subject),
          about: { kind: 'email', id, version },
        }
      },
      run: ({ id }, use) =>
        recordMarked(use.userId, async () => {
          const email = await getOpenEmail(deps, id, use)
          const { payload } = await changeEmail(use.userId, email, { folder: 'trash' })
          const summary = `Moved “${email.subject}” to the trash`
          return { result: { id, folder: 'trash' }, summary, payload }
        }),
    }),
  ]
}

const toEmailInput = async (
  deps: ToolDeps,
  { replyTo, to, subject, ...rest }: ToolInput<'draft_email'>,
  use: ToolUse,
) => {
  const original = replyTo === undefined ? undefined : await getOpenEmail(deps, replyTo, use)
  const answer = original && answerTo(original)
  return {
    original,
    emailInput: {
      ...rest,
      to: to ?? answer?.to ?? [],
      subject: subject ?? answer?.subject ?? '',
    },
  }
}

/** Without an own text for others: "write a summary", "tell me", "schick mir". */
const DRAFT_VERBS = says({
  words: [
    'draft',
    'compose',
    'repl(?:y|ies)',
    'respond',
    'forward',
    'write(?! (?:me |us )?(?:an? |the )?(?:\\p{L}+ )?(?:summary|overview|list|report|task|event|contact))',
    '(?:answer|send|thank|tell|ask)(?! (?:me|us)(?!\\p{L}))',
    'let(?= (?!me |us )\\p{L}+ know)',
    '(?:e-?mail|mail)(?= \\p{L}+ (?:that|to|and|about|saying))',
    '(?:schreibe?|schicke?|sende?|sage?)(?! (?:mir|uns)(?!\\p{L})(?!.*(?:entwurf|antwort)))',
    'schreiben|schicken|senden|entwirf',
  ],
  stems: ['entwerf', 'antwort', 'beantwort', 'verfass'],
})

const listRecipients = ({
  to,
  cc = [],
}: {
  to: readonly (string | { address: string })[]
  cc?: string[]
}): string[] => [...to, ...cc].map((one) => (typeof one === 'string' ? one : one.address))

const createSendTools = (deps: ToolDeps): Tool[] => {
  const { contracts, emails, outbox, journal } = deps
  const recordDrafted = journal.define(
    'email',
    'assistant.email_drafted',
    Type.Object(ChangedItem),
    (left, tx, userId) =>
      unlessChanged('draft', left, async (etag) => {
        // The change checks the ETag in the same transaction, so a draft that was edited since is kept.
        await emails.change(userId, left.id, { folder: 'trash' }, etag)
        await emails.remove(tx, userId, left.id)
      }),
  )
  const recordSent = journal.define(
    'email',
    'assistant.email_sent',
    Type.Object({ id: Type.Integer() }),
    ({ id }, _tx, userId) => outbox.cancel(userId, id),
  )

  return [
    defineTool(contracts.draft_email, {
      verbs: () => [DRAFT_VERBS],
      async propose(given, use) {
        const { emailInput, original } = await toEmailInput(deps, given, use)
        const to = listRecipients(emailInput)
        return {
          summary: getProposalTexts(use.language).draft(emailInput.subject, to.join(', ')),
          about: null,
          target: original ? toEmailTarget(original) : null,
        }
      },
      run: (given, use) =>
        recordDrafted(use.userId, async () => {
          const { emailInput, original } = await toEmailInput(deps, given, use)
          const inReplyTo = original?.messageId ?? null
          // A reply to a private email may quote it, so the draft is private too.
          const tags = privateTagsOf(original?.tags ?? [])
          const draft = await emails.create(use.userId, {
            ...emailInput,
            inReplyTo,
            tags,
            folder: 'drafts',
            read: true,
          })
          const result = pick(draft, ['id', 'to', 'cc', 'subject', 'text'])
          const payload = { id: draft.id, version: draft.version }
          return { result, summary: `Drafted “${draft.subject}”`, payload }
        }),
    }),
    defineTool(contracts.send_email, {
      async propose(given, use) {
        const { emailInput } = await toEmailInput(deps, given, use)
        const to = listRecipients(emailInput)
        return {
          summary: getProposalTexts(use.language).send(emailInput.subject, to.join(', ')),
          about: null,
        }
      },
      run: (given, use) =>
        recordSent(use.userId, async () => {
          const { emailInput } = await toEmailInput(deps, given, use)
          const sent = await outbox.send(use.userId, {
            ...emailInput,
            ...(given.replyTo !== undefined && { inReplyTo: given.replyTo }),
          })
          const result = pick(sent, SENT_FIELDS)
          return { result, summary: `Sent “${sent.subject}”`, payload: { id: sent.id } }
        }),
    }),
    defineTool(contracts.send_draft, {
      async propose({ id }, use) {
        const draft = await outbox.getSendable(use.userId, id)
        requireOpenEmail(draft, use)
        const to = [...draft.to, ...draft.cc, ...draft.bcc].map(({ address }) => address)
        return {
          summary: getProposalTexts(use.language).send(draft.subject, to.join(', ')),
          about: { kind: 'email', id, version: draft.version },
        }
      },
      run: ({ id, sendAt }, { userId }) =>
        recordSent(userId, async () => {
          const sent = await outbox.sendDraft(userId, id, sendAt)
          const result = pick(sent, SENT_FIELDS)
          return { result, summary: `Sent “${sent.subject}”`, payload: { id: sent.id } }
        }),
    }),
  ]
}

export const createMailTools = (deps: ToolDeps): Tool[] => [
  ...createReadTools(deps),
  ...createMarkTools(deps),
  ...createSendTools(deps),
]
