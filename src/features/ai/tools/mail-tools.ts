import Type from 'typebox'
import { ownText } from '../../../engine/history.ts'
import { isPrivate, privateTagsOf, WITHOUT_PRIVATE } from '../../../engine/mail/private-tag.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Emails } from '../../emails/emails.ts'
import type { Finding } from '../../emails/finding.ts'
import type { EmailView } from '../../emails/view.ts'
import type { Outbox } from '../../mail-accounts/outbox/outbox.ts'
import type { AnalyzeMail } from '../intelligence/mail-analyzer.ts'
import { Changed, Fields, type Journal, Left, pick, unlessChanged } from './journal.ts'
import { proposalsIn } from './proposals.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'
import { createUrgencyReading } from './urgency.ts'

const strict = { additionalProperties: false }
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const LONGEST_TEXT = 20_000
const DAY_MS = 86_400_000
/** How far back mail is looked at that nobody has analysed, and how much of it. */
const URGENT_DAYS = 14
const MOST_READ = 50
const Addresses = Type.Array(
  Type.String({ minLength: 1, maxLength: 500, description: 'Name <a@b> or a@b' }),
  {
    maxItems: 50,
  },
)
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), { maxItems: 20 })
const letter = {
  to: Type.Optional(Addresses),
  cc: Type.Optional(Addresses),
  subject: Type.Optional(Type.String({ maxLength: 2000 })),
  text: Type.String({ minLength: 1, maxLength: 100_000 }),
  replyTo: Type.Optional(Type.Integer({ ...Id, description: 'Id of the e-mail that this answers' })),
}

const SUMMARY = [
  'id',
  'threadId',
  'folder',
  'from',
  'to',
  'subject',
  'snippet',
  'date',
  'tags',
  'read',
  'starred',
]
const summaryOf = (email: object) => pick(email, SUMMARY)

const changedOf = (shown: { text: string }): EmailView => JSON.parse(shown.text) as EmailView

/** To whom and under what an answer goes, where nobody said. */
const answerTo = (original: EmailView) => {
  const sender = original.replyTo.length > 0 ? original.replyTo : original.from ? [original.from] : []
  const subject = /^re:/i.test(original.subject) ? original.subject : `Re: ${original.subject}`
  return { to: sender.map(({ address, name }) => ({ address, name })), subject }
}

export const createMailTools = (deps: {
  emails: Emails
  finding: Finding
  outbox: Outbox
  journal: Journal
  analyzeMail: AnalyzeMail
  clock: Clock
  timezone: () => Promise<string>
}): Tool[] => {
  const { emails, finding, outbox, journal, clock } = deps
  const urgencyOf = createUrgencyReading(deps)

  interface Found {
    emails: EmailView[]
    nextCursor: string | null
  }
  const search = async (query: object): Promise<Found> =>
    JSON.parse(await finding.list(query as Parameters<Finding['list']>[0])) as Found

  /** Of the latest mails that nobody has analysed, those of this urgency. */
  const unreadOf = async (urgency: string, query: { q?: string; limit: number }): Promise<EmailView[]> => {
    const since = new Date(clock.now().getTime() - URGENT_DAYS * DAY_MS).toISOString()
    const { emails: latest } = await search({ folder: 'inbox', ...query, limit: MOST_READ })
    const unanalysed = latest.filter(({ analysis, date }) => analysis === null && date >= since)
    const levels = await urgencyOf(unanalysed)
    return unanalysed.filter(({ id }) => levels.get(id) === urgency)
  }

  const get = async (id: number, use: ToolUse): Promise<EmailView> => {
    const email = await emails.get(id)
    if (use.leaves && isPrivate(email.tags))
      throw new AppError(
        'forbidden',
        'forbidden',
        'This e-mail is tagged private: it does not leave this machine.',
      )
    return email
  }

  const recordMarked = journal.define('email_marked', Type.Object({ ...Changed, before: Fields }), (left) =>
    unlessChanged('e-mail', left, (etag) => emails.change(left.id, left.before, etag)),
  )
  const recordDrafted = journal.define('email_drafted', Type.Object(Left), (left, tx) =>
    unlessChanged('draft', left, async (etag) => {
      // Proves that it is as it was left, in the same transaction.
      await emails.change(left.id, { folder: 'trash' }, etag)
      await emails.remove(tx, left.id)
    }),
  )
  const recordSent = journal.define('email_sent', Type.Object({ id: Type.Integer() }), ({ id }) =>
    outbox.cancel(id),
  )

  const letterOf = async (
    {
      replyTo,
      to,
      subject,
      ...rest
    }: { replyTo?: number; to?: string[]; subject?: string; text: string; cc?: string[] },
    use: ToolUse,
  ) => {
    const original = replyTo === undefined ? undefined : await get(replyTo, use)
    const answer = original && answerTo(original)
    return {
      original,
      wish: {
        ...rest,
        to: to ?? answer?.to ?? [],
        subject: subject ?? answer?.subject ?? '',
      },
    }
  }

  return [
    defineTool({
      name: 'find_emails',
      description:
        'Finds e-mails, the newest first. `query` takes words and from: to: subject: tag: is:unread is:starred has:attachment before: after:',
      effect: 'read',
      scope: 'mail:read',
      input: Type.Object(
        {
          query: Type.Optional(Type.String({ maxLength: 500 })),
          folder: Type.Optional(
            Type.Enum(['inbox', 'sent', 'drafts', 'archive', 'trash'], { type: 'string' }),
          ),
          unread: Type.Optional(Type.Boolean()),
          tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
          urgency: Type.Optional(Type.Enum(['low', 'normal', 'high', 'critical'], { type: 'string' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 25 })),
        },
        strict,
      ),
      async run({ query = '', limit = 10, urgency, ...filters }, { leaves }) {
        const q = `${query}${leaves ? ` ${WITHOUT_PRIVATE}` : ''}`.trim()
        const wish = { ...filters, limit, ...(q !== '' && { q }) }
        const found = await search({ ...wish, ...(urgency && { urgency }) })
        if (urgency) {
          const all = [...found.emails, ...(await unreadOf(urgency, wish))]
          found.emails = all.toSorted((a, b) => b.date.localeCompare(a.date)).slice(0, limit)
        }
        // What the search let through is looked at again: a word that it reads otherwise must not open a door.
        const shown = found.emails.filter(({ tags }) => !leaves || !isPrivate(tags))
        return {
          result: { emails: shown.map(summaryOf), more: found.nextCursor !== null },
          emails: shown.map(({ id }) => id),
        }
      },
    }),
    defineTool({
      name: 'read_email',
      description: 'Reads one e-mail.',
      effect: 'read',
      scope: 'mail:read',
      input: Type.Object({ id: Id }, strict),
      async run({ id }, use) {
        const email = await get(id, use)
        const text = ownText(email.text).slice(0, LONGEST_TEXT)
        const attachments = email.attachments.map(({ filename, size }) => ({ filename, size }))
        return { result: { ...summaryOf(email), cc: email.cc, text, attachments }, emails: [id] }
      },
    }),
    defineTool({
      name: 'tag_email',
      description:
        'Adds or removes tags of an e-mail, marks it as read or unread, stars it, or puts it into the archive.',
      effect: 'write',
      scope: 'mail:write',
      input: Type.Object(
        {
          id: Id,
          add: Type.Optional(Tags),
          remove: Type.Optional(Tags),
          read: Type.Optional(Type.Boolean()),
          starred: Type.Optional(Type.Boolean()),
          archived: Type.Optional(
            Type.Boolean({ description: 'true: into the archive; false: back into the inbox' }),
          ),
        },
        strict,
      ),
      async run({ id, add = [], remove = [], read, starred, archived }, use) {
        const { result, undoId } = await recordMarked(async () => {
          const email = await get(id, use)
          const gone = remove.map((tag) => tag.toLowerCase())
          // What is private stays so: the mark is the person's own.
          const kept = email.tags.filter((tag) => !gone.includes(tag.toLowerCase()) || isPrivate([tag]))
          const wish = {
            tags: [...new Set([...kept, ...add])],
            ...(read !== undefined && { read }),
            ...(starred !== undefined && { starred }),
            ...(archived !== undefined && { folder: archived ? ('archive' as const) : ('inbox' as const) }),
          }
          const changed = await emails.change(id, wish, undefined)
          const before = pick(email, Object.keys(wish))
          const payload = { id, version: changed.version, found: email.version, before }
          const summary = `Marked the e-mail “${email.subject}”`
          return {
            result: pick(changedOf(changed), ['id', 'tags', 'read', 'starred', 'folder']),
            summary,
            payload,
          }
        })
        return { result, undoId, emails: [id] }
      },
    }),
    defineTool({
      name: 'draft_email',
      description: 'Writes a draft. Nothing is sent.',
      effect: 'write',
      scope: 'mail:write',
      input: Type.Object(letter, strict),
      run: (given, use) =>
        recordDrafted(async () => {
          const { wish, original } = await letterOf(given, use)
          const inReplyTo = original?.messageId ?? null
          // What answers something private may quote it.
          const tags = privateTagsOf(original?.tags ?? [])
          const draft = await emails.create({ ...wish, inReplyTo, tags, folder: 'drafts', read: true })
          const result = { ...pick(draft, ['id', 'to', 'cc', 'subject']), text: draft.text }
          const payload = { id: draft.id, version: draft.version }
          return { result, summary: `Drafted “${draft.subject}”`, payload }
        }),
    }),
    defineTool({
      name: 'send_email',
      description: 'Sends an e-mail. The person is asked first.',
      effect: 'confirm',
      scope: 'mail:write',
      input: Type.Object(letter, strict),
      async propose(given, use) {
        const { wish } = await letterOf(given, use)
        const to = [...wish.to, ...(wish.cc ?? [])].map((one) =>
          typeof one === 'string' ? one : one.address,
        )
        return { summary: proposalsIn(use.language).send(wish.subject, to.join(', ')), about: null }
      },
      run: (given, use) =>
        recordSent(async () => {
          const { wish } = await letterOf(given, use)
          const sent = await outbox.send({
            ...wish,
            ...(given.replyTo !== undefined && { inReplyTo: given.replyTo }),
          })
          const result = pick(sent, ['id', 'to', 'cc', 'subject', 'delivery'])
          return { result, summary: `Sent “${sent.subject}”`, payload: { id: sent.id } }
        }),
    }),
    defineTool({
      name: 'delete_email',
      description: 'Moves an e-mail to the trash. The person is asked first.',
      effect: 'confirm',
      scope: 'mail:write',
      input: Type.Object({ id: Id }, strict),
      async propose({ id }, use) {
        const { subject, version } = await get(id, use)
        return { summary: proposalsIn(use.language).trash(subject), about: { kind: 'email', id, version } }
      },
      run: ({ id }, use) =>
        recordMarked(async () => {
          const email = await get(id, use)
          const changed = await emails.change(id, { folder: 'trash' }, undefined)
          const before = { folder: email.folder }
          const payload = { id, version: changed.version, found: email.version, before }
          return {
            result: { id, folder: 'trash' },
            summary: `Moved “${email.subject}” to the trash`,
            payload,
          }
        }),
    }),
  ]
}
