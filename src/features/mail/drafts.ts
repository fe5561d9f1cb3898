import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { eachOnce } from '../../platform/collections.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import type { Attachments } from './attachments.ts'
import { type Content, searchTextsOf } from './content.ts'
import {
  type Draft,
  type DraftContent,
  type FiledAttachment,
  NO_FLAGS,
  pickFlags,
  readAddress,
  readAddressList,
  readMessageId,
  readSubject,
  tagKeys,
  toContentColumns,
  toEmail,
  toFlagColumns,
  type WholeEmail,
} from './email.ts'
import {
  type AttachmentRecord,
  type EmailRecord,
  findWhole,
  hasAccount,
  listAttachments,
  moveInTime,
  replaceTags,
  updateBody,
  updateEmail,
} from './email-repository.ts'
import type { Filing } from './message-writer.ts'
import { type EmailChange, MARKS, type NewEmail } from './schema.ts'
import { tagKeyOf } from './search.ts'

/** Emails in these folders need a sender. A draft may have none yet. */
const RECEIVED_FOLDERS: readonly string[] = ['inbox', 'archive', 'trash']

const toFiledAttachments = (uploads: readonly AttachmentRecord[]): FiledAttachment[] =>
  uploads.map(({ id, filename, contentType, size, contentId }) => ({
    id,
    filename,
    contentType,
    size,
    contentId,
    blob: null,
  }))

const toGivenContent = ({ text, html }: Pick<NewEmail, 'text' | 'html'>) => ({
  text: text ?? null,
  html: html ?? null,
})

const toMarkFields = (input: EmailChange) => ({
  ...(input.tags && { tags: JSON.stringify(eachOnce(input.tags, tagKeyOf)) }),
  ...toFlagColumns(input),
  ...(input.folder && { folder: input.folder }),
})

const requireDraft = (email: EmailRecord, input: EmailChange): void => {
  const others = Object.keys(input).filter((name) => !MARKS.includes(name))
  if (email.folder === 'drafts' || others.length === 0) return
  throw invalid(
    `Only drafts can be edited. Of other emails, only these properties can be changed: ${MARKS.join(', ')}.`,
    others.map((path) => ({ path, message: 'can only be changed in a draft' })),
  )
}

/** Keeps or adds the requested attachments and removes the others. */
const changeAttachments = async (
  attachments: Attachments,
  tx: Db,
  email: EmailRecord,
  ids: readonly string[] | undefined,
): Promise<FiledAttachment[]> => {
  const existing = await listAttachments(tx, email.id)
  const order = (JSON.parse(email.attachments) as { id: string }[]).map(({ id }) => id)
  const wantedIds = ids ?? order
  const kept = new Map(existing.filter(({ id }) => wantedIds.includes(id)).map((each) => [each.id, each]))
  const uploads = await attachments.getUploads(
    tx,
    wantedIds.filter((id) => !kept.has(id)),
    wantedIds,
  )
  await attachments.attach(tx, email.id, uploads)
  await attachments.detach(
    tx,
    existing.filter(({ id }) => !kept.has(id)),
  )
  const all = new Map([...kept, ...uploads.map((each) => [each.id, each] as const)])
  return toFiledAttachments([...new Set(wantedIds)].flatMap((id) => all.get(id) ?? []))
}

export interface ComposingDeps {
  clock: Clock
  blobs: Blobs
  fullText: FullText
  filing: Filing
  attachments: Attachments
  /** Time zone for dates without a time. */
  timezone: () => Promise<string>
}

export type Composing = ReturnType<typeof createComposing>

/** Creates emails from fields, and edits drafts. */
export const createComposing = (deps: ComposingDeps) => {
  const { clock, blobs, fullText, filing, attachments, timezone } = deps

  const readDate = async (given: string | undefined): Promise<string> =>
    given === undefined ? clock.now().toISOString() : readInstant('date', given, await timezone())

  /** The draft with the changes applied. */
  const applyDraftChange = async (
    tx: Db,
    row: WholeEmail,
    input: EmailChange,
    prepared: Content | undefined,
  ): Promise<DraftContent> => {
    const email = toEmail(row)
    const addresses = (name: 'to' | 'cc' | 'bcc' | 'replyTo') =>
      input[name] ? readAddressList(name, input[name]) : email[name]
    const files = await changeAttachments(attachments, tx, row, input.attachmentIds)
    const isRewritten = input.text !== undefined || input.html !== undefined
    return {
      from: input.from ? readAddress('from', input.from) : input.from === null ? null : email.from,
      to: addresses('to'),
      cc: addresses('cc'),
      bcc: addresses('bcc'),
      replyTo: addresses('replyTo'),
      subject: input.subject === undefined ? email.subject : readSubject(input.subject),
      inReplyTo:
        input.inReplyTo === undefined ? email.inReplyTo : readMessageId('inReplyTo', input.inReplyTo),
      date: input.date === undefined && !isRewritten ? email.date : await readDate(input.date),
      content: isRewritten
        ? (prepared ?? (await filing.prepareContent(toGivenContent(input), files)))
        : { text: email.text, snippet: email.snippet, htmlOf: () => email.html },
      attachments: files,
      raw: null,
    }
  }

  const saveDraftChange = async (
    tx: Db,
    record: EmailRecord,
    input: EmailChange,
    prepared: Content | undefined,
  ): Promise<EmailRecord> => {
    const email = (await findWhole(tx, record.id)) as WholeEmail
    const draft = await applyDraftChange(tx, email, input, prepared)
    const body = { text: draft.content.text, html: draft.content.htmlOf(email.id) }
    await fullText.remove(tx, email.position)
    await updateBody(tx, email.id, body)
    const position = draft.date === email.date ? email.position : await moveInTime(tx, email.id, draft.date)
    // The raw message no longer matches the content.
    const change = { ...toContentColumns(draft), ...toMarkFields(input), rawBlob: null }
    const changed = await updateEmail(tx, email, change, clock.now().toISOString())
    await fullText.put(tx, position, searchTextsOf({ ...changed, text: body.text }))
    if (email.rawBlob !== null) await blobs.release(tx, [email.rawBlob])
    await filing.relink(tx, changed)
    return changed
  }

  /** Sanitizes the bodies of a new email. Call it outside a transaction: it may take seconds. */
  const prepare = (input: Pick<NewEmail, 'text' | 'html'>): Promise<Content> =>
    filing.prepareContent(toGivenContent(input), [])

  return {
    prepare,

    /** Sanitizes the new bodies of a draft. Undefined if the bodies do not change. */
    async prepareChange(view: Db, id: number, input: EmailChange): Promise<Content | undefined> {
      if (input.text === undefined && input.html === undefined) return undefined
      return filing.prepareContent(toGivenContent(input), await listAttachments(view, id))
    },

    /** With `arrives`, the mail rules apply if the email goes to the inbox. */
    async create(
      tx: Db,
      input: NewEmail,
      { arrives = false, content }: { arrives?: boolean; content?: Content | undefined } = {},
    ): Promise<WholeEmail> {
      const folder = input.folder ?? 'inbox'
      if (!input.from && RECEIVED_FOLDERS.includes(folder)) throw invalidField('from', 'is required')
      if (input.accountId && !(await hasAccount(tx, input.accountId)))
        throw invalidField('accountId', 'is not a mail account')
      const uploads = await attachments.getUploads(tx, input.attachmentIds ?? [])
      const files = toFiledAttachments(uploads)
      const draft: Draft = {
        accountId: input.accountId ?? null,
        messageId: readMessageId('messageId', input.messageId),
        folder,
        from: input.from ? readAddress('from', input.from) : null,
        to: readAddressList('to', input.to),
        cc: readAddressList('cc', input.cc),
        bcc: readAddressList('bcc', input.bcc),
        replyTo: readAddressList('replyTo', input.replyTo),
        subject: readSubject(input.subject ?? ''),
        inReplyTo: readMessageId('inReplyTo', input.inReplyTo),
        references: (input.references ?? []).map(
          (id, index) => readMessageId(`references.${index}`, id) as string,
        ),
        date: await readDate(input.date),
        mailingList: null,
        tags: eachOnce(input.tags ?? [], tagKeyOf),
        ...NO_FLAGS,
        read: folder === 'sent' || folder === 'drafts',
        ...pickFlags(input),
        content: content ?? (await prepare(input)),
        attachments: files,
        raw: null,
      }
      const email = await filing.insert(tx, draft, arrives ? clock.now().toISOString() : null)
      await attachments.attach(tx, email.id, uploads)
      return email
    },

    /** Changes tags, flags and folder of any email, and all fields of a draft. */
    async change(
      tx: Db,
      email: EmailRecord,
      input: EmailChange,
      prepared?: Content | undefined,
    ): Promise<EmailRecord> {
      requireDraft(email, input)
      const isRewritten = Object.keys(input).some((name) => !MARKS.includes(name))
      const marks = toMarkFields(input)
      const isChanged = Object.entries(marks).some(
        ([name, value]) => email[name as keyof EmailRecord] !== value,
      )
      if (!isRewritten && !isChanged) return email
      const changed = isRewritten
        ? await saveDraftChange(tx, email, input, prepared)
        : await updateEmail(tx, email, marks, clock.now().toISOString())
      if (input.tags) await replaceTags(tx, changed, tagKeys(JSON.parse(changed.tags) as string[]))
      return changed
    },
  }
}
