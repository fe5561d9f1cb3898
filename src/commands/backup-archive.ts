import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../config/config.ts'
import { isBeforeBaseline, latestMigration, migrations } from '../database/migrate.ts'
import type { PlainRow } from '../database/schema-info.ts'
import { isEncryptedFile, openEncryptedFile, WrongPassphrase } from '../platform/secrets/encrypted-file.ts'
import { deriveKeys } from '../platform/secrets/seal.ts'
import { findSecret } from '../platform/secrets/secret-file.ts'
import { linesOf, openZip, type ZipReader, type ZipRules } from '../platform/zip/reader.ts'
import {
  BLOBS,
  blobOf,
  FILES,
  isPlainFile,
  JOBS,
  MANIFEST,
  Manifest,
  SECRET,
  SEQUENCES,
  SUMMARY,
  tableEntry,
  tableOf,
  VERSION,
} from './backup.ts'
import { Summary } from './backup-summary.ts'
import { type CommandContext, CommandError, findPassphrase, messageOf, type Passphrase } from './command.ts'

/** An open backup with checked names and sizes. */
export interface ArchiveReader extends ZipReader {
  readonly isEncrypted: boolean
  damaged(reason: string): CommandError
}

const RULES: ZipRules = {
  isKnown: (name) =>
    [MANIFEST, SECRET, SEQUENCES, JOBS, SUMMARY].includes(name) ||
    tableOf(name) !== undefined ||
    blobOf(name) !== undefined ||
    (name.startsWith(FILES) && isPlainFile(name.slice(FILES.length))),
  maxEntries: 5_000_000,
  maxBytes: Number.MAX_SAFE_INTEGER,
  // Rows differ at least in their keys, so real data compresses less.
  maxRatio: 1000,
  ratioCountsFrom: 256 * 1024 * 1024,
}

const askForPassphrase = async ({ ask }: Pick<CommandContext, 'ask'>, file: string): Promise<Passphrase> => {
  const typed = await ask(`Passphrase of ${file}: `, { hidden: true })
  if (typed === undefined || typed === '')
    throw new CommandError(`${file} is encrypted. Specify its passphrase with --passphrase-file P`)
  return { bytes: Buffer.from(typed), source: 'the terminal' }
}

const openEncrypted = async (
  handle: FileHandle,
  file: string,
  passphrase: Passphrase,
): Promise<ZipReader> => {
  try {
    return await openZip(await openEncryptedFile(handle, passphrase.bytes), RULES)
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error
    throw new CommandError(
      `The passphrase in ${passphrase.source} does not decrypt ${file}. Use the passphrase that the backup was made with. Nothing was changed.`,
    )
  }
}

/** Opens a backup. Asks for the passphrase if the file is encrypted and none is given. */
export const openArchive = async (
  context: Pick<CommandContext, 'config' | 'ask'>,
  file: string,
  passphraseFile: string | undefined,
): Promise<ArchiveReader> => {
  const passphrase = findPassphrase(context.config, passphraseFile)
  const damaged = (reason: string): CommandError =>
    new CommandError(`${file} cannot be restored: ${reason}. Nothing was changed.`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new CommandError(`There is no file ${file}.`)
  if (!found.isFile()) throw new CommandError(`${file} is not a file.`)
  const handle = await open(file, 'r')
  const release = (): void => void handle.close().catch(() => {})
  try {
    const isEncrypted = await isEncryptedFile(handle)
    // The passphrase is expected to prove who made the backup. A plain file does not prove that.
    if (!isEncrypted && passphrase !== null)
      throw new CommandError(
        `${file} is not encrypted. To restore it, ${passphraseFile === undefined ? 'unset BACKUP_PASSPHRASE' : 'omit --passphrase-file'}.`,
      )
    const zip = isEncrypted
      ? await openEncrypted(handle, file, passphrase ?? (await askForPassphrase(context, file)))
      : await openZip(file, RULES)
    const close = (): void => {
      zip.close()
      release()
    }
    return { ...zip, isEncrypted, damaged, close }
  } catch (error) {
    release()
    throw error instanceof CommandError ? error : damaged(messageOf(error))
  }
}

const MAX_LINE_LENGTH = 64 * 1024 * 1024

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
const SummaryCheck = Compile(Summary)

type CopiedJob = Static<typeof Job>

/** The parsed contents of a backup. */
export interface Contents {
  manifest: Manifest
  secret: string | null
  sequences: Static<typeof Sequences>
  tables: readonly string[]
  /** Hashes of the blobs that it contains. */
  blobs: readonly string[]
  rows(table: string): AsyncIterable<PlainRow>
  jobs(): AsyncIterable<CopiedJob>
  /** Null in backups of version 0.2. */
  summary: Summary | null
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it contains invalid JSON')
  }
}

async function* parsed<T>(
  archive: ArchiveReader,
  name: string,
  is: (value: unknown) => boolean,
): AsyncGenerator<T> {
  let line = 0
  for await (const text of linesOf(archive.read(name), MAX_LINE_LENGTH)) {
    line++
    const value = parse(text)
    if (!is(value)) throw new Error(`line ${line} of "${name}" is not valid in a backup`)
    yield value as T
  }
}

const readJson = async (archive: ArchiveReader, name: string): Promise<unknown> => {
  const text = await archive.readText(name)
  return text === undefined ? undefined : parse(text)
}

const readManifest = async (archive: ArchiveReader): Promise<Manifest> => {
  const manifest = await readJson(archive, MANIFEST)
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
        ? `it was made by a newer version of Factotum (at ${manifest.migration}, this version supports ${latestMigration}); upgrade this one, then restore`
        : `it has an unknown migration, ${manifest.migration}`,
    )
  if (isBeforeBaseline(manifest.migration))
    throw new Error(
      `it was made by a version before 0.2.0 (at ${manifest.migration}). Restore it with version 0.2.0, then make a new backup`,
    )
  return manifest
}

const readSequences = async (archive: ArchiveReader): Promise<Static<typeof Sequences>> => {
  const sequences = await readJson(archive, SEQUENCES)
  if (!SequencesCheck.Check(sequences)) throw new Error(`"${SEQUENCES}" is not valid in a backup`)
  return sequences
}

const readSummary = async (archive: ArchiveReader): Promise<Summary | null> => {
  const summary = await readJson(archive, SUMMARY)
  if (summary === undefined) return null
  if (!SummaryCheck.Check(summary)) throw new Error(`"${SUMMARY}" is not valid in a backup`)
  return summary
}

export const hashOf = async (source: AsyncIterable<Buffer>): Promise<string> => {
  const sum = createHash('sha256')
  for await (const chunk of source) sum.update(chunk)
  return sum.digest('hex')
}

/** Reads everything to its end, so that every fault is known before anything changes. */
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
      throw new Error(`the bytes of "${BLOBS}${hash}" do not match their hash`)
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
      summary: await readSummary(archive),
    }
    await checkAll(archive, contents)
    return contents
  } catch (error) {
    throw error instanceof CommandError ? error : archive.damaged(messageOf(error))
  }
}

export interface ChosenKey {
  /** The key of the restored instance. */
  secretKey: string
  /** The secret to write to DATA_DIR; null if the existing one, or SECRET_KEY, is correct. */
  toWrite: string | null
}

const idOf = (secret: string): string => deriveKeys(secret).id

/** Returns the key that opens the sealed values of the backup, or throws one line that says what to set. */
export const chooseKey = (
  { isEncrypted }: ArchiveReader,
  file: string,
  { manifest, secret }: Contents,
  config: Config,
): ChosenKey => {
  if (secret !== null && idOf(secret) !== manifest.keyId)
    throw new CommandError(
      `${file} cannot be restored: its secret does not match its data. Nothing was changed.`,
    )
  const own = config.secretKey ?? findSecret(config.dataDir) ?? null
  if (own !== null && idOf(own) === manifest.keyId) return { secretKey: own, toWrite: null }
  if (config.secretKey === null && secret !== null) return { secretKey: secret, toWrite: secret }
  if (own !== null && config.secretKeyPrevious !== null && idOf(config.secretKeyPrevious) === manifest.keyId)
    return { secretKey: own, toWrite: null }
  const wanted =
    secret === null
      ? 'the SECRET_KEY it was made with'
      : isEncrypted
        ? 'the content of secret.key in the DATA_DIR it was made from; to get that file, restore the backup without SECRET_KEY and DATABASE_URL into an empty DATA_DIR'
        : `what "unzip -p ${file} secret.key" prints`
  throw new CommandError(
    config.secretKey === null
      ? `This backup was encrypted with another key. Set SECRET_KEY to ${wanted}.`
      : `This backup was encrypted with a key other than SECRET_KEY. Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to ${wanted}.`,
  )
}
