import { createHash } from 'node:crypto'

/** How tokens are kept: with 256 random bits in them a plain hash cannot be turned back. */
export const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64url')
