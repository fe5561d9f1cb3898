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
  '.json': 'application/json; charset=utf-8',
}

export interface StaticFile {
  contentType: string
  etag: string
  content: Buffer
  /** Null if compression does not reduce the size. */
  gzipped: Buffer | null
}

const readStaticFile = (path: string, edit: (text: string) => string): StaticFile => {
  const stored = readFileSync(path)
  const extension = extname(path)
  const isText = extension !== '.png'
  const content = isText ? Buffer.from(edit(stored.toString())) : stored
  return {
    contentType: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
    content,
    gzipped: isText ? gzipSync(content) : null,
  }
}

/**
 * Maps paths to the files of a built folder. The map is built once, so no path can escape the folder. Each file is
 * read, edited and compressed at its first request.
 */
export const listStaticFiles = (
  directory: string,
  edit: (text: string) => string,
): Map<string, () => StaticFile> => {
  const files = new Map<string, () => StaticFile>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    let file: StaticFile | undefined
    files.set(relative(directory, path).replaceAll('\\', '/'), () => {
      file ??= readStaticFile(path, edit)
      return file
    })
  }
  return files
}
