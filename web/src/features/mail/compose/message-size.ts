import type { Fields } from './seeds.ts'
import { listUsedAttachments } from './use-draft.ts'

/** Base64 with line breaks (RFC 2045, section 6.8). */
const ENCODING = (4 / 3) * (78 / 76)
/** Headers and boundaries. */
const OVERHEAD_BYTES = 4_000

/** The size of the message as it is sent. */
export const estimateMessageBytes = (fields: Fields): number =>
  Math.ceil(
    listUsedAttachments(fields).reduce((sum, { size }) => sum + size, 0) * ENCODING +
      (fields.html ?? fields.text).length * 2 +
      OVERHEAD_BYTES,
  )

/** The size of the files that fit into a message of this size. */
export const toFileBytes = (messageBytes: number): number =>
  Math.max(0, Math.floor((messageBytes - OVERHEAD_BYTES) / ENCODING))
