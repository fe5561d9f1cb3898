import { gzipSync } from 'node:zlib'

/** One file, directory or symbolic link of an archive. */
export interface Entry {
  /** Relative, with forward slashes. */
  path: string
  kind: 'file' | 'directory' | 'link'
  mode: number
  content: Buffer
  /** Target of a symbolic link. */
  target?: string
  /** User and group id; 0 by default. */
  owner?: number
}

export const fileEntry = (path: string, content: Buffer | string, mode = 0o644): Entry => ({
  path,
  kind: 'file',
  mode,
  content: Buffer.from(content),
})

const BLOCK = 512
const TYPE_FLAGS = { file: '0', link: '2', directory: '5' }

/**
 * Writes a POSIX tar archive (ustar). The bytes depend on the entries and the time only: entries are sorted, and no
 * field contains anything of the machine.
 */
export const writeTar = (entries: readonly Entry[], seconds: number): Buffer => {
  const chunks: Buffer[] = []
  for (const entry of sortEntries(entries)) {
    const header = writeHeader(entry, seconds)
    chunks.push(...header, entry.content, padding(entry.content.length))
  }
  chunks.push(Buffer.alloc(2 * BLOCK))
  return Buffer.concat(chunks)
}

/** Node writes no time and no file name into a gzip header. Level 9 takes three times as long and saves 0.3 percent. */
export const compress = (content: Buffer): Buffer => gzipSync(content, { level: 6 })

/** Sorts by path, and adds the missing parent directories. */
export const sortEntries = (entries: readonly Entry[]): Entry[] => {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  if (byPath.size !== entries.length) throw new Error('An archive has two entries with the same path.')
  for (const { path } of entries)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const parent = path.slice(0, end)
      if (!byPath.has(parent))
        byPath.set(parent, { path: parent, kind: 'directory', mode: 0o755, content: Buffer.alloc(0) })
    }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const padding = (length: number): Buffer => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)

const writeHeader = (entry: Entry, seconds: number): Buffer[] => {
  const path = entry.kind === 'directory' ? `${entry.path}/` : entry.path
  const name = splitName(path)
  const target = entry.target ?? ''
  if (name && Buffer.byteLength(target) <= 100) return [writeBlock(entry, seconds, name)]
  // Names that do not fit are stated in an extended header (POSIX pax) before the entry.
  const records = Buffer.from(paxRecord('path', path) + (target === '' ? '' : paxRecord('linkpath', target)))
  const short = { name: Buffer.from(path).subarray(0, 100).toString('latin1'), prefix: '' }
  return [
    writeBlock(
      { path: '', kind: 'file', mode: 0o644, content: records },
      seconds,
      { name: 'pax', prefix: '' },
      'x',
    ),
    records,
    padding(records.length),
    writeBlock({ ...entry, target: target.slice(0, 100) }, seconds, short),
  ]
}

/** A record starts with its own length, which includes the digits of that length. */
const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

const splitName = (path: string): { name: string; prefix: string } | undefined => {
  if (Buffer.byteLength(path) !== path.length) return undefined
  if (path.length <= 100) return { name: path, prefix: '' }
  const at = path.indexOf('/', path.length - 101)
  return at < 0 || at > 155 || at === path.length - 1
    ? undefined
    : { name: path.slice(at + 1), prefix: path.slice(0, at) }
}

const writeBlock = (
  entry: Entry,
  seconds: number,
  { name, prefix }: { name: string; prefix: string },
  flag = TYPE_FLAGS[entry.kind],
): Buffer => {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0, 'latin1')
  octal(entry.mode, 100, 8)
  octal(entry.owner ?? 0, 108, 8)
  octal(entry.owner ?? 0, 116, 8)
  octal(entry.content.length, 124, 12)
  octal(seconds, 136, 12)
  block.write('        ', 148, 'latin1')
  block.write(flag, 156, 'latin1')
  block.write(entry.target ?? '', 157, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}
