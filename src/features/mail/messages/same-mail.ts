import { hash } from 'node:crypto'
import type { StagedBlob } from '../../../platform/blobs/storage.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { ParsedMessage } from '../mime/message.ts'
import type { EmailRecord } from './email-repository.ts'

/* Decides whether two messages are the same mail. */

interface StagedFields {
  message: Pick<ParsedMessage, 'subject' | 'from' | 'date'>
  raw: StagedBlob | null
}

/** Blobs are named by this hash. */
export const toBlobHash = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

export const foldSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Identifies the content of a message: its bodies and attachments. Servers change header fields, transfer encoding and
 * white space, so these do not count. Only the bytes identify a message that was too complex to read in full.
 */
export const digestMessage = (
  { text, html, isTruncated }: ParsedMessage,
  attachments: readonly { filename: string; hash: string }[],
  rawHash: string,
): string =>
  isTruncated
    ? rawHash
    : digest(
        JSON.stringify([
          foldSpaces(text ?? ''),
          foldSpaces(html ?? ''),
          ...attachments.map((file) => [file.filename, file.hash]),
        ]),
      )

export const hasSameBytes = (row: EmailRecord, { raw }: StagedFields): boolean =>
  raw !== null && row.rawBlob === raw.hash

export const hasSameFields = (row: EmailRecord, { message }: StagedFields): boolean =>
  row.subject === message.subject &&
  row.fromAddress === (message.from?.address ?? '') &&
  (message.date === null || row.date === message.date.toISOString())

/** An email that was sent from here, and whose copy on the server is not known yet. */
export const awaitsSentCopy = ({ deliveryStatus, folderId }: EmailRecord): boolean =>
  deliveryStatus !== null && folderId === null

/** Only its bytes, or its size, identify an unreadable message. */
export const toUnreadableHash = (raw: StagedBlob | null, size: number | undefined): string | null =>
  raw?.hash ?? (size === undefined ? null : `size ${size}`)
