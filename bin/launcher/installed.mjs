import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arePackagesPartial } from './packages.mjs'

/**
 * Reads the installed packages if there is no stamp, because a user ran npm or built an image. npm writes
 * `node_modules/.package-lock.json` after the last package. A comparison with the lock file shows which sets
 * are complete.
 */
export function readInstalledSets(directory) {
  const none = { production: false, full: false, hasTools: false }
  const record = readJson(join(directory, 'node_modules', '.package-lock.json'))?.packages
  const lock = readJson(join(directory, 'package-lock.json'))?.packages
  const manifest = readJson(join(directory, 'package.json'))
  if (!record || !lock || !manifest || arePackagesPartial(directory)) return none
  const hasTools = Object.values(record).some((entry) => entry.dev)
  if (!namesSameDependencies(manifest, lock[''])) return { ...none, hasTools }

  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  const missing = Object.entries(lock).filter(
    ([path, entry]) => path !== '' && isNeededHere(entry, libc) && !isSame(entry, record[path]),
  )
  return { production: missing.every(([, entry]) => entry.dev), full: missing.length === 0, hasTools }
}

/** If a manifest was edited after its lock file, npm must decide. */
function namesSameDependencies(manifest, root) {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (group) => canonical(manifest[group]) === canonical(root?.[group]),
  )
}

const canonical = (group) => JSON.stringify(Object.entries(group ?? {}).sort())

const isSame = (entry, installed) =>
  installed !== undefined && entry.version === installed.version && entry.integrity === installed.integrity

/** Optional packages are platform binaries: only the one for this machine is needed. */
function isNeededHere(entry, libc) {
  if (!entry.optional && !entry.devOptional) return true
  return Boolean(
    entry.os?.includes(process.platform) &&
      entry.cpu?.includes(process.arch) &&
      (!entry.libc || entry.libc.includes(libc)),
  )
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
