import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { eachOnce } from '../../platform/each-once.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'
import { type AttachmentRecord, listAttachments } from './attachment-store.ts'
import type { Attachments } from './attachments.ts'
import { type Content, searchTextsOf } from './content.ts'
import { type Draft, type FiledAttachment, fieldsOf, tagKeys, tagsJson } from './draft.ts'
import type { Filing } from './filing.ts'
import { readAddress, readAddressList, readMessageId, readSubject } from './given.ts'
import type { Address } from './mime/addresses.ts'
import { moveInTime } from './placing-store.ts'
import { saveChange } from './saving.ts'
import type { EmailChange, NewEmail } from './schema.ts'
import { tagKeyOf } from './search.ts'
import { type EmailRecord, findWhole, hasAccount, replaceTags, updateBody, type WholeEmail } from './store.ts'

const MARKS: readonly string[] = ['tags', 'read', 'starred', 'folder']
/** What arrives has come from someone; a draft need not say yet. */
const FROM_SOMEONE: readonly string[] = ['inbox', 'archive', 'trash']

const asFiled = (uploads: readonly AttachmentRecord[]): FiledAttachment[] =>
  uploads.map(({ id, filename, contentType, size, contentId }) => ({
    ...{ id, filename, contentType, size, contentId },
    blob: null,
  }))

const givenContent = ({ text, html }: Pick<NewEmail, 'text' | 'html'>) => ({
  text: text ?? null,
  html: html ?? null,
})

export interface ComposingDeps {
  clock: Clock
  blobs: Blobs
  fullText: FullText
  filing: Filing
  attachments: Attachments
  /** In which a bare day is read. */
  timezone: () => Promise<string>
}

export type Composing = ReturnType<typeof createComposing>

/** E-mails that are given as fields, and drafts that are worked on. */
export const createComposing = (deps: ComposingDeps) => {
  const { clock, blobs, fullText, filing, attachments, timezone } = deps

  const dateOf = async (given: string | undefined): Promise<string> =>
    given === undefined ? clock.now().toISOString() : readInstant('date', given, await timezone())

  const marksOf = (wish: EmailChange) => ({
    ...(wish.tags && { tags: tagsJson(eachOnce(wish.tags, tagKeyOf)) }),
    ...(wish.read !== undefined && { read: wish.read ? 1 : 0 }),
    ...(wish.starred !== undefined && { starred: wish.starred ? 1 : 0 }),
    ...(wish.folder && { folder: wish.folder }),
  })

  const requireDraft = (email: EmailRecord, wish: EmailChange): void => {
    const others = Object.keys(wish).filter((name) => !MARKS.includes(name))
    if (email.folder === 'drafts' || others.length === 0) return
    throw invalid(
      `Only a draft can be changed whole: of other e-mails ${MARKS.join(', ')}.`,
      others.map((path) => ({ path, message: 'can be changed of a draft only' })),
    )
  }

  /** What a draft will be: what is wished, and what it was in all else. */
  const redraft = async (
    tx: Db,
    email: WholeEmail,
    wish: EmailChange,
    prepared: Content | undefined,
  ): Promise<Draft> => {
    const addresses = (name: 'to' | 'cc' | 'bcc' | 'replyTo'): Address[] =>
      wish[name] ? readAddressList(name, wish[name]) : (JSON.parse(email[name]) as Address[])
    const files = await changeAttachments(tx, email, wish.attachmentIds)
    const isRewritten = wish.text !== undefined || wish.html !== undefined
    const was = email.fromAddress === '' ? null : { name: email.fromName, address: email.fromAddress }
    return {
      accountId: email.accountId,
      messageId: email.messageId,
      folder: email.folder,
      from: wish.from === undefined ? was : wish.from === null ? null : readAddress('from', wish.from),
      to: addresses('to'),
      cc: addresses('cc'),
      bcc: addresses('bcc'),
      replyTo: addresses('replyTo'),
      subject: wish.subject === undefined ? email.subject : readSubject(wish.subject),
      inReplyTo: wish.inReplyTo === undefined ? email.inReplyTo : readMessageId('inReplyTo', wish.inReplyTo),
      references: JSON.parse(email.references) as string[],
      date:
        wish.date === undefined
          ? isRewritten
            ? await dateOf(undefined)
            : email.date
          : await dateOf(wish.date),
      mailingList: null,
      tags: [],
      read: email.read === 1,
      starred: email.starred === 1,
      content: isRewritten
        ? (prepared ?? (await filing.prepareContent(givenContent(wish), files)))
        : { text: email.text, snippet: email.snippet, htmlOf: () => email.html },
      attachments: files,
      raw: null,
    }
  }

  /** Those asked for stay or come; the others go. */
  const changeAttachments = async (
    tx: Db,
    email: EmailRecord,
    ids: readonly string[] | undefined,
  ): Promise<FiledAttachment[]> => {
    const there = await listAttachments(tx, email.id)
    const order = (JSON.parse(email.attachments) as { id: string }[]).map(({ id }) => id)
    const wanted = ids ?? order
    const kept = new Map(there.filter(({ id }) => wanted.includes(id)).map((each) => [each.id, each]))
    const uploads = await attachments.getUploads(
      tx,
      wanted.filter((id) => !kept.has(id)),
      wanted,
    )
    await attachments.attach(tx, email.id, uploads)
    await attachments.detach(
      tx,
      there.filter(({ id }) => !kept.has(id)),
    )
    const all = new Map([...kept, ...uploads.map((each) => [each.id, each] as const)])
    return asFiled([...new Set(wanted)].flatMap((id) => all.get(id) ?? []))
  }

  const rewrite = async (
    tx: Db,
    record: EmailRecord,
    wish: EmailChange,
    prepared: Content | undefined,
  ): Promise<EmailRecord> => {
    const email = (await findWhole(tx, record.id)) as WholeEmail
    const draft = await redraft(tx, email, wish, prepared)
    const body = { text: draft.content.text, html: draft.content.htmlOf(email.id) }
    await fullText.remove(tx, email.position)
    await updateBody(tx, email.id, body)
    const position = draft.date === email.date ? email.position : await moveInTime(tx, email.id, draft.date)
    // The message as it came no longer is what this says.
    const change = { ...fieldsOf(draft), ...marksOf(wish), rawBlob: null }
    const changed = await saveChange(tx, email, change, clock.now().toISOString())
    await fullText.put(tx, position, searchTextsOf({ ...changed, text: body.text }))
    if (email.rawBlob !== null) await blobs.release(tx, [email.rawBlob])
    await filing.relink(tx, changed)
    return changed
  }

  /** The bodies that an e-mail will have; best made outside a transaction, for it may take seconds. */
  const prepare = (wish: Pick<NewEmail, 'text' | 'html'>): Promise<Content> =>
    filing.prepareContent(givenContent(wish), [])

  return {
    prepare,

    /** The bodies that a draft will have, if they are changed. */
    async prepareChange(view: Db, id: number, wish: EmailChange): Promise<Content | undefined> {
      if (wish.text === undefined && wish.html === undefined) return undefined
      return filing.prepareContent(givenContent(wish), await listAttachments(view, id))
    },

    /** With `arrives`, the rules see it if it comes into the inbox. */
    async create(
      tx: Db,
      wish: NewEmail,
      { arrives = false, content }: { arrives?: boolean; content?: Content | undefined } = {},
    ): Promise<WholeEmail> {
      const folder = wish.folder ?? 'inbox'
      if (!wish.from && FROM_SOMEONE.includes(folder)) throw invalidField('from', 'is required')
      if (wish.accountId && !(await hasAccount(tx, wish.accountId)))
        throw invalidField('accountId', 'is not a mail account')
      const uploads = await attachments.getUploads(tx, wish.attachmentIds ?? [])
      const files = asFiled(uploads)
      const draft: Draft = {
        accountId: wish.accountId ?? null,
        messageId: readMessageId('messageId', wish.messageId),
        folder,
        from: wish.from ? readAddress('from', wish.from) : null,
        to: readAddressList('to', wish.to),
        cc: readAddressList('cc', wish.cc),
        bcc: readAddressList('bcc', wish.bcc),
        replyTo: readAddressList('replyTo', wish.replyTo),
        subject: readSubject(wish.subject ?? ''),
        inReplyTo: readMessageId('inReplyTo', wish.inReplyTo),
        references: (wish.references ?? []).map(
          (id, index) => readMessageId(`references.${index}`, id) as string,
        ),
        date: await dateOf(wish.date),
        mailingList: null,
        tags: eachOnce(wish.tags ?? [], tagKeyOf),
        read: wish.read ?? (folder === 'sent' || folder === 'drafts'),
        starred: wish.starred ?? false,
        content: content ?? (await prepare(wish)),
        attachments: files,
        raw: null,
      }
      const email = await filing.insert(tx, draft, arrives ? clock.now().toISOString() : null)
      await attachments.attach(tx, email.id, uploads)
      return email
    },

    /** Changes what may be changed of it, or all of a draft. */
    async change(
      tx: Db,
      email: EmailRecord,
      wish: EmailChange,
      prepared?: Content | undefined,
    ): Promise<EmailRecord> {
      requireDraft(email, wish)
      const isRewritten = Object.keys(wish).some((name) => !MARKS.includes(name))
      const marks = marksOf(wish)
      const isChanged = Object.entries(marks).some(
        ([name, value]) => email[name as keyof EmailRecord] !== value,
      )
      if (!isRewritten && !isChanged) return email
      const changed = isRewritten
        ? await rewrite(tx, email, wish, prepared)
        : await saveChange(tx, email, marks, clock.now().toISOString())
      if (wish.tags) await replaceTags(tx, changed, tagKeys(JSON.parse(changed.tags) as string[]))
      return changed
    },
  }
}
