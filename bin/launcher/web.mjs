import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stampOf = (root) => join(root, 'web', 'dist', '.stamp')

/** Also true for a checkout without the console: there is nothing to build. */
export function isWebReady(root) {
  if (!existsSync(join(root, 'web', 'package.json'))) return true
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === webFingerprint(root)
}

export function writeWebStamp(root, fingerprint) {
  writeFileSync(stampOf(root), fingerprint)
}

export const hasWebBuild = (root) => existsSync(join(root, 'web', 'dist', 'index.html'))

/** Hashes every file except those of npm and the build, so that no new page or setting is missed. */
export function webFingerprint(root) {
  const hash = createHash('sha256')
  const generated = new Set(['node_modules', 'dist', 'src/api/schema.ts'])
  const walk = (directory, prefix) => {
    const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const name = `${prefix}${entry.name}`
      if (generated.has(name) || name.startsWith('.')) continue
      const path = join(directory, entry.name)
      if (entry.isDirectory()) walk(path, `${name}/`)
      else if (entry.isFile()) hash.update(name).update('\0').update(readFileSync(path)).update('\0')
    }
  }
  walk(join(root, 'web'), '')
  return `${hash.digest('hex')}\n`
}
