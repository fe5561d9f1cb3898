import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { eventually } from './eventually.ts'

export interface ReceivedEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  data: any
}

/** An open stream of server-sent events, parsed like in a browser. */
export interface EventStream {
  status: number
  response: IncomingMessage
  events: ReceivedEvent[]
  /** The id that a browser would send on reconnect. */
  lastId(): string
  hasEnded(): boolean
  /** Waits until this many events have arrived. */
  until(count: number): Promise<ReceivedEvent[]>
  ended(): Promise<void>
  leave(): Promise<void>
}

/** Parses the fields of each block by the rules of the HTML standard for event streams. */
const createReader = (tell: (event: ReceivedEvent) => void) => {
  let rest = ''
  let lastId = ''
  const readBlock = (block: string): void => {
    let event = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (name === 'id') lastId = value
      else if (name === 'event') event = value
      else if (name === 'data') data.push(value)
    }
    if (data.length > 0) tell({ id: lastId, event, data: JSON.parse(data.join('\n')) })
  }
  return {
    lastId: () => lastId,
    read(text: string): void {
      rest += text
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        readBlock(rest.slice(0, end))
        rest = rest.slice(end + 2)
      }
    },
  }
}

export const openEventStream = async (
  url: string,
  path: string,
  options: { token?: string; lastEventId?: string; paused?: boolean } = {},
): Promise<EventStream> => {
  const outgoing = request(`${url}${path}`, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
    },
  })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const events: ReceivedEvent[] = []
  let hasEnded = false
  const reader = createReader((event) => events.push(event))
  response.setEncoding('utf8')
  if (!options.paused) response.on('data', reader.read)
  response.on('error', () => {})
  response.on('close', () => {
    hasEnded = true
  })
  return {
    status: response.statusCode as number,
    response,
    events,
    lastId: reader.lastId,
    hasEnded: () => hasEnded,
    async until(count) {
      await eventually(() => events.length >= count)
      return events
    },
    async ended() {
      await eventually(() => hasEnded)
    },
    async leave() {
      outgoing.destroy()
      await eventually(() => hasEnded)
    },
  }
}
