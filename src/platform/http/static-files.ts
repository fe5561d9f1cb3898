import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
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

/**
 * Maps paths to the files of a built folder. The map is built once, so no path can escape the folder. Each file is
 * read, edited and compressed at its first request, then cached: the files are few and small.
 */
export const listStaticFiles = (directory: string, edit: Edit): Map<string, () => StaticFile> => {
  const files = new Map<string, () => StaticFile>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.') || extname(entry.name) === '.br') continue
    const path = join(entry.parentPath, entry.name)
    let file: StaticFile | undefined
    files.set(relative(directory, path).replaceAll('\\', '/'), () => {
      file ??= readStaticFile(path, edit)
      return file
    })
  }
  return files
}
