import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../src/platform/random.ts'
import { command } from './support/command-line.ts'
import { namesIn, readFileIn, writeFileIn } from './support/copies.ts'
import type { DataPlace } from './support/databases.ts'
import { addUser, changeManifest, emailsIn, makeGoodBackup } from './support/good-backup.ts'
import { makeScratch } from './support/scratch.ts'
import { claimSize, readZip, replaceBytes, writeZip } from './support/zips.ts'

const scratch = makeScratch()
const backup = makeGoodBackup(scratch)

/** Reads everything that a restore could change. */
const stateOf = async (place: DataPlace) => ({
  names: namesIn(place).filter((name) => !name.startsWith('factotum.db-')),
  secret: readFileIn(place, 'secret.key'),
  file: readFileIn(place, 'pictures/a'),
  emails: await emailsIn(place),
})

describe('restore of a damaged or forged file', () => {
  let target: DataPlace
  let before: Awaited<ReturnType<typeof stateOf>>

  const expectErrors = async (cases: [file: string, reason: string][]): Promise<void> => {
    const ends = await Promise.all(
      cases.map(([file]) => command(['restore', file, '--replace'], { DATA_DIR: target.dataDir })),
    )
    for (const [n, [, reason]] of cases.entries()) {
      const said = ends[n]?.stderr.trimEnd().split('\n').at(-1)
      expect(said).toContain(reason)
      expect(said).toContain('Nothing was changed.')
      expect(ends[n]).toMatchObject({ code: 1, stdout: '' })
    }
    expect(await stateOf(target)).toEqual(before)
  }

  beforeAll(async () => {
    target = await scratch.newPlace('sqlite', 'prepared')
    await addUser('stays@example.org', { DATA_DIR: target.dataDir })
    writeFileIn(target, 'pictures/a', 'stays')
    before = await stateOf(target)
  })

  it('rejects a truncated file, a file that is not a zip, and a changed byte', async () => {
    const cut = join(scratch.directory, 'cut.zip')
    copyFileSync(backup.file, cut)
    truncateSync(cut, statSync(cut).size - 30)
    const text = join(scratch.directory, 'text.zip')
    writeFileSync(text, 'hello')
    // Without compression, so that only the checksum detects it.
    const flipped = join(scratch.directory, 'flipped.zip')
    await writeZip(flipped, await readZip(backup.file), { compress: false })
    replaceBytes(flipped, 'good@example.org', 'evil@example.org')
    await expectErrors([
      [cut, 'cannot be restored'],
      [text, 'cannot be restored'],
      [flipped, '"tables/users.jsonl" is damaged'],
    ])
  })

  it('rejects names outside DATA_DIR', async () => {
    const plant = async (id: string, name: string, trueName: string): Promise<[string, string]> => {
      const file = await backup.alter(id, (entries) => entries.set(name, Buffer.from('planted')))
      replaceBytes(file, name, trueName)
      return [file, 'cannot be restored']
    }
    await expectErrors([
      await plant('up', 'files/aa/aa/aa/planted', 'files/../../../planted'),
      await plant('absolute', 'files/a/planted', '/tmp/ev/planted'),
      await plant('backslash', 'files/aaaplanted', 'files\\..\\planted'),
      await plant('dot', 'files/a/planted', 'files/./planted'),
      await plant('table', 'files/aa/x.jsonl', 'tables/../.jsonl'),
    ])
  })

  it('rejects links, duplicates, and files that would replace the database or the secret', async () => {
    const entries = await readZip(backup.file)
    const plant = async (name: string, reason: string, mode?: number): Promise<[string, string]> => {
      const file = join(scratch.directory, `planted-${name.replaceAll('/', '-')}.zip`)
      await writeZip(file, [
        ...entries,
        [name, Buffer.from('{}\n'), ...(mode ? [mode] : [])] as [string, Buffer],
      ])
      return [file, reason]
    }
    await expectErrors([
      await plant('files/link', '"files/link" is not a plain file', 0o120777),
      await plant('files/factotum.db', '"files/factotum.db" is not an expected entry'),
      await plant('files/factotum.db-wal', '"files/factotum.db-wal" is not an expected entry'),
      await plant('files/secret.key', '"files/secret.key" is not an expected entry'),
      await plant('files/restoring-x/mark', '"files/restoring-x/mark" is not an expected entry'),
      await plant('extra.txt', '"extra.txt" is not an expected entry'),
      await plant('jobs.jsonl', '"jobs.jsonl" is a duplicate'),
    ])
  })

  it('rejects impossible sizes', async () => {
    const more = await backup.alter('more', (entries) => entries.set('files/more', Buffer.alloc(1000)))
    claimSize(more, 'files/more', 999)
    const bomb = await backup.alter('bomb', (entries) => entries.set('files/bomb', Buffer.alloc(1000)))
    claimSize(bomb, 'files/bomb', 0xf000_0000)
    await expectErrors([
      [more, 'cannot be restored'],
      [bomb, '"files/bomb" has an impossible size'],
    ])
  })

  it('rejects other formats, and names the version to use for backups of newer and much older versions', () =>
    Promise.all([
      backup.alter('format', changeManifest({ format: 'other' })),
      backup.alter('none', (entries) => entries.delete('manifest.json')),
      backup.alter('version', changeManifest({ version: 2 })),
      backup.alter('newer', changeManifest({ migration: '9999-future' })),
      backup.alter('never', changeManifest({ migration: '0000-never' })),
      backup.alter('older', changeManifest({ migration: '0037-email-rows' })),
    ]).then(([format, none, version, newer, never, older]) =>
      expectErrors([
        [format, 'is not a backup of Factotum'],
        [none, 'is not a backup of Factotum'],
        [version, 'upgrade this one'],
        [newer, 'at 9999-future, this version supports'],
        [never, 'an unknown migration'],
        [older, 'before 0.2.0 (at 0037-email-rows). Restore it with version 0.2.0, then make a new backup'],
      ]),
    ))

  it('rejects rows that do not match the schema', async () => {
    const rows = (table: string, contents: string | Buffer) =>
      backup.alter(`rows-${systemRandom.bytes(4).toString('hex')}`, (entries) =>
        entries.set(`tables/${table}.jsonl`, Buffer.from(contents)),
      )
    await expectErrors([
      [await rows('samples', '{"kind":\n'), 'invalid JSON'],
      [
        await rows('samples', '{"userId":1,"kind":true,"reference":""}\n'),
        'line 1 of "tables/samples.jsonl"',
      ],
      [await rows('samples', '{"userId":1,"kind":"","reference":""}'), 'last line is incomplete'],
      [await rows('samples', Buffer.from([0xff, 0x0a])), 'cannot be restored'],
    ])
    // These are only detected while the database is filled, one at a time.
    const lacking = await backup.alter('lacking', (entries) => entries.delete('tables/users.jsonl'))
    await expectErrors([[lacking, 'it lacks the rows of users']])
    await expectErrors([[await rows('nothing', ''), 'nothing, which is not a known table']])
    await expectErrors([[await rows('jobs', ''), 'jobs, which is not a known table']])
    await expectErrors([
      [await rows('samples', '{"kind":""}\n'), 'its rows of samples have the wrong columns'],
    ])
    const orphan = '{"userId":99,"contentType":"x","content":""}\n'
    await expectErrors([[await rows('avatars', orphan), 'a row of avatars refers to a missing row of users']])
  })

  it('rejects a secret that does not match the backup', async () => {
    const other = Buffer.from('another secret that is long enough\n')
    const file = await backup.alter('secret', (entries) => entries.set('secret.key', other))
    await expectErrors([[file, 'its secret does not match']])
  })
})
