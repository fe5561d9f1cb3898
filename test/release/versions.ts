import { readFileSync } from 'node:fs'
import type { Architecture } from '../../scripts/release/oci.ts'

export const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** A version that the tests build, to upgrade to. The release follows its development version. */
export const NEXT_VERSION = VERSION.endsWith('-dev')
  ? VERSION.replace('-dev', '')
  : VERSION.replace(/\d+$/, (patch) => String(Number(patch) + 1))

export const HOST: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
export const FOREIGN: Architecture = HOST === 'arm64' ? 'amd64' : 'arm64'

export const IMAGE = `localhost/factotum:${VERSION}`
