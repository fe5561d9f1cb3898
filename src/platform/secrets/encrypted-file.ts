import { createCipheriv, createDecipheriv, createHmac, scrypt, timingSafeEqual } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import type { Random } from '../random.ts'

/*
 * A file that is encrypted with a passphrase, written as a stream and read at any position:
 *
 * - magic          16 bytes
 * - version         1 byte
 * - log2(N), r, p   3 bytes: the parameters of scrypt (RFC 7914)
 * - salt           32 bytes
 * - header MAC     32 bytes: HMAC-SHA256 over all of the above
 * - chunks         AES-256-GCM, 64 KiB of plain text and a tag of 16 bytes each
 *
 * scrypt derives one key for the chunks and one for the header MAC. The MAC distinguishes a wrong passphrase
 * from damage. The nonce of a chunk is its number (11 bytes) and a flag for the last one (STREAM, Hoang et
 * al. 2015). Truncated, swapped or appended chunks therefore do not decrypt. Each file has its own salt and
 * therefore its own keys.
 */

const MAGIC = Buffer.from('FACTOTUM-BACKUP\n', 'latin1')
const VERSION = 1
const SALT_BYTES = 32
const MAC_BYTES = 32
const UNSIGNED_BYTES = MAGIC.length + 4 + SALT_BYTES
const HEADER_BYTES = UNSIGNED_BYTES + MAC_BYTES
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const KEY_BYTES = 32
/** OWASP's recommendation: 128 MiB of memory and about half a second. */
const LOG2_N = 17
const BLOCK_SIZE = 8
const PARALLELISM = 1
/** An untrusted file must not claim all memory. */
const MAX_MEMORY = 1024 * 1024 * 1024

interface Keys {
  chunks: Buffer
  header: Buffer
}

/** The passphrase does not open the file. */
export class WrongPassphrase extends Error {}

const deriveKeys = (passphrase: Buffer, header: Buffer): Promise<Keys> => {
  const [log2N = 0, r = 0, p = 0] = header.subarray(MAGIC.length + 1, MAGIC.length + 4)
  const salt = header.subarray(MAGIC.length + 4, UNSIGNED_BYTES)
  const memory = 128 * 2 ** log2N * r
  if (log2N < 1 || r < 1 || p < 1 || p > 16 || memory > MAX_MEMORY)
    throw new Error('its scrypt parameters are not supported')
  return new Promise((resolve, reject) => {
    const options = { N: 2 ** log2N, r, p, maxmem: 2 * memory + 1024 * 1024 }
    scrypt(passphrase, salt, 2 * KEY_BYTES, options, (error, bytes) => {
      if (error) reject(error)
      else resolve({ chunks: bytes.subarray(0, KEY_BYTES), header: bytes.subarray(KEY_BYTES) })
    })
  })
}

const signHeader = (unsigned: Buffer, { header }: Keys): Buffer =>
  createHmac('sha256', header).update(unsigned).digest()

const nonceOf = (index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

const encryptChunk = ({ chunks }: Keys, plain: Buffer, index: number, isLast: boolean): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', chunks, nonceOf(index, isLast), { authTagLength: TAG_BYTES })
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const decryptChunk = ({ chunks }: Keys, sealed: Buffer, index: number, isLast: boolean): Buffer => {
  const cipher = createDecipheriv('aes-256-gcm', chunks, nonceOf(index, isLast), { authTagLength: TAG_BYTES })
  const end = sealed.length - TAG_BYTES
  cipher.setAuthTag(sealed.subarray(end))
  try {
    return Buffer.concat([cipher.update(sealed.subarray(0, end)), cipher.final()])
  } catch {
    throw new Error('it was damaged, changed or truncated')
  }
}

/** Creates a stream that writes encrypted bytes to the file. The caller flushes and closes the file. */
export const createEncryptedWriter = async (
  handle: FileHandle,
  passphrase: Buffer,
  random: Random,
  log2N = LOG2_N,
): Promise<Writable> => {
  const unsigned = Buffer.concat([
    MAGIC,
    Buffer.from([VERSION, log2N, BLOCK_SIZE, PARALLELISM]),
    random.bytes(SALT_BYTES),
  ])
  const keys = await deriveKeys(passphrase, unsigned)
  await handle.writeFile(Buffer.concat([unsigned, signHeader(unsigned, keys)]))
  let held = Buffer.alloc(0)
  let index = 0

  /** Writes all whole chunks except the last: more may follow, and only the last chunk has the end flag. */
  const writeChunks = async (bytes: Buffer): Promise<void> => {
    held = Buffer.concat([held, bytes])
    while (held.length > CHUNK_BYTES) {
      await handle.writeFile(encryptChunk(keys, held.subarray(0, CHUNK_BYTES), index++, false))
      held = held.subarray(CHUNK_BYTES)
    }
  }

  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      writeChunks(bytes).then(() => done(), done)
    },
    final(done) {
      handle.writeFile(encryptChunk(keys, held, index, true)).then(() => done(), done)
    },
  })
}

const readExactly = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new Error('it was truncated')
    filled += bytesRead
  }
  return bytes
}

/** Whether a file starts with the magic of an encrypted file. */
export const isEncryptedFile = async (handle: FileHandle): Promise<boolean> => {
  const { size } = await handle.stat()
  return size >= MAGIC.length && (await readExactly(handle, 0, MAGIC.length)).equals(MAGIC)
}

/** Decrypted content that can be read at any position. */
export interface DecryptedFile {
  readonly size: number
  read(position: number, length: number): Promise<Buffer>
}

/** Opens an encrypted file. It returns only authenticated data. */
export const openEncryptedFile = async (handle: FileHandle, passphrase: Buffer): Promise<DecryptedFile> => {
  const { size: fileSize } = await handle.stat()
  if (fileSize < HEADER_BYTES + TAG_BYTES) throw new Error('it was truncated')
  const header = await readExactly(handle, 0, HEADER_BYTES)
  if (header[MAGIC.length] !== VERSION)
    throw new Error('it was made by a newer version of Factotum; upgrade this one, then restore')
  const unsigned = header.subarray(0, UNSIGNED_BYTES)
  const keys = await deriveKeys(passphrase, unsigned)
  if (!timingSafeEqual(signHeader(unsigned, keys), header.subarray(UNSIGNED_BYTES)))
    throw new WrongPassphrase()

  const sealedBytes = fileSize - HEADER_BYTES
  const count = Math.ceil(sealedBytes / (CHUNK_BYTES + TAG_BYTES))
  if (sealedBytes - (count - 1) * (CHUNK_BYTES + TAG_BYTES) < TAG_BYTES) throw new Error('it was truncated')
  const size = sealedBytes - count * TAG_BYTES
  let cached: { index: number; plain: Buffer } | undefined

  const readChunk = async (index: number): Promise<Buffer> => {
    if (cached?.index === index) return cached.plain
    const start = index * (CHUNK_BYTES + TAG_BYTES)
    const length = Math.min(CHUNK_BYTES + TAG_BYTES, sealedBytes - start)
    const sealed = await readExactly(handle, HEADER_BYTES + start, length)
    const plain = decryptChunk(keys, sealed, index, index === count - 1)
    cached = { index, plain }
    return plain
  }

  // Detects a truncated file at once.
  await readChunk(count - 1)
  return {
    size,
    async read(position, length) {
      if (position < 0 || length < 0 || position + length > size)
        throw new Error('it points to bytes beyond its end')
      const parts: Buffer[] = []
      for (let at = position; at < position + length; ) {
        const chunk = await readChunk(Math.floor(at / CHUNK_BYTES))
        const offset = at % CHUNK_BYTES
        const part = chunk.subarray(offset, offset + position + length - at)
        parts.push(part)
        at += part.length
      }
      return Buffer.concat(parts)
    },
  }
}
