import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A package set is `production` or `full` (with the tools for tests and development); full contains
// production. The stamp records the set, the lock file and the platform that were completely installed. The
// platform matters because a container may share the checkout. While npm works, and after an interruption,
// the stamp says `partial`.
const stampOf = (directory) => join(directory, 'node_modules', '.factotum-stamp')

export function arePackagesReady(directory, wanted) {
  const print = fingerprint(directory)
  if (!print) return true
  const stamp = readText(stampOf(directory))
  return (
    stamp === stampText(print, 'full') ||
    (wanted === 'production' && stamp === stampText(print, 'production'))
  )
}

export function writePackagesStamp(directory, set) {
  write(directory, stampText(fingerprint(directory), set))
}

export function markPackagesPartial(directory) {
  mkdirSync(join(directory, 'node_modules'), { recursive: true })
  write(directory, partial)
}

export const arePackagesPartial = (directory) => readText(stampOf(directory)) === partial

const partial = 'partial\n'

function write(directory, text) {
  const temporary = `${stampOf(directory)}.${process.pid}`
  writeFileSync(temporary, text)
  renameSync(temporary, stampOf(directory))
}

const stampText = (print, set) => `${set} ${process.platform}-${process.arch} ${print}\n`

/** Undefined without a lock file: the packages are then managed elsewhere. */
function fingerprint(directory) {
  const lock = readText(join(directory, 'package-lock.json'))
  if (lock === undefined) return undefined
  return createHash('sha256')
    .update(lock)
    .update('\0')
    .update(readFileSync(join(directory, 'package.json')))
    .digest('hex')
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}
