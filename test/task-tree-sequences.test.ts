import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'
import { scaled } from './support/scale.ts'

const SEED = 20_261_119
const STEPS = scaled({ full: 1000, short: 200 })

interface Task {
  id: number
  title: string
  status: string
  listId: number
  sectionId: number | null
  parentId: number | null
  position: string
  nextTaskId: number | null
}

const createRandom = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: <T>(values: readonly T[]): T => values[below(values.length)] as T }
}

onEveryDatabase('any sequence of changes of task trees', (engine) => {
  let instance: Instance
  let ana: Person
  let ben: Person
  let listIds: number[]
  let sectionIds: number[]

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC', RATE_LIMIT: '1000000' } })
    ;[ana, ben] = [await register(instance), await register(instance)]
    listIds = []
    for (const name of ['One', 'Two']) {
      const { body } = await instance.post('/api/task-lists', { name }, ana)
      listIds.push(body.id)
      const shares = `/api/task-lists/${body.id}/shares`
      const offered = await instance.post(shares, { email: ben.email, role: 'editor' }, ana)
      await instance.post(`/api/shares/${offered.body.id}/accept`, undefined, ben)
    }
    const sections = `/api/task-lists/${listIds[0]}/sections`
    sectionIds = [
      (await instance.post(sections, { name: 'A' }, ana)).body.id,
      (await instance.post(sections, { name: 'B' }, ana)).body.id,
    ]
  })
  afterAll(() => instance.close())

  const readAll = async (person: Person): Promise<Task[]> => {
    const found: Task[] = []
    for (const listId of listIds)
      for (let cursor = ''; ; ) {
        const path = `/api/tasks?listId=${listId}&sort=position&limit=200${cursor}`
        const { body } = await instance.get(path, person)
        found.push(...body.tasks)
        if (body.nextCursor === null) break
        cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
      }
    return found
  }

  const treeOf = (tasks: readonly Task[], id: number): number[] => [
    id,
    ...tasks.filter(({ parentId }) => parentId === id).flatMap((child) => treeOf(tasks, child.id)),
  ]

  const check = (tasks: readonly Task[]): void => {
    const byId = new Map(tasks.map((task) => [task.id, task]))
    expect(byId.size).toBe(tasks.length)
    for (const task of tasks) {
      const path = new Set<number>()
      for (
        let at: Task | undefined = task;
        at;
        at = at.parentId === null ? undefined : byId.get(at.parentId)
      ) {
        expect(path.has(at.id)).toBe(false)
        path.add(at.id)
        if (at.parentId === null) continue
        expect(byId.get(at.parentId)?.listId).toBe(at.listId)
        expect(at.sectionId).toBeNull()
      }
    }
    const open = tasks.filter(({ status }) => status === 'todo')
    const places = Map.groupBy(
      open,
      ({ listId, sectionId, parentId }) => `${listId} ${sectionId} ${parentId}`,
    )
    for (const siblings of places.values())
      expect(new Set(siblings.map(({ position }) => position)).size).toBe(siblings.length)
  }

  it('leaves trees without cycles, lost tasks or two orders', { timeout: 600_000 }, async () => {
    const { below, pick } = createRandom(SEED)
    let tasks: Task[] = []
    const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
      instance.call(method, path, { token: pick([ana, ben]).token, ...(body !== undefined && { body }) })
    const some = (): number | null => (tasks.length === 0 || below(3) === 0 ? null : pick(tasks).id)

    const create = () => {
      const parentId = some()
      const place = parentId === null ? { listId: pick(listIds) } : { parentId }
      const repeats = below(4) === 0 && { dueDay: '2031-01-06', recurrence: 'FREQ=WEEKLY' }
      return call('POST', '/api/tasks', { title: `task ${below(1000)}`, ...place, ...repeats })
    }
    const move = () => {
      const parentId = some()
      const place =
        parentId !== null
          ? { parentId }
          : below(2) === 0
            ? { listId: listIds[0], sectionId: pick(sectionIds), parentId }
            : { listId: pick(listIds), parentId }
      const after = [{}, { afterId: null }, { afterId: pick(tasks).id }][below(3)]
      return call('POST', `/api/tasks/${pick(tasks).id}/move`, { ...place, ...after })
    }
    const complete = () =>
      call('PATCH', `/api/tasks/${pick(tasks).id}`, { status: 'done', children: pick(['complete', 'keep']) })
    const reopen = () => call('PATCH', `/api/tasks/${pick(tasks).id}`, { status: 'todo' })
    const edit = () => call('PATCH', `/api/tasks/${pick(tasks).id}`, { title: `edited ${below(1000)}` })
    const changes = [create, move, move, complete, reopen, edit]

    for (let step = 0; step < STEPS; ) {
      if (tasks.length < 5 || tasks.length > 120) {
        const isFull = tasks.length > 120
        const root = isFull ? pick(tasks.filter(({ parentId }) => parentId === null)).id : 0
        const answer = isFull ? await call('DELETE', `/api/tasks/${root}`) : await create()
        expect([answer.status, step]).toEqual([isFull ? 204 : 201, step])
        const gone = isFull ? treeOf(tasks, root) : []
        const left = await readAll(ana)
        const ids = new Set(left.map(({ id }) => id))
        expect(
          tasks
            .filter(({ id }) => !ids.has(id))
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(gone.toSorted())
        tasks = left
        step++
        continue
      }
      const count = pick([1, 1, 4])
      const answers = await Promise.all(Array.from({ length: count }, () => pick(changes)()))
      step += count
      for (const { status, body } of answers)
        expect([status < 500, body?.detail ?? '']).toEqual([true, body?.detail ?? ''])
      const now = await readAll(ana)
      check(now)
      // Only the next occurrence of a reopened task goes away.
      const ids = new Set(now.map(({ id }) => id))
      const lost = tasks.filter(({ id }) => !ids.has(id))
      const successors = new Set(tasks.flatMap(({ nextTaskId }) => nextTaskId ?? []))
      expect(lost.filter(({ id }) => !successors.has(id))).toEqual([])
      tasks = now
    }
    const key = ({ id, position, parentId }: Task) => [id, position, parentId]
    expect((await readAll(ben)).map(key)).toEqual((await readAll(ana)).map(key))
  })
})
