/** One event of a stream, as the HTML standard reads them. */
export interface StreamEvent {
  type: string
  data: string
}

/** Reads blocks of fields out of text that comes in any pieces; knows the id to come back with. */
export const createEventReader = (tell: (event: StreamEvent) => void) => {
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
    if (data.length > 0) tell({ type, data: data.join('\n') })
  }
  return {
    lastId: (): string | null => lastId,
    /** What was cut off in the middle comes again. */
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
