import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Deadline } from './deadline.ts'
import { upstreamFailed } from './failures.ts'

export interface OutboundBodyAccess {
  /** The body by the charset the answer names, else UTF-8. */
  text(): Promise<string>
  bytes(): Promise<Uint8Array>
  json(): Promise<unknown>
  /** Chunks as they come. From here on the time-out counts the silence between chunks, not the whole. */
  stream(): AsyncIterable<Uint8Array>
  /** Lets go of the connection without reading. An answer nobody reads lets go by itself at the time-out. */
  discard(): void
}

export interface BodySource {
  raw: Readable
  host: string
  headers: Headers
  maxBytes: number
  deadline: Deadline
  toError(error: unknown): unknown
}

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** For `Accept-Encoding`. Deflate is understood but not asked for: servers disagree on what it is (RFC 9110 §8.4.1.2). */
export const ACCEPTED_ENCODINGS = 'gzip, br'

const isDecoder = (name: string): name is keyof typeof DECODERS => Object.hasOwn(DECODERS, name)

async function* decode(raw: Readable, encoding: string, host: string): AsyncGenerator<Uint8Array> {
  if (encoding === '' || encoding === 'identity') return yield* raw
  // One layer only: stacked encodings serve nobody but the makers of decompression bombs.
  if (!isDecoder(encoding)) throw upstreamFailed(`${host} sent a body in an encoding that is not understood.`)
  const decoder = DECODERS[encoding]()
  let isEmpty = true
  const watched = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      isEmpty = false
      yield chunk
    }
  }
  pipeline(raw, watched, decoder, () => undefined)
  try {
    yield* decoder
  } catch (error) {
    // Answers without a body (HEAD, 204, 304) may still name an encoding; nothing is not a broken something.
    if (raw.readableEnded && isEmpty) return
    throw error
  }
}

const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

export const createBody = (source: BodySource): OutboundBodyAccess => {
  const { raw, host, headers, maxBytes, deadline } = source
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  let whole: Promise<Uint8Array> | undefined
  let streamed = false

  async function* chunks(timing: 'total' | 'idle'): AsyncGenerator<Uint8Array> {
    let size = 0
    try {
      for await (const chunk of decode(raw, encoding, host)) {
        size += chunk.length
        if (size > maxBytes) throw upstreamFailed(`${host} sent more than ${maxBytes} bytes.`)
        if (timing === 'idle') deadline.pause()
        yield chunk
        if (timing === 'idle') deadline.restart()
      }
    } catch (error) {
      throw source.toError(error)
    } finally {
      raw.destroy()
      deadline.end()
    }
  }

  const collect = async (): Promise<Uint8Array> => {
    const parts: Uint8Array[] = []
    for await (const chunk of chunks('total')) parts.push(chunk)
    return Buffer.concat(parts)
  }
  const bytes = async () => {
    if (streamed) throw new Error('The body has been taken as a stream already')
    whole ??= collect()
    return whole
  }

  return {
    bytes,
    text: async () => decodeText(await bytes(), headers.get('content-type') ?? ''),
    json: async () => {
      const text = new TextDecoder().decode(await bytes())
      try {
        return JSON.parse(text)
      } catch (error) {
        throw upstreamFailed(`${host} did not answer with JSON.`, error)
      }
    },
    stream: () => {
      if (streamed || whole !== undefined) throw new Error('The body has been taken already')
      streamed = true
      deadline.restart()
      return chunks('idle')
    },
    discard: () => {
      raw.destroy()
      deadline.end()
    },
  }
}
