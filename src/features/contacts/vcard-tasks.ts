import { AppError } from '../../platform/errors.ts'
import { createPageWriter } from '../../platform/workers/pages.ts'
import { readCards } from './vcard.ts'

// A worker-thread task for files that may take long to parse; see vcard-reader.ts.

/** The pages are in memory until they are imported. */
const MAX_OUTPUT_LENGTH = 64 * 1024 * 1024

/** Returns all vCards of a file as pages. */
export const readCardPages = ({ bytes }: { bytes: Uint8Array }): Uint8Array[] => {
  const writer = createPageWriter()
  for (const card of readCards(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    writer.add(card)
    if (writer.size() > MAX_OUTPUT_LENGTH)
      throw new AppError('too_large', 'too_large', 'The vCards have too much data. Split the file.')
  }
  return writer.finish()
}
