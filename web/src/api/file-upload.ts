import { ApiError, toErrorText } from './problem.ts'

/** One message of a text/event-stream with parsed JSON data. */
interface LiveEvent {
  event: string
  data: unknown
}

const readMessage = (block: string): LiveEvent | null => {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = valuesOf('data').join('\n')
  return data === '' ? null : { event: valuesOf('event')[0] ?? 'message', data: JSON.parse(data) }
}

/** Yields the messages as they arrive. */
export async function* readEventStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done }).replaceAll('\r\n', '\n')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = readMessage(block)
      if (message) yield message
    }
    if (done) return
  }
}

/** Request options for a file upload whose response is an event stream of progress events. */
export const fileUploadOptions = (file: File, type: string) => ({
  body: file as unknown as string,
  bodySerializer: (body: unknown) => body as File,
  headers: { 'content-type': type, accept: 'text/event-stream' },
  parseAs: 'stream' as const,
})

/**
 * Reads the stream to its final report. `lost` is the error message for a connection that breaks before the
 * report.
 */
export const readUploadReport = async <Progress, Report>(
  answer: unknown,
  { onProgress, lost }: { onProgress: (progress: Progress) => void; lost: string },
): Promise<Report> => {
  const toFailure = async ({ code, detail }: { code?: unknown; detail?: unknown }): Promise<ApiError> => {
    const isKnown = typeof code === 'string' && typeof detail === 'string'
    return new ApiError({
      status: 0,
      code: isKnown ? code : 'cut_short',
      message: isKnown ? await toErrorText({ code, detail }) : lost,
    })
  }
  const events = readEventStream(answer as ReadableStream<Uint8Array>)
  for (;;) {
    const { value, done } = await events.next().catch(() => ({ value: undefined, done: true }))
    if (done || !value) throw await toFailure({})
    if (value.event === 'progress') onProgress(value.data as Progress)
    if (value.event === 'done') return value.data as Report
    if (value.event === 'failed') throw await toFailure(value.data as object)
  }
}
