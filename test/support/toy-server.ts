import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createAccessTokens } from '../../src/features/auth/access-jwt.ts'
import { createCredentials } from '../../src/features/auth/credentials.ts'
import { createServer, type ServerOptions } from '../../src/platform/http/server.ts'
import { createLog, type Logger } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { deriveKeys } from '../../src/platform/secrets/keys.ts'
import type { Instance } from './instance.ts'
import { exchange, type RawAnswer, type RawCall } from './raw-http.ts'

export const TOY_OPTIONS: ServerOptions = {
  access: 'open',
  onlyThisMachine: true,
  publicUrl: null,
  corsOrigins: [],
  allowedHosts: [],
  trustProxy: false,
  rateLimit: 600,
}

export interface Toy {
  url: string
  send(call: RawCall): Promise<RawAnswer>
  close(): Promise<void>
}

type Neighbour = Pick<Instance, 'database' | 'clock' | 'place'>

/** The server frame that ships, with a room that exists only for a test, beside an instance and on its data. */
export const startToy = async (
  { database, clock, place }: Neighbour,
  room: FastifyPluginAsyncTypebox,
  options: Partial<ServerOptions> = {},
  log: Logger = createLog('silent'),
): Promise<Toy> => {
  const key = deriveKeys(place.environment.SECRET_KEY as string).signing
  const accessTokens = createAccessTokens({ key, ttlMs: 900_000, clock })
  const { db, processLock } = database
  const credentials = createCredentials({ db, clock, log, accessTokens })
  const { app } = await createServer(
    { ...TOY_OPTIONS, ...options },
    { db, processLock, clock, random: systemRandom, log, credentials },
  )
  await app.register(room)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The toy listens nowhere.')
  const url = `http://127.0.0.1:${address.port}`
  return { url, send: (call) => exchange(url, call), close: () => app.close() }
}
