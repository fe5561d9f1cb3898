import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, makeDataPlace } from './support/databases.ts'
import { card, mbox, message, zip } from './support/import-files.ts'
import { type Answer, startInstance } from './support/instance.ts'
import { callProcess, runFactotum, startFactotum } from './support/process.ts'
import { makeScratch } from './support/scratch.ts'

const { directory } = makeScratch()
const EMAIL = 'ana@example.org'
const account = { email: EMAIL, password: 'correct horse battery', name: 'Ana' }

const withPlace = async (test: (place: DataPlace) => Promise<void>): Promise<void> => {
  const place = await makeDataPlace('sqlite', 'prepared')
  try {
    await test(place)
  } finally {
    await place.remove()
  }
}

/** Runs `factotum import` for the account, and returns its exit code and output. */
const importFiles = async ({ environment }: DataPlace, ...args: string[]) => {
  const { code, stdout, stderr } = await command(['import', ...args, '--account', EMAIL], environment)
  return { code, output: stdout + stderr }
}

/** Signs in. Registers if the account does not exist. */
const enter = async (call: (path: string, body: unknown) => Promise<Answer['body']>): Promise<string> => {
  const { token } = await call('/api/auth/register', account)
  return token ?? (await call('/api/auth/login', { email: EMAIL, password: account.password })).token
}

/** Starts a server in this process, which is faster. */
const serve = async (place: DataPlace) => {
  const instance = await startInstance({ place })
  await instance.app.jobs.start()
  const token = await enter(async (path, body) => (await instance.post(path, body)).body)
  return {
    get: async (path: string) => (await instance.get(path, { token })).body,
    post: async (path: string, body?: unknown) => (await instance.post(path, body, { token })).body,
    stop: () => instance.close(),
  }
}

/** Starts a server in its own process, which can be killed. */
const serveInChild = async (place: DataPlace) => {
  const running = await startFactotum(place.environment)
  const token = await enter((path, body) => callProcess(running, 'POST', path, body))
  return {
    get: (path: string) => callProcess(running, 'GET', path, undefined, token),
    post: (path: string, body?: unknown) => callProcess(running, 'POST', path, body, token),
    upload: (name: string, body: string) =>
      fetch(`${running.url}/api/imports?filename=${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        body,
      }).then((response) => response.json() as Promise<{ id: number }>),
    async kill() {
      running.child.kill('SIGKILL')
      await running.ended
    },
  }
}

type Reader = Pick<Awaited<ReturnType<typeof serve>>, 'get'>

const waitForState = async (server: Reader, id: number, state: string) => {
  for (;;) {
    const found = await server.get(`/api/imports/${id}`)
    if (found.state === state) return found
    if (found.state === 'failed') throw new Error(found.error)
    await wait(50)
  }
}

const waitForProgress = async (server: Reader, id: number): Promise<number> => {
  for (;;) {
    const { state, progress } = await server.get(`/api/imports/${id}`)
    if (state !== 'running') throw new Error(`The import was too fast: ${state}`)
    if (progress.done > 0) return progress.done
    await wait(5)
  }
}

const many = (count: number): string =>
  mbox(
    ...Array.from({ length: count }, (_, index) => ({
      ...(index % 2 === 0 && { id: `m${index}` }),
      subject: `Mail ${index}`,
    })),
  )

/** Counts all emails of the account, page by page. */
const countEmails = async (server: Reader): Promise<number> => {
  let count = 0
  for (let cursor = ''; ; ) {
    const page = await server.get(`/api/emails?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
    count += page.emails.length
    if (!page.nextCursor) return count
    cursor = encodeURIComponent(page.nextCursor)
  }
}

describe('factotum import', () => {
  it('imports files and folders of a stopped and of a running instance, and undoes them', async () => {
    const parts = ['takeout-20260101T000000Z-001.zip', 'takeout-20260101T000000Z-002.zip'].map((name) =>
      join(directory, name),
    ) as [string, string]
    writeFileSync(parts[0], await zip({ 'Takeout/Mail/All mail Including Spam and Trash.mbox': many(3) }))
    writeFileSync(
      parts[1],
      await zip({ 'Takeout/Contacts/All/All.vcf': card('Ben Okafor', 'ben@example.net', 'X-MOOD:calm') }),
    )
    const maildir = join(directory, 'Maildir')
    mkdirSync(join(maildir, 'cur'), { recursive: true })
    writeFileSync(join(maildir, 'cur', '1.a:2,S'), message({ id: 'folder', subject: 'In a folder' }))

    await withPlace(async (place) => {
      const first = await serve(place)
      const beside = await importFiles(place, maildir)
      expect(beside.output).toMatch(/Import 1: emails: 1 new/)
      expect(beside.code).toBe(0)
      expect((await first.get('/api/emails')).emails).toMatchObject([{ subject: 'In a folder' }])
      await first.stop()

      const trial = await importFiles(place, '--dry-run', ...parts)
      expect(trial.code).toBe(0)
      expect(trial.output).toContain('Found: 3 emails. 0 parts do not fit.')
      expect(trial.output).toContain('Found: 1 contacts. 1 parts do not fit.')
      expect(trial.output).toMatch(/\tTakeout\/Contacts\/All\/All\.vcf, .*X-MOOD/)
      const done = await importFiles(place, ...parts)
      expect([done.code, done.output]).toEqual([0, expect.stringContaining('emails: 3 new')])
      expect(done.output).toContain('contacts: 1 new')
      const again = await importFiles(place, ...parts)
      expect(again.output).toContain('Found: 3 emails (3 already there).')
      expect(again.output).toContain('Found: 1 contacts (1 already there).')
      expect(again.output).toContain('contacts: 0 new, 0 updated, 1 already there')
      const id = /Import (\d+): emails: 3 new/.exec(done.output)?.[1] ?? ''
      expect((await importFiles(place, '--undo', id)).output).toContain('Removed 3 items')

      const missing = await importFiles(place, join(directory, 'none.mbox'))
      expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('does not exist')])
    })
  })

  it('continues after kill -9 of the server, with nothing twice, and can be undone', async () => {
    const COUNT = 800
    await withPlace(async (place) => {
      const first = await serveInChild(place)
      const { id } = await first.upload('Old.mbox', many(COUNT))
      await waitForState(first, id, 'ready')
      await first.post(`/api/imports/${id}/start`, {})
      expect(await waitForProgress(first, id)).toBeLessThan(COUNT)
      await first.kill()

      const second = await serve(place)
      const done = await waitForState(second, id, 'done')
      expect(done.counts.emails).toEqual({ created: COUNT, updated: 0, duplicates: 0, skipped: 0 })
      expect(done.progress).toEqual({ done: COUNT, total: COUNT })
      expect(await countEmails(second)).toBe(COUNT)
      await second.post(`/api/imports/${id}/undo`)
      const undone = await waitForState(second, id, 'undone')
      expect(undone.counts.undo).toEqual({ removed: COUNT, kept: 0 })
      expect((await second.get('/api/emails')).emails).toEqual([])
      await second.stop()
    })
  })

  it('can be undone after kill -9 of the command', async () => {
    const file = join(directory, 'Many.mbox')
    writeFileSync(file, many(800))
    await withPlace(async (place) => {
      await (await serve(place)).stop()
      const { child, ended, output } = runFactotum(['import', file, '--account', EMAIL], place.environment)
      await expect.poll(output, { interval: 5 }).toMatch(/\d of 800 records/)
      child.kill('SIGKILL')
      await ended
      const undone = await importFiles(place, '--undo', '1')
      expect([undone.code, undone.output]).toEqual([0, expect.stringMatching(/Removed \d+ items, kept 0/)])
      const server = await serve(place)
      expect((await server.get('/api/imports/1')).state).toBe('undone')
      expect((await server.get('/api/emails')).emails).toEqual([])
      await server.stop()
    })
  })
})
