import type { FastifyInstance } from 'fastify'

/** What `etagOf` makes: which version of what, and what also shows. */
const VERSION_TAG = /"([^".~]+\.\d+)((?:~[^"]*)?)"/
/** The same with the epoch that it was told in, if there was one. */
const TOLD_TAG = /"([^".~]+\.\d+)(?:\.(\w+))?((?:~[^"]*)?)"/g
const NAMES_A_VERSION = /"[^".~]+\.\d/
const OF_ANOTHER = '""'

/**
 * After a restore versions are counted from what they were at the backup, and so are told with the epoch that began
 * then (database/epoch.ts): a version that was read before is another one. Inside nobody knows of it.
 */
export const addEpochs = (app: FastifyInstance, readEpoch: () => Promise<number>): void => {
  /** Asked for with the first version that is told or named, and then known; empty where nothing was restored. */
  let epoch: string | undefined
  const withEpoch = (use: (epoch: string) => void, done: (error?: Error) => void): void => {
    if (epoch === undefined) {
      readEpoch().then((began) => {
        epoch = began === 0 ? '' : began.toString(36)
        withEpoch(use, done)
      }, done)
      return
    }
    if (epoch !== '') use(epoch)
    done()
  }

  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const named = (['if-match', 'if-none-match'] as const).filter((name) =>
      NAMES_A_VERSION.test(headers[name] ?? ''),
    )
    if (named.length === 0) return done()
    withEpoch((now) => {
      for (const name of named)
        headers[name] = headers[name]?.replaceAll(
          TOLD_TAG,
          (_, version: string, told: string | undefined, shown) =>
            told === now ? `"${version}${shown}"` : OF_ANOTHER,
        )
    }, done)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    const etag = reply.getHeader('etag')
    if (typeof etag !== 'string' || epoch === '' || !VERSION_TAG.test(etag)) return done(null, payload)
    withEpoch(
      (now) => reply.header('etag', etag.replace(VERSION_TAG, `"$1.${now}$2"`)),
      (error) => (error ? done(error as never) : done(null, payload)),
    )
  })
}
