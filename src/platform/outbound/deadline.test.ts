import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { closed, createLoopbackWorld, drain } from '../../../test/support/loopback-world.ts'
import { systemClock } from '../clock.ts'
import { createPatience } from './patience.ts'

const world = createLoopbackWorld()
afterEach(world.end)

const FAILED = { kind: 'upstream', code: 'upstream_failed' }
const TIMEOUT = { kind: 'upstream', code: 'upstream_timeout' }

describe('a server that', () => {
  it('never answers causes a timeout', async () => {
    const visited = await world.serve(() => undefined)
    const waiting = world.client().fetch(`http://site.test:${visited.port}/`, { timeoutMs: 100 })
    await expect(waiting).rejects.toMatchObject(TIMEOUT)
    await closed(visited.sockets)
  })

  it('sends its body byte by byte without end causes a timeout', async () => {
    const visited = await world.serve((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const answer = await world.client().fetch(`http://site.test:${visited.port}/`, { timeoutMs: 1_000 })
    await expect(answer.text()).rejects.toMatchObject(TIMEOUT)
    await closed(visited.sockets)
  })

  it('redirects slowly gets one timeout for the whole request', async () => {
    const visited = await world.serve(async (_request, response) => {
      await sleep(60)
      response.writeHead(302, { location: '/' }).end()
    })
    const request = { timeoutMs: 200, maxRedirects: 1000 }
    await expect(world.client().fetch(`http://site.test:${visited.port}/`, request)).rejects.toMatchObject(
      TIMEOUT,
    )
  })

  it.each(['before the headers', 'within the headers', 'within the body', 'within a chunked body'])(
    'cuts the connection %s is an upstream failure',
    async (moment) => {
      const { port } = await world.serve((request, response) => {
        if (moment === 'within the headers') request.socket.write('HTTP/1.1 200 OK\r\ncontent-le')
        if (moment === 'within the body') response.writeHead(200, { 'content-length': '100' })
        if (moment.endsWith('body')) response.write('some', () => request.socket.destroy())
        else setImmediate(() => request.socket.destroy())
      })
      const reading = world
        .client()
        .fetch(`http://site.test:${port}/`)
        .then((answer) => answer.text())
      await expect(reading).rejects.toMatchObject(FAILED)
    },
  )
})

describe('a response stream', () => {
  it('may last longer than the timeout while chunks arrive', async () => {
    const { port } = await world.serve(async (_request, response) => {
      for (let count = 0; count < 12; count += 1) {
        response.write('tick ')
        await sleep(100)
      }
      response.end()
    })
    const answer = await world.client().fetch(`http://site.test:${port}/`, { timeoutMs: 800 })
    expect(await drain(answer.stream())).toBe('tick '.repeat(12))
  })

  it('ends when no chunk arrives in time', async () => {
    const visited = await world.serve((_request, response) => void response.write('tick'))
    const answer = await world.client().fetch(`http://site.test:${visited.port}/`, { timeoutMs: 150 })
    await expect(drain(answer.stream())).rejects.toMatchObject(TIMEOUT)
    await closed(visited.sockets)
  })

  it('does not time out because of a slow reader', async () => {
    const rested = Promise.withResolvers<void>()
    const { port } = await world.serve(async (_request, response) => {
      response.write('a')
      await rested.promise
      response.end('b')
    })
    const answer = await world.client().fetch(`http://site.test:${port}/`, { timeoutMs: 150 })
    const parts: string[] = []
    for await (const part of answer.stream()) {
      parts.push(Buffer.from(part).toString())
      await sleep(300)
      rested.resolve()
    }
    expect(parts).toEqual(['a', 'b'])
  })

  it.each([
    ['identity', () => undefined],
    ['gzip', createGzip],
    ['deflate', createDeflate],
    ['br', createBrotliCompress],
  ])('in %s yields each event as it arrives', async (encoding, createEncoder) => {
    const next = Promise.withResolvers<void>()
    const { port } = await world.serve(async (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      const encoder = createEncoder()
      encoder?.pipe(response)
      const out = encoder ?? response
      out.write('first')
      encoder?.flush()
      await next.promise
      out.end('second')
    })
    const parts: string[] = []
    for await (const part of (await world.client().fetch(`http://site.test:${port}/`)).stream()) {
      parts.push(Buffer.from(part).toString())
      next.resolve()
    }
    expect(parts).toEqual(['first', 'second'])
  })
})

describe('the connection is released', () => {
  const serveForever = () => world.serve((_request, response) => void response.write('x'.repeat(200_000)))

  // Time enough for the response to start on a busy machine.
  const timeoutMs = 1_000

  it('when nobody reads the body', async () => {
    const visited = await serveForever()
    await world.client().fetch(`http://site.test:${visited.port}/`, { timeoutMs })
    await closed(visited.sockets)
  })

  it('when a stream is requested and never read', async () => {
    const visited = await serveForever()
    ;(await world.client().fetch(`http://site.test:${visited.port}/`, { timeoutMs })).stream()
    await closed(visited.sockets)
  })

  it('when the body is discarded', async () => {
    const visited = await serveForever()
    ;(await world.client().fetch(`http://site.test:${visited.port}/`)).discard()
    await closed(visited.sockets)
  })

  it('when the reader leaves a stream early', async () => {
    const visited = await serveForever()
    const answer = await world.client().fetch(`http://site.test:${visited.port}/`)
    for await (const _ of answer.stream()) break
    await closed(visited.sockets)
  })

  it('when a redirect is followed', async () => {
    const visited = await world.serve((request, response) => {
      if (request.url === '/end') response.end('ok')
      else response.writeHead(302, { location: '/end' }).write('moved')
    })
    expect(await (await world.client().fetch(`http://site.test:${visited.port}/`)).text()).toBe('ok')
    await closed(visited.sockets.slice(0, 1))
  })

  it('when a redirect is rejected', async () => {
    const visited = await world.serve((_request, response) => {
      response.writeHead(302, { location: 'ftp://site.test/' }).write('moved')
    })
    const waiting = world.client().fetch(`http://site.test:${visited.port}/`)
    await expect(waiting).rejects.toThrow('Only http')
    await closed(visited.sockets)
  })

  it('together with the listener on the signal of the caller', async () => {
    const { port } = await world.serve((_request, response) => response.end('ok'))
    const { signal } = new AbortController()
    const fetch = () => world.client().fetch(`http://site.test:${port}/`, { signal })
    await (await fetch()).text()
    await drain((await fetch()).stream())
    ;(await fetch()).discard()
    await expect(world.client().fetch('http://127.0.0.1/', { signal })).rejects.toThrow()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('when the deadline of the caller has passed, which is reported as a timeout', async () => {
    const visited = await world.serve((request, response) => {
      if (request.url === '/busy') response.writeHead(429, { 'retry-after': '60' }).end()
    })
    const ask = createPatience({ outbound: world.client(), clock: systemClock })
    for (const path of ['hangs', 'busy']) {
      const signal = AbortSignal.timeout(100)
      const asking = ask(`http://site.test:${visited.port}/${path}`, { signal })
      await expect(asking).rejects.toMatchObject(TIMEOUT)
    }
  })

  it('when the server stays silent, after one retry', async () => {
    let asked = 0
    const visited = await world.serve(() => void asked++)
    const ask = createPatience({ outbound: world.client(), clock: systemClock })
    const { signal } = new AbortController()
    const asking = ask(`http://site.test:${visited.port}/`, { signal, timeoutMs: 50 })
    await expect(asking).rejects.toMatchObject(TIMEOUT)
    expect(asked).toBe(2)
  })

  it('when the caller aborts, and the caller gets its reason back', async () => {
    const reason = new Error('enough')
    for (const step of ['before', 'waiting', 'reading', 'streaming'] as const) {
      const visited = await world.serve((_request, response) => {
        if (step === 'waiting') controller.abort(reason)
        else response.write('x')
      })
      const controller = new AbortController()
      const client = world.client()
      if (step === 'before') controller.abort(reason)
      const run = async () => {
        const { signal } = controller
        const answer = await client.fetch(`http://site.test:${visited.port}/`, { signal })
        if (step === 'reading') setImmediate(() => controller.abort(reason))
        if (step === 'reading') return answer.text()
        for await (const _ of answer.stream()) controller.abort(reason)
        return 'never'
      }
      await expect(run()).rejects.toBe(reason)
      expect(client.asked).toHaveLength(step === 'before' ? 0 : 1)
      await closed(visited.sockets)
    }
  })
})
