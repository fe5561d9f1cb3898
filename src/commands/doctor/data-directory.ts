import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { secretFile } from '../../platform/secrets/secret-file.ts'
import { stagedRestores } from '../restore/staging.ts'
import { type Check, fail, ok, warn } from './finding.ts'

const MIB = 1024 * 1024
const SCARCE = 1024 * MIB
const TOO_LITTLE = 100 * MIB
const OTHERS = 0o077

/** Where DATA_DIR is, or will be made. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

const amount = (bytes: number): string =>
  bytes >= SCARCE ? `${(bytes / 1024 / MIB).toFixed(1)} GiB` : `${Math.floor(bytes / MIB)} MiB`

export const diskCheck: Check = {
  what: 'disk',
  run({ config }) {
    const { bavail, bsize } = statfsSync(existing(resolve(config.dataDir)))
    const free = bavail * bsize
    if (free < TOO_LITTLE) return [fail(`${amount(free)} free`, 'make room: soon nothing can be written')]
    if (free < SCARCE) return [warn(`${amount(free)} free`, 'make room')]
    return [ok(`${amount(free)} free`)]
  },
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const isOpenToOthers = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0

export const dataDirectoryCheck: Check = {
  what: 'data',
  run({ config: { dataDir } }) {
    const place = resolve(dataDir)
    const leftBehind = stagedRestores(dataDir).map((directory) =>
      warn(`${directory} was left by a restore that did not finish`, 'remove it, unless one is running'),
    )
    if (!existsSync(place))
      return isWritable(existing(place))
        ? [ok(`${place} is made on the first start`)]
        : [fail(`${place} cannot be made`, 'make it, and give it to the user that runs the service')]
    if (!isWritable(place))
      return [fail(`${place} cannot be written`, 'give it to the user that runs the service')]
    const key = secretFile(dataDir)
    const open = [
      ...(isOpenToOthers(place) ? [warn(`${place} is open to other users`, `chmod 700 ${place}`)] : []),
      ...(isOpenToOthers(key) ? [warn(`${key} is open to other users`, `chmod 600 ${key}`)] : []),
    ]
    return [...(open.length > 0 ? open : [ok(`${place} is open to its owner alone`)]), ...leftBehind]
  },
}
