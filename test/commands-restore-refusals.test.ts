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

/** Everything that a restore could touch. */
const stateOf = async (place: DataPlace) => ({
  names: namesIn(place).filter((name) => !name.startsWith('factotum.db-')),
  secret: readFileIn(place, 'secret.key'),
  file: readFileIn(place, 'pictures/a'),
  emails: await emailsIn(place),
})

describe('restore, given a file that is not as a backup was written,', () => {
  let target: DataPlace
  let before: Awaited<ReturnType<typeof stateOf>>

  const refuse = async (cases: [file: string, reason: string][]): Promise<void> => {
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
    target = await scratch.newPlace('sqlite')
    await addUser('stays@example.org', { DATA_DIR: target.dataDir })
    writeFileIn(target, 'pictures/a', 'stays')
    before = await stateOf(target)
  })

  it('refuses one that is cut short, no zip at all, or one with a single byte changed', async () => {
    const cut = join(scratch.directory, 'cut.zip')
    copyFileSync(backup.file, cut)
    truncateSync(cut, statSync(cut).size - 30)
    const text = join(scratch.directory, 'text.zip')
    writeFileSync(text, 'hello')
    // Without compression, so that nothing but the sum tells.
    const flipped = join(scratch.directory, 'flipped.zip')
    await writeZip(flipped, await readZip(backup.file), { compress: false })
    replaceBytes(flipped, 'good@example.org', 'evil@example.org')
    await refuse([
      [cut, 'cannot be restored'],
      [text, 'cannot be restored'],
      [flipped, '"tables/users.jsonl" is not what was written'],
    ])
  })

  it('refuses names that lead out of DATA_DIR', async () => {
    const plant = async (id: string, name: string, trueName: string): Promise<[string, string]> => {
      const file = await backup.alter(id, (entries) => entries.set(name, Buffer.from('planted')))
      replaceBytes(file, name, trueName)
      return [file, 'cannot be restored']
    }
    await refuse([
      await plant('up', 'files/aa/aa/aa/planted', 'files/../../../planted'),
      await plant('absolute', 'files/a/planted', '/tmp/ev/planted'),
      await plant('backslash', 'files/aaaplanted', 'files\\..\\planted'),
      await plant('dot', 'files/a/planted', 'files/./planted'),
      await plant('table', 'files/aa/x.jsonl', 'tables/../.jsonl'),
    ])
  })

  it('refuses links, doubles, and files that would take the place of the database or the secret', async () => {
    const entries = await readZip(backup.file)
    const plant = async (name: string, reason: string, mode?: number): Promise<[string, string]> => {
      const file = join(scratch.directory, `planted-${name.replaceAll('/', '-')}.zip`)
      await writeZip(file, [
        ...entries,
        [name, Buffer.from('{}\n'), ...(mode ? [mode] : [])] as [string, Buffer],
      ])
      return [file, reason]
    }
    await refuse([
      await plant('files/link', '"files/link" is not a plain file', 0o120777),
      await plant('files/factotum.db', '"files/factotum.db" does not belong there'),
      await plant('files/factotum.db-wal', '"files/factotum.db-wal" does not belong there'),
      await plant('files/secret.key', '"files/secret.key" does not belong there'),
      await plant('files/restoring-x/mark', '"files/restoring-x/mark" does not belong there'),
      await plant('extra.txt', '"extra.txt" does not belong there'),
      await plant('jobs.jsonl', '"jobs.jsonl" is there twice'),
    ])
  })

  it('refuses sizes that cannot be', async () => {
    const more = await backup.alter('more', (entries) => entries.set('files/more', Buffer.alloc(1000)))
    claimSize(more, 'files/more', 999)
    const bomb = await backup.alter('bomb', (entries) => entries.set('files/bomb', Buffer.alloc(1000)))
    claimSize(bomb, 'files/bomb', 0xf000_0000)
    await refuse([
      [more, 'cannot be restored'],
      [bomb, '"files/bomb" claims to hold more than it can'],
    ])
  })

  it('refuses other formats, and asks for an upgrade when a newer version made it', () =>
    Promise.all([
      backup.alter('format', changeManifest({ format: 'other' })),
      backup.alter('none', (entries) => entries.delete('manifest.json')),
      backup.alter('version', changeManifest({ version: 2 })),
      backup.alter('newer', changeManifest({ migration: '9999-future' })),
      backup.alter('never', changeManifest({ migration: '0000-never' })),
    ]).then(([format, none, version, newer, never]) =>
      refuse([
        [format, 'is not a backup of Factotum'],
        [none, 'is not a backup of Factotum'],
        [version, 'upgrade this one'],
        [newer, 'at 9999-future, this one knows'],
        [never, 'a migration that never was'],
      ]),
    ))

  it('refuses rows that do not fit, whichever way', async () => {
    const rows = (table: string, contents: string | Buffer) =>
      backup.alter(`rows-${systemRandom.bytes(4).toString('hex')}`, (entries) =>
        entries.set(`tables/${table}.jsonl`, Buffer.from(contents)),
      )
    await refuse([
      [await rows('samples', '{"kind":\n'), 'not JSON'],
      [await rows('samples', '{"kind":true,"reference":""}\n'), 'line 1 of "tables/samples.jsonl"'],
      [await rows('samples', '{"kind":"","reference":""}'), 'last line has no end'],
      [await rows('samples', Buffer.from([0xff, 0x0a])), 'cannot be restored'],
    ])
    // These are seen only while the database is being filled, which one at a time can do.
    const lacking = await backup.alter('lacking', (entries) => entries.delete('tables/users.jsonl'))
    await refuse([[lacking, 'it lacks the rows of users']])
    await refuse([[await rows('nothing', ''), 'nothing, which never was a table']])
    await refuse([[await rows('jobs', ''), 'jobs, which never was a table']])
    await refuse([[await rows('samples', '{"kind":""}\n'), 'its rows of samples have other columns']])
    const orphan = '{"userId":99,"contentType":"x","content":""}\n'
    await refuse([
      [await rows('avatars', orphan), 'a row of avatars refers to one of users that is not there'],
    ])
  })

  it('refuses a secret that is not the one it was made with', async () => {
    const other = Buffer.from('another secret that is long enough\n')
    const file = await backup.alter('secret', (entries) => entries.set('secret.key', other))
    await refuse([[file, 'its secret is not the one']])
  })
})
