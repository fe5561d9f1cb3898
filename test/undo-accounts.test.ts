import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getLocalUserId } from '../src/database/local-account.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { onEveryDatabase, onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

const KIND = 'test.item_changed'
const Item = Type.Object({ id: Type.Integer(), version: Type.Integer() })

onOneDatabase('sqlite', 'the undo journal of two accounts', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let items: ReturnType<typeof defineItems>
  const undone: { userId: number; id: number; version: number }[] = []

  const defineItems = () =>
    instance.app.features.actions.define({
      kind: KIND,
      about: 'task',
      payload: Item,
      undo: async (_tx, payload, _parts, userId) => void undone.push({ userId, ...payload }),
    })
  const record = (userId: number, summary: string, id = 1): Promise<number> =>
    inTransaction(instance.database.db, (tx) =>
      instance.app.features.actions.record(tx, {
        userId,
        kind: KIND,
        summary,
        payload: { id, version: 1 },
      }),
    )
  const summaries = async (token?: string, query = ''): Promise<string[]> =>
    (await instance.get(`/api/actions${query}`, { token })).body.actions.map(
      ({ summary }: { summary: string }) => summary,
    )
  const undo = (id: number, token?: string) => instance.post(`/api/actions/${id}/undo`, undefined, { token })

  beforeAll(async () => {
    instance = await startInstance({ engine })
    items = defineItems()
    await record(await getLocalUserId(instance.database.db), 'before anybody registered')
    ana = await register(instance)
    ben = await register(instance)
  })
  afterAll(() => instance.close())

  it('lists only the actions of the account, and the first registration sees those of the local account', async () => {
    await record(ana.id, 'of Ana')
    await record(ben.id, 'of Ben')
    const own = ['of Ana', 'before anybody registered']
    expect([await summaries(ana.token), await summaries(), await summaries(ben.token)]).toEqual([
      own,
      own,
      ['of Ben'],
    ])
    const { body } = await instance.get('/api/actions?limit=1', { token: ana.token })
    expect(await summaries(ana.token, `?limit=1&cursor=${body.nextCursor}`)).toEqual(own.slice(1))
    expect(body.actions[0]).not.toHaveProperty('userId')
  })

  it('does not undo the action of another account', async () => {
    const id = await record(ben.id, 'only for Ben')
    for (const token of [ana.token, undefined]) {
      const refused = await undo(id, token)
      expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
    }
    expect(undone).toEqual([])
    expect((await undo(id, ben.token)).status).toBe(200)
    expect(undone).toEqual([{ userId: ben.id, id: 1, version: 1 }])
  })

  /** Stores an action as version 0.2.0 does, or another version that knows other kinds. */
  const insert = async (userId: number, kind: string, payload: object): Promise<number> => {
    const at = new Date().toISOString()
    const row = { userId, kind, summary: 'older', payload: JSON.stringify(payload), at, undoneAt: null }
    const { id } = await instance.database.db
      .insertInto('actions')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  it('finds and undoes actions of version 0.2.0, which stores no subjects', async () => {
    const { db } = instance.database
    const id = await insert(ana.id, KIND, { version: 1, title: 'x', id: 88 })
    await inTransaction(db, (tx) =>
      instance.app.features.actions.restoreVersion(tx, ana.id, 'task', { id: 88, version: 1 }, 4),
    )
    const found = await items.find(db, ana.id, { kind: 'task', id: 88 })
    expect(found).toEqual([{ id, isUndone: false, payload: { version: 4, title: 'x', id: 88 } }])
    expect((await undo(id, ana.token)).status).toBe(200)
    expect(undone.at(-1)).toMatchObject({ userId: ana.id, id: 88, version: 4 })
  })

  it('answers clearly if it does not know the kind of an action', async () => {
    const { status, body } = await undo(await insert(ana.id, 'test.of_the_future', {}), ana.token)
    expect([status, body.detail]).toEqual([409, expect.stringContaining('of the kind “test.of_the_future”')])
  })

  it('searches and updates versions only within the account', async () => {
    const { db } = instance.database
    const { actions } = instance.app.features
    await record(ana.id, 'of Ana', 77)
    await record(ben.id, 'of Ben', 77)
    await inTransaction(db, (tx) => actions.restoreVersion(tx, ben.id, 'task', { id: 77, version: 1 }, 5))
    const find = async (userId: number) =>
      (await items.find(db, userId, { kind: 'task', id: 77 })).map(({ payload }) => payload)
    expect([await find(ana.id), await find(ben.id)]).toEqual([
      [{ id: 77, version: 1 }],
      [{ id: 77, version: 5 }],
    ])
  })

  it('is deleted with the account', async () => {
    const cleo = await register(instance)
    await record(cleo.id, 'of Cleo')
    await instance.call('DELETE', '/api/settings/account', {
      body: { password: PASSWORD },
      token: cleo.token,
    })
    const rows = await instance.database.db
      .selectFrom('actions')
      .select('id')
      .where('userId', '=', cleo.id)
      .execute()
    expect(rows).toEqual([])
  })
})

onEveryDatabase('an Idempotency-Key', (engine) => {
  it('does not replay the response to a session or token of another account', async () => {
    const instance = await startInstance({ engine })
    const [ana, ben] = [await register(instance), await register(instance)]
    const makeToken = async ({ token }: Person): Promise<string> => {
      const input = { name: 'x', scopes: ['tasks:write'], password: PASSWORD }
      return (await instance.post('/api/settings/tokens', input, { token })).body.token
    }
    const tokens = [ana.token, ben.token, await makeToken(ana), await makeToken(ben), undefined]
    const post = (token: string | undefined) =>
      instance.call('POST', '/api/tasks', {
        token,
        body: { title: 'Pay the rent' },
        headers: { 'idempotency-key': 'same-key' },
      })
    const ids = new Set<number>()
    for (const token of tokens) {
      const made = await post(token)
      expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
      ids.add(made.body.id)
    }
    expect(ids.size).toBe(tokens.length)
    const again = await post(ben.token)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await instance.close()
  })
})
