import { type Client, unwrap } from '../../api/client.ts'
import { formatNumber } from '../../locales/format.ts'
import type { Attachment } from './folders.ts'

/** The request needs the access token, so a plain link cannot download the file. */
export const readAttachment = (
  client: Client,
  emailId: number,
  { id }: Pick<Attachment, 'id'>,
): Promise<Blob> =>
  unwrap(
    client.GET('/api/emails/{id}/attachments/{attachmentId}', {
      params: { path: { id: emailId, attachmentId: id } },
      parseAs: 'blob',
    }),
  ) as unknown as Promise<Blob>

export const uploadFile = (client: Client, content: Blob, filename: string): Promise<Attachment> =>
  unwrap(
    client.POST('/api/attachments', {
      params: { query: { filename } },
      body: content as unknown as string,
      bodySerializer: (body) => body as never,
      headers: { 'content-type': content.type || 'application/octet-stream' },
    }),
  )

/** Formats a size as "52 kB". */
export const sizeInWords = (bytes: number): string => {
  if (bytes < 1_000) return `${formatNumber(bytes)} B`
  const units = ['kB', 'MB', 'GB']
  let [size, unit] = [bytes / 1_000, 0]
  while (size >= 999.5 && unit < units.length - 1) [size, unit] = [size / 1_000, unit + 1]
  return `${formatNumber(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))} ${units[unit]}`
}
