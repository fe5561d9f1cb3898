import { addEmailToStorage, addToStorage, measureEmail } from '../../../database/account-storage.ts'
import type { Db } from '../../../database/db.ts'
import type { FullText } from '../../../database/full-text/full-text.ts'
import { instantAt } from '../../../database/positions.ts'
import { accountTally, addToTally } from '../../../database/tallies.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { StagedBlob } from '../../../platform/blobs/storage.ts'
import { eachOnce, pick } from '../../../platform/collections.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readInstant } from '../../../platform/time.ts'
import type { MailQueue } from '../../commitments/mail-reader.ts'
import type { MailTally } from '../../contacts/tally.ts'
import type { ResolvedChange } from '../folders/move-target.ts'
import { isIn } from '../folders/places.ts'
import type { ParsedMessage } from '../mime/message.ts'
import type { MailReminders } from '../reminders/reminders.ts'
import { findReturnPosition } from '../reminders/repository.ts'
import type { RuleEngine } from '../rules/rule-engine.ts'
import { joinThread, rejoinThread } from '../threads/threads.ts'
import type { AttachmentRecord } from './attachment-repository.ts'
import { attach, findUploads, insertAttachment, listAttachments } from './attachment-repository.ts'
import { removeAttachments } from './attachments.ts'
import { searchTextsOf } from './content.ts'
import {
  type Content,
  type Draft,
  type DraftContent,
  emailColumns,
  type FiledAttachment,
  type NewEmailRow,
  NO_FLAGS,
  NO_REMINDERS,
  NOT_RETURNED,
  pickFlags,
  readAddress,
  readAddressList,
  readMessageId,
  readSubject,
  tagKeys,
  toContentColumns,
  toEmail,
  toMessageColumns,
  toNewRow,
  toReceivedChange,
  type WholeEmail,
} from './email.ts'
import {
  deleteEmail,
  type EmailRecord,
  findWhole,
  hasAccount,
  insertBody,
  insertEmail,
  moveInTime,
  replaceTags,
  TALLY,
  updateBody,
  updateEmail,
} from './email-repository.ts'
import { toEmailSecurity } from './email-security.ts'
import type { MailReader } from './mail-reader.ts'
import { digestMessage, toBlobHash } from './same-mail.ts'
import { changeableMarks, type EmailChange, MARKS, type NewEmail } from './schema.ts'
import { tagKeyOf } from './search.ts'

/** A parsed message with its bytes staged on disk. */
export interface StagedMessage {
  message: Omit<ParsedMessage, 'security'> & Pick<Draft, 'security'>
  content: Content
  attachments: FiledAttachment[]
  raw: StagedBlob
  contentHash: string | null
  discard(): Promise<void>
}

interface EmailWriterNeeds {
  fullText: FullText
  reader: MailReader
  rules: RuleEngine
  contacts: MailTally
  mailQueues: readonly MailQueue[]
  reminders: Pick<MailReminders, 'receive' | 'schedule'>
}

export type EmailWriter = ReturnType<typeof createEmailWriter>

/** Creates and deletes emails. All code paths use these functions. */
export const createEmailWriter = (
  { blobs, clock, changes }: Pick<Platform, 'blobs' | 'clock' | 'changes'>,
  { fullText, reader, rules, contacts, mailQueues, reminders }: EmailWriterNeeds,
) => {
  const recordReceived = (tx: Db, email: EmailRecord): Promise<void> =>
    changes.record(tx, {
      userId: email.userId,
      type: 'email.received',
      subject: String(email.id),
      data: toReceivedChange(email),
    })

  /** Stores the attachments whose bytes are staged. */
  const keepAttachments = async (
    tx: Db,
    email: Pick<EmailRecord, 'id' | 'userId'>,
    attachments: readonly FiledAttachment[],
    createdAt: string,
  ): Promise<void> => {
    for (const { blob, ...file } of attachments) {
      if (!blob) continue
      await blobs.keep(tx, blob)
      const row = { ...file, userId: email.userId, emailId: email.id, blob: blob.hash, createdAt }
      await insertAttachment(tx, row)
    }
  }

  return {
    prepareContent: reader.prepareContent,
    contentOf: reader.toPlainContent,

    /** Parses a message and stages its bytes on disk. File the result in a transaction, or discard it. */
    async stage(raw: Buffer): Promise<StagedMessage> {
      const { message, content, ids } = await reader.read(raw)
      const staged: StagedBlob[] = []
      const discard = async (): Promise<void> => {
        for (const blob of staged) await blob.discard()
      }
      try {
        const attachments: FiledAttachment[] = []
        for (const [index, { filename, contentType, contentId, content }] of message.attachments.entries()) {
          const blob = await blobs.stage(content)
          staged.push(blob)
          const id = ids[index] as string
          attachments.push({ id, filename, contentType, contentId, size: blob.size, blob })
        }
        const whole = await blobs.stage(raw)
        staged.push(whole)
        // Drop the attachment bytes, which are on disk now. A sync holds many messages in memory.
        return {
          message: { ...message, attachments: [], security: toEmailSecurity(message.security, ids) },
          attachments,
          raw: whole,
          contentHash: digestMessage(
            message,
            attachments.map(({ filename, blob }) => ({ filename, hash: blob?.hash ?? '' })),
            whole.hash,
          ),
          content,
          discard,
        }
      } catch (error) {
        await discard()
        throw error
      }
    },

    /** Returns the content hash of a message. */
    async digest(raw: Buffer): Promise<string> {
      const { message } = await reader.read(raw)
      const attachments = message.attachments.map(({ filename, content }) => ({
        filename,
        hash: toBlobHash(content),
      }))
      return digestMessage(message, attachments, toBlobHash(raw))
    },

    /**
     * Inserts an email. Rules apply to mail that arrives in the inbox with an `arrivedAt`. Imported mail is old: it is
     * not announced, and it does not return snoozed threads.
     */
    async insert(
      tx: Db,
      given: Draft,
      { arrivedAt = null, isImported = false }: { arrivedAt?: string | null; isImported?: boolean } = {},
    ): Promise<WholeEmail> {
      const { attachments, content, raw } = given
      const arrives = given.folder === 'inbox' && !isImported
      const ruleChanges = arrives && arrivedAt !== null ? await rules.judge(tx, given, arrivedAt) : undefined
      const draft: Draft = ruleChanges
        ? { ...given, ...ruleChanges.marks, tags: [...ruleChanges.marks.tags] }
        : given
      const now = clock.now().toISOString()
      if (raw) await blobs.keep(tx, raw)
      const inserted = await insertEmail(tx, toNewRow(draft, now))
      await addToTally(tx, accountTally(TALLY, draft.userId), 1)
      const body = { text: content.text, html: content.htmlOf(inserted.id) }
      await insertBody(tx, inserted.id, body)
      await keepAttachments(tx, inserted, attachments, now)
      await addEmailToStorage(tx, inserted)
      if (draft.tags.length > 0) await replaceTags(tx, inserted, tagKeys(draft.tags))
      const threadId = await joinThread(tx, inserted)
      const joined = { ...inserted, ...body, threadId }
      for (const moment of [joined.snoozedUntil, joined.followUpAt]) await reminders.schedule(tx, moment)
      const email =
        threadId === inserted.id || isImported
          ? joined
          : { ...joined, ...(await reminders.receive(tx, joined, { ...draft, text: content.text })) }
      await fullText.put(tx, email.position, email.userId, searchTextsOf(email))
      const isBulk = draft.mailingList !== null
      await contacts.record(tx, email.userId, { ...draft, isBulk })
      for (const mails of mailQueues) await mails.queue(tx, email.userId, { ...email, isBulk })
      if (arrives) await recordReceived(tx, email)
      if (ruleChanges) await rules.conclude(tx, email, given, ruleChanges)
      return email
    },

    /** Replaces the content by that of the message, parsed again. Flags, tags and folder stay unchanged. */
    async replaceContent(
      tx: Db,
      email: EmailRecord,
      { message, content, contentHash, attachments }: StagedMessage,
    ): Promise<void> {
      const now = clock.now().toISOString()
      const { id, userId } = email
      const date = message.date?.toISOString() ?? email.date
      const body = { text: content.text, html: content.htmlOf(id) }
      await removeAttachments(tx, userId, blobs, await listAttachments(tx, userId, id))
      const sizeBefore = await measureEmail(tx, email)
      await fullText.remove(tx, email.position)
      const position = date === email.date ? email.position : await moveInTime(tx, email, date)
      await updateBody(tx, id, body)
      await keepAttachments(tx, email, attachments, now)
      await addToStorage(tx, userId, (await measureEmail(tx, email)) - sizeBefore)
      const draft = { ...message, content, contentHash, attachments, date, raw: null }
      const columns = { ...toContentColumns(draft), ...toMessageColumns(message) }
      const changed = await updateEmail(tx, email, columns, now)
      await fullText.put(tx, position, userId, searchTextsOf({ ...changed, text: body.text }))
      await rejoinThread(tx, { ...changed, position })
    },

    /** Deletes the email with its search words, bodies, tags, attachments and their blobs. */
    async erase(tx: Db, email: Pick<EmailRecord, 'id' | 'userId' | 'position' | 'rawBlob'>): Promise<void> {
      const attachments = await listAttachments(tx, email.userId, email.id)
      await addToStorage(tx, email.userId, -(await measureEmail(tx, email)))
      await fullText.remove(tx, email.position)
      await deleteEmail(tx, email.userId, email.id)
      await blobs.release(tx, [
        ...attachments.map(({ blob }) => blob),
        ...(email.rawBlob === null ? [] : [email.rawBlob]),
      ])
    },
  }
}

/** Emails in these folders need a sender. A draft may have none yet. */
const RECEIVED_FOLDERS: readonly string[] = ['inbox', 'archive', 'trash', 'junk']

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

/** Uploads that the HTML can show. The transaction checks that they exist. */
const toInlineUploads = (ids: readonly string[] = []) => ids.map((id) => ({ id, contentId: null }))

const { snoozedUntil: _, returned: __, ...plainMarks } = changeableMarks
const PLAIN_MARKS = Object.keys(plainMarks) as (keyof typeof plainMarks)[]

/** The columns of the marks that are stored as they were sent. */
const toMarkColumns = (input: ResolvedChange): Partial<NewEmailRow> => ({
  ...emailColumns.toRow({
    ...pick(input, PLAIN_MARKS),
    ...(input.tags && { tags: eachOnce(input.tags, tagKeyOf) }),
  }),
  ...(input.otherFolders !== undefined && { otherFolders: input.otherFolders }),
})

/** A move, or a new snooze, ends the snooze and the mark of a return. */
const toSnoozeFields = (email: EmailRecord, change: ResolvedChange) => {
  const { snoozedUntil, folder, folderId, otherFolders } = change
  const isMoved =
    (folder !== undefined && folder !== email.folder) ||
    (typeof folderId === 'number' && email.folderId !== null && folderId !== email.folderId) ||
    (otherFolders !== undefined && otherFolders !== email.otherFolders)
  return {
    ...((isMoved || snoozedUntil) && NOT_RETURNED),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
  }
}

/** Restores or clears the mark of a return. */
const toReturnFields = async (tx: Db, email: EmailRecord, { returned }: EmailChange) => {
  if (returned === undefined) return {}
  if (returned === null) return { returnedPosition: null, returnReason: null }
  if (email.returnedPosition !== null && instantAt(email.returnedPosition) === returned.at) return {}
  const at = readInstant('returned.at', returned.at, 'UTC')
  return {
    returnedPosition: await findReturnPosition(tx, email.userId, at),
    returnReason: returned.reason,
  }
}

/** Only an email that goes out can get an answer. */
const requireOutgoing = (email: EmailRecord, { followUpAt }: EmailChange): void => {
  if (followUpAt && !isIn(email, 'sent') && !isIn(email, 'drafts'))
    throw invalidField('followUpAt', 'can only be set for sent emails and drafts; snooze this email instead')
}

/** The properties that can be changed in a draft only. */
const listDraftFields = ({ otherFolders, ...input }: ResolvedChange): string[] =>
  Object.keys(input).filter((name) => !MARKS.includes(name))

const requireDraft = (email: EmailRecord, input: ResolvedChange): void => {
  const others = listDraftFields(input)
  if (email.folder === 'drafts' || others.length === 0) return
  throw invalid(
    `Only drafts can be edited. Of other emails, only these properties can be changed: ${MARKS.join(', ')}.`,
    others.map((path) => ({ path, message: 'can only be changed in a draft' })),
  )
}

/** Returns the uploads for an email in the requested order. */
const getUploads = async (
  view: Db,
  userId: number,
  ids: readonly string[],
  given: readonly string[] = ids,
): Promise<AttachmentRecord[]> => {
  const found = new Map((await findUploads(view, userId, ids)).map((upload) => [upload.id, upload]))
  return [...new Set(ids)].map((id) => {
    const upload = found.get(id)
    if (!upload) throw invalidField(`attachmentIds.${given.indexOf(id)}`, 'is not an upload, or has expired')
    return upload
  })
}

const attachUploads = async (
  tx: Db,
  { id: emailId, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  uploads: readonly AttachmentRecord[],
): Promise<void> => {
  const ids = uploads.map(({ id }) => id)
  if (!(await attach(tx, userId, emailId, ids)))
    throw invalidField('attachmentIds', 'contains an upload that belongs to another email')
}

/** Keeps or adds the requested attachments and removes the others. */
const changeAttachments = async (
  tx: Db,
  blobs: Pick<Blobs, 'release'>,
  email: EmailRecord,
  ids: readonly string[] | undefined,
): Promise<FiledAttachment[]> => {
  const existing = await listAttachments(tx, email.userId, email.id)
  const order = (JSON.parse(email.attachments) as { id: string }[]).map(({ id }) => id)
  const wantedIds = ids ?? order
  const kept = new Map(existing.filter(({ id }) => wantedIds.includes(id)).map((each) => [each.id, each]))
  const added = wantedIds.filter((id) => !kept.has(id))
  const uploads = await getUploads(tx, email.userId, added, wantedIds)
  await attachUploads(tx, email, uploads)
  const removed = existing.filter(({ id }) => !kept.has(id))
  await removeAttachments(tx, email.userId, blobs, removed)
  const all = new Map([...kept, ...uploads.map((each) => [each.id, each] as const)])
  return toFiledAttachments([...new Set(wantedIds)].flatMap((id) => all.get(id) ?? []))
}

interface EmailEditorNeeds {
  fullText: FullText
  writer: EmailWriter
  reminders: Pick<MailReminders, 'schedule'>
  /** Time zone of an account, for dates without a time. */
  zoneOf: (userId: number) => Promise<string>
}

export type EmailEditor = ReturnType<typeof createEmailEditor>

/** Creates emails from fields, and edits drafts. */
export const createEmailEditor = (
  { clock, blobs, quota }: Pick<Platform, 'clock' | 'blobs' | 'quota'>,
  { fullText, writer, reminders, zoneOf }: EmailEditorNeeds,
) => {
  const readDate = async (userId: number, given: string | undefined): Promise<string> =>
    given === undefined ? clock.now().toISOString() : readInstant('date', given, await zoneOf(userId))

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
    const files = await changeAttachments(tx, blobs, row, input.attachmentIds)
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
      date: input.date === undefined && !isRewritten ? email.date : await readDate(row.userId, input.date),
      content: isRewritten
        ? (prepared ?? (await writer.prepareContent(toGivenContent(input), files)))
        : { text: email.text, snippet: email.snippet, htmlOf: () => email.html },
      attachments: files,
      raw: null,
    }
  }

  const saveDraftChange = async (
    tx: Db,
    record: EmailRecord,
    input: EmailChange,
    marks: Partial<NewEmailRow>,
    prepared: Content | undefined,
  ): Promise<EmailRecord> => {
    const email = (await findWhole(tx, record.userId, record.id)) as WholeEmail
    const draft = await applyDraftChange(tx, email, input, prepared)
    const body = { text: draft.content.text, html: draft.content.htmlOf(email.id) }
    const sizeBefore = await measureEmail(tx, email)
    await fullText.remove(tx, email.position)
    await updateBody(tx, email.id, body)
    const position = draft.date === email.date ? email.position : await moveInTime(tx, email, draft.date)
    // The raw message no longer matches the content.
    const change = { ...toContentColumns(draft), ...marks, rawBlob: null, security: null }
    const changed = await updateEmail(tx, email, change, clock.now().toISOString())
    const growth = (await measureEmail(tx, email)) - sizeBefore
    await addToStorage(tx, email.userId, growth)
    if (growth > 0) await quota.requireSpace(tx, email.userId)
    await fullText.put(tx, position, email.userId, searchTextsOf({ ...changed, text: body.text }))
    if (email.rawBlob !== null) await blobs.release(tx, [email.rawBlob])
    await rejoinThread(tx, changed)
    return changed
  }

  /** Sanitizes the bodies of a new email. Call it outside a transaction: it may take seconds. */
  const prepare = (input: Pick<NewEmail, 'text' | 'html' | 'attachmentIds'>): Promise<Content> =>
    writer.prepareContent(toGivenContent(input), toInlineUploads(input.attachmentIds))

  return {
    prepare,

    /** Sanitizes the new bodies of a draft. Undefined if the bodies do not change. */
    async prepareChange(
      view: Db,
      userId: number,
      id: number,
      input: EmailChange,
    ): Promise<Content | undefined> {
      if (input.text === undefined && input.html === undefined) return undefined
      const existing = await listAttachments(view, userId, id)
      const added = (input.attachmentIds ?? []).filter((each) => !existing.some((known) => known.id === each))
      return writer.prepareContent(toGivenContent(input), [...existing, ...toInlineUploads(added)])
    },

    /** With `arrives`, the mail rules apply if the email goes to the inbox. */
    async create(
      tx: Db,
      userId: number,
      input: NewEmail,
      {
        arrives = false,
        content,
        followUpAt = null,
      }: { arrives?: boolean; content?: Content | undefined; followUpAt?: string | null } = {},
    ): Promise<WholeEmail> {
      const folder = input.folder ?? 'inbox'
      if (folder === 'other') throw invalidField('folder', 'cannot be other: only server folders are')
      if (!input.from && RECEIVED_FOLDERS.includes(folder)) throw invalidField('from', 'is required')
      if (input.accountId && !(await hasAccount(tx, userId, input.accountId)))
        throw invalidField('accountId', 'is not a mail account')
      const uploads = await getUploads(tx, userId, input.attachmentIds ?? [])
      const files = toFiledAttachments(uploads)
      const draft: Draft = {
        userId,
        accountId: input.accountId ?? null,
        messageId: readMessageId('messageId', input.messageId),
        folder,
        folderId: null,
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
        date: await readDate(userId, input.date),
        mailingList: null,
        security: null,
        tags: eachOnce(input.tags ?? [], tagKeyOf),
        ...NO_FLAGS,
        ...NO_REMINDERS,
        followUpAt,
        read: folder === 'sent' || folder === 'drafts',
        ...pickFlags(input),
        content: content ?? (await prepare(input)),
        attachments: files,
        raw: null,
      }
      const email = await writer.insert(tx, draft, {
        arrivedAt: arrives ? clock.now().toISOString() : null,
      })
      await attachUploads(tx, email, uploads)
      return email
    },

    /** Changes tags, flags and folders of any email, and all fields of a draft. */
    async change(
      tx: Db,
      email: EmailRecord,
      input: ResolvedChange,
      prepared?: Content | undefined,
    ): Promise<EmailRecord> {
      requireDraft(email, input)
      const isRewritten = listDraftFields(input).length > 0
      requireOutgoing(email, input)
      const marks = {
        ...toMarkColumns(input),
        ...toSnoozeFields(email, input),
        ...(await toReturnFields(tx, email, input)),
      }
      const isChanged = Object.entries(marks).some(
        ([name, value]) => email[name as keyof EmailRecord] !== value,
      )
      if (!isRewritten && !isChanged) return email
      const changed = isRewritten
        ? await saveDraftChange(tx, email, input, marks, prepared)
        : await updateEmail(tx, email, marks, clock.now().toISOString())
      for (const moment of [marks.snoozedUntil, marks.followUpAt]) await reminders.schedule(tx, moment)
      if (input.tags) await replaceTags(tx, changed, tagKeys(JSON.parse(changed.tags) as string[]))
      return changed
    },
  }
}
