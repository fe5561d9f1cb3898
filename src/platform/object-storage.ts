import { createHash } from 'node:crypto'
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from './clock.ts'
import { AppError, type ErrorKind } from './errors.ts'
import type { Trust } from './outbound/outbound.ts'
import type { Outbound, OutboundResponse } from './outbound/port.ts'

/** A bucket of an S3-compatible server. */
export interface BucketSettings {
  /** The address of the server, without the bucket. */
  endpoint: string
  region: string
  bucket: string
  /** Precedes every key; empty, or ends with a slash. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

export interface StoredObject {
  key: string
  size: number
  modifiedAt: string
}

/** The objects of a bucket, by keys without the prefix. */
export interface ObjectStorage {
  /** Uploads a file. Files above one part are uploaded in parts, and become visible when complete. */
  putFile(key: string, file: string, options?: TransferOptions): Promise<void>
  putBytes(key: string, bytes: Buffer, options?: TransferOptions): Promise<void>
  /** Throws `ObjectMissing` before the first byte if there is no such object. */
  read(key: string, options?: TransferOptions): AsyncGenerator<Buffer>
  /** Like `read`, but fails at once. Content that is never read is released at the timeout. */
  open(key: string, options?: TransferOptions): Promise<AsyncGenerator<Buffer>>
  /** Returns undefined if there is no such object. */
  readSize(key: string): Promise<number | undefined>
  remove(key: string, options?: TransferOptions): Promise<void>
  list(prefix: string): AsyncGenerator<StoredObject>
  /** Fails with the reason if the bucket cannot be read with these keys. */
  check(): Promise<void>
}

export interface TransferOptions {
  signal?: AbortSignal | undefined
}

/** Limits of each request. */
export interface RequestLimits {
  tries: number
  /** Until the last byte of the answer; for streams, between two chunks. */
  timeoutMs: number
}

export class ObjectMissing extends Error {}

/** S3 requires at least 5 MiB, and allows 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024
const MAX_PARTS = 9_000
/** The time is for a part over a slow line. */
const DEFAULT_LIMITS: RequestLimits = { tries: 4, timeoutMs: 5 * 60_000 }
const FIRST_PAUSE_MS = 500
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
const RETRIED_KINDS: ReadonlySet<ErrorKind> = new Set(['upstream', 'unavailable', 'rate_limited'])
const MAX_MESSAGE_LENGTH = 200

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Every character except those that RFC 3986 calls unreserved is encoded, as the signature requires. */
const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
const encodeKey = (key: string): string => key.split('/').map(encodePart).join('/')

const require = createRequire(import.meta.url)

/** Loads the package at the first use, because it contains all entities of HTML. */
const decodeXml = (text: string): string => (require('entities') as typeof import('entities')).decodeXML(text)

/** Returns the text of the first element with this name. The answers of S3 are flat and have no attributes. */
const textOf = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : decodeXml(xml.slice(start + name.length + 2, end))
}

const elementsOf = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((rest) => rest.split(`</${name}>`, 1)[0] as string)

const fail = (message: string): AppError => new AppError('upstream', 'upstream_failed', message)

/** Explains the error codes that a wrong setting causes. */
const explain = (
  { bucket, region }: BucketSettings,
  host: string,
  { status, code, message }: { status: number; code: string; message: string },
): string => {
  switch (code) {
    case 'InvalidAccessKeyId':
      return `${host} does not know the access key. Check the access key.`
    case 'SignatureDoesNotMatch':
      return `${host} rejected the signature. Check the secret key.`
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `${host} denied access to the bucket ${bucket}. The access key needs permission to list, read, write and delete.`
    case 'NoSuchBucket':
      return `There is no bucket ${bucket} on ${host}. Create it, or check its name.`
    case 'RequestTimeTooSkewed':
      return `The clocks of this machine and of ${host} differ too much. Synchronize this machine's clock.`
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `The bucket ${bucket} is not in the region ${region}. Set its region and endpoint.`
    default:
      return `${host} answered with status ${status}${code && ` ${code}`}${message && `: ${message.slice(0, MAX_MESSAGE_LENGTH)}`}.`
  }
}

interface S3Request {
  method: string
  /** With the prefix; empty for the bucket. */
  key: string
  query?: Record<string, string>
  body?: Uint8Array | string
  signal?: AbortSignal | undefined
  /** The answer is a stream of any length. */
  isLarge?: boolean
}

/** The content of an upload, read in parts. */
interface UploadSource {
  size: number
  readPart(from: number, length: number): Promise<Buffer>
}

/**
 * A client for S3-compatible servers with path-style addresses, which all of them support. Each body is hashed
 * and signed, so that a damaged part is rejected.
 */
export const createObjectStorage = (
  settings: BucketSettings,
  { outbound, clock, trust }: { outbound: Pick<Outbound, 'fetch'>; clock: Clock; trust: Trust },
  { tries: maxTries, timeoutMs }: RequestLimits = DEFAULT_LIMITS,
): ObjectStorage => {
  const { bucket, prefix, region, accessKeyId, secretAccessKey } = settings
  const endpoint = settings.endpoint.replace(/\/+$/, '')
  const { hostname: host } = new URL(endpoint)

  const sendOnce = async (request: S3Request): Promise<OutboundResponse> => {
    const { method, key, query = {}, body, signal, isLarge = false } = request
    const search = Object.entries(query)
      .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
      .join('&')
    const url = `${endpoint}/${encodePart(bucket)}${key && `/${encodeKey(key)}`}${search && `?${search}`}`
    const datetime = clock
      .now()
      .toISOString()
      .replace(/[-:]|\.\d{3}/g, '')
    const signed = await new AwsV4Signer({
      method,
      url,
      headers: { 'x-amz-content-sha256': sha256(body ?? '') },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      datetime,
    }).sign()
    const headers = new Headers(signed.headers)
    headers.delete('host')
    headers.set('accept-encoding', 'identity')
    return outbound.fetch(url, {
      method,
      headers,
      trust,
      timeoutMs,
      maxRedirects: 0,
      ...(isLarge && { maxBytes: Number.MAX_SAFE_INTEGER }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
  }

  const isRetried = (error: unknown): boolean => error instanceof AppError && RETRIED_KINDS.has(error.kind)

  /** Repeats requests that failed for a reason that may pass. All of them can be repeated. */
  const send = async (request: S3Request): Promise<OutboundResponse> => {
    for (let tries = 1; ; tries++) {
      try {
        const response = await sendOnce(request)
        if (tries === maxTries || !RETRIED_STATUS.has(response.status)) return response
        response.discard()
      } catch (error) {
        if (tries === maxTries || !isRetried(error) || request.signal?.aborted) throw error
      }
      await delay(FIRST_PAUSE_MS * 2 ** (tries - 1), undefined, { signal: request.signal })
    }
  }

  const toError = async (response: OutboundResponse): Promise<AppError> => {
    const xml = await response.text().catch(() => '')
    const [code, message] = [textOf(xml, 'Code') ?? '', textOf(xml, 'Message') ?? '']
    return fail(explain(settings, host, { status: response.status, code, message }))
  }

  const request = async (given: S3Request, ...accepted: number[]): Promise<OutboundResponse> => {
    const response = await send(given)
    if ((response.status >= 200 && response.status < 300) || accepted.includes(response.status))
      return response
    throw await toError(response)
  }

  const readPart = async (handle: FileHandle, from: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(length)
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled)
      if (bytesRead === 0) throw new Error('The file became shorter while it was uploaded.')
      filled += bytesRead
    }
    return bytes
  }

  const putParts = async (
    key: string,
    source: UploadSource,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const { size } = source
    const begun = await request({ method: 'POST', key, query: { uploads: '' }, signal })
    const uploadId = textOf(await begun.text(), 'UploadId')
    if (uploadId === undefined) throw fail(`${host} did not start the upload.`)
    try {
      const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
      const tags: string[] = []
      for (let from = 0; from < size; from += partBytes) {
        const body = await source.readPart(from, Math.min(partBytes, size - from))
        const query = { partNumber: String(tags.length + 1), uploadId }
        const response = await request({ method: 'PUT', key, query, body, signal })
        tags.push(response.headers.get('etag') ?? '')
        response.discard()
      }
      const parts = tags.map(
        (tag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const completed = await request({ method: 'POST', key, query: { uploadId }, body, signal })
      // S3 sends 200 before it knows the result, which is in the body.
      const xml = await completed.text()
      const code = textOf(xml, 'Code')
      if (xml.includes('<Error>'))
        throw fail(
          explain(settings, host, { status: 200, code: code ?? '', message: textOf(xml, 'Message') ?? '' }),
        )
    } catch (error) {
      // The parts would be stored, and paid for, until the bucket's own rules remove them.
      await request({ method: 'DELETE', key, query: { uploadId } }, 404).catch(() => undefined)
      throw error
    }
  }

  const put = async (key: string, source: UploadSource, signal: AbortSignal | undefined): Promise<void> => {
    if (source.size > PART_BYTES) return putParts(key, source, signal)
    const body = await source.readPart(0, source.size)
    const response = await request({ method: 'PUT', key, body, signal })
    response.discard()
  }

  const open = async (key: string, { signal }: TransferOptions = {}): Promise<AsyncGenerator<Buffer>> => {
    const response = await request({ method: 'GET', key: `${prefix}${key}`, isLarge: true, signal }, 404)
    if (response.status === 404) {
      const xml = await response.text()
      const code = textOf(xml, 'Code') ?? ''
      if (code === 'NoSuchBucket') throw fail(explain(settings, host, { status: 404, code, message: '' }))
      throw new ObjectMissing(`There is no object ${key} in the bucket ${bucket}.`)
    }
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    return (async function* () {
      let read = 0
      for await (const chunk of response.stream()) {
        read += chunk.length
        yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      }
      if (Number.isFinite(length) && read !== length)
        throw fail(`${host} sent ${read} of ${length} bytes of ${key}.`)
    })()
  }

  return {
    async putFile(key, file, { signal } = {}) {
      const handle = await openFile(file, 'r')
      try {
        const { size } = await handle.stat()
        const source = { size, readPart: (from: number, length: number) => readPart(handle, from, length) }
        await put(`${prefix}${key}`, source, signal)
      } finally {
        await handle.close()
      }
    },

    async putBytes(key, bytes, { signal } = {}) {
      const source = {
        size: bytes.length,
        readPart: async (from: number, length: number) => bytes.subarray(from, from + length),
      }
      await put(`${prefix}${key}`, source, signal)
    },

    open,

    async *read(key, options) {
      yield* await open(key, options)
    },

    async readSize(key) {
      const response = await request({ method: 'HEAD', key: `${prefix}${key}` }, 404)
      response.discard()
      return response.status === 404 ? undefined : Number(response.headers.get('content-length') ?? 0)
    },

    async remove(key, { signal } = {}) {
      const response = await request({ method: 'DELETE', key: `${prefix}${key}`, signal }, 404)
      response.discard()
    },

    async *list(below) {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: `${prefix}${below}`,
          ...(token !== undefined && { 'continuation-token': token }),
        }
        const xml = await (await request({ method: 'GET', key: '', query })).text()
        for (const element of elementsOf(xml, 'Contents'))
          yield {
            key: (textOf(element, 'Key') ?? '').slice(prefix.length),
            size: Number(textOf(element, 'Size')),
            modifiedAt: textOf(element, 'LastModified') ?? '',
          }
        token = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : undefined
      } while (token !== undefined)
    },

    async check() {
      // A prefix without objects: only the answer matters.
      const query = { 'list-type': '2', prefix: `${prefix}check/` }
      const response = await request({ method: 'GET', key: '', query })
      response.discard()
    },
  }
}
