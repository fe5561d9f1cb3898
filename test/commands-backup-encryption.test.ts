import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { beginCommand, command } from './support/command-line.ts'
import { namesIn, readFileIn, writeFileIn } from './support/copies.ts'
import { type DataPlace, onOneDatabase } from './support/databases.ts'
import { addUser, emailsIn, insertUser, makeGoodBackup } from './support/good-backup.ts'
import { startInstance } from './support/instance.ts'
import { makeScratch } from './support/scratch.ts'
import { readZip } from './support/zips.ts'

const scratch = makeScratch()
const plain = makeGoodBackup(scratch)
const inScratch = (name: string, content: string | Buffer): string => {
  const file = join(scratch.directory, name)
  writeFileSync(file, content)
  return file
}
const passphrase = inScratch('passphrase', 'correct horse battery staple\n')

onOneDatabase('sqlite', 'an encrypted backup', (engine) => {
  const MESSAGE = `Message-ID: <sealed@example.org>\r\nFrom: a@example.org\r\nSubject: Sealed\r\n\r\n${'not to be read '.repeat(40_000)}`

  it('is restored with its passphrase, and reveals nothing without it', async () => {
    const from = await scratch.newPlace(engine, 'prepared')
    const to = await scratch.newPlace(engine, 'prepared')
    const { call, close } = await startInstance({ engine, place: from })
    await call('POST', '/api/emails', { body: MESSAGE, headers: { 'content-type': 'message/rfc822' } })
    await close()
    await insertUser('sealed@example.org', from)
    writeFileIn(from, 'pictures/a', 'in a picture')

    const file = join(scratch.directory, `sealed-${engine}`)
    const made = await command(['backup', file, '--passphrase-file', passphrase], from.environment)
    expect(made).toMatchObject({ code: 0 })
    expect(made.stdout).toContain(`encrypted with the passphrase in ${passphrase}`)
    expect(made.stdout).not.toContain('NOT encrypted')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(file)
    for (const text of ['PK\u0003\u0004', 'manifest.json', 'sealed@example.org', 'in a picture'])
      expect(bytes.includes(text)).toBe(false)

    const key = { SECRET_KEY: from.environment.SECRET_KEY as string }
    const restored = await command(['restore', file, '--passphrase-file', passphrase], {
      ...to.environment,
      ...key,
    })
    expect(restored).toMatchObject({ code: 0 })
    expect(await emailsIn(to)).toEqual(['sealed@example.org'])
    expect(readFileIn(to, 'pictures/a')).toBe('in a picture')
    const other = await startInstance({ engine, place: to })
    const { body } = await other.get('/api/emails?q=sealed')
    const raw = await fetch(`${other.url}/api/emails/${body.emails[0].id}/raw`)
    expect(await raw.text()).toBe(MESSAGE)
    await other.close()
    expect(namesIn(to).filter((name) => /tmp|restoring|partial/.test(name))).toEqual([])
    expect(readdirSync(scratch.directory).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})

describe('an encrypted backup', () => {
  const sealed = join(scratch.directory, 'sealed')
  let secret = ''
  let target: DataPlace
  beforeAll(async () => {
    const place = await scratch.newPlace('sqlite', 'prepared')
    await addUser('own@example.org', { DATA_DIR: place.dataDir })
    const end = await command(['backup', sealed, '--passphrase-file', passphrase], {
      DATA_DIR: place.dataDir,
    })
    expect(end).toMatchObject({ code: 0 })
    secret = (readFileIn(place, 'secret.key') as string).trim()
    target = await scratch.newPlace('sqlite')
  })

  const restore = (file: string, ...more: string[]) =>
    command(['restore', file, ...more], { DATA_DIR: target.dataDir })
  const refusalOf = async (file: string, ...more: string[]): Promise<string> => {
    const end = await restore(file, ...more)
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(readFileIn(target, 'secret.key')).toBeUndefined()
    return end.stderr
  }

  it('does not contain the secret key in plain text, unlike an unencrypted one', async () => {
    expect(readFileSync(sealed).includes(secret)).toBe(false)
    expect(String((await readZip(plain.file)).get('secret.key'))).toContain(plain.secret())
  })

  it('requires its passphrase, and rejects another', async () => {
    expect(await refusalOf(sealed)).toContain('is encrypted. Specify its passphrase with --passphrase-file')
    const wrong = inScratch('wrong', 'correct horse battery stapler')
    expect(await refusalOf(sealed, '--passphrase-file', wrong)).toContain(
      `in ${wrong} does not decrypt ${sealed}`,
    )
  })

  it('is rejected if it is truncated or changed', async () => {
    const cut = join(scratch.directory, 'sealed-cut')
    copyFileSync(sealed, cut)
    truncateSync(cut, statSync(cut).size - 1)
    const bytes = readFileSync(sealed)
    bytes[200] = (bytes[200] as number) ^ 1
    const changed = inScratch('sealed-changed', bytes)
    for (const file of [cut, changed])
      expect(await refusalOf(file, '--passphrase-file', passphrase)).toContain(
        'damaged, changed or truncated',
      )
  })

  it('cannot be replaced by an unencrypted one unnoticed', async () => {
    expect(await refusalOf(plain.file, '--passphrase-file', passphrase)).toContain('is not encrypted')
  })

  it('requires a non-empty passphrase file for both commands', async () => {
    for (const [file, reason] of [
      [inScratch('empty', ''), 'is empty'],
      [inScratch('newline', '\n'), 'is empty'],
      [inScratch('long', 'x'.repeat(5000)), 'is too long'],
      [join(scratch.directory, 'nowhere'), 'cannot be read'],
    ] as const) {
      expect(await refusalOf(sealed, '--passphrase-file', file)).toContain(reason)
      const place = await scratch.newPlace('sqlite')
      const made = join(scratch.directory, 'never-made')
      const end = await command(['backup', made, '--passphrase-file', file], { DATA_DIR: place.dataDir })
      expect(end.code).toBe(1)
      expect(end.stderr).toContain(reason)
      expect(statSync(made, { throwIfNoEntry: false })).toBeUndefined()
    }
  })

  it('restores its own secret, and ignores the final newline of the passphrase file', async () => {
    const bare = inScratch('bare', 'correct horse battery staple')
    expect(await restore(sealed, '--passphrase-file', bare)).toMatchObject({ code: 0 })
    expect(readFileIn(target, 'secret.key')?.trim()).toBe(secret)
    expect(await emailsIn(target)).toEqual(['own@example.org'])
  })
})

describe('a backup whose output nobody reads', () => {
  it('succeeds', async () => {
    const place = await scratch.newPlace('sqlite', 'prepared')
    await addUser('piped@example.org', { DATA_DIR: place.dataDir })
    const file = join(scratch.directory, 'piped.zip')
    const { child, ended } = beginCommand(['backup', file], { DATA_DIR: place.dataDir })
    child.stdout.destroy()
    child.stderr.destroy()
    expect((await ended).code).toBe(0)
    expect((await readZip(file)).has('manifest.json')).toBe(true)
  })
})
