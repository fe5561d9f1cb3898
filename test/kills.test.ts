import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Engine } from '../src/database/database.ts'
import { makeDataPlace, onEveryDatabase } from './support/databases.ts'
import { startFactotum } from './support/process.ts'

/** `npm run test:kill` kills 100 and 30 times, `npm test` a few times. */
const KILLS: Record<Engine, number> = {
  sqlite: Number(process.env.KILLS_SQLITE ?? 4),
  postgres: Number(process.env.KILLS_POSTGRES ?? 2),
}
const WRITERS = 6
const MIN_RUN_MS = 150
const MAX_RUN_MS = 900

/** A write and the expected state after it was acknowledged. */
interface Write {
  key: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
}

interface Saved {
  /** The path to read it. */
  path: string
  /** Expected fields, or null if it was deleted. */
  fields: Record<string, unknown> | null
  /** Fields if the last, unacknowledged change was made. */
  pending?: Record<string, unknown> | null
}

const newWrite = (kind: number): Write => {
  const key = randomUUID()
  if (kind === 0) return { key, method: 'POST', path: '/api/tasks', body: { title: `Task ${key}` } }
  if (kind === 1) {
    const [from, to] = ['ana@example.org', ['ben@example.org']]
    return {
      key,
      method: 'POST',
      path: '/api/emails',
      body: { from, to, subject: `Mail ${key}`, text: 'Hello' },
    }
  }
  const [start, end] = ['2026-11-20T09:00:00Z', '2026-11-20T10:00:00Z']
  return { key, method: 'POST', path: '/api/calendar/events', body: { title: `Event ${key}`, start, end } }
}

const send = async (url: string, { key, method, path, body }: Write) => {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

/** Writes until the process ends. Returns the acknowledged and the pending writes. */
const createWriter = (saved: Map<string, Saved>) => {
  let unanswered: Write[] = []

  const create = async (url: string, write: Write): Promise<Saved> => {
    const { status, body } = await send(url, write)
    expect([200, 201], `${write.path} answered ${status}: ${JSON.stringify(body)}`).toContain(status)
    const path = `${write.path}/${body.id}`
    const name = write.path === '/api/emails' ? 'subject' : 'title'
    const thing: Saved = { path, fields: { [name]: write.body?.[name] } }
    saved.set(path, thing)
    return thing
  }

  const change = async (url: string, target: Saved): Promise<void> => {
    const isRemoved = Math.random() < 0.2
    const fields = isRemoved ? null : { ...target.fields, tags: [randomUUID()] }
    target.pending = fields
    const method = isRemoved ? 'DELETE' : 'PATCH'
    const body = isRemoved ? undefined : { tags: fields?.tags }
    const { status } = await send(url, { key: '', method, path: target.path, ...(body && { body }) })
    expect([200, 204]).toContain(status)
    target.fields = fields
    delete target.pending
  }

  const writeUntilKilled = async (url: string, isKilled: () => boolean): Promise<number> => {
    let acknowledged = 0
    const mine: Saved[] = []
    while (!isKilled()) {
      const target = mine.find(({ fields }) => fields !== null)
      const write = newWrite(Math.floor(Math.random() * 3))
      try {
        if (target && Math.random() < 0.3) await change(url, target)
        else {
          unanswered.push(write)
          const thing = await create(url, write)
          unanswered = unanswered.filter((each) => each !== write)
          mine.unshift(thing)
        }
        acknowledged++
      } catch (error) {
        if (!isKilled()) throw error
      }
    }
    return acknowledged
  }

  /**
   * Repeats unanswered requests with their key. Each is executed once, whether it had been executed or not.
   */
  const repeatUnanswered = async (url: string, engine: Engine): Promise<number> => {
    const repeated = unanswered.splice(0)
    for (const write of repeated) {
      // PostgreSQL needs a moment to notice the lost connection of a killed process.
      const tries = engine === 'sqlite' ? 1 : 50
      for (let count = 1; ; count++) {
        const error = await create(url, write).then(
          () => undefined,
          (reason: Error) => reason,
        )
        if (!error) break
        if (count >= tries) throw error
        await wait(100)
      }
    }
    return repeated.length
  }

  return { writeUntilKilled, repeatUnanswered }
}

const verify = async (url: string, things: Iterable<Saved>): Promise<void> => {
  for (const thing of things) {
    const answer = await fetch(url + thing.path)
    const body = (await answer.json()) as Record<string, unknown>
    const found = answer.status === 404 ? null : body
    const matches = (fields: Record<string, unknown> | null): boolean =>
      fields === null
        ? found === null
        : found !== null &&
          Object.entries(fields).every(
            ([name, value]) => JSON.stringify(found[name]) === JSON.stringify(value),
          )
    if (thing.pending !== undefined && matches(thing.pending)) thing.fields = thing.pending
    delete thing.pending
    expect(
      matches(thing.fields),
      `${thing.path} is ${JSON.stringify(found)}, expected ${JSON.stringify(thing.fields)}`,
    ).toBe(true)
  }
}

/** Lists all titles and subjects, to find duplicates. */
const listNames = async (url: string): Promise<string[]> => {
  const names: string[] = []
  for (const [path, plural, name] of [
    ['/api/tasks', 'tasks', 'title'],
    ['/api/emails', 'emails', 'subject'],
    ['/api/calendar/events', 'events', 'title'],
  ] as const)
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await fetch(
        `${url}${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      const page = (await answer.json()) as Record<string, unknown>
      names.push(...(page[plural] as Record<string, string>[]).map((item) => item[name] as string))
      cursor = page.nextCursor as string | null
    }
  return names
}

onEveryDatabase('a server that is killed repeatedly', (engine) => {
  it(
    'keeps every acknowledged write and repeats none',
    async () => {
      const place = await makeDataPlace(engine, 'prepared')
      const saved = new Map<string, Saved>()
      const writer = createWriter(saved)
      let acknowledged = 0
      let repeated = 0
      let running = await startFactotum(place.environment)
      try {
        for (let kill = 0; kill < KILLS[engine]; kill++) {
          let isKilled = false
          const { url } = running
          const writing = Array.from({ length: WRITERS }, () => writer.writeUntilKilled(url, () => isKilled))
          const results = Promise.all(writing)
          results.catch(() => undefined)
          await wait(MIN_RUN_MS + Math.random() * (MAX_RUN_MS - MIN_RUN_MS))
          isKilled = true
          running.child.kill('SIGKILL')
          expect(await running.ended).toBe('SIGKILL')
          for (const count of await results) acknowledged += count
          running = await startFactotum(place.environment)
          repeated += await writer.repeatUnanswered(running.url, engine)
          await verify(running.url, [...saved.values()].slice(-200))
        }
        await verify(running.url, saved.values())
        const names = await listNames(running.url)
        expect(names.length - new Set(names).size).toBe(0)
        const left = [...saved.values()].filter(({ fields }) => fields !== null)
        expect(names.length).toBe(left.length)
        console.info(
          `${engine}: ${KILLS[engine]} kills, ${acknowledged} acknowledged writes, none lost; ${repeated} repeated`,
        )
        running.child.kill('SIGTERM')
        expect(await running.ended).toBe(0)
      } finally {
        running.child.kill('SIGKILL')
        await running.ended
        await place.remove()
      }
    },
    60_000 + KILLS[engine] * 30_000,
  )
})
