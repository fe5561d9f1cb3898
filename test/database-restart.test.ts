import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import type { DataPlace } from './support/databases.ts'
import { makeDataPlace, onPostgresOnly } from './support/databases.ts'
import { eventually } from './support/eventually.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { register } from './support/people.ts'

interface Cluster {
  url: string
  restart(nextSignal?: 'INT' | 'QUIT'): Promise<void>
  stop(): Promise<void>
}

const PART = new URL('../scripts/parts/postgres.mjs', import.meta.url).href

onPostgresOnly('a restart of the database under load', () => {
  let cluster: Cluster
  let place: DataPlace
  let instance: Instance
  beforeAll(async () => {
    const part = (await import(PART)) as { createRestartable(): Promise<Cluster> }
    cluster = await part.createRestartable()
    place = await makeDataPlace('sqlite')
    const environment = { DATABASE_URL: cluster.url, ACCESS_TOKEN_TTL: '30d' }
    instance = await startInstance({ place, environment })
    await instance.app.jobs.start()
    instance.app.sending.start()
  })
  afterAll(async () => {
    await instance?.close()
    await place?.remove()
    await cluster?.stop()
  })

  it('causes only 503 responses, loses no acknowledged write and repeats none', async () => {
    const { token } = await register(instance)
    const hook = { url: 'http://127.0.0.1:9/', events: ['*'] }
    await instance.post('/api/settings/webhooks', hook, { token })
    let isOver = false
    const faults: string[] = []
    const acknowledged: string[] = []
    const counts = { answered: 0, unavailable: 0 }
    const note = ({ status, body }: Answer): void => {
      counts.answered++
      if (status === 503) counts.unavailable++
      else if (status >= 500) faults.push(`${status} ${JSON.stringify(body)}`)
    }
    const repeat = async (call: (turn: number) => Promise<Answer>): Promise<void> => {
      for (let turn = 0; !isOver; turn++) {
        const answer = await call(turn)
        note(answer)
        if (answer.status === 503) await setTimeout(10)
      }
    }
    const addTask = (title: string, headers = {}) => instance.post('/api/tasks', { title }, { headers })
    /** Repeats a request until it succeeds. */
    const retryUntilAnswered = async (writer: number, turn: number): Promise<Answer> => {
      const title = `kept-${writer}-${turn}`
      for (;;) {
        const answer = await addTask(title, { 'idempotency-key': title })
        note(answer)
        if (answer.status === 201) {
          acknowledged.push(title)
          return answer
        }
        if (answer.status !== 409 && answer.status !== 503)
          faults.push(`${answer.status} for a retry: ${JSON.stringify(answer.body)}`)
        await setTimeout(20)
      }
    }
    const load = Promise.all([
      repeat((turn) => retryUntilAnswered(0, turn)),
      repeat((turn) => retryUntilAnswered(1, turn)),
      repeat((turn) => addTask(`plain ${turn}`)),
      repeat(() => instance.get('/api/stats')),
      repeat(() => instance.get('/api/tasks')),
      repeat(() => instance.get('/api/auth/me', { token })),
      repeat((turn) =>
        instance.call('PATCH', '/api/settings/profile', { body: { name: `N${turn}` }, token }),
      ),
      repeat((turn) =>
        instance.post('/api/calendar/events', { title: 'e', start: new Date(2e12 + turn * 36e5) }),
      ),
      repeat(() => instance.post('/api/ai/chat', { message: 'What is due today?' })),
    ])
    const answerMore = async () => {
      const goal = counts.answered + 50
      await eventually(() => counts.answered > goal)
    }
    for (const next of ['QUIT', 'INT'] as const) {
      await answerMore()
      await cluster.restart(next)
    }
    await answerMore()
    isOver = true
    await load
    expect(faults).toEqual([])
    expect(counts.unavailable).toBeGreaterThan(0)
    expect((await instance.get('/api/health')).status).toBe(200)
    const rows = await instance.database.db
      .selectFrom('tasks')
      .select('title')
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    const kept = rows.map(({ title }) => title).filter((title) => title.startsWith('kept-'))
    expect(kept.toSorted()).toEqual([...new Set(kept)].toSorted())
    expect(acknowledged.filter((title) => !kept.includes(title))).toEqual([])
  })
})
