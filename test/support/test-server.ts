import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createCredentials } from '../../src/features/auth/credentials.ts'
import { createDavAuthentication } from '../../src/features/auth/dav-authentication.ts'
import { createAttempts } from '../../src/features/auth/login-attempts.ts'
import { createAccessTokens } from '../../src/features/auth/sessions.ts'
import { createServer, type ServerOptions } from '../../src/platform/http/server.ts'
import { createLog, type Logger } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { deriveKeys } from '../../src/platform/secrets/seal.ts'
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

export interface TestServer {
  url: string
  send(call: RawCall): Promise<RawAnswer>
  close(): Promise<void>
}

type Neighbour = Pick<Instance, 'database' | 'clock' | 'place'>

/** Starts the production server with a feature that exists only for a test, on the data of an instance. */
export const startTestServer = async (
  { database, clock, place }: Neighbour,
  plugin: FastifyPluginAsyncTypebox,
  options: Partial<ServerOptions> = {},
  log: Logger = createLog('silent'),
): Promise<TestServer> => {
  const key = deriveKeys(place.environment.SECRET_KEY as string).signing
  const accessTokens = createAccessTokens({ key, ttlMs: 900_000, clock })
  const { db, processLock } = database
  const { publicUrl = null } = options
  const dav = createDavAuthentication(
    { db, clock, log },
    { attempts: createAttempts({ database, clock }), publicUrl },
  )
  const credentials = createCredentials({ db, clock, log }, accessTokens, dav)
  const { app } = await createServer(
    { ...TOY_OPTIONS, ...options },
    { db, processLock, clock, random: systemRandom, log, credentials },
  )
  await app.register(plugin)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The toy listens nowhere.')
  const url = `http://127.0.0.1:${address.port}`
  return { url, send: (call) => exchange(url, call), close: () => app.close() }
}
