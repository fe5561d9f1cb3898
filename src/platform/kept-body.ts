/** Enough to see what is wrong with an item that could not be read. */
const LONGEST = 256 * 1024

/** As much of an item that could not be read as is kept, in a form that every database takes, and its whole size. */
export const keepBody = (body: string): { body: string; size: number } => ({
  body: body.slice(0, LONGEST).replaceAll('\0', '\uFFFD').toWellFormed(),
  size: Buffer.byteLength(body),
})
