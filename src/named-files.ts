import { readFileSync } from 'node:fs'
import { type RegisterHooksOptions, registerHooks } from 'node:module'

/**
 * Finds the libraries that the launcher bundled into few files, by import name. Empty if nothing was bundled,
 * or if other versions are installed now.
 */
export const findJoinedLibraries = (modules: URL): Map<string, string> => {
  const place = new URL('.cache/factotum-libraries/', modules)
  const readJson = (file: URL) => JSON.parse(readFileSync(file, 'utf8'))
  try {
    const { versions, files } = readJson(new URL('joined.json', place)) as {
      versions: Record<string, string>
      files: Record<string, string>
    }
    const areInstalled = Object.entries(versions).every(
      ([name, version]) => readJson(new URL(`${name}/package.json`, modules)).version === version,
    )
    if (!areInstalled) return new Map()
    return new Map(Object.entries(files).map(([name, file]) => [name, new URL(file, place).href]))
  } catch {
    return new Map()
  }
}

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/** Only our own source tree contains TypeScript, and all of it is ES modules. */
const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
])

/**
 * Startup imports some 900 files, nearly all by relative path with extension. For each, Node checks whether
 * it exists, is a link, and what the nearest package.json says: a fifth of the startup time. This hook
 * resolves such paths directly. It looks up the meaning of `.js` once per folder, and only for ES modules;
 * `require` is unchanged. Bundled libraries are resolved to their bundle.
 */
export const createResolve = (joined: ReadonlyMap<string, string> = new Map()): Resolve => {
  const foldersOfModules = new Set<string>()
  return (name, context, next) => {
    const file = joined.get(name)
    if (file !== undefined) return { url: file, format: 'module', shortCircuit: true }
    const ending = name.startsWith('.') ? name.slice(name.lastIndexOf('.')) : ''
    const format = FORMATS.get(ending)
    if ((format === undefined && ending !== '.js') || context.parentURL === undefined)
      return next(name, context)
    const url = new URL(name, context.parentURL).href
    if (format !== undefined) return { url, format, shortCircuit: true }
    const folder = url.slice(0, url.lastIndexOf('/'))
    if (foldersOfModules.has(folder)) return { url, format: 'module', shortCircuit: true }
    const found = next(name, context)
    if (found.format === 'module') foldersOfModules.add(folder)
    return found
  }
}

export const registerResolver = (modules: URL): void =>
  void registerHooks({ resolve: createResolve(findJoinedLibraries(modules)) })
