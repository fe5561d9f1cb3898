import { describe, expect, it } from 'vitest'
import { createEventReader, type StreamEvent } from './event-stream.ts'

const read = (...chunks: string[]) => {
  const events: StreamEvent[] = []
  const reader = createEventReader((event) => void events.push(event))
  for (const chunk of chunks) reader.read(chunk)
  return { events, reader }
}

describe('the reader of an event stream', () => {
  it('joins events that arrive in pieces', () => {
    const { events, reader } = read('id: 4\nevent: task', '.created\nda', 'ta: {"id":1}\n', '\nid: 5\n')
    expect(events).toEqual([{ type: 'task.created', data: '{"id":1}' }])
    expect(reader.lastId()).toBe('4')
  })

  it('joins the lines of data, and ignores comments', () => {
    const { events } = read(': heartbeat\n\ndata: one\ndata: two\n\n')
    expect(events).toEqual([{ type: 'message', data: 'one\ntwo' }])
  })

  it('drops an incomplete event after a reconnect, because the server sends it again', () => {
    const { events, reader } = read('id: 1\ndata: half')
    reader.begin()
    reader.read('id: 1\ndata: whole\n\n')
    expect(events).toEqual([{ type: 'message', data: 'whole' }])
  })
})
