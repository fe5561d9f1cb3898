import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { readEventStream } from '../../../api/told.ts'

export type Report = Shape<'ImportedData'>
export interface Progress {
  done: number
  total: number
}

const failed = (given: { code?: unknown; detail?: unknown }) =>
  new ApiError({
    status: 0,
    code: String(given.code ?? 'cut_short'),
    message:
      typeof given.detail === 'string'
        ? given.detail
        : 'The connection was lost before the end. Reload the page to see whether everything is here.',
  })

/** Sends an export. Once it is found to be in order, tells how far it has come. */
export const importZip = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> => {
  const stream = (await unwrap(
    client.POST('/api/settings/import', {
      body: file as unknown as string,
      bodySerializer: (body) => body as unknown as File,
      headers: { 'content-type': 'application/zip', accept: 'text/event-stream' },
      parseAs: 'stream',
    }),
  )) as unknown as ReadableStream<Uint8Array>
  for await (const { event, data } of readEventStream(stream)) {
    if (event === 'progress') onProgress(data as Progress)
    if (event === 'done') return data as Report
    if (event === 'failed') throw failed(data as { code?: unknown; detail?: unknown })
  }
  throw failed({})
}
