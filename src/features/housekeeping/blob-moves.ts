import Type from 'typebox'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'

/** Moves new blobs to the bucket, if there is one. The next run repeats what failed. */
export const defineBlobMoves = ({ jobs, blobs, log }: Pick<Platform, 'jobs' | 'blobs' | 'log'>): void => {
  const { bucket } = blobs
  if (bucket === null) return
  jobs.define({
    name: 'blobs.move',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    async run(_payload, { signal }) {
      try {
        const { damaged } = await bucket.move({ signal })
        if (damaged.length > 0)
          log.error({ count: damaged.length, hash: damaged[0] }, 'blobs do not match their hash')
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        log.warn({ err: error }, 'could not move blobs to the bucket')
      }
    },
  })
}
