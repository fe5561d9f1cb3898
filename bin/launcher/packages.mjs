import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// A package set is `production` or `full` (with the tools for tests and development); full contains production.
// The stamp says which set of which lock file was completely installed, and for which platform, because a checkout
// may be shared with a container. While npm works it says `partial`, and so it does for ever after an interruption.
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

/** Undefined without a lock file: then somebody else takes care of the packages. */
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
