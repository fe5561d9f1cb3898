import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import { findSecret, readOrMakeSecret, secretFile, writeSecret } from './secret-file.ts'

let place: string
let dataDir: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'factotum-secret-'))
  dataDir = join(place, 'data')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o777

it('the secret is created once with 256 bits, readable only by its owner', () => {
  expect(findSecret(dataDir)).toBeUndefined()
  const secret = readOrMakeSecret(dataDir, systemRandom)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(readOrMakeSecret(dataDir, systemRandom)).toBe(secret)
  expect(findSecret(dataDir)).toBe(secret)
  expect(modeOf(secretFile(dataDir))).toBe(0o600)
  expect(modeOf(dataDir)).toBe(0o700)
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

it('the file mode does not depend on the umask', async () => {
  const umask = process.umask(0)
  try {
    readOrMakeSecret(dataDir, systemRandom)
  } finally {
    process.umask(umask)
  }
  expect(modeOf(secretFile(dataDir))).toBe(0o600)
})

it('concurrent first starts agree on one secret', async () => {
  const program = `
    import { readOrMakeSecret } from ${JSON.stringify(new URL('./secret-file.ts', import.meta.url).href)}
    import { systemRandom } from ${JSON.stringify(new URL('../random.ts', import.meta.url).href)}
    process.stdout.write(readOrMakeSecret(process.argv[1], systemRandom))`
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, dataDir])
  const secrets = await Promise.all(Array.from({ length: 6 }, start))
  expect(new Set(secrets.map(({ stdout }) => stdout))).toEqual(new Set([findSecret(dataDir)]))
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

it('an existing secret is never overwritten', () => {
  writeSecret(dataDir, 'the first one, long enough to be one', systemRandom)
  expect(() => writeSecret(dataDir, 'another', systemRandom)).toThrow(
    expect.objectContaining({ code: 'EEXIST' }),
  )
  expect(findSecret(dataDir)).toBe('the first one, long enough to be one')
  expect(readdirSync(dataDir)).toEqual(['secret.key'])
})

it.each(['', '\n', '   ', 'short'])(
  'a truncated secret ("%s") is never used, because anyone could sign with it',
  (left) => {
    writeSecret(dataDir, 'to be lost', systemRandom)
    chmodSync(secretFile(dataDir), 0o600)
    writeFileSync(secretFile(dataDir), left)
    expect(() => readOrMakeSecret(dataDir, systemRandom)).toThrow(/secret\.key/)
    expect(readFileSync(secretFile(dataDir), 'utf8')).toBe(left)
  },
)

it('an unreadable secret stops startup, and no other is created', () => {
  writeSecret(join(dataDir, 'elsewhere'), 'x'.repeat(43), systemRandom)
  const blocked = join(place, 'blocked')
  writeFileSync(blocked, '')
  expect(() => readOrMakeSecret(blocked, systemRandom)).toThrow()
  expect(existsSync(secretFile(blocked))).toBe(false)
})
