import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** The only key pair that the server knows. It verifies every signature. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export interface S3Server {
  endpoint: string
  bucket: string
  /** The directory with the objects as files. */
  directory: string
  close(): Promise<void>
}

/** Starts an S3 server with one empty bucket. */
export const startS3 = async (): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-s3-'))
  const bucket = 'factotum'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = (await server.run()) as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    directory,
    async close() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
