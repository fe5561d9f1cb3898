import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tar, zip } from './support/import-files.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'
import { sampleOf } from './support/scale.ts'

const DATA = '../shared/data'
const MAILS = join(DATA, 'eml-robustness', 'eml.public')
const PAGES = join(DATA, 'html-mails', 'html.public')
const CALENDARS = join(DATA, 'ics-fixtures', 'ics.public')
/** Large pages take long to sanitize, and a part of them is enough here. */
const EVERY_PAGE = 8
const exists = [MAILS, PAGES, CALENDARS].every((folder) => existsSync(folder))

const readAll = (folder: string, extension: string): { name: string; content: Buffer }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => ({ name, content: readFileSync(join(folder, name)) }))

const toHtmlMail = ({ name, content }: { name: string; content: Buffer }): Buffer =>
  Buffer.concat([
    Buffer.from(
      `Message-ID: <${name}@pages.example>\nFrom: news@example.org\nDate: Mon, 02 Mar 2020 10:00:00 +0100\nSubject: ${name}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n`,
    ),
    Buffer.from(`${content.toString('base64').replaceAll(/(.{76})/g, '$1\n')}\n`),
  ])

/** mboxrd: lines of the content that look like a separator are escaped. */
const toMbox = (mails: readonly Buffer[]): Buffer =>
  Buffer.concat(
    mails.map((mail) => {
      const escaped = mail.toString('latin1').replaceAll(/^(>*From )/gm, '>$1')
      return Buffer.from(`From x@example.org Mon Mar  2 09:00:00 2020\n${escaped}\n\n`, 'latin1')
    }),
  )

describe.skipIf(!exists)(
  `imports of public mail${exists ? '' : ` (skipped: ${DATA} does not exist)`}`,
  () => {
    let instance: Instance
    const mails = exists
      ? [
          ...readAll(MAILS, '.eml').map(({ content }) => content),
          ...readAll(PAGES, '.html')
            .filter((_, index) => index % EVERY_PAGE === 0)
            .map(toHtmlMail),
        ]
      : []
    /** For the other formats, which end in the same parser. */
    const some = sampleOf(mails, 40)
    const calendars = exists ? readAll(CALENDARS, '.ics') : []

    beforeAll(async () => {
      instance = await startInstance({ environment: { IMPORT_LIMIT_MB: '512' } })
    })
    afterAll(() => instance.close())

    const importWhole = async (filename: string, content: Buffer) => {
      const person = await register(instance)
      const imports = instance.app.features.fileImports
      const context = { signal: new AbortController().signal, isLastAttempt: true }
      const source = (async function* () {
        for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
      })()
      const { id } = await imports.upload(person.id, { filename }, source)
      await imports.work(person.id, id, context)
      const { analysis } = await imports.get(person.id, id)
      await imports.start(person.id, id, {}, undefined)
      await imports.work(person.id, id, context)
      const done = await imports.get(person.id, id)
      const problems = await Array.fromAsync(imports.eachProblem(person.id, id))
      const { count } = await instance.database.db
        .selectFrom('emails')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('userId', '=', person.id)
        .executeTakeFirstOrThrow()
      return { analysis, done, problems, stored: Number(count) }
    }

    /** Each message is stored, is a duplicate of another, or is in the report. */
    const expectComplete = (
      { analysis, done, problems, stored }: Awaited<ReturnType<typeof importWhole>>,
      sent: readonly Buffer[],
    ) => {
      expect([done.state, done.error]).toEqual(['done', null])
      const { created, duplicates, skipped } = done.counts.emails
      const unread = problems.filter(
        ({ severity, file }) => severity === 'skipped' && !file.startsWith('Takeout/Calendar/'),
      )
      expect(created + duplicates + unread.length).toBe(sent.length)
      expect(unread.length).toBeGreaterThanOrEqual(skipped)
      expect(stored).toBe(created)
      expect(analysis?.emails.count).toBe(created + duplicates + skipped)
    }

    it('loses no message of an mbox file', async () => {
      expect(mails.length).toBeGreaterThan(100)
      expectComplete(await importWhole('All.mbox', toMbox(mails)), mails)
    })

    it('loses no message of a Maildir', async () => {
      const entries = some.map((mail, index) => [`Maildir/cur/${String(index).padStart(5, '0')}.x:2,S`, mail])
      expectComplete(await importWhole('Maildir.tar', await tar(Object.fromEntries(entries))), some)
    })

    it('loses no message and no event of a Takeout', async () => {
      const takeout = await importWhole(
        'takeout.zip',
        await zip({
          'Takeout/Mail/All mail.mbox': toMbox(some),
          ...Object.fromEntries(calendars.map(({ name, content }) => [`Takeout/Calendar/${name}`, content])),
        }),
      )
      expectComplete(takeout, some)
      const { created, updated, duplicates, skipped } = takeout.done.counts.events
      expect(created).toBeGreaterThan(50)
      expect(takeout.analysis?.events.count).toBe(created + updated + duplicates + skipped)
      const reported = takeout.problems.filter(
        ({ severity, file }) => severity === 'skipped' && file.startsWith('Takeout/Calendar/'),
      )
      expect(reported.length).toBeGreaterThanOrEqual(skipped)
    })
  },
)
