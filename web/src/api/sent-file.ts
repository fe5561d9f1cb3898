import { ApiError } from './problem.ts'
import { readEventStream } from './told.ts'

/** How a file is sent whose answer tells, as it is read, how far it has come. */
export const sentFile = (file: File, type: string) => ({
  body: file as unknown as string,
  bodySerializer: (body: unknown) => body as File,
  headers: { 'content-type': type, accept: 'text/event-stream' },
  parseAs: 'stream' as const,
})

/** The report at the end of such an answer. What to do when the line is lost before that, the caller knows. */
export const followReport = async <Progress, Report>(
  answer: unknown,
  { onProgress, lost }: { onProgress: (progress: Progress) => void; lost: string },
): Promise<Report> => {
  const failed = ({ code, detail }: { code?: unknown; detail?: unknown }) =>
    new ApiError({
      status: 0,
      code: typeof code === 'string' ? code : 'cut_short',
      message: typeof detail === 'string' ? detail : lost,
    })
  const told = readEventStream(answer as ReadableStream<Uint8Array>)
  for (;;) {
    const { value, done } = await told.next().catch(() => ({ value: undefined, done: true }))
    if (done || !value) throw failed({})
    if (value.event === 'progress') onProgress(value.data as Progress)
    if (value.event === 'done') return value.data as Report
    if (value.event === 'failed') throw failed(value.data as object)
  }
}
