/** One message of a text/event-stream, with its data read as JSON. */
export interface Told {
  event: string
  data: unknown
}

const readMessage = (block: string): Told | null => {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const data = valuesOf('data').join('\n')
  return data === '' ? null : { event: valuesOf('event')[0] ?? 'message', data: JSON.parse(data) }
}

/** The messages, as they come. */
export async function* readEventStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
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
