import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
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
const COMPRESSED_ALREADY = new Set(['.png', '.woff2'])

export interface ConsoleFile {
  contentType: string
  etag: string
  content: Buffer
  /** Null if compression does not reduce the size. */
  gzipped: Buffer | null
}

const readFile = (path: string): ConsoleFile => {
  const content = readFileSync(path)
  const extension = extname(path)
  return {
    contentType: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
    content,
    gzipped: COMPRESSED_ALREADY.has(extension) ? null : gzipSync(content),
  }
}

/**
 * Maps URL paths to the files of the built console. The map is built once, so no path can escape the
 * directory.
 * Each file is read and compressed at its first request, then cached: the files are few and small.
 */
export const listConsoleFiles = (directory: string): Map<string, () => ConsoleFile> => {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = new Map<string, () => ConsoleFile>()
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    let file: ConsoleFile | undefined
    files.set(`/${relative(directory, path).replaceAll('\\', '/')}`, () => {
      file ??= readFile(path)
      return file
    })
  }
  return files
}
