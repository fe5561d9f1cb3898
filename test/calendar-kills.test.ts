import { afterEach, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { openDatabase } from '../src/database/database.ts'
import { type DataPlace, makeDataPlace, onOneDatabase } from './support/databases.ts'
import { startFileServer } from './support/file-server.ts'
import { soon } from './support/job-fixture.ts'
import { PASSWORD } from './support/people.ts'
import { startFactotum } from './support/process.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const placeOn = async (engine: 'sqlite' | 'postgres'): Promise<DataPlace> => {
  const place = await makeDataPlace(engine, 'prepared')
  closing.push(place.remove)
  return place
}

const start = async (place: DataPlace) => {
  const running = await startFactotum(place.environment)
  closing.push(async () => {
    running.child.kill('SIGKILL')
    await running.ended
  })
  return running
}

const COUNT = 2_000

const fileOf = (count: number): string => {
  const two = (n: number): string => String(n).padStart(2, '0')
  const event = (n: number): string =>
    [
      'BEGIN:VEVENT',
      `UID:kill-${n}@example.org`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART:202603${two(1 + (n % 28))}T${two(n % 24)}0000Z`,
      `DTEND:202603${two(1 + (n % 28))}T${two(n % 24)}3000Z`,
      `SUMMARY:Event ${n}`,
      ...(n % 50 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=5'] : []),
      'END:VEVENT',
    ].join('\r\n')
  const events = Array.from({ length: count }, (_, n) => event(n))
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

const headers = { 'content-type': 'text/calendar' }

onOneDatabase('sqlite', 'a calendar import interrupted', (engine) => {
  it('by kill -9 keeps all events, a second one completes it, and an aborted export does no harm', async () => {
    const place = await placeOn(engine)
    const first = await start(place)
    const body = fileOf(COUNT)
    const answer = await fetch(`${first.url}/api/calendar/import`, {
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream' },
      body,
    })
    let response = ''
    const listen = async (): Promise<void> => {
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        response += new TextDecoder().decode(chunk)
        if (response.includes('event: progress')) first.child.kill('SIGKILL')
      }
    }
    await listen().catch(() => undefined)
    expect(await first.ended).toBe('SIGKILL')
    expect(response).not.toContain('event: done')
    const acknowledged = [...response.matchAll(/"created":(\d+)/g)].map(([, count]) => Number(count))
    expect(Math.max(...acknowledged)).toBeGreaterThan(0)

    const second = await start(place)
    const again = await fetch(`${second.url}/api/calendar/import`, { method: 'POST', headers, body })
    const report = (await again.json()) as { created: number; unchanged: number; skippedCount: number }
    expect(report.created + report.unchanged).toBe(COUNT)
    expect(report.unchanged).toBeGreaterThanOrEqual(Math.max(...acknowledged))
    expect(report.skippedCount).toBe(0)

    const uids: string[] = []
    for (let cursor = ''; ; ) {
      const page = await fetch(`${second.url}/api/calendar/events?limit=200${cursor}`)
      const { events, nextCursor } = (await page.json()) as {
        events: { uid: string }[]
        nextCursor: string | null
      }
      uids.push(...events.map(({ uid }) => uid))
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    expect(uids).toHaveLength(COUNT)
    expect(new Set(uids).size).toBe(COUNT)

    // A client that leaves during an export.
    const leaving = new AbortController()
    const file = await fetch(`${second.url}/api/calendar/export.ics`, { signal: leaving.signal })
    await (file.body as ReadableStream).getReader().read()
    leaving.abort()
    const whole = await (await fetch(`${second.url}/api/calendar/export.ics`)).text()
    expect(whole.match(/^BEGIN:VEVENT/gm)).toHaveLength(COUNT)
    expect(whole.trimEnd().endsWith('END:VCALENDAR')).toBe(true)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.output()).not.toContain('"level":50')
  })
})

/** Enough for a dozen batches. */
const FOLLOWED = 600

onOneDatabase('postgres', 'the removal of a calendar account interrupted', (engine) => {
  it('by kill -9 is completed, and each event is removed once', async () => {
    const place = await placeOn(engine)
    const files = await startFileServer()
    closing.push(files.close)
    files.answer = () => ({ body: fileOf(FOLLOWED) })
    const first = await start(place)
    const ask = async (method: string, path: string, token: string, body: unknown) => {
      const answer = await fetch(`${first.url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return answer.status === 204 ? undefined : ((await answer.json()) as { id: string; token: string })
    }
    const person = { email: 'ana@example.org', password: PASSWORD, name: 'Ana' }
    const token = (await ask('POST', '/api/auth/register', '', person))?.token as string
    const accounts = '/api/settings/calendar-accounts'
    const account = await ask('POST', accounts, token, { kind: 'ics', url: files.url })
    const database = await openDatabase({ ...place, onIdleError: () => {} })
    closing.push(() => database.close())
    const rowsOf = async (table: 'event_placements' | 'calendar_accounts'): Promise<number> =>
      (await database.db.selectFrom(table).select('id').execute()).length
    await soon(async () => expect(await rowsOf('event_placements')).toBe(FOLLOWED))
    await ask('DELETE', `${accounts}/${account?.id}`, token, undefined)
    await soon(async () => expect(await rowsOf('event_placements')).toBeLessThan(FOLLOWED - 50))
    first.child.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')

    await start(place)
    await soon(async () => expect(await rowsOf('calendar_accounts')).toBe(0))
    expect(await database.db.selectFrom('events').select('id').modifyEnd(ALL_ACCOUNTS).execute()).toEqual([])
    const cancelled = await database.db
      .selectFrom('changes')
      .select('subject')
      .where('type', '=', 'event.cancelled')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(cancelled).toHaveLength(FOLLOWED)
    expect(new Set(cancelled.map(({ subject }) => subject)).size).toBe(FOLLOWED)
  })
})
