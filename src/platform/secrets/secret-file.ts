import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../database/directory.ts'
import { type Random, randomId, randomSecret } from '../random.ts'

export const secretFile = (dataDir: string): string => join(dataDir, 'secret.key')

/** Writes `secret` atomically, unless a file exists. Only the owner may read it. */
export const writeSecret = (dataDir: string, secret: string, random: Random): void => {
  makeDirectory(dataDir)
  const file = secretFile(dataDir)
  const draft = `${file}.${randomId(random)}`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${secret}\n`)
    fsyncSync(handle)
    linkSync(draft, file)
  } finally {
    closeSync(handle)
    unlinkSync(draft)
  }
}

const MIN_SECRET_LENGTH = 32

/** A truncated secret would let anyone forge signatures. */
const check = (dataDir: string, secret: string): string => {
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Error(`${secretFile(dataDir)} is damaged: restore it from a backup, or set SECRET_KEY.`)
  return secret
}

export const findSecret = (dataDir: string): string | undefined => {
  try {
    return check(dataDir, readFileSync(secretFile(dataDir), 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Reads the secret of the instance, or creates it on the first start. Two concurrent first starts agree on
 * one.
 */
export const readOrMakeSecret = (dataDir: string, random: Random): string => {
  const found = findSecret(dataDir)
  if (found !== undefined) return found
  try {
    writeSecret(dataDir, randomSecret(random), random)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(secretFile(dataDir), 'utf8').trim()
}
