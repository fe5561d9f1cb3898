import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import {
  type CredentialRecord,
  deleteCredential,
  findCredential,
  listCredentials,
  replaceSecret,
  saveCredential,
} from './repository.ts'
import type { CredentialInput } from './schema.ts'

const toSealContext = (platform: string): string => `stream_credentials.secret:${platform}`

/** Returns the last characters, enough to recognize the secret. */
const toHint = (secret: string): string => (secret.length >= 16 ? `…${secret.slice(-4)}` : '…')

const viewOf = ({ platform, serverUrl, fields, hint, version, createdAt, updatedAt }: CredentialRecord) => ({
  platform,
  configured: true,
  serverUrl,
  hint,
  createdAt,
  updatedAt,
  fields: JSON.parse(fields) as string[],
  id: platform,
  version,
})

export type StreamCredentials = ReturnType<typeof createStreamCredentials>

/** Stores credentials of streaming platforms, encrypted. They are never returned. */
export const createStreamCredentials = ({ db, clock, sealer }: { db: Db; clock: Clock; sealer: Sealer }) => {
  const get = async (tx: Db, platform: string): Promise<CredentialRecord> => {
    const credential = await findCredential(tx, platform)
    if (!credential) throw notFound('credential')
    return credential
  }
  return {
    async list({ limit, cursor }: PageRequest) {
      const after = readCursor(cursor, 'text')?.[0]
      const rows = await listCredentials(db, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, ({ platform }) => [platform])
      return { credentials: page.map(viewOf), nextCursor }
    },

    get: async (platform: string) => viewOf(await get(db, platform)),

    /** Replaces all secrets of the platform. */
    put: (platform: string, { serverUrl, ...secrets }: CredentialInput, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const [secret] = Object.values(secrets)
        if (secret === undefined) throw invalid('Send at least one secret, such as streamKey.')
        const before = await findCredential(tx, platform)
        if (ifMatch !== undefined) requireMatch(ifMatch, { id: platform, version: before?.version ?? 0 })
        const now = clock.now().toISOString()
        const saved = await saveCredential(tx, {
          platform,
          serverUrl: serverUrl ?? null,
          fields: JSON.stringify(Object.keys(secrets)),
          hint: toHint(secret),
          createdAt: now,
          updatedAt: now,
          secret: sealer.seal(JSON.stringify(secrets), toSealContext(platform)),
        })
        return { made: before === undefined, credential: viewOf(saved) }
      }),

    remove: (platform: string, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, { id: platform, version: (await get(tx, platform)).version })
        await deleteCredential(tx, platform)
      }),

    /** Re-encrypts secrets that were encrypted with a previous SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx.selectFrom('stream_credentials').select(['platform', 'secret']).execute()
      for (const { platform, secret } of rows)
        if (sealer.isStale(secret)) {
          const context = toSealContext(platform)
          await replaceSecret(tx, platform, sealer.seal(sealer.open(secret, context), context))
        }
    },
  }
}
