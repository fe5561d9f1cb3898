import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}
/** Compressed already, and no text. */
const BINARY = new Set(['.png', '.woff2'])

export interface StaticFile {
  contentType: string
  etag: string
  content: Buffer
  /** From the file beside it that the build writes, because the best compression takes seconds. */
  brotli: Buffer | null
  /** Null if compression does not reduce the size. */
  gzipped: Buffer | null
}

/** Changes the text of a file before it is served. */
type Edit = (text: string, extension: string) => string

const readStaticFile = (path: string, edit: Edit): StaticFile => {
  const stored = readFileSync(path)
  const extension = extname(path)
  const isText = !BINARY.has(extension)
  const content = isText ? Buffer.from(edit(stored.toString(), extension)) : stored
  const hasBrotli = existsSync(`${path}.br`) && content.equals(stored)
  return {
    contentType: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
    content,
    brotli: hasBrotli ? readFileSync(`${path}.br`) : null,
    gzipped: isText ? gzipSync(content) : null,
  }
}

/** Returns the paths of all files below a folder. `recursive` of Node would ask the system about each of them. */
const listPaths = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? listPaths(join(directory, entry.name)).map((path) => `${entry.name}/${path}`)
      : entry.isFile()
        ? [entry.name]
        : [],
  )

/**
 * Maps paths to the files of a built folder. The map is built once, so no path can escape the folder. Each file is
 * read, edited and compressed at its first request, then cached: the files are few and small.
 */
export const listStaticFiles = (directory: string, edit: Edit): Map<string, () => StaticFile> => {
  const files = new Map<string, () => StaticFile>()
  for (const path of listPaths(directory)) {
    if (basename(path).startsWith('.') || extname(path) === '.br') continue
    let file: StaticFile | undefined
    files.set(path, () => {
      file ??= readStaticFile(join(directory, path), edit)
      return file
    })
  }
  return files
}
