import { sql } from 'kysely'
import Type from 'typebox'
import { recountStorage } from '../../database/account-storage.ts'
import type { Db } from '../../database/db.ts'
import { recountFolders } from '../../database/folder-tallies.ts'
import { instantAt } from '../../database/positions.ts'
import { accountTally, addToTally } from '../../database/tallies.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Ids, isId } from '../../platform/portable/references.ts'
import {
  added,
  blob,
  blobOrNull,
  entityColumns,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  jsonOrNull,
  oneOf,
  orNull,
  own,
  portable,
  text,
  textId,
  textIdOrNull,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { listAttachments } from './messages/attachment-repository.ts'
import { AddressSchema, Attachment, ColumnFields, tagKeys, type WholeEmail } from './messages/email.ts'
import {
  countStored,
  everyAttachment,
  everyComposedEmail,
  everyRawMessage,
  insertBody,
  insertImported,
  replaceFolders,
  replaceTags,
  TALLY,
} from './messages/email-repository.ts'
import { EmailSecurity } from './messages/email-security.ts'
import type { Emails } from './messages/emails.ts'
import type { MailReader } from './messages/mail-reader.ts'
import { FOLDERS } from './messages/search.ts'
import { type Address, toSubjectKey } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { type KeptEmail, writeMessage } from './outbox/compose.ts'
import { findReturnPosition } from './reminders/repository.ts'
import { RuleEffectsInput } from './rules/schema.ts'
import { templateRows } from './templates/templates.ts'
import { insertLinks, linksOf } from './threads/threads.ts'

const Addresses = Type.Array(AddressSchema)
const Texts = Type.Array(Type.String())

const ListOfMail = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.String({ maxLength: 200 }),
    unsubscribe: Type.Union([Type.Enum(['one-click', 'mail', 'page']), Type.Null()]),
  },
  { additionalProperties: false },
)

const FoldersOfMail = Type.Array(
  Type.Object(
    { id: Type.Integer({ minimum: 1 }), role: Type.Enum([...FOLDERS]) },
    { additionalProperties: false },
  ),
)

const UnreadableOfMail = Type.Object(
  { reason: Type.String({ maxLength: 1000 }), hasRaw: Type.Boolean() },
  { additionalProperties: false },
)

const emailRows = portable('emails', {
  file: 'emails.jsonl',
  columns: {
    ...entityColumns(ColumnFields, 'emails'),
    id: id('emails'),
    userId: own,
    position: integer,
    accountId: textIdOrNull('mail_accounts'),
    threadId: id('emails'),
    folderId: added(idOrNull('mail_folders'), null),
    otherFolders: added(jsonOrNull(FoldersOfMail, { '*.id': 'mail_folders' }), null),
    fromName: text,
    fromAddress: text,
    to: json(Addresses),
    cc: json(Addresses),
    bcc: json(Addresses),
    replyTo: json(Addresses),
    subjectKey: without(''),
    references: json(Texts),
    tags: json(Texts),
    attachments: json(Type.Array(Attachment), { '*.id': 'attachments' }),
    hasAttachments: without(0),
    analysis: jsonOrNull(Type.Object({})),
    urgency: textOrNull,
    deliveryStatus: textOrNull,
    deliveryError: textOrNull,
    deliveryAt: instantOrNull,
    rawBlob: blobOrNull,
    contentHash: added(textOrNull, null),
    mailingList: added(jsonOrNull(ListOfMail), null),
    listId: without(null),
    unreadable: added(jsonOrNull(UnreadableOfMail), null),
    readerVersion: added(textOrNull, null),
    readAttempts: without(0),
    pinned: added(flag, 0),
    returnedPosition: added(integerOrNull, null),
    returnReason: added(orNull(oneOf('snooze', 'follow-up')), null),
    security: added(jsonOrNull(EmailSecurity, { attachmentId: 'attachments' }), null),
    securityVersion: added(integer, 0),
    version: integer,
  },
  complete(row) {
    return {
      ...row,
      subjectKey: toSubjectKey(row.subject),
      hasAttachments: row.attachments === '[]' ? 0 : 1,
      listId: row.mailingList === null ? null : (JSON.parse(row.mailingList) as MailingList).id,
      // The other instance may have sent it meanwhile. Let the user decide.
      deliveryStatus: row.deliveryStatus === 'queued' ? 'uncertain' : row.deliveryStatus,
    }
  },
  async put(tx, given) {
    const returnedPosition =
      given.returnedPosition === null
        ? null
        : await findReturnPosition(tx, given.userId, instantAt(given.returnedPosition))
    const placed = { ...given, returnedPosition }
    const row = { ...placed, position: await insertImported(tx, placed) }
    await replaceTags(tx, row, tagKeys(JSON.parse(row.tags) as string[]))
    await replaceFolders(tx, row)
    await insertLinks(tx, row, linksOf(row))
  },
})

const ATTACHMENT_LINK = /((?:src|href)=")\/api\/emails\/(\d{1,15})\/attachments\/([\w-]+)/g

/** Links of sanitized HTML to the attachments of its email contain ids. */
const translateLinks = (html: string, ids: Ids): string =>
  html.replace(ATTACHMENT_LINK, (link, start: string, emailId: string, attachmentId: string) =>
    isId(Number(emailId))
      ? `${start}/api/emails/${ids.number('emails', Number(emailId))}/attachments/${ids.text('attachments', attachmentId)}`
      : link,
  )

const createBodies = ({ sanitizeKept }: Pick<MailReader, 'sanitizeKept'>) =>
  portable('email_bodies', {
    file: 'bodies.jsonl',
    of: (userId) => [
      sql<boolean>`${sql.ref('emailId')} in (select id from emails where ${sql.ref('userId')} = ${userId})`,
    ],
    columns: { emailId: id('emails'), text, html: textOrNull, htmlVersion: added(integer, 1) },
    translate: (row, ids) => ({ ...row, html: row.html === null ? null : translateLinks(row.html, ids) }),
    async put(tx, row) {
      const html = row.html === null ? null : await sanitizeKept(row.html, row.emailId)
      await insertBody(tx, row.emailId, { text: row.text, html, htmlVersion: row.htmlVersion })
    },
  })

const attachments = portable('attachments', {
  file: 'attachments.jsonl',
  columns: {
    id: textId('attachments'),
    userId: own,
    emailId: idOrNull('emails'),
    filename: text,
    contentType: text,
    size: integer,
    blob,
    contentId: textOrNull,
    createdAt: instant,
  },
})

const unsubscriptions = portable('unsubscriptions', {
  file: 'unsubscriptions.jsonl',
  isAdded: true,
  formerNames: { recipient: 'toldTo' },
  columns: {
    userId: own,
    listId: text,
    at: instant,
    by: oneOf('one-click', 'mail'),
    recipient: text,
    emailId: idOrNull('emails'),
  },
})

const rules = portable('mail_rules', {
  file: 'rules.jsonl',
  isAdded: true,
  columns: {
    id: id('mail_rules'),
    userId: own,
    name: text,
    enabled: flag,
    q: text,
    does: json(RuleEffectsInput, { folderId: 'mail_folders' }),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const createTemplates = ({ sanitizeKept }: Pick<MailReader, 'sanitizeKept'>) =>
  portable('mail_templates', {
    file: 'templates.jsonl',
    isAdded: true,
    columns: {
      id: id('mail_templates'),
      userId: own,
      name: text,
      subject: text,
      html: text,
      version: integer,
      createdAt: instant,
      updatedAt: instant,
    },
    async put(tx, row) {
      await templateRows.insert(tx, { ...row, html: await sanitizeKept(row.html, 0) })
    },
  })

const savedSearches = portable('saved_searches', {
  file: 'saved-searches.jsonl',
  isAdded: true,
  columns: {
    id: id('saved_searches'),
    userId: own,
    name: text,
    q: text,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

/** Replaces characters that are not allowed in file names. */
const fileNameOf = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_')
    .slice(0, 100)
    .toWellFormed()

/** Exports and imports mail: each email as JSON and as a message, and its attachments. */
export const createEmailsPart = (
  deps: Pick<Platform, 'blobs' | 'quota'> & {
    emails: Emails
    reader: MailReader
  },
): DataPart => {
  const { emails, blobs, reader, quota } = deps

  const toKeptEmail = async (view: Db, email: WholeEmail): Promise<KeptEmail> => {
    const attachments: KeptEmail['attachments'][number][] = []
    const files = await listAttachments(view, email.userId, email.id)
    for (const { id, filename, contentType, blob: hash } of files)
      attachments.push({ id, filename, contentType, content: await blobs.readWhole(view, hash) })
    const from = email.fromAddress === '' ? null : { name: email.fromName, address: email.fromAddress }
    const lists = { to: email.to, cc: email.cc, bcc: email.bcc, replyTo: email.replyTo }
    const people = Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, JSON.parse(list) as Address[]]),
    ) as Record<keyof typeof lists, Address[]>
    return { ...email, ...people, from, references: JSON.parse(email.references) as string[], attachments }
  }

  return {
    folder: 'mail',
    tables: [
      emailRows,
      createBodies(reader),
      attachments,
      unsubscriptions,
      rules,
      createTemplates(reader),
      savedSearches,
    ],
    others: ['email_tags', 'email_folders', 'email_links', 'email_words', 'blobs', 'blob_chunks'],

    files: {
      names: /^messages\/\d+\.eml$|^attachments\/[^/]+$/,
      async add(add, view, userId) {
        for await (const { id: emailId, rawBlob } of everyRawMessage(view, userId))
          await add(`messages/${emailId}.eml`, blobs.read(view, rawBlob))
        for await (const email of everyComposedEmail(view, userId))
          await add(`messages/${email.id}.eml`, [await writeMessage(await toKeptEmail(view, email))])
        for await (const { id: fileId, filename, blob: hash } of everyAttachment(view, userId))
          await add(`attachments/${fileId}-${fileNameOf(filename)}`, blobs.read(view, hash))
      },
    },

    async afterImport(tx, { userId }) {
      await addToTally(tx, accountTally(TALLY, userId), await countStored(tx, userId))
      await recountFolders(tx, userId)
      await emails.indexAccount(tx, userId)
      await emails.eraseSystemMail(tx, userId)
      await recountStorage(tx, userId)
      await quota.requireSpace(tx, userId)
    },

    leave: (tx, userId) => emails.eraseAccount(tx, userId),

    wipe: (tx) => emails.wipe(tx),
  }
}
