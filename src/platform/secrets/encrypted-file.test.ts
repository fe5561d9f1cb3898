import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import {
  createEncryptedWriter,
  type DecryptedFile,
  isEncryptedFile,
  openEncryptedFile,
  WrongPassphrase,
} from './encrypted-file.ts'

const HEADER = 84
const SEALED_CHUNK = 64 * 1024 + 16
/** The lowest cost that scrypt accepts, to keep the tests fast. */
const QUICK = 4
const PASSPHRASE = Buffer.from('correct horse battery staple')

describe('a file that is encrypted with a passphrase', () => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-encrypted-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  let count = 0

  const write = async (pieces: Iterable<Buffer>): Promise<string> => {
    const file = join(directory, `${++count}`)
    const handle = await open(file, 'wx', 0o600)
    await pipeline(
      Readable.from(pieces),
      await createEncryptedWriter(handle, PASSPHRASE, systemRandom, QUICK),
    )
    await handle.close()
    return file
  }
  const using = async <T>(
    file: string,
    work: (opened: DecryptedFile) => Promise<T>,
    passphrase = PASSPHRASE,
  ): Promise<T> => {
    const handle = await open(file, 'r')
    try {
      expect(await isEncryptedFile(handle)).toBe(true)
      return await work(await openEncryptedFile(handle, passphrase))
    } finally {
      await handle.close()
    }
  }
  const readAll = (opened: DecryptedFile): Promise<Buffer> => opened.read(0, opened.size)

  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])('returns %i bytes unchanged', async (size) => {
    const plain = randomBytes(size)
    const file = await write([plain.subarray(0, 70_000), plain.subarray(70_000)])
    expect((await using(file, readAll)).equals(plain)).toBe(true)
    if (size >= 32) expect(readFileSync(file).includes(plain.subarray(0, 32))).toBe(false)
  })

  it('can be read at any position', async () => {
    const plain = randomBytes(200_000)
    const file = await write([plain])
    await using(file, async (opened) => {
      for (const [position, length] of [
        [0, 10],
        [65_530, 20],
        [131_000, 69_000],
        [65_536, 65_536],
        [200_000, 0],
      ] as const)
        expect(
          (await opened.read(position, length)).equals(plain.subarray(position, position + length)),
        ).toBe(true)
      await expect(opened.read(199_999, 2)).rejects.toThrow('beyond its end')
    })
  })

  it('does not open with another passphrase', async () => {
    const file = await write([Buffer.from('secret')])
    await expect(using(file, readAll, Buffer.from('wrong'))).rejects.toThrow(WrongPassphrase)
  })

  it('detects changed, truncated, swapped and appended data', async () => {
    const bytes = readFileSync(await write([randomBytes(200_000)]))
    const chunk = (index: number) =>
      bytes.subarray(HEADER + index * SEALED_CHUNK, HEADER + (index + 1) * SEALED_CHUNK)
    const head = bytes.subarray(0, HEADER)
    const flipped = (position: number): Buffer => {
      const copy = Buffer.from(bytes)
      copy[position] = (copy[position] as number) ^ 1
      return copy
    }
    const cases: Record<string, Buffer> = {
      salt: flipped(30),
      'header MAC': flipped(60),
      'first chunk': flipped(HEADER + 5),
      'tag of the first chunk': flipped(HEADER + SEALED_CHUNK - 1),
      'last byte': flipped(bytes.length - 1),
      'last byte missing': bytes.subarray(0, -1),
      'last chunk missing': Buffer.concat([head, chunk(0), chunk(1), chunk(2)]),
      'all chunks missing': head,
      'header cut': bytes.subarray(0, 50),
      'chunks swapped': Buffer.concat([head, chunk(1), chunk(0), chunk(2), chunk(3)]),
      'a chunk left out': Buffer.concat([head, chunk(0), chunk(2), chunk(3)]),
      'a byte appended': Buffer.concat([bytes, Buffer.alloc(1)]),
      'a chunk appended': Buffer.concat([bytes, chunk(3)]),
    }
    for (const [what, changed] of Object.entries(cases)) {
      const file = join(directory, `changed-${++count}`)
      writeFileSync(file, changed)
      await expect(using(file, readAll), what).rejects.toThrow()
    }
  })

  it('limits the memory that its parameters can request', async () => {
    const bytes = readFileSync(await write([Buffer.from('secret')]))
    for (const [position, value] of [
      [17, 30],
      [18, 0],
      [19, 255],
      [17, 0],
    ] as const) {
      const copy = Buffer.from(bytes)
      copy[position] = value
      const file = join(directory, `claims-${++count}`)
      writeFileSync(file, copy)
      await expect(using(file, readAll)).rejects.toThrow('scrypt parameters')
    }
  })
})
