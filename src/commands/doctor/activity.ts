import { createActivityLog, FOREIGN_SEAL } from '../../features/auth/activity-log.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import { createSealer } from '../../platform/secrets/seal.ts'
import { findSecret } from '../../platform/secrets/secret-file.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Follows the chain of activity from end to end. */
export const activityCheck: Check = {
  what: 'activity',
  async run({ context, config, database, migration }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const secret = config.secretKey ?? findSecret(config.dataDir)
    if (secret === undefined) return []
    const previous = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
    const sealer = createSealer(deriveKeys(secret), previous, context.random)
    const { entries, unsealed, fault } = await createActivityLog({ db: database.db, sealer }).examine()
    if (fault === FOREIGN_SEAL)
      return [
        fail(
          `the log of who did what cannot be checked: ${fault}`,
          'set SECRET_KEY_PREVIOUS to the key that was in use',
        ),
      ]
    if (fault !== null)
      return [
        fail(
          `the log of who did what does not hold together: ${fault}`,
          'somebody changed the database by hand: compare with a backup',
        ),
      ]
    return unsealed > 0
      ? [
          warn(
            `${entries} entries hold together, ${unsealed} are not sealed yet`,
            'they are when the service runs; look again after that',
          ),
        ]
      : [ok(`${entries} entries hold together`)]
  },
}
