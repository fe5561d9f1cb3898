import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { scaled } from './support/scale.ts'

/*
 * Sharing, editing and revoking at the same time, in random order. Whatever the order: what was acknowledged is stored,
 * nothing is acknowledged to a person after the revocation was, and no event arrives after `share.revoked`.
 */

const RUNS = scaled({ full: 10, short: 3 })
const STEPS = 9

/** A small generator with a seed, so that a failure can be repeated. */
const createRandom = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

interface Kind {
  name: string
  resources: string
  entries: string
  list: string
  field: string
  entry: (title: string) => Record<string, unknown>
}

const KINDS: readonly Kind[] = [
  {
    name: 'a task list',
    resources: '/api/task-lists',
    entries: '/api/tasks',
    list: 'tasks',
    field: 'listId',
    entry: (title) => ({ title }),
  },
  {
    name: 'a calendar',
    resources: '/api/calendars',
    entries: '/api/calendar/events',
    list: 'events',
    field: 'calendarId',
    entry: (title) => ({ title, start: '2030-03-04T10:00:00Z', end: '2030-03-04T11:00:00Z' }),
  },
]

onEveryDatabase('sharing at the same time', (engine) => {
  let first: Instance
  let second: Instance
  let owner: Person
  let member: Person

  beforeAll(async () => {
    first = await startInstance({ engine })
    // SQLite allows one process. PostgreSQL runs two instances, so that locks of one process do not help.
    second =
      engine === 'sqlite' ? first : await startInstance({ engine, place: first.place, clock: first.clock })
    owner = await register(first, { name: 'Ana' })
    member = await register(first, { name: 'Ben' })
  })
  afterAll(async () => {
    if (second !== first) await second?.close()
    await first?.close()
  })

  describe.each(KINDS)('of $name', ({ resources, entries, list, field, entry }) => {
    const run = async (seed: number): Promise<void> => {
      const random = createRandom(seed)
      const { body: resource } = await first.post(resources, { name: `Run ${seed}` }, owner)
      const inResource = { [field]: resource.id }
      const { body: common } = await first.post(entries, { ...entry('Common'), ...inResource }, owner)
      const shares = `${resources}/${resource.id}/shares`
      const stream = await openEventStream(second.url, '/api/events', member)

      let revocations = 0
      const acknowledged: string[] = []
      const faults: string[] = []
      const share = async (): Promise<void> => {
        const role = random(4) === 0 ? 'viewer' : 'editor'
        const offered = await first.post(shares, { email: member.email, role }, owner)
        if (offered.status !== 202) faults.push(`sharing answered ${offered.status}`)
        const accepted = await second.post(`/api/shares/${offered.body.id}/accept`, {}, member)
        if (![200, 404, 409].includes(accepted.status)) faults.push(`accepting answered ${accepted.status}`)
      }
      const revoke = async (): Promise<void> => {
        const { body } = await first.get(shares, owner)
        for (const { id } of body.shares) {
          const { status } = await first.call('DELETE', `${shares}/${id}`, owner)
          if (![204, 404].includes(status)) faults.push(`revoking answered ${status}`)
          revocations++
        }
      }
      const leave = async (): Promise<void> => {
        const { body } = await second.get('/api/shares', member)
        for (const { id } of body.shares) await second.post(`/api/shares/${id}/decline`, {}, member)
      }
      const check = ({ status, body }: Answer, title: string): void => {
        if (status === 201) acknowledged.push(title)
        // An unknown list in the body is a fault of that field, an unknown entry is not found.
        else if (![400, 403, 404].includes(status)) faults.push(`${title}: ${status} ${JSON.stringify(body)}`)
      }
      const add = async (title: string): Promise<void> =>
        check(await second.post(entries, { ...entry(title), ...inResource }, member), title)
      const addAsOwner = async (title: string): Promise<void> =>
        check(await first.post(entries, { ...entry(title), ...inResource }, owner), title)
      const edit = async (title: string): Promise<void> => {
        const { status } = await second.call('PATCH', `${entries}/${common.id}`, {
          ...member,
          body: { title },
        })
        if (![200, 403, 404].includes(status)) faults.push(`editing answered ${status}`)
      }
      for (let step = 0; step < STEPS; step++) {
        const title = `Run ${seed}, step ${step}`
        const actions = [
          share,
          share,
          revoke,
          leave,
          () => add(title),
          () => addAsOwner(title),
          () => edit(title),
        ]
        const some = Array.from({ length: 1 + random(4) }, () => actions[random(actions.length)])
        await Promise.all(some.map((action) => action?.()))
      }
      expect(faults).toEqual([])

      const titlesFor = async (person: Person): Promise<string[] | number> => {
        const { status, body } = await second.get(`${entries}?${field}=${resource.id}&limit=200`, person)
        return status === 200 ? body[list].map(({ title }: { title: string }) => title).toSorted() : status
      }
      const isShared = async (): Promise<boolean> =>
        (await second.get('/api/shares', member)).body.shares.some(
          ({ status, resourceId }: { status: string; resourceId: number }) =>
            status === 'accepted' && resourceId === resource.id,
        )
      const stored = (await titlesFor(owner)) as string[]
      for (const title of acknowledged) expect(stored).toContain(title)
      if (await isShared()) expect(await titlesFor(member)).toEqual(stored)

      await revoke()
      expect(revocations).toBeGreaterThan(0)
      expect(await isShared()).toBe(false)
      expect(await titlesFor(member)).not.toEqual(stored)
      expect((await second.get(`${entries}/${common.id}`, member)).status).toBe(404)
      expect((await second.get(`${resources}/${resource.id}`, member)).status).toBe(404)
      await first.post(entries, { ...entry('After the end'), ...inResource }, owner)
      const { body: own } = await second.post(entries, entry(`Own ${seed}`), member)
      await expect
        .poll(() => stream.events.some(({ data }) => data.subject === String(own.id)), { timeout: 30_000 })
        .toBe(true)
      expect(JSON.stringify(stream.events)).not.toContain('After the end')
      await stream.leave()
    }

    it.each(Array.from({ length: RUNS }, (_, n) => n + 1))('ends consistent, run %i', run)
  })
})
