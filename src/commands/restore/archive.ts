import { statSync } from 'node:fs'
import { openZip, type ZipReader, type ZipRules } from '../../platform/zip/reading.ts'
import { isPlainFile } from '../backup/instance-files.ts'
import { blobOf, FILES, JOBS, MANIFEST, SECRET, SEQUENCES, tableOf } from '../backup/manifest.ts'
import { CommandError } from '../command.ts'
import { messageOf } from '../failure.ts'

/** A backup opened for reading, whose names and sizes have been checked. */
export interface ArchiveReader extends ZipReader {
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
  // Rows differ at least in their keys.
  largestRatio: 1000,
  ratioCountsFrom: 256 * 1024 * 1024,
}

export const openArchive = async (file: string): Promise<ArchiveReader> => {
  const damaged = (reason: string): CommandError =>
    new CommandError(`${file} cannot be restored: ${reason}. Nothing was changed.`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new CommandError(`There is no file ${file}.`)
  if (!found.isFile()) throw new CommandError(`${file} is not a file.`)
  try {
    return { ...(await openZip(file, RULES)), damaged }
  } catch (error) {
    throw damaged(messageOf(error))
  }
}
