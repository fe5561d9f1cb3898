import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from './support/clock.ts'
import { onEveryDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf, importInto, linesOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

interface Entry {
  id: number
  taskId: number
  personName: string
  startedAt: string
  endedAt: string | null
  seconds: number | null
  note: string
}

onEveryDatabase('time entries', (engine) => {
  let instance: Instance
  /** Owns the lists. */
  let ana: Person
  let editor: Person
  let viewer: Person
  let stranger: Person

  const call = (
    method: string,
    path: string,
    person: Person,
    body?: unknown,
    headers = {},
  ): Promise<Answer> => instance.call(method, path, { token: person.token, body, headers })
  const share = async (listId: number, person: Person, role: string): Promise<number> => {
    const offer = await call('POST', `/api/task-lists/${listId}/shares`, ana, { email: person.email, role })
    expect((await call('POST', `/api/shares/${offer.body.id}/accept`, person)).status).toBe(200)
    return offer.body.id
  }
  const createTask = async (more: Record<string, unknown> = {}, person = ana): Promise<string> => {
    const answer = await call('POST', '/api/tasks', person, { title: 'Paint the fence', ...more })
    expect(answer.status).toBe(201)
    return `/api/tasks/${answer.body.id}`
  }
  const createShared = async () => {
    const listId = (await call('POST', '/api/task-lists', ana, { name: 'Garden' })).body.id
    const shareId = await share(listId, editor, 'editor')
    await share(listId, viewer, 'viewer')
    return { listId, task: await createTask({ listId }), shareId }
  }
  const start = async (task: string, person = ana) => {
    const answer = await call('POST', `${task}/time-entries/start`, person)
    expect([answer.status, answer.body.detail]).toEqual([200, undefined])
    return answer.body as Entry & { stopped: Entry | null }
  }
  const stop = (task: string, person = ana) => call('POST', `${task}/time-entries/stop`, person)
  const list = async (task: string, person = ana) =>
    (await call('GET', `${task}/time-entries`, person)).body as {
      timeEntries: Entry[]
      trackedSeconds: number
    }
  const running = async (person = ana): Promise<(Entry & { taskTitle: string })[]> =>
    (await call('GET', '/api/time-entries?running=true', person)).body.timeEntries

  beforeAll(async () => {
    instance = await startInstance({ engine })
    ana = await register(instance, { name: 'Ana Ruiz' })
    editor = await register(instance, { name: 'Ed Lee' })
    viewer = await register(instance, { name: 'Vi Kaur' })
    stranger = await register(instance, { name: 'Sam Stone' })
  })
  afterAll(() => instance.close())

  it('a timer records the time until it is stopped', async () => {
    const task = await createTask()
    const entry = await start(task)
    expect(entry).toMatchObject({ personName: 'Ana Ruiz', endedAt: null, seconds: null, stopped: null })
    expect(await running()).toMatchObject([{ id: entry.id, taskTitle: 'Paint the fence' }])
    instance.clock.advance(5 * MINUTE)
    const stopped = await stop(task)
    expect([stopped.status, stopped.body.id, stopped.body.seconds]).toEqual([200, entry.id, 300])
    expect(await running()).toEqual([])
    expect(await list(task)).toMatchObject({ timeEntries: [{ id: entry.id }], trackedSeconds: 300 })
    expect([(await stop(task)).status, (await stop(task)).body.code]).toEqual([409, 'conflict'])
  })

  it('starting another timer stops the first, and starting it again changes nothing', async () => {
    const [one, other] = [await createTask(), await createTask({ title: 'Mow' })]
    const first = await start(one)
    instance.clock.advance(MINUTE)
    const second = await start(other)
    expect(second.stopped).toMatchObject({ id: first.id, seconds: 60 })
    expect(await start(other)).toMatchObject({ id: second.id, stopped: null })
    expect(await running()).toMatchObject([{ id: second.id }])
    expect((await stop(one)).status).toBe(409)
    await stop(other)
  })

  it('two starts at once leave one timer', async () => {
    const tasks = await Promise.all([1, 2, 3, 4].map(() => createTask()))
    const answers = await Promise.all(tasks.map((task) => call('POST', `${task}/time-entries/start`, ana)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [timer, ...others] = await running()
    expect(others).toEqual([])
    expect(answers.filter(({ body }) => body.stopped !== null)).toHaveLength(3)
    await stop(`/api/tasks/${timer?.taskId}`)
  })

  it('a clock that is set back gives no negative duration', async () => {
    const task = await createTask()
    await start(task)
    instance.clock.advance(-5 * MINUTE)
    expect((await stop(task)).body.seconds).toBe(0)
    instance.clock.advance(5 * MINUTE)
    await call('PATCH', task, ana, { status: 'done' })
    expect((await list(task)).trackedSeconds).toBe(0)
  })

  it('are entered by hand, changed and deleted', async () => {
    const task = await createTask()
    const path = `${task}/time-entries`
    const times = { startedAt: '2026-03-02T09:00:00+01:00', endedAt: '2026-03-02T10:30:00+01:00' }
    const made = await call('POST', path, ana, { ...times, note: ' Sanded ' })
    expect(made.body).toMatchObject({ startedAt: '2026-03-02T08:00:00.000Z', seconds: 5400, note: 'Sanded' })
    expect([made.status, made.headers.get('location')]).toEqual([201, `${path}/${made.body.id}`])
    const own = `${path}/${made.body.id}`
    const changed = await call('PATCH', own, ana, { endedAt: '2026-03-02T10:00:00+01:00' })
    expect(changed.body.seconds).toBe(3600)
    expect((await call('PATCH', own, ana, { note: 'x' }, { 'if-match': `"${made.body.id}.1"` })).status).toBe(
      412,
    )
    expect((await list(task)).trackedSeconds).toBe(3600)
    for (const body of [
      { ...times, endedAt: '2026-03-02T08:00:00+01:00' },
      { startedAt: times.startedAt },
      { ...times, endedAt: null },
      { ...times, startedAt: 'soon' },
      { ...times, seconds: 3 },
      { ...times, note: 'x'.repeat(501) },
    ])
      expect((await call('POST', path, ana, body)).status).toBe(400)
    expect((await call('PATCH', own, ana, { startedAt: '2026-03-03T09:00:00Z' })).status).toBe(400)
    expect((await call('DELETE', own, ana)).status).toBe(204)
    expect(await list(task)).toMatchObject({ timeEntries: [], trackedSeconds: 0 })
  })

  it('are listed newest first, page by page, for a task and for a person', async () => {
    const task = await createTask()
    for (const hour of ['08', '10', '09'])
      await call('POST', `${task}/time-entries`, ana, {
        startedAt: `2031-03-02T${hour}:00:00Z`,
        endedAt: `2031-03-02T${hour}:05:00Z`,
      })
    for (const path of [`${task}/time-entries`, '/api/time-entries']) {
      const first = (await call('GET', `${path}?limit=2`, ana)).body
      const second = (await call('GET', `${path}?limit=2&cursor=${first.nextCursor}`, ana)).body
      const hours = [...first.timeEntries, ...second.timeEntries].map(({ startedAt }) =>
        startedAt.slice(11, 13),
      )
      expect(hours.slice(0, 3)).toEqual(['10', '09', '08'])
    }
    expect((await call('GET', '/api/time-entries?running=false&limit=1', ana)).body.timeEntries).toHaveLength(
      1,
    )
  })

  it('editors record their own time, viewers see it, and others see nothing', async () => {
    const { task } = await createShared()
    const { id } = await start(task, editor)
    await start(task)
    for (const person of [ana, editor, viewer])
      expect((await list(task, person)).timeEntries.map(({ personName }) => personName).sort()).toEqual([
        'Ana Ruiz',
        'Ed Lee',
      ])
    const own = `${task}/time-entries/${id}`
    expect((await call('PATCH', own, ana, { note: 'x' })).status).toBe(403)
    expect((await call('POST', `${task}/time-entries/start`, viewer)).status).toBe(403)
    expect((await call('DELETE', own, viewer)).status).toBe(403)
    for (const path of [`${task}/time-entries`, `${task}/time-entries/start`, `${task}/time-entries/stop`])
      expect((await call(path.endsWith('s') ? 'GET' : 'POST', path, stranger)).status).toBe(404)
    expect((await call('DELETE', own, stranger)).status).toBe(404)
    expect([await running(stranger), (await running(editor)).length]).toEqual([[], 1])
    expect((await call('DELETE', own, ana)).status).toBe(204)
    expect(await running(editor)).toEqual([])
    await stop(task)
  })

  it('closing a task stops its timers', async () => {
    const { task } = await createShared()
    await start(task)
    await start(task, editor)
    await call('PATCH', task, ana, { status: 'cancelled' })
    expect([await running(), await running(editor)]).toEqual([[], []])
    expect((await call('POST', `${task}/time-entries/start`, ana)).status).toBe(409)
  })

  it('a member who loses the list loses the timer, and the time stays', async () => {
    const { task, shareId, listId } = await createShared()
    await start(task, editor)
    const role = { role: 'viewer' }
    await call('PATCH', `/api/task-lists/${listId}/shares/${shareId}`, ana, role)
    expect((await stop(task, editor)).status).toBe(200)
    await call('PATCH', `/api/task-lists/${listId}/shares/${shareId}`, ana, { role: 'editor' })
    await start(task, editor)
    const { listId: inbox } = (await call('GET', await createTask(), ana)).body
    await call('PATCH', task, ana, { listId: inbox })
    expect((await list(task)).timeEntries.map(({ endedAt }) => endedAt === null)).toEqual([false, false])
    await call('PATCH', task, ana, { listId })
    await start(task, editor)
    expect((await call('DELETE', `/api/task-lists/${listId}/shares/${shareId}`, ana)).status).toBe(204)
    expect(await running(editor)).toEqual([])
    const { body: own } = await call('GET', '/api/time-entries', editor)
    expect(own.timeEntries.filter(({ taskId }: Entry) => task.endsWith(`/${taskId}`))).toEqual([])
    const gone = await register(instance, { name: 'Gus Hill' })
    await share(listId, gone, 'editor')
    await start(task, gone)
    await call('DELETE', '/api/settings/account', gone, { password: PASSWORD })
    const { timeEntries } = await list(task)
    expect(timeEntries.map(({ personName, endedAt }) => [personName, endedAt === null])).toEqual([
      ['Gus Hill', false],
      ['Ed Lee', false],
      ['Ed Lee', false],
      ['Ed Lee', false],
    ])
  })

  it('stay with a completed occurrence', async () => {
    const task = await createTask({ dueDay: '2026-03-02', recurrence: 'FREQ=DAILY' })
    await start(task)
    const { body } = await call('PATCH', task, ana, { status: 'done' })
    expect((await list(task)).timeEntries).toHaveLength(1)
    expect((await list(`/api/tasks/${body.nextTaskId}`)).timeEntries).toEqual([])
  })

  it('reach open pages as live events', async () => {
    const { task, listId } = await createShared()
    const path = '/api/events?types=task.time_entry_created,task.time_entry_updated,task.time_entry_deleted'
    const stream = await openEventStream(instance.url, path, viewer)
    const { id } = await start(task, editor)
    await stop(task, editor)
    await call('DELETE', `${task}/time-entries/${id}`, editor)
    await stream.until(3)
    expect(stream.events.map(({ event }) => event.split('_').at(-1))).toEqual([
      'created',
      'updated',
      'deleted',
    ])
    expect(stream.events[0]?.data.data).toMatchObject({ id, listId, personName: 'Ed Lee', endedAt: null })
    await stream.leave()
  })

  it('are part of an export, and the running timer runs on after the import', async () => {
    const source = await register(instance, { name: 'Ida Berg' })
    const task = await createTask({ title: 'Own' }, source)
    await start(task, source)
    instance.clock.advance(MINUTE)
    await stop(task, source)
    await start(task, source)
    const zip = await exportOf(instance, source.token)
    expect(linesOf(await entriesOf(zip))['tasks/time-entries.jsonl']).toHaveLength(2)
    const target = await register(instance, { name: 'Ida Imported' })
    expect((await importInto(instance, target.token, zip)).status).toBe(200)
    const [timer] = await running(target)
    expect(timer).toMatchObject({ personName: 'Ida Berg', taskTitle: 'Own' })
    expect((await list(`/api/tasks/${timer?.taskId}`, target)).trackedSeconds).toBe(60)
    expect((await stop(`/api/tasks/${timer?.taskId}`, target)).status).toBe(200)
  })
})
