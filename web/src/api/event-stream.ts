/** One event of a text/event-stream, as the HTML standard defines it. */
export interface StreamEvent {
  type: string
  data: string
}

/** Parses events from text that arrives in arbitrary chunks. `lastId` is the id to reconnect with. */
export const createEventReader = (onEvent: (event: StreamEvent) => void) => {
  let rest = ''
  let lastId: string | null = null
  const readBlock = (block: string): void => {
    let type = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon <= 0) continue
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
      if (name === 'id') lastId = value
      else if (name === 'event') type = value
      else if (name === 'data') data.push(value)
    }
    if (data.length > 0) onEvent({ type, data: data.join('\n') })
  }
  return {
    lastId: (): string | null => lastId,
    /** Discards an incomplete event. The server sends the event again after the reconnect. */
    begin(): void {
      rest = ''
    },
    read(text: string): void {
      rest += text
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        readBlock(rest.slice(0, end))
        rest = rest.slice(end + 2)
      }
    },
  }
}
