import type { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import { addToTally, clearTally, readTally, settleTally } from '../../database/tallies.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Attachments } from './attachments.ts'
import type { Composing } from './composing.ts'
import { type Content, searchTextsOf } from './content.ts'
import type { Draft } from './draft.ts'
import type { Filing, StagedMessage } from './filing.ts'
import { changeBetween, createMailFiling, filedOf } from './mail-filing.ts'
import type { EmailChange, NewEmail } from './schema.ts'
import { emailTextOf, type ShownEmail, shownOf, viewOf, type Whole } from './shown-email.ts'
import {
  deleteEverything,
  type EmailRecord,
  ERASED,
  everyEmail,
  findEmail,
  findShown,
  listThread,
  lockEmail,
  TALLY,
  TIDIED,
  TIDIED_SIZE,
  UNLISTED,
} from './store.ts'
import type { EmailView } from './view.ts'

export interface EmailsDeps {
  db: Db
  clock: Clock
  blobs: Blobs
  fullText: FullText
  filing: Filing
  composing: Composing
  attachments: Attachments
  findLists: () => Promise<void>
}

export type Emails = ReturnType<typeof createEmails>

const HOUR_MS = 3_600_000
const PARTS = 256
/** To rewrite the index takes a second for so many: it is done the less often the more there are, but every day. */
const TIDIED_IN_A_SECOND = 20_000
const RAREST_TIDY_HOURS = 24
/** An index that has grown so much since is in many parts by now, and each search looks into all of them. */
const GROWN = 1.5
const FEW = 5_000

export const createEmails = (deps: EmailsDeps) => {
  const { db, clock, blobs, fullText, filing, composing, attachments, findLists } = deps
  const mailFiling = createMailFiling({ blobs, clock, filing })

  const get = async (view: Db, id: number): Promise<Whole> => {
    const email = await findShown(view, id)
    if (!email) throw notFound('e-mail')
    return email
  }

  const lock = async (tx: Db, id: number, ifMatch: string | undefined): Promise<EmailRecord> => {
    const email = await lockEmail(tx, id)
    if (!email) throw notFound('e-mail')
    requireMatch(ifMatch, { id, version: email.version })
    return email
  }

  /** An index of words forgets at once, but wipes itself only as it is rewritten: what was deleted must not lie there. */
  const tidyWords = async (): Promise<void> => {
    const hour = Math.floor(clock.now().getTime() / HOUR_MS)
    const total = await readTally(db, TALLY)
    const isGrown = total > GROWN * (await readTally(db, TIDIED_SIZE)) + FEW
    if (!isGrown && (await readTally(db, ERASED)) === 0) return
    const hours = Math.min(RAREST_TIDY_HOURS, Math.ceil(total / TIDIED_IN_A_SECOND))
    if (hour - (await readTally(db, TIDIED)) < hours) return
    while (await inTransaction(db, (tx) => fullText.tidy(tx)));
    await inTransaction(db, async (tx) => {
      for (const name of [ERASED, TIDIED, TIDIED_SIZE]) await clearTally(tx, name)
      await addToTally(tx, TIDIED, hour)
      await addToTally(tx, TIDIED_SIZE, total)
    })
  }

  return {
    ...mailFiling,

    get: async (id: number, view: Db = db): Promise<EmailView> => viewOf(await get(view, id)),

    /** Whether there is such an e-mail; it stays until the transaction ends. */
    hold: async (tx: Db, id: number): Promise<boolean> => (await lockEmail(tx, id)) !== undefined,

    show: async (id: number): Promise<ShownEmail> => shownOf(await get(db, id)),

    /** The bodies for `add` and `create`; best outside a transaction, for it may take seconds. */
    prepare: composing.prepare,

    async add(wish: NewEmail, prepared?: Content): Promise<ShownEmail> {
      const content = prepared ?? (await composing.prepare(wish))
      return inTransaction(db, async (tx) =>
        shownOf(await composing.create(tx, wish, { arrives: true, content })),
      )
    },

    /** For a transaction that goes on to do something with it, such as to send it. */
    async create(wish: NewEmail, prepared?: Content): Promise<EmailView> {
      const content = prepared ?? (await composing.prepare(wish))
      return inTransaction(db, async (tx) => viewOf(await composing.create(tx, wish, { content })))
    },

    /** Reads a message; best outside a transaction. What comes of it is imported, or discarded. */
    stage: (raw: Buffer): Promise<StagedMessage> => filing.stage(raw),

    /** Keeps a message as it came, whatever could be made of it. */
    async importStaged(staged: StagedMessage): Promise<ShownEmail> {
      try {
        const { message, content, attachments: parts } = staged
        const now = clock.now()
        const draft: Draft = {
          ...message,
          ...{ content, attachments: parts, raw: staged.raw, tags: [], accountId: null },
          ...{ folder: 'inbox', read: false, starred: false },
          date: (message.date ?? now).toISOString(),
        }
        const whole = await inTransaction(db, (tx) => filing.insert(tx, draft, now.toISOString()))
        return shownOf(whole)
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    async change(id: number, wish: EmailChange, ifMatch: string | undefined): Promise<ShownEmail> {
      const content = await composing.prepareChange(readingIn(db), id, wish)
      return inTransaction(db, async (tx) => {
        const email = await lock(tx, id, ifMatch)
        const changed = await composing.change(tx, email, wish, content)
        const change = changeBetween(filedOf(email), filedOf(changed))
        if (change) await mailFiling.tell(tx, change)
        return shownOf(await get(tx, id))
      })
    },

    /** Every trace of it is gone when this returns, its attachments too where nothing else has the same. */
    async delete(id: number, ifMatch: string | undefined): Promise<void> {
      await inTransaction(db, async (tx) => {
        const email = await lock(tx, id, ifMatch)
        await filing.erase(tx, email)
        const before = filedOf(email)
        await mailFiling.tell(tx, { kind: 'removed', email: before, before })
      })
      await blobs.settled()
    },

    /** The answer's JSON. */
    async thread(id: number, { limit, cursor }: PageRequest): Promise<string> {
      const email = await findEmail(db, id)
      if (!email) throw notFound('e-mail')
      const after = readCursor(cursor, 'integer')?.[0]
      const rows = await listThread(db, email.threadId, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, (row) => [row.position])
      return `{"emails":[${page.map(emailTextOf).join()}],"nextCursor":${JSON.stringify(nextCursor)}}`
    },

    openAttachment: (id: number, attachmentId: string) => attachments.open(db, id, attachmentId),

    async openRaw(id: number): Promise<{ content: Readable; hash: string }> {
      const email = await findEmail(db, id)
      if (!email?.rawBlob) throw notFound(email ? 'raw message: it did not come as one' : 'e-mail')
      return { content: blobs.read(db, email.rawBlob), hash: email.rawBlob }
    },

    /** Removes what nobody came for, and what crashes have left; finds lists that are not known yet. A 256th part of the place is looked through each time. */
    async prune(): Promise<void> {
      await attachments.prune()
      await findLists()
      for (const name of [TALLY, ERASED, UNLISTED]) await settleTally(db, name)
      await tidyWords()
      await blobs.sweep(Math.floor(clock.now().getTime() / HOUR_MS), PARTS)
    },

    /** Makes the index of words anew, as after a restore. */
    async reindex(tx: Db): Promise<void> {
      await fullText.clear(tx)
      for await (const email of everyEmail(tx)) await fullText.put(tx, email.position, searchTextsOf(email))
    },

    /** Removes everything; the bytes go soon after the commit. */
    async wipe(tx: Db): Promise<void> {
      await fullText.clear(tx)
      await deleteEverything(tx)
      await blobs.releaseUnused(tx)
    },
  }
}
