import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillCalendar } from '../bench/calendar-rows.ts'
import {
  fetchBody,
  GENERATE,
  maskRecord,
  NEW_TASK,
  SUBJECTS,
  type Subject,
  toAiEnvironment,
  toBookingEnvironment,
} from '../bench/comparisons.ts'
import { fillContactDatabase } from '../bench/contact-rows.ts'
import { fillMailbox } from '../bench/mailbox.ts'
import { freePort, type Server, startServer } from '../bench/processes.ts'
import { fillTasks } from '../bench/task-rows.ts'
import { sqliteFile } from '../src/database/database.ts'
import { launcherEnvironment, MAIN } from './support/process.ts'

/** More than two pages, so that lists have a cursor. */
const ROWS = 300
const BOOKINGS = 5
const SECRET_KEY = 'a key for measuring with, long enough to be one'
const ACCOUNT = { email: 'bench@example.org', password: 'correct horse battery', name: 'Bench' }

const { NODE_COMPILE_CACHE } = launcherEnvironment
/** Starts a server with the compile cache, which saves a part of its start. */
const start = (script: string, environment: Record<string, string>, readyPath = '/ready') =>
  startServer([script], { NODE_COMPILE_CACHE, ...environment }, freePort(), readyPath)

/*
 * A benchmark compares the service with a plain server only if both do the same work. Equal responses to the same
 * requests, on the same data, show it.
 */
describe('plain servers of the benchmarks', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-comparisons-'))
  let ours: Server
  let provider: Server
  let bookings: Server
  let headers: Record<string, string>
  let health: string

  beforeAll(async () => {
    await fillMailbox(dataDir, ROWS)
    await fillTasks(dataDir, ROWS)
    await fillCalendar(dataDir, { events: ROWS, series: 0 })
    await fillContactDatabase(dataDir, ROWS)
    provider = await start('bench/ai-provider.ts', { DELAY_MS: '1' }, '/v1/models')
    const size = { COUNT: String(BOOKINGS), DELAY_MS: '0' }
    bookings = await start('bench/plain-bookings.ts', size)
    const environment = {
      DATA_DIR: dataDir,
      ...toAiEnvironment(`${provider.url}/v1`),
      ...toBookingEnvironment(bookings.url),
      SECRET_KEY,
      TZ_DEFAULT: 'UTC',
      NODE_COMPILE_CACHE,
    }
    ours = await startServer([MAIN, 'serve'], environment, freePort(), '/api/health')
    const response = await fetch(`${ours.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    })
    const { token } = (await response.json()) as { token: string }
    headers = { authorization: `Bearer ${token}` }
    health = await (await fetch(`${ours.url}/api/health`)).text()
  })
  afterAll(async () => {
    await Promise.all([ours?.stop(), provider?.stop(), bookings?.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each(Object.entries<Subject>(SUBJECTS))(
    'the plain server of %s sends the same bytes as the service',
    async (_name, { script, comparisons }) => {
      const environment = { DATABASE_FILE: sqliteFile(dataDir), SECRET_KEY, HEALTH: health }
      const plain = await start(script, environment)
      try {
        for (const comparison of comparisons) {
          const [own, other] = [
            await fetchBody(ours, comparison, headers),
            await fetchBody(plain, comparison, headers),
          ]
          // The message of `toBe` would contain two whole lists.
          expect(other === own, `${comparison.work}:\n${own.slice(0, 800)}\n${other.slice(0, 800)}`).toBe(
            true,
          )
          expect(own.length, comparison.work).toBeGreaterThan(100)
        }
      } finally {
        await plain.stop()
      }
    },
  )

  it('the plain server of the AI sends the same bytes as the service', async () => {
    const environment = { PROVIDER_URL: `${provider.url}/v1` }
    const plain = await start('bench/plain-ai.ts', environment)
    try {
      expect(await fetchBody(plain, GENERATE)).toBe(await fetchBody(ours, GENERATE, headers))
    } finally {
      await plain.stop()
    }
  })

  it('the plain server of live events sends the same frame as the service', async () => {
    const plain = await start('bench/plain-events.ts', {}, '/')
    try {
      expect(await receiveFrame(plain, {})).toBe(await receiveFrame(ours, headers))
    } finally {
      await plain.stop()
    }
  })

  it('the service reads all bookings of the provider', async () => {
    const served = await (await fetch(`${bookings.url}/v2/bookings?take=${BOOKINGS}`)).json()
    const synced = await fetch(`${ours.url}/api/bookingsvc/sync`, { method: 'POST', headers })
    expect(await synced.json()).toMatchObject({ created: BOOKINGS })
    const list = await fetch(`${ours.url}/api/calendar/events?source=bookingsvc&start=2030-01-01`, {
      headers,
    })
    const { events } = (await list.json()) as { events: { bookingId: string; start: string; end: string }[] }
    const { data } = served as { data: { uid: string; start: string; end: string }[] }
    const synchronized = events.map(({ bookingId, start, end }) => ({ uid: bookingId, start, end }))
    for (const { uid, start, end } of data) expect(synchronized).toContainEqual({ uid, start, end })
  })
})

/** Creates a task, and returns its frame of the event stream. */
const receiveFrame = async (server: Server, headers: Record<string, string>): Promise<string> => {
  const { body } = await fetch(`${server.url}/api/events`, { headers })
  let text = ''
  let isSent = false
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString()
    // The first chunk shows that the stream is open.
    if (!isSent) await fetchBody(server, NEW_TASK, headers)
    isSent = true
    const [frame] = /id: \d+\nevent: task.created\n.*\n\n/.exec(text) ?? []
    if (frame !== undefined) return maskRecord(frame.replace(/^id: \d+/, 'id: 0'))
  }
  throw new Error(`The stream ended: ${text}`)
}
