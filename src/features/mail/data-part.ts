import { sql } from 'kysely'
import Type from 'typebox'
import { recountStorage } from '../../database/account-storage.ts'
import type { Db } from '../../database/db.ts'
import { recountFolders } from '../../database/folder-tallies.ts'
import { instantAt } from '../../database/positions.ts'
import { accountTally, addToTally } from '../../database/tallies.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { type Ids, isId } from '../../platform/portable/references.ts'
import {
  added,
  blob,
  blobOrNull,
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
import type { StorageQuota } from '../../platform/storage-quota.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { listAttachments } from './attachment-repository.ts'
import { mapFlags, tagKeys, type WholeEmail } from './email.ts'
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
  UNLISTED,
} from './email-repository.ts'
import { EmailSecurity } from './email-security.ts'
import type { EmailEditor } from './email-writer.ts'
import type { Emails } from './emails.ts'
import type { MailReader } from './mail-reader.ts'
import { type Address, toSubjectKey } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { type KeptEmail, writeMessage } from './outbox/compose.ts'
import { findReturnPosition } from './reminder-repository.ts'
import { RuleEffectsInput } from './rules/schema.ts'
import type { NewEmail } from './schema.ts'
import { FOLDERS } from './search.ts'
import { insertTemplate } from './templates/repository.ts'
import { insertLinks, linksOf } from './threads.ts'

const DAY_MS = 86_400_000
const ME = 'Robin Sample <robin@sample.example>'

interface SampleMail extends Omit<NewEmail, 'date' | 'to'> {
  daysAgo: number
  /** Time of day in UTC. */
  at: `${number}:${number}`
  to?: string[]
}

const MAILS: readonly SampleMail[] = [
  {
    daysAgo: 6,
    at: '08:14',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Drawings for the Lindenhof extension',
    text: 'Good morning Robin,\n\nthe drawings for the extension are done. Could you look at the ground floor before Friday? The client wants to decide about the staircase.\n\nBest,\nInes',
    messageId: 'sample-1@falk-architekten.example',
    tags: ['work', 'lindenhof'],
    read: true,
  },
  {
    daysAgo: 6,
    at: '09:40',
    folder: 'sent',
    from: ME,
    to: ['Ines Falk <ines@falk-architekten.example>'],
    subject: 'Re: Drawings for the Lindenhof extension',
    text: 'Hi Ines,\n\nI like them a lot. The staircase is too steep for my taste: can we turn it by 90 degrees? Let us talk on Thursday at 10:00. I will send you the photos of the old stairs tomorrow.\n\nRobin',
    messageId: 'sample-2@sample.example',
    inReplyTo: 'sample-1@falk-architekten.example',
    tags: ['lindenhof'],
  },
  {
    daysAgo: 5,
    at: '07:02',
    from: 'Stadtwerke Service <service@stadtwerke.example>',
    subject: 'Your invoice 2231-04 is due on the 28th',
    text: 'Dear customer,\n\nyour invoice over 84.20 EUR is due on the 28th. Please transfer the amount with the reference 2231-04.\n\nStadtwerke',
    tags: ['bills'],
    read: true,
  },
  {
    daysAgo: 4,
    at: '12:31',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Re: Drawings for the Lindenhof extension',
    text: 'Turning it works, see sheet 3. Thursday at 10:00 suits me. I will bring the model.\n\nInes\n\nOn Monday Robin Sample <robin@sample.example> wrote:\n> The staircase is too steep for my taste: can we turn it by 90 degrees?',
    messageId: 'sample-3@falk-architekten.example',
    inReplyTo: 'sample-2@sample.example',
    references: ['sample-1@falk-architekten.example', 'sample-2@sample.example'],
    tags: ['work', 'lindenhof'],
    starred: true,
  },
  {
    daysAgo: 3,
    at: '18:20',
    from: 'Tom <tom@choir.example>',
    subject: 'Choir: no rehearsal next week',
    text: 'Dear all,\n\nthe hall is being painted, so there is no rehearsal next Tuesday. We go on a week later, at seven as always.\n\nTom',
    tags: ['choir'],
    read: true,
    folder: 'archive',
  },
  {
    daysAgo: 1,
    at: '10:05',
    from: 'Marta Nowak <marta@nowak-legal.example>',
    subject: 'URGENT: signature needed today',
    text: 'Robin,\n\nthe notary needs your signature by 17:00 today, otherwise the appointment on Monday falls through. Can you come by, or shall I send a courier?\n\nMarta',
    tags: ['work'],
    starred: true,
  },
  {
    daysAgo: 1,
    at: '16:44',
    from: 'Mum <heidi@sample.example>',
    subject: 'Sunday lunch?',
    text: 'Are you coming on Sunday? I am making the dumplings. Half past twelve. Bring the photos from the lake!',
    tags: ['family'],
  },
  {
    daysAgo: 0,
    at: '05:30',
    from: 'Ines Falk <ines@falk-architekten.example>',
    subject: 'Minutes of Thursday, and two open points',
    text: 'Hi Robin,\n\nminutes below. Open: (1) you ask the client about the window seat by Wednesday, (2) I get an offer for the oak. I will send it to you by the end of next week.\n\nShall we meet again next Thursday at 10:00?\n\nInes',
    tags: ['work', 'lindenhof'],
  },
  {
    daysAgo: 0,
    at: '06:10',
    folder: 'drafts',
    from: ME,
    to: ['Mum <heidi@sample.example>'],
    subject: 'Re: Sunday lunch?',
    text: 'Of course! I will be there at',
  },
]

const dateOf = ({ daysAgo, at }: Pick<SampleMail, 'daysAgo' | 'at'>, now: Date): Date => {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const day = new Date(now.getTime() - daysAgo * DAY_MS)
  day.setUTCHours(hours, minutes, 0, 0)
  return new Date(Math.min(day.getTime(), now.getTime()))
}

/** Returns a week of sample mail up to `now`. */
const sampleMails = (now: Date): NewEmail[] =>
  MAILS.map(({ daysAgo, at, to = [ME], ...mail }) => ({
    ...mail,
    to,
    date: dateOf({ daysAgo, at }, now).toISOString(),
  }))

/** Builds a raw message, because only its header can name a mailing list. */
const sampleNewsletter = (now: Date): Buffer =>
  Buffer.from(
    [
      'From: The Weekly Loom <news@weeklyloom.example>',
      `To: ${ME}`,
      'Subject: Seven small things worth reading',
      `Date: ${dateOf({ daysAgo: 2, at: '06:55' }, now).toUTCString()}`,
      'Message-ID: <sample-4@weeklyloom.example>',
      'List-Id: The Weekly Loom <loom.weeklyloom.example>',
      'List-Unsubscribe: <https://weeklyloom.example/leave/robin>',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<h1>Seven small things</h1>',
      '<p>This week: how lighthouses were staffed, a bakery that opens at night, and',
      '<a href="https://weeklyloom.example/maps">a map of smells</a>.</p>',
      '',
    ].join('\r\n'),
  )

const Addresses = Type.Array(Type.Object({ name: Type.String(), address: Type.String() }))
const Texts = Type.Array(Type.String())
const Attached = Type.Array(
  Type.Object({
    id: Type.String(),
    filename: Type.String(),
    contentType: Type.String(),
    size: Type.Integer({ minimum: 0 }),
  }),
)

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

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

const emailRows = portable('emails', {
  file: 'emails.jsonl',
  of: ofUser,
  columns: {
    id: id('emails'),
    userId: own,
    position: integer,
    accountId: textIdOrNull('mail_accounts'),
    messageId: textOrNull,
    threadId: id('emails'),
    folder: oneOf(...FOLDERS),
    folderId: added(idOrNull('mail_folders'), null),
    otherFolders: added(jsonOrNull(FoldersOfMail, { '*.id': 'mail_folders' }), null),
    fromName: text,
    fromAddress: text,
    to: json(Addresses),
    cc: json(Addresses),
    bcc: json(Addresses),
    replyTo: json(Addresses),
    subject: text,
    subjectKey: without(''),
    inReplyTo: textOrNull,
    references: json(Texts),
    snippet: text,
    date: instant,
    tags: json(Texts),
    ...mapFlags(() => flag),
    attachments: json(Attached, { '*.id': 'attachments' }),
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
    snoozedUntil: added(instantOrNull, null),
    followUpAt: added(instantOrNull, null),
    pinned: added(flag, 0),
    returnedPosition: added(integerOrNull, null),
    returnReason: added(orNull(oneOf('snooze', 'follow-up')), null),
    security: added(jsonOrNull(EmailSecurity, { attachmentId: 'attachments' }), null),
    securityVersion: added(integer, 0),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
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

const createBodies = ({ sanitiseKept }: Pick<MailReader, 'sanitiseKept'>) =>
  portable('email_bodies', {
    file: 'bodies.jsonl',
    of: (userId) => [
      sql<boolean>`${sql.ref('emailId')} in (select id from emails where ${sql.ref('userId')} = ${userId})`,
    ],
    columns: { emailId: id('emails'), text, html: textOrNull, htmlVersion: added(integer, 1) },
    translate: (row, ids) => ({ ...row, html: row.html === null ? null : translateLinks(row.html, ids) }),
    async put(tx, row) {
      const html = row.html === null ? null : await sanitiseKept(row.html, row.emailId)
      await insertBody(tx, row.emailId, { text: row.text, html, htmlVersion: row.htmlVersion })
    },
  })

const attachments = portable('attachments', {
  file: 'attachments.jsonl',
  of: ofUser,
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
  of: ofUser,
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
  of: ofUser,
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

const createTemplates = ({ sanitiseKept }: Pick<MailReader, 'sanitiseKept'>) =>
  portable('mail_templates', {
    file: 'templates.jsonl',
    isAdded: true,
    of: ofUser,
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
      await insertTemplate(tx, { ...row, html: await sanitiseKept(row.html, 0) })
    },
  })

const savedSearches = portable('saved_searches', {
  file: 'saved-searches.jsonl',
  isAdded: true,
  of: ofUser,
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
export const createEmailsPart = (deps: {
  emails: Emails
  editor: EmailEditor
  blobs: Blobs
  reader: MailReader
  quota: StorageQuota
}): DataPart => {
  const { emails, editor, blobs, reader, quota } = deps

  const toKeptEmail = async (view: Db, email: WholeEmail): Promise<KeptEmail> => {
    const attachments: KeptEmail['attachments'][number][] = []
    for (const { id, filename, contentType, blob: hash } of await listAttachments(
      view,
      email.userId,
      email.id,
    ))
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

    async afterImport(tx, { userId, keepsIds }) {
      const { count, last } = await countStored(tx, userId)
      await addToTally(tx, accountTally(TALLY, userId), count)
      // The search for mailing lists starts at this id and covers all accounts, so it starts only in a new instance.
      if (keepsIds) await addToTally(tx, UNLISTED, last)
      await recountFolders(tx, userId)
      await emails.indexAccount(tx, userId)
      await emails.eraseSystemMail(tx, userId)
      await recountStorage(tx, userId)
      await quota.requireSpace(tx, userId)
    },

    leave: (tx, userId) => emails.eraseAccount(tx, userId),

    wipe: (tx) => emails.wipe(tx),

    async fillSample(tx, { userId, now, mark }) {
      for (const mail of sampleMails(now)) {
        const { id: emailId } = await editor.create(tx, userId, mail)
        await mark('email', emailId)
      }
      const newsletter = await emails.importStaged(userId, await emails.stage(sampleNewsletter(now)))
      await emails.change(userId, newsletter.id, { tags: ['newsletter'] }, undefined)
      await mark('email', newsletter.id)
    },

    async removeSample(tx, { userId, marked, isLeaving }) {
      for (const reference of await marked('email')) {
        const ownerId = await emails.ownerOf(tx, Number(reference))
        if (ownerId === userId) await emails.remove(tx, userId, Number(reference))
      }
      if (isLeaving) await emails.eraseAccount(tx, userId)
    },
  }
}
