import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { CredentialWish } from './credential-schema.ts'
import {
  type CredentialRecord,
  deleteCredential,
  findCredential,
  listCredentials,
  replaceSecret,
  saveCredential,
} from './credential-store.ts'

const contextOf = (platform: string): string => `stream_credentials.secret:${platform}`

/** Enough to tell two apart, too little to guess with. */
const hintOf = (secret: string): string => (secret.length >= 16 ? `…${secret.slice(-4)}` : '…')

const viewOf = ({ platform, serverUrl, fields, hint, version, createdAt, updatedAt }: CredentialRecord) => ({
  ...{ platform, configured: true, serverUrl, hint, createdAt, updatedAt },
  fields: JSON.parse(fields) as string[],
  ...{ id: platform, version },
})

export type StreamCredentials = ReturnType<typeof createStreamCredentials>

/** What signs in at streaming platforms: sealed, and shown to nobody. */
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

    /** What is given takes the place of all that was there. */
    put: (platform: string, { serverUrl, ...secrets }: CredentialWish, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const [secret] = Object.values(secrets)
        if (secret === undefined) throw invalid('Give at least one secret, such as streamKey.')
        const before = await findCredential(tx, platform)
        if (ifMatch !== undefined) requireMatch(ifMatch, { id: platform, version: before?.version ?? 0 })
        const now = clock.now().toISOString()
        const saved = await saveCredential(tx, {
          ...{ platform, serverUrl: serverUrl ?? null, fields: JSON.stringify(Object.keys(secrets)) },
          ...{ hint: hintOf(secret), createdAt: now, updatedAt: now },
          secret: sealer.seal(JSON.stringify(secrets), contextOf(platform)),
        })
        return { made: before === undefined, credential: viewOf(saved) }
      }),

    remove: (platform: string, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, { id: platform, version: (await get(tx, platform)).version })
        await deleteCredential(tx, platform)
      }),

    /** Seals anew what a previous SECRET_KEY sealed. */
    async reseal(tx: Db): Promise<void> {
      const rows = await tx.selectFrom('stream_credentials').select(['platform', 'secret']).execute()
      for (const { platform, secret } of rows)
        if (sealer.isStale(secret)) {
          const context = contextOf(platform)
          await replaceSecret(tx, platform, sealer.seal(sealer.open(secret, context), context))
        }
    },
  }
}
