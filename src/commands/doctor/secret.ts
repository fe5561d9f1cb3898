import { deriveKeys } from '../../platform/secrets/keys.ts'
import { findSecret } from '../../platform/secrets/secret-file.ts'
import { type Check, fail, ok, type Patient, warn } from './finding.ts'

const SHORTEST = 32

const countSealed = async ({ database, migration }: Patient): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  if (!database || !migration || migration.at === null) return counts
  const rows = await database.db
    .selectFrom('users')
    .select('twoFactorSecret as sealed')
    .where('twoFactorSecret', 'is not', null)
    .execute()
  const { db } = database
  const secrets =
    migration.pending.length > 0
      ? []
      : [
          ...(await db.selectFrom('mail_accounts').select('secret as sealed').execute()),
          ...(await db.selectFrom('calendar_accounts').select('secret as sealed').execute()),
          ...(await db.selectFrom('stream_credentials').select('secret as sealed').execute()),
          ...(await db.selectFrom('webhooks').select('secret as sealed').execute()),
          ...(await db.selectFrom('webhooks').select('previousSecret as sealed').execute()),
        ]
  for (const { sealed } of [...rows, ...secrets]) {
    if (sealed === null) continue
    const keyId = sealed?.split('.')[1] ?? ''
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
  }
  return counts
}

const presence = (secret: string | undefined, isSet: boolean, isNeeded: boolean) => {
  if (secret === undefined)
    return isNeeded
      ? fail(
          'secret.key is gone, and what it sealed does not open',
          'put it back, from a backup, or set SECRET_KEY',
        )
      : ok('made on the first start')
  if (secret.length < SHORTEST)
    return fail('secret.key is not whole', 'put it back, from a backup, or set SECRET_KEY')
  return ok(isSet ? 'SECRET_KEY is set' : 'secret.key is there')
}

const previousFinding = (previousId: string | undefined, sealed: ReadonlyMap<string, number>) => {
  if (previousId === undefined) return []
  const left = sealed.get(previousId) ?? 0
  return left > 0
    ? [
        warn(
          `SECRET_KEY_PREVIOUS is still needed, for ${left} sealed`,
          'start the service once: it seals them anew',
        ),
      ]
    : [ok('SECRET_KEY_PREVIOUS is needed no more and may go')]
}

export const secretCheck: Check = {
  what: 'secret',
  async run(patient) {
    const { config } = patient
    const secret = config.secretKey ?? findSecret(config.dataDir)
    const sealed = await countSealed(patient)
    const idOf = (key: string | null | undefined): string | undefined =>
      key ? deriveKeys(key).id : undefined
    const [currentId, previousId] = [idOf(secret), idOf(config.secretKeyPrevious)]
    const strangers = [...sealed].filter(([id]) => id !== currentId && id !== previousId)
    return [
      presence(secret, config.secretKey !== null, sealed.size > 0),
      ...(secret === undefined ? [] : strangers).map(([id, count]) =>
        fail(
          `${count} sealed with another key (${id}) do not open`,
          'set SECRET_KEY_PREVIOUS to the key that was in use',
        ),
      ),
      ...previousFinding(previousId, sealed),
    ]
  },
}
