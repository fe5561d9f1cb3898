import { statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isEncryptedFile, openEncryptedFile, WrongPassphrase } from '../../platform/secrets/encrypted-file.ts'
import { openZip, type ZipReader, type ZipRules } from '../../platform/zip/reader.ts'
import { isPlainFile } from '../backup/files.ts'
import { blobOf, FILES, JOBS, MANIFEST, SECRET, SEQUENCES, tableOf } from '../backup/manifest.ts'
import { CommandError } from '../command.ts'
import { messageOf } from '../failure.ts'
import { readPassphrase } from '../passphrase.ts'

/** An open backup with checked names and sizes. */
export interface ArchiveReader extends ZipReader {
  readonly isEncrypted: boolean
  damaged(reason: string): CommandError
}

const RULES: ZipRules = {
  isKnown: (name) =>
    [MANIFEST, SECRET, SEQUENCES, JOBS].includes(name) ||
    tableOf(name) !== undefined ||
    blobOf(name) !== undefined ||
    (name.startsWith(FILES) && isPlainFile(name.slice(FILES.length))),
  mostEntries: 5_000_000,
  mostBytes: Number.MAX_SAFE_INTEGER,
  // Rows differ at least in their keys, so real data compresses less.
  largestRatio: 1000,
  ratioCountsFrom: 256 * 1024 * 1024,
}

export interface ArchiveOptions {
  /** The file with the passphrase of an encrypted backup. */
  passphraseFile: string | undefined
}

const openEncrypted = async (
  handle: FileHandle,
  file: string,
  passphraseFile: string | undefined,
): Promise<ZipReader> => {
  if (passphraseFile === undefined)
    throw new CommandError(`${file} is encrypted. Specify its passphrase with --passphrase-file P`)
  const passphrase = readPassphrase(passphraseFile)
  try {
    return await openZip(await openEncryptedFile(handle, passphrase), RULES)
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error
    throw new CommandError(
      `The passphrase in ${passphraseFile} does not decrypt ${file}. Use the passphrase that the backup was made with. Nothing was changed.`,
    )
  }
}

export const openArchive = async (
  file: string,
  { passphraseFile }: ArchiveOptions,
): Promise<ArchiveReader> => {
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
    if (!isEncrypted && passphraseFile !== undefined)
      throw new CommandError(`${file} is not encrypted. To restore it, omit --passphrase-file.`)
    const zip = isEncrypted ? await openEncrypted(handle, file, passphraseFile) : await openZip(file, RULES)
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
