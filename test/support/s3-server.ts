import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** The only key pair that the server knows. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export interface S3Server {
  endpoint: string
  bucket: string
  /** The directory with the objects as files. */
  directory: string
  close(): Promise<void>
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Computes the signature of a request by the description of AWS Signature Version 4. */
const signatureOf = (request: IncomingMessage, credential: string, signedHeaders: string): string => {
  const [, date = '', region = '', service = ''] = credential.split('/')
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${request.headers[name]}`),
    '',
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash].join('\n')
  const key = [region, service, 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    hmac(`AWS4${S3_KEY.secretAccessKey}`, date),
  )
  return hmac(key, text).toString('hex')
}

/** s3rver does not compute signatures of version 4, so this does. */
const hasValidSignature = (request: IncomingMessage): boolean => {
  const header = request.headers.authorization ?? ''
  const [, credential, signedHeaders, signature] =
    /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(header) ?? []
  if (!credential || !signedHeaders || !signature) return false
  // s3rver rejects an unknown key itself.
  if (!credential.startsWith(`${S3_KEY.accessKeyId}/`)) return true
  return signatureOf(request, credential, signedHeaders) === signature
}

/** Starts an S3 server with one empty bucket. It verifies every signature. */
export const startS3 = async (): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-s3-'))
  const bucket = 'factotum'
  const server = new S3rver({
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  await server.configureBuckets()
  const answer: RequestListener = server.callback()
  const front = createServer((request, response) => {
    if (hasValidSignature(request)) return answer(request, response)
    response.statusCode = 403
    response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>No match.</Message></Error>')
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    directory,
    async close() {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
