import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { closed, createLoopbackWorld, drain } from '../../../test/support/loopback-world.ts'

const world = createLoopbackWorld()
afterEach(world.end)

const FAILED = { kind: 'upstream', code: 'upstream_failed' }

describe('a response body', () => {
  it.each([
    ['gzip', gzipSync],
    ['X-Gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => text],
  ])('in %s is decoded', async (encoding, encode) => {
    const text = 'grün '.repeat(10_000)
    const { port } = await world.serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(text))
    })
    const fetch = () => world.client().fetch(`http://site.test:${port}/`)
    expect((await (await fetch()).text()) === text).toBe(true)
    expect((await drain((await fetch()).stream())) === text).toBe(true)
  })

  it.each(['gzip, gzip', 'zstd', 'rot13', '__proto__'])(
    'in %s is rejected as unsupported',
    async (encoding) => {
      const visited = await world.serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).write('x')
      })
      const answer = await world.client().fetch(`http://site.test:${visited.port}/`)
      await expect(answer.text()).rejects.toMatchObject(FAILED)
      await closed(visited.sockets)
    },
  )

  it.each(['gzip', 'br', 'deflate'])(
    'that is not valid %s, or is truncated, is an upstream failure',
    async (encoding) => {
      const bodies = ['not compressed at all', gzipSync('x'.repeat(9_999)).subarray(0, 20)]
      for (const body of bodies) {
        const { port } = await world.serve((_request, response) => {
          response.writeHead(200, { 'content-encoding': encoding }).end(body)
        })
        const answer = await world.client().fetch(`http://site.test:${port}/`)
        await expect(answer.text()).rejects.toMatchObject(FAILED)
      }
    },
  )

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
    ['GET', 200],
  ])('that is absent is empty, also when an encoding is named (%s %i)', async (method, status) => {
    const { port } = await world.serve((_request, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end()
    })
    const answer = await world.client().fetch(`http://site.test:${port}/`, { method })
    expect([answer.status, await answer.text()]).toEqual([status, ''])
  })

  it('is decoded with its charset, and as UTF-8 without a valid charset', async () => {
    for (const [type, bytes] of [
      ['text/html; charset="ISO-8859-1"', Buffer.from('grün', 'latin1')],
      ['text/html; charset=klingon', Buffer.from('grün')],
      ['text/html', Buffer.from('\ufeffgrün')],
    ] as const) {
      const { port } = await world.serve((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(bytes)
      })
      expect(await (await world.client().fetch(`http://site.test:${port}/`)).text()).toBe('grün')
    }
  })

  it('that is not JSON is an upstream failure', async () => {
    const { port } = await world.serve((_request, response) => response.end('<html>'))
    const answer = await world.client().fetch(`http://site.test:${port}/`)
    await expect(answer.json()).rejects.toMatchObject(FAILED)
  })

  it('can be read as a stream once', async () => {
    const { port } = await world.serve((_request, response) => response.end('ok'))
    const answer = await world.client().fetch(`http://site.test:${port}/`)
    expect(await drain(answer.stream())).toBe('ok')
    expect(() => answer.stream()).toThrow('already read')
    await expect(answer.text()).rejects.toThrow('already read as a stream')
  })
})

describe('the size of a response body', () => {
  it('may be exactly the limit and not one byte more', async () => {
    const { port } = await world.serve((_request, response) => response.end('x'.repeat(1000)))
    const fetch = (maxBytes: number) => world.client().fetch(`http://site.test:${port}/`, { maxBytes })
    expect(await (await fetch(1000)).text()).toHaveLength(1000)
    await expect((await fetch(999)).text()).rejects.toMatchObject(FAILED)
    await expect(drain((await fetch(999)).stream())).rejects.toMatchObject(FAILED)
  })

  it('is limited if the body never ends, and the connection is closed', async () => {
    const visited = await world.serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const answer = await world.client().fetch(`http://site.test:${visited.port}/`)
    await expect(answer.bytes()).rejects.toMatchObject(FAILED)
    await closed(visited.sockets)
  })

  it('is measured after decompression, so a decompression bomb fails at the limit', async () => {
    const visited = await world.serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const bomb = createGzip()
      bomb.pipe(response)
      response.on('close', () => bomb.destroy())
      const more = () => {
        while (!bomb.destroyed && bomb.write(Buffer.alloc(1_048_576)));
      }
      bomb.on('drain', more).on('error', () => undefined)
      more()
    })
    const answer = await world.client().fetch(`http://site.test:${visited.port}/`, { maxBytes: 3_000_000 })
    await expect(answer.text()).rejects.toMatchObject(FAILED)
    await closed(visited.sockets)
  })
})
