import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Database } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { readSequences } from '../../../database/schema-info.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../../platform/access/caller.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import type { Clock } from '../../../platform/clock.ts'
import { forbidden } from '../../../platform/errors.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Random } from '../../../platform/random.ts'
import type { ZipSource, ZipWriter } from '../../../platform/zip/writer.ts'
import type { Activity } from '../../auth/activity.ts'
import type { Passwords } from '../../auth/passwords.ts'
import { findOwner, findUser } from '../../auth/repository.ts'
import { hasOtherAccounts } from '../administration/repository.ts'
import { ACCOUNT_MARK, insertSampleAccount, SAMPLE_EMAIL } from './accounts-part.ts'
import {
  ABOUT,
  type AddFile,
  type DataPart,
  FORMAT,
  fileOf,
  MANIFEST,
  type Manifest,
  type MarkedSample,
  README,
  SUMS,
  VERSION,
} from './parts.ts'
import { dayNumber, fillDays, SAMPLE_ZONE, type SampleDay } from './sample/content.ts'

export interface SampleDeps {
  db: Db
  clock: Clock
  random: Random
  passwords: Passwords
  activity: Activity
  parts: readonly DataPart[]
}

export type SampleData = ReturnType<typeof createSampleData>

const listMarks = (tx: Db, userId: number): Promise<{ kind: string; reference: string }[]> =>
  tx.selectFrom('samples').select(['kind', 'reference']).where('userId', '=', userId).execute()

const listSampleAccounts = async (tx: Db): Promise<number[]> => {
  const rows = await tx
    .selectFrom('samples')
    .select('userId')
    .where('kind', '=', ACCOUNT_MARK)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** The language of the system, for the sample: German or English. */
const systemLanguage = (): 'de' | 'en' =>
  new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de' : 'en'

/** Sample data for a week. Every row is marked, so that one call can remove the sample. */
export const createSampleData = ({ db, clock, random, passwords, activity, parts }: SampleDeps) => ({
  /** Fills an empty instance. Returns null for one that has accounts. */
  async fill(language = systemLanguage()): Promise<{ email: string; password: string } | null> {
    const { content } = await (language === 'de' ? import('./sample/de.ts') : import('./sample/en.ts'))
    const password = random.bytes(9).toString('base64url')
    const passwordHash = await passwords.hash(password)
    return inTransaction(db, async (tx) => {
      if (await findOwner(tx)) return null
      const now = clock.now()
      const userId = await insertSampleAccount(tx, { now, passwordHash, content })
      const mark = async (kind: string, reference: string | number): Promise<void> => {
        await tx
          .insertInto('samples')
          .values({ userId, kind, reference: String(reference) })
          .execute()
      }
      const sample = {
        userId,
        now,
        zone: SAMPLE_ZONE,
        content,
        dayOf: (day: SampleDay) => dayNumber(day, now),
        textOf: (text: string) => fillDays(text, now, content.locale),
        mark,
      }
      for (const part of parts) await part.fillSample?.(tx, sample)
      return { email: SAMPLE_EMAIL, password }
    })
  },

  /**
   * Removes the sample and nothing else: the sample account, and marked rows that the caller has imported. This ends the
   * sessions of the sample account.
   */
  remove: ({ userId, isOwner }: Pick<SessionCaller, 'userId' | 'isOwner'>, visit: Visit): Promise<void> =>
    inTransaction(db, async (tx) => {
      const samples = await listSampleAccounts(tx)
      const hasOwn = (await listMarks(tx, userId)).length > 0
      // The first real account removes a sample account that owns the instance, and becomes the owner.
      const owner = await findOwner(tx)
      const mayRemoveAccount = isOwner || (owner !== undefined && samples.includes(owner.id))
      if (!mayRemoveAccount && !hasOwn) throw forbidden('Only the owner of this instance may do this.')
      const accounts = new Set([...(mayRemoveAccount ? samples : []), ...(hasOwn ? [userId] : [])])
      // A sample account that is the only one becomes the local account, and keeps what was added to it.
      const areLeaving = await hasOtherAccounts(tx, samples)
      for (const account of accounts) {
        const marks = await listMarks(tx, account)
        const sample: MarkedSample = {
          userId: account,
          marked: async (kind) => marks.flatMap((mark) => (mark.kind === kind ? [mark.reference] : [])),
          isLeaving: areLeaving && samples.includes(account),
        }
        for (const part of parts.toReversed()) await part.removeSample?.(tx, sample)
        await tx.deleteFrom('samples').where('userId', '=', account).execute()
      }
      if (await findUser(tx, userId)) await activity.record(tx, userId, visit, 'sample_data.removed')
    }),
})

const PAGE = 64 * 1024

/** Yields the rows as JSON lines, in pages. */
async function* linesOf(rows: AsyncIterable<unknown>, counted: () => void): AsyncGenerator<string> {
  let page = ''
  for await (const row of rows) {
    counted()
    page += `${JSON.stringify(row)}\n`
    if (page.length < PAGE) continue
    yield page
    page = ''
  }
  if (page !== '') yield page
}

/** Computes the checksum of each file while it is written. */
const createSums = (zip: ZipWriter) => {
  const lines: string[] = []
  const add: AddFile = async (name, source) => {
    const sum = createHash('sha256')
    const summed = async function* (): AsyncGenerator<string | Buffer> {
      for await (const chunk of source as AsyncIterable<string | Buffer>) {
        sum.update(chunk)
        yield chunk
      }
    }
    await zip.add(name, summed() as ZipSource)
    lines.push(`${sum.digest('hex')}  ${name}\n`)
  }
  return { add, lines }
}

const sumOf = (lines: readonly string[]): string => {
  const sum = createHash('sha256')
  for (const line of lines) sum.update(line)
  return sum.digest('hex')
}

export interface ExportDeps {
  database: Database
  blobs: Pick<Blobs, 'withoutRemovals'>
  clock: Clock
  log: Logger
  version: string
  parts: readonly DataPart[]
}

/**
 * Exports all data of a person as one zip, from one snapshot. The zip is streamed: memory holds only a page
 * of rows and a chunk of a file.
 */
export const createExport = ({ database, blobs, clock, log, version, parts }: ExportDeps) => {
  const addEverything = async (zip: ZipWriter, view: Db, userId: number): Promise<void> => {
    const { add, lines } = createSums(zip)
    const rows: Record<string, number> = {}
    await add(README, [ABOUT])
    for (const part of parts)
      for (const table of part.tables) {
        const name = fileOf(part, table)
        rows[name] = 0
        await add(
          name,
          linesOf(table.rows(view, userId), () => {
            rows[name] = (rows[name] ?? 0) + 1
          }),
        )
      }
    for (const { folder, files } of parts)
      await files?.add((name, source) => add(`${folder}/${name}`, source), view, userId)
    const given = await readSequences(view, database.engine)
    const restored = parts.flatMap(({ tables }) =>
      tables.flatMap((one) => (one.isRestored ? [one.table] : [])),
    )
    const sequences = Object.fromEntries(
      restored.flatMap((table) => (given[table] === undefined ? [] : [[table, given[table]]])),
    )
    const manifest: Manifest = {
      format: FORMAT,
      version: VERSION,
      madeBy: version,
      madeAt: clock.now().toISOString(),
      rows,
      files: lines.length,
      sequences,
      sums: sumOf(lines),
    }
    await zip.add(SUMS, lines)
    await zip.add(MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
    await zip.end()
  }

  return (userId: number): Readable => {
    const sent = new PassThrough()
    const write = async (): Promise<void> => {
      // Loaded lazily, to keep the start of the server fast.
      const { createZipWriter } = await import('../../../platform/zip/writer.ts')
      const writeSnapshot = async (view: Db): Promise<void> => {
        const zip = createZipWriter(sent, clock.now())
        try {
          await addEverything(zip, view, userId)
        } finally {
          zip.abandon()
        }
      }
      await blobs.withoutRemovals(() => database.snapshot(writeSnapshot))
    }
    write().catch((error: unknown) => {
      // A client that disconnects is not an error. In both cases the zip must not look complete.
      if (!sent.destroyed) log.error({ err: error }, 'export failed')
      sent.destroy(error instanceof Error ? error : undefined)
    })
    return sent
  }
}

export type Export = ReturnType<typeof createExport>
