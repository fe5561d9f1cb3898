import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { latestMigration, migrations } from '../../database/migrate.ts'
import type { PlainRow } from '../../database/table-pages.ts'
import { linesOf } from '../../platform/zip/lines.ts'
import {
  BLOBS,
  blobOf,
  JOBS,
  MANIFEST,
  Manifest,
  SECRET,
  SEQUENCES,
  tableEntry,
  tableOf,
  VERSION,
} from '../backup/manifest.ts'
import { CommandError } from '../command.ts'
import { messageOf } from '../failure.ts'
import type { ArchiveReader } from './archive.ts'

const LONGEST_LINE = 64 * 1024 * 1024

const Row = Compile(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])))
const Job = Type.Object({
  name: Type.String(),
  payload: Type.Unknown(),
  runAt: Type.String({ format: 'date-time' }),
  key: Type.Union([Type.String(), Type.Null()]),
  state: Type.Enum(['waiting', 'running', 'parked']),
  error: Type.Union([Type.String(), Type.Null()]),
})
const JobCheck = Compile(Job)
const Sequences = Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const SequencesCheck = Compile(Sequences)
const ManifestCheck = Compile(Manifest)

export type CopiedJob = Static<typeof Job>

/** What a backup holds, read as what it is. */
export interface Contents {
  manifest: Manifest
  secret: string | null
  sequences: Static<typeof Sequences>
  tables: readonly string[]
  /** The hashes of those whose bytes it holds. */
  blobs: readonly string[]
  rows(table: string): AsyncIterable<PlainRow>
  jobs(): AsyncIterable<CopiedJob>
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('something in it is not JSON')
  }
}

async function* parsed<T>(
  archive: ArchiveReader,
  name: string,
  is: (value: unknown) => boolean,
): AsyncGenerator<T> {
  let line = 0
  for await (const text of linesOf(archive.read(name), LONGEST_LINE)) {
    line++
    const value = parse(text)
    if (!is(value)) throw new Error(`line ${line} of "${name}" is not what a backup writes`)
    yield value as T
  }
}

const readManifest = async (archive: ArchiveReader): Promise<Manifest> => {
  const text = await archive.readText(MANIFEST)
  const manifest = text === undefined ? undefined : parse(text)
  if (
    typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    Number(manifest.version) > VERSION
  )
    throw new Error('it was made by a newer version of Factotum; upgrade this one, then restore')
  if (!ManifestCheck.Check(manifest)) throw new Error('it is not a backup of Factotum')
  if (!migrations.includes(manifest.migration))
    throw new Error(
      manifest.migration > latestMigration
        ? `it was made by a newer version of Factotum (at ${manifest.migration}, this one knows ${latestMigration}); upgrade this one, then restore`
        : `it names a migration that never was, ${manifest.migration}`,
    )
  return manifest
}

const readSequences = async (archive: ArchiveReader): Promise<Static<typeof Sequences>> => {
  const text = await archive.readText(SEQUENCES)
  const sequences = text === undefined ? undefined : parse(text)
  if (!SequencesCheck.Check(sequences)) throw new Error(`"${SEQUENCES}" is not what a backup writes`)
  return sequences
}

const hashOf = async (source: AsyncIterable<Buffer>): Promise<string> => {
  const sum = createHash('sha256')
  for await (const chunk of source) sum.update(chunk)
  return sum.digest('hex')
}

/** Reads everything to its end, so that whatever is wrong with the file is known before anything is changed. */
const checkAll = async (archive: ArchiveReader, contents: Contents): Promise<void> => {
  const run = async (source: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of source);
  }
  for (const table of contents.tables) await run(contents.rows(table))
  await run(contents.jobs())
  for (const name of archive.names)
    if (tableOf(name) === undefined && blobOf(name) === undefined && name !== JOBS)
      await run(archive.read(name))
  for (const hash of contents.blobs)
    if ((await hashOf(archive.read(`${BLOBS}${hash}`))) !== hash)
      throw new Error(`the bytes of "${BLOBS}${hash}" are not those`)
}

export const readContents = async (archive: ArchiveReader): Promise<Contents> => {
  try {
    const contents: Contents = {
      manifest: await readManifest(archive),
      secret: (await archive.readText(SECRET))?.trim() ?? null,
      sequences: await readSequences(archive),
      tables: archive.names.flatMap((name) => tableOf(name) ?? []),
      blobs: archive.names.flatMap((name) => blobOf(name) ?? []),
      rows: (table) => parsed(archive, tableEntry(table), (value) => Row.Check(value)),
      jobs: () => parsed(archive, JOBS, (value) => JobCheck.Check(value)),
    }
    await checkAll(archive, contents)
    return contents
  } catch (error) {
    throw error instanceof CommandError ? error : archive.damaged(messageOf(error))
  }
}
