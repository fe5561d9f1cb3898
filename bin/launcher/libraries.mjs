import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpm } from './npm.mjs'

/**
 * Libraries with hundreds of files each, two fifths of all files that startup loads, and their import names.
 */
export const LIBRARIES = {
  kysely: ['kysely', 'kysely/migration'],
  typebox: ['typebox', 'typebox/compile', 'typebox/error'],
}

const placeOf = (root) => join(root, 'node_modules', '.cache', 'factotum-libraries')

/** Vite is installed to build the console, and also bundles these. */
const canJoin = (root) =>
  existsSync(join(root, 'web', 'node_modules', 'vite')) &&
  Object.keys(LIBRARIES).every((name) => existsSync(join(root, 'node_modules', name)))

const versionOf = (root, name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

/**
 * Bundles each library into a few files, which `src/named-files.ts` finds through the index beside them. The
 * folder name contains the versions, because a running server may still load files of the previous ones.
 * Returns the error output on failure: startup works without bundles, but takes longer.
 */
export async function joinLibraries({ root, node, hold }) {
  if (!canJoin(root)) return undefined
  const versions = Object.fromEntries(Object.keys(LIBRARIES).map((name) => [name, versionOf(root, name)]))
  const folder = Object.entries(versions)
    .map(([name, version]) => `${name}-${version}`)
    .join('+')
  const place = placeOf(root)
  if (!existsSync(join(place, folder))) {
    const draft = join(place, `draft-${process.pid}`)
    mkdirSync(place, { recursive: true })
    const script = fileURLToPath(new URL('join-libraries.mjs', import.meta.url))
    const { ok, output } = await runNpm({ npm: [node, script], args: [root, draft], cwd: root, node, hold })
    if (!ok) {
      rmSync(draft, { recursive: true, force: true })
      return output
    }
    renameSync(draft, join(place, folder))
  }
  const files = Object.fromEntries(
    Object.values(LIBRARIES)
      .flat()
      .map((name) => [name, `${folder}/${name}.mjs`]),
  )
  const note = join(place, `joined.${process.pid}`)
  writeFileSync(note, JSON.stringify({ versions, files }))
  renameSync(note, join(place, 'joined.json'))
  return undefined
}
