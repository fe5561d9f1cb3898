import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { addToTally } from '../../database/tallies.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
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
  json,
  jsonOrNull,
  oneOf,
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { listAttachments } from './attachment-store.ts'
import type { Composing } from './composing.ts'
import { tagKeys } from './draft.ts'
import type { Emails } from './emails.ts'
import type { MailReader } from './mail-reader.ts'
import type { Address } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { subjectKeyOf } from './mime/subjects.ts'
import { type KeptEmail, writeMessage } from './mime/written-message.ts'
import { insertBody } from './placing-store.ts'
import { Deeds } from './rules/schema.ts'
import { sampleMails, sampleNewsletter } from './sample-mails.ts'
import { keptTextOf } from './shown-email.ts'
import {
  everyAttachment,
  everyMadeEmail,
  everyRawMessage,
  replaceTags,
  TALLY,
  UNLISTED,
  type WholeEmail,
} from './store.ts'
import { insertLinks } from './thread-store.ts'
import { linksOf } from './threads.ts'

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

const emailRows = portable('emails', {
  file: 'emails.jsonl',
  columns: {
    ...{ id, position: integer, accountId: textOrNull, messageId: textOrNull, threadId: id },
    ...{ folder: oneOf('inbox', 'sent', 'drafts', 'archive', 'trash'), fromName: text, fromAddress: text },
    ...{ to: json(Addresses), cc: json(Addresses), bcc: json(Addresses), replyTo: json(Addresses) },
    ...{ subject: text, subjectKey: without(''), inReplyTo: textOrNull, references: json(Texts) },
    ...{ snippet: text, date: instant, tags: json(Texts), read: flag, starred: flag },
    ...{ attachments: json(Attached), hasAttachments: without(0), analysis: jsonOrNull(Type.Object({})) },
    ...{ urgency: textOrNull, deliveryStatus: textOrNull, deliveryError: textOrNull },
    ...{ deliveryAt: instantOrNull, rawBlob: blobOrNull, shown: without('') },
    ...{ mailingList: added(jsonOrNull(ListOfMail), null), listId: without(null) },
    ...{ version: integer, createdAt: instant, updatedAt: instant },
  },
  complete(row) {
    const whole = {
      ...row,
      subjectKey: subjectKeyOf(row.subject),
      hasAttachments: row.attachments === '[]' ? 0 : 1,
      listId: row.mailingList === null ? null : (JSON.parse(row.mailingList) as MailingList).id,
      // Nobody here knows whether it went out from there meanwhile: a person decides.
      deliveryStatus: row.deliveryStatus === 'queued' ? 'uncertain' : row.deliveryStatus,
    }
    return { ...whole, shown: keptTextOf(whole) }
  },
  async put(tx, row) {
    await tx.insertInto('emails').values(row).execute()
    await replaceTags(tx, row, tagKeys(JSON.parse(row.tags) as string[]))
    await insertLinks(tx, row.id, linksOf(row))
  },
})

const createBodies = ({ sanitiseKept }: Pick<MailReader, 'sanitiseKept'>) =>
  portable('email_bodies', {
    file: 'bodies.jsonl',
    columns: { emailId: id, text, html: textOrNull },
    async put(tx, row) {
      const html = row.html === null ? null : await sanitiseKept(row.html, row.emailId)
      await insertBody(tx, row.emailId, { text: row.text, html })
    },
  })

const attachments = portable('attachments', {
  file: 'attachments.jsonl',
  columns: {
    ...{ id: text, emailId: idOrNull, filename: text, contentType: text, size: integer },
    ...{ blob, contentId: textOrNull, createdAt: instant },
  },
})

const unsubscriptions = portable('unsubscriptions', {
  file: 'unsubscriptions.jsonl',
  isAdded: true,
  columns: {
    ...{ listId: text, at: instant, by: oneOf('one-click', 'mail'), toldTo: text },
    emailId: idOrNull,
  },
})

const rules = portable('mail_rules', {
  file: 'rules.jsonl',
  isAdded: true,
  columns: {
    ...{ id, name: text, enabled: flag, q: text, does: json(Deeds) },
    ...{ version: integer, createdAt: instant, updatedAt: instant },
  },
})

/** One that any program may make a file of. */
const fileNameOf = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_')
    .slice(0, 100)
    .toWellFormed()

/** Mail in what is done with all data at once: each e-mail as JSON and as a message, and its files. */
export const createEmailsPart = (deps: {
  emails: Emails
  composing: Composing
  blobs: Blobs
  reader: MailReader
}): DataPart => {
  const { emails, composing, blobs, reader } = deps

  const keptOf = async (view: Db, email: WholeEmail): Promise<KeptEmail> => {
    const attachments: KeptEmail['attachments'][number][] = []
    for (const { filename, contentType, blob: hash } of await listAttachments(view, email.id))
      attachments.push({ filename, contentType, content: await blobs.readWhole(view, hash) })
    const from = email.fromAddress === '' ? null : { name: email.fromName, address: email.fromAddress }
    const lists = { to: email.to, cc: email.cc, bcc: email.bcc, replyTo: email.replyTo }
    const people = Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, JSON.parse(list) as Address[]]),
    ) as Record<keyof typeof lists, Address[]>
    return { ...email, ...people, from, references: JSON.parse(email.references) as string[], attachments }
  }

  return {
    folder: 'mail',
    tables: [emailRows, createBodies(reader), attachments, unsubscriptions, rules],
    others: ['email_tags', 'email_links', 'email_words', 'blobs', 'blob_chunks'],

    files: {
      names: /^messages\/\d+\.eml$|^attachments\/[^/]+$/,
      async add(add, view) {
        for await (const { id: emailId, rawBlob } of everyRawMessage(view))
          await add(`messages/${emailId}.eml`, blobs.read(view, rawBlob))
        for await (const email of everyMadeEmail(view))
          await add(`messages/${email.id}.eml`, [await writeMessage(await keptOf(view, email))])
        for await (const { id: fileId, filename, blob: hash } of everyAttachment(view))
          await add(`attachments/${fileId}-${fileNameOf(filename)}`, blobs.read(view, hash))
      },
    },

    async afterImport(tx) {
      const { count, last } = await tx
        .selectFrom('emails')
        .select((row) => [row.fn.countAll<number>().as('count'), row.fn.max('id').as('last')])
        .executeTakeFirstOrThrow()
      await addToTally(tx, TALLY, Number(count))
      await addToTally(tx, UNLISTED, Number(last))
      await emails.reindex(tx)
    },

    wipe: (tx) => emails.wipe(tx),

    async fillSample(tx, { now, mark }) {
      for (const mail of sampleMails(now)) {
        const { id: emailId } = await composing.create(tx, mail)
        await mark('email', emailId)
      }
      const newsletter = await emails.importStaged(await emails.stage(sampleNewsletter(now)))
      await emails.change(newsletter.id, { tags: ['newsletter'] }, undefined)
      await mark('email', newsletter.id)
    },

    async removeSample(tx, marked) {
      for (const reference of await marked('email')) await emails.remove(tx, Number(reference))
    },
  }
}
