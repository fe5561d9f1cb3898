/** One message of a text/event-stream with parsed JSON data. */
export interface LiveEvent {
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
