/** Enough to diagnose an item that could not be parsed. */
const MAX_BODY_LENGTH = 256 * 1024

/** Truncates the body of an unreadable item for storage, and returns its full size. */
export const keepBody = (body: string): { body: string; size: number } => ({
  body: body.slice(0, MAX_BODY_LENGTH).replaceAll('\0', '\uFFFD').toWellFormed(),
  size: Buffer.byteLength(body),
})
