import type { Config } from '../../config/config.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import { findSecret } from '../../platform/secrets/secret-file.ts'
import { CommandError } from '../command.ts'
import type { ArchiveReader } from './archive.ts'
import type { Contents } from './contents.ts'

export interface ChosenKey {
  /** What the restored instance will use. */
  secretKey: string
  /** What has to be written to DATA_DIR; null when the one there, or SECRET_KEY, is the right one. */
  toWrite: string | null
}

const idOf = (secret: string): string => deriveKeys(secret).id

/** The key that opens what is sealed in the backup, or one line that says what to set. */
export const chooseKey = (
  { isEncrypted }: ArchiveReader,
  file: string,
  { manifest, secret }: Contents,
  config: Config,
): ChosenKey => {
  if (secret !== null && idOf(secret) !== manifest.keyId)
    throw new CommandError(
      `${file} cannot be restored: its secret is not the one it was made with. Nothing was changed.`,
    )
  const own = config.secretKey ?? findSecret(config.dataDir) ?? null
  if (own !== null && idOf(own) === manifest.keyId) return { secretKey: own, toWrite: null }
  if (config.secretKey === null && secret !== null) return { secretKey: secret, toWrite: secret }
  if (own !== null && config.secretKeyPrevious !== null && idOf(config.secretKeyPrevious) === manifest.keyId)
    return { secretKey: own, toWrite: null }
  const wanted =
    secret === null
      ? 'the SECRET_KEY it was made with'
      : isEncrypted
        ? 'the content of secret.key in the DATA_DIR it was made from; to get that file, restore the backup without SECRET_KEY and DATABASE_URL into an empty DATA_DIR'
        : `what "unzip -p ${file} secret.key" prints`
  throw new CommandError(
    config.secretKey === null
      ? `This backup was sealed with another key. Set SECRET_KEY to ${wanted}.`
      : `This backup was sealed with another key than SECRET_KEY. Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to ${wanted}.`,
  )
}
