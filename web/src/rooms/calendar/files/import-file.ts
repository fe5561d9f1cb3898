import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { readEventStream } from '../../../api/told.ts'

export type Report = Shape<'ImportReport'>
export type Progress = Pick<Report, 'found' | 'created' | 'updated' | 'unchanged' | 'skippedCount'>

const cutShort = (detail: unknown) =>
  new ApiError({
    status: 0,
    code: 'cut_short',
    message:
      typeof detail === 'string'
        ? detail
        : 'The connection was lost before the end. Send the file again: nothing is doubled.',
  })

/** Sends a calendar file, and tells how far it has come. */
export const importFile = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> => {
  const stream = (await unwrap(
    client.POST('/api/calendar/import', {
      body: file as unknown as string,
      bodySerializer: (body) => body as unknown as File,
      headers: { 'content-type': 'text/calendar', accept: 'text/event-stream' },
      parseAs: 'stream',
    }),
  )) as unknown as ReadableStream<Uint8Array>
  for await (const { event, data } of readEventStream(stream)) {
    if (event === 'progress') onProgress(data as Progress)
    if (event === 'done') return data as Report
    if (event === 'failed') throw cutShort((data as { detail?: unknown }).detail)
  }
  throw cutShort(null)
}
