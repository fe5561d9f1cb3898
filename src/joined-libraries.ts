import { readFileSync } from 'node:fs'

/**
 * Where the launcher put libraries that it joined into few files: by the name they are imported by, the address of
 * the file. None where it joined nothing, or where other versions are installed by now.
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
