import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY, MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { type Person, register, signIn } from './support/people.ts'

const LISTS = '/api/task-lists'
const TASKS = '/api/tasks'

interface Task {
  id: number
  title: string
  listId: number
  remindAt: string | null
  changedBy: string | null
}

interface Shared {
  listId: number
  path: string
  /** The share of each member. */
  shareIds: Map<Person, number>
}

onOneDatabase('postgres', 'shared task lists', (engine) => {
  let instance: Instance
  /** Owns the lists. */
  let ana: Person
  let editor: Person
  let viewer: Person
  let stranger: Person

  const as = ({ token }: Person) => ({ token })
  const get = (path: string, person: Person) => instance.get(path, as(person))
  const patch = (path: string, body: unknown, person: Person, headers: Record<string, string> = {}) =>
    instance.call('PATCH', path, { token: person.token, body, headers })
  const remove = (path: string, person: Person, headers: Record<string, string> = {}) =>
    instance.call('DELETE', path, { token: person.token, headers })
  const create = async (person: Person, input: Record<string, unknown>): Promise<Task> => {
    const answer = await instance.post(TASKS, input, as(person))
    expect([answer.status, answer.body.detail]).toEqual([201, undefined])
    return answer.body
  }
  const titlesOf = ({ body }: Answer): string[] => body.tasks.map(({ title }: Task) => title)
  const titles = async (person: Person, query: string): Promise<string[]> =>
    titlesOf(await get(`${TASKS}?${query}`, person))
  const createList = async (person: Person, name: string): Promise<number> =>
    (await instance.post(LISTS, { name }, as(person))).body.id
  const share = async (listId: number, person: Person, role: string, owner = ana): Promise<number> => {
    const offered = await instance.post(`${LISTS}/${listId}/shares`, { email: person.email, role }, as(owner))
    expect(offered.status).toBe(202)
    const accepted = await instance.post(`/api/shares/${offered.body.id}/accept`, undefined, as(person))
    expect(accepted.status).toBe(200)
    return offered.body.id
  }
  const shareNewList = async (name: string): Promise<Shared> => {
    const listId = await createList(ana, name)
    const shareIds = new Map([
      [editor, await share(listId, editor, 'editor')],
      [viewer, await share(listId, viewer, 'viewer')],
    ])
    return { listId, path: `${LISTS}/${listId}`, shareIds }
  }
  const revoke = async ({ path, shareIds }: Shared, person: Person): Promise<void> => {
    expect((await remove(`${path}/shares/${shareIds.get(person)}`, ana)).status).toBe(204)
  }

  beforeAll(async () => {
    instance = await startInstance({ engine, environment: { TZ_DEFAULT: 'UTC' } })
    ana = await register(instance, { name: 'Ana Ruiz', timezone: 'Europe/Berlin' })
    editor = await register(instance, { name: 'Ed Lee', timezone: 'America/New_York' })
    viewer = await register(instance, { name: 'Vi Kaur', timezone: 'UTC' })
    stranger = await register(instance, { name: 'Sam Stone' })
  })
  afterAll(() => instance.close())

  it('appear among the lists of their members, with the owner and the role', async () => {
    const { listId, path, shareIds } = await shareNewList('Family')
    const listOf = async (person: Person) =>
      (await get(LISTS, person)).body.taskLists.find(({ id }: { id: number }) => id === listId)
    const owner = { name: 'Ana Ruiz', email: ana.email }
    expect(await listOf(ana)).toMatchObject({ role: 'owner', owner: null, shareId: null, shared: true })
    expect(await listOf(editor)).toMatchObject({
      name: 'Family',
      isInbox: false,
      role: 'editor',
      owner,
      shareId: shareIds.get(editor),
      shared: false,
    })
    expect(await listOf(viewer)).toMatchObject({ role: 'viewer', owner })
    expect(await listOf(stranger)).toBeUndefined()
    for (const person of [ana, editor, viewer])
      expect((await get(path, person)).body).toEqual(await listOf(person))
    expect((await get(path, stranger)).status).toBe(404)
    const first = await get(`${LISTS}?limit=1`, viewer)
    const second = await get(`${LISTS}?limit=1&cursor=${first.body.nextCursor}`, viewer)
    expect([first.body.taskLists[0].isInbox, second.body.taskLists[0].role]).toEqual([true, 'viewer'])
  })

  it('a pending or declined offer gives no access', async () => {
    const listId = await createList(ana, 'Offered')
    const { id } = await create(ana, { title: 'Hidden', listId })
    const input = { email: stranger.email, role: 'editor' }
    const { body: offer } = await instance.post(`${LISTS}/${listId}/shares`, input, as(ana))
    const requireHidden = async (): Promise<void> => {
      expect((await get(`${LISTS}/${listId}`, stranger)).status).toBe(404)
      expect((await get(`${TASKS}/${id}`, stranger)).status).toBe(404)
      expect((await patch(`${TASKS}/${id}`, { title: 'x' }, stranger)).status).toBe(404)
      expect(await titles(stranger, `listId=${listId}`)).toEqual([])
    }
    await requireHidden()
    await instance.post(`/api/shares/${offer.id}/accept`, undefined, as(stranger))
    expect(await titles(stranger, `listId=${listId}`)).toEqual(['Hidden'])
    await instance.post(`/api/shares/${offer.id}/decline`, undefined, as(stranger))
    await requireHidden()
  })

  it('the Inbox cannot be shared', async () => {
    const { body } = await get(LISTS, ana)
    const input = { email: viewer.email, role: 'viewer' }
    const answer = await instance.post(`${LISTS}/${body.taskLists[0].id}/shares`, input, as(ana))
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
  })

  it('members choose their own color and visibility, and change nothing else', async () => {
    const { listId, path, shareIds } = await shareNewList('Colors')
    const before = (await get(path, ana)).body
    const seen = await get(path, viewer)
    const changed = await patch(path, { color: '#AA0000', visible: false }, viewer)
    expect(changed.body).toMatchObject({ color: '#aa0000', visible: false, role: 'viewer' })
    expect((await get(path, viewer)).body).toEqual(changed.body)
    expect(changed.headers.get('etag')).not.toBe(seen.headers.get('etag'))
    expect((await get(path, ana)).body).toEqual(before)
    expect((await get(path, editor)).body).toMatchObject({ color: before.color, visible: true })
    for (const person of [viewer, editor]) {
      const renamed = await patch(path, { name: 'Mine', color: '#00bb00' }, person)
      expect([renamed.status, renamed.body.code]).toEqual([403, 'forbidden'])
      const deleted = await remove(path, person)
      expect([deleted.status, deleted.body.code]).toEqual([403, 'forbidden'])
      expect(deleted.body.detail).toContain(`/api/shares/${shareIds.get(person)}/decline`)
    }
    expect((await patch(path, { visible: true }, viewer, { 'if-match': `"${listId}.9"` })).status).toBe(412)
    const etag = seen.headers.get('etag') as string
    expect((await patch(path, { visible: true }, viewer, { 'if-match': etag })).status).toBe(200)
    await patch(path, { name: 'Renamed' }, ana)
    expect((await get(path, viewer)).body).toMatchObject({ name: 'Renamed', color: '#aa0000' })
  })

  it('their tasks are listed, searched and paged together with own tasks', async () => {
    const owner = await register(instance)
    const member = await register(instance)
    const [first, second] = [await createList(owner, 'First'), await createList(owner, 'Second')]
    await share(first, member, 'viewer', owner)
    await share(second, member, 'editor', owner)
    const due = (day: number) => `2020-01-${String(day).padStart(2, '0')}T09:00:00.000Z`
    const input = (n: number) => ({ title: `Paint ${n}`, dueAt: due(n), tags: ['wall'], priority: 'high' })
    for (let n = 1; n <= 12; n++) {
      if (n % 4 === 0) await create(owner, { ...input(n), title: `Paint privately ${n}` })
      else if (n % 4 === 1) await create(member, input(n))
      else await create(owner, { ...input(n), listId: n % 4 === 2 ? first : second })
    }
    const walk = async (query: string): Promise<string[]> => {
      const found: string[] = []
      for (let cursor = ''; ; ) {
        const page = await get(`${TASKS}?limit=2${query}${cursor}`, member)
        expect(page.status).toBe(200)
        found.push(...titlesOf(page))
        if (page.body.nextCursor === null) return found
        cursor = `&cursor=${page.body.nextCursor}`
      }
    }
    const inOrder = [1, 2, 3, 5, 6, 7, 9, 10, 11].map((n) => `Paint ${n}`)
    const queries = ['', '&status=open', '&tag=wall', '&dueBefore=2021-01-01', '&priority=high']
    for (const query of [...queries, '&status=overdue', '&status=overdue&tag=wall'])
      expect([query, await walk(query)]).toEqual([query, inOrder])
    for (const query of ['&q=paint', '&q=paint&tag=wall', '&q=paint&status=overdue'])
      expect([query, await walk(query)]).toEqual([query, inOrder.toReversed()])
    const ofFirst = ['Paint 2', 'Paint 6', 'Paint 10']
    expect(await walk(`&listId=${first}`)).toEqual(ofFirst)
    expect(await walk(`&listId=${first}&q=paint`)).toEqual(ofFirst.toReversed())
    // The first search finds open tasks, and later pages the closed ones of every scope.
    for (const n of [2, 5]) {
      const { body } = await get(`${TASKS}?q=Paint+${n}`, member)
      const owning = n === 5 ? member : owner
      expect((await patch(`${TASKS}/${body.tasks[0].id}`, { status: 'done' }, owning)).status).toBe(200)
    }
    expect((await walk('&q=paint')).slice(-2)).toEqual(['Paint 5', 'Paint 2'])
    expect((await walk('&status=done')).toSorted()).toEqual(['Paint 2', 'Paint 5'])
    expect(await titles(owner, 'q=paint')).not.toContain('Paint 1')
  })

  it('a viewer reads, an editor changes, and others get 404', async () => {
    const { listId } = await shareNewList('Roles')
    const task = await create(ana, { title: 'Cook', listId })
    const path = `${TASKS}/${task.id}`
    for (const person of [editor, viewer]) {
      const read = await get(path, person)
      expect([read.status, read.body]).toEqual([200, task])
    }
    for (const answer of [
      await patch(path, { title: 'x' }, viewer),
      await patch(path, { dueDay: '2040-01-01' }, viewer),
      await remove(path, viewer),
      await instance.post(TASKS, { title: 'x', listId }, as(viewer)),
      await instance.post(`${TASKS}/quick`, { text: 'x', listId }, as(viewer)),
    ])
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        403,
        'forbidden',
        'You can view this list, but not change it.',
      ])
    expect((await get(path, stranger)).status).toBe(404)
    expect((await patch(path, { title: 'x' }, stranger)).status).toBe(404)
    expect((await patch(path, { remindAt: null }, stranger)).status).toBe(404)
    expect((await remove(path, stranger)).status).toBe(404)
    expect((await instance.post(TASKS, { title: 'x', listId }, as(stranger))).status).toBe(400)
    const changed = await patch(path, { title: 'Cook soup', tags: ['kitchen'] }, editor)
    expect([changed.status, changed.body.title, changed.body.changedBy]).toEqual([200, 'Cook soup', 'Ed Lee'])
    expect((await get(path, ana)).body).toMatchObject({ title: 'Cook soup', changedBy: 'Ed Lee' })
    expect(await titles(ana, `listId=${listId}&tag=kitchen`)).toEqual(['Cook soup'])
    expect((await remove(path, editor)).status).toBe(204)
    expect((await get(path, ana)).status).toBe(404)
  })

  it('changedBy names the member of the last change, and is null after a change of the owner', async () => {
    const { listId } = await shareNewList('Names')
    const task = await create(editor, { title: 'Bake', listId })
    expect([task.changedBy, task.listId]).toEqual(['Ed Lee', listId])
    const path = `${TASKS}/${task.id}`
    expect((await get(path, viewer)).body.changedBy).toBe('Ed Lee')
    expect((await patch(path, { notes: 'Rye' }, ana)).body.changedBy).toBeNull()
    expect((await patch(path, { notes: 'Spelt' }, editor)).body.changedBy).toBe('Ed Lee')
    // Nothing changed, so this is no change.
    expect((await patch(path, { notes: 'Spelt' }, ana)).body.changedBy).toBe('Ed Lee')
    const quick = await instance.post(`${TASKS}/quick`, { text: 'Buy flour #food', listId }, as(editor))
    expect([quick.status, quick.body.changedBy]).toEqual([201, 'Ed Lee'])
    expect(await titles(ana, 'tag=food')).toEqual(['Buy flour'])
  })

  it('If-Match protects the changes of others', async () => {
    const { listId } = await shareNewList('Versions')
    const { id } = await create(ana, { title: 'Draft', listId })
    const path = `${TASKS}/${id}`
    const etag = (await get(path, editor)).headers.get('etag') as string
    await patch(path, { title: 'Draft 2' }, ana)
    const headers = { 'if-match': etag }
    expect((await patch(path, { title: 'Mine' }, editor, headers)).status).toBe(412)
    expect((await remove(path, editor, headers)).status).toBe(412)
    const current = (await get(path, editor)).headers.get('etag') as string
    expect((await patch(path, { title: 'Mine' }, editor, { 'if-match': current })).status).toBe(200)
  })

  it('members neither see nor set references to mail and events of the owner', async () => {
    const { listId } = await shareNewList('References')
    const mail = { from: 'x@example.org', to: [ana.email], text: 'Hello' }
    const { body: email } = await instance.post('/api/emails', mail, as(ana))
    const event = { title: 'Party', start: '2040-01-01T10:00:00Z' }
    const { body: party } = await instance.post('/api/calendar/events', event, as(ana))
    const { id } = await create(ana, { title: 'Linked', listId, emailId: email.id, eventId: party.id })
    const path = `${TASKS}/${id}`
    const hidden = { emailId: null, eventId: null }
    expect((await get(path, editor)).body).toMatchObject(hidden)
    const listed = await get(`${TASKS}?listId=${listId}`, viewer)
    expect(listed.body.tasks).toMatchObject([hidden])
    // Null is what the member sees, so it changes nothing.
    const changed = await patch(path, { title: 'Still linked', ...hidden }, editor)
    expect([changed.status, changed.body.emailId]).toEqual([200, null])
    expect((await get(path, ana)).body).toMatchObject({ emailId: email.id, eventId: party.id })
    for (const reference of [{ emailId: email.id }, { eventId: party.id }]) {
      const [field] = Object.keys(reference)
      const patched = await patch(path, reference, editor)
      const created = await instance.post(TASKS, { title: 'x', listId, ...reference }, as(editor))
      for (const answer of [patched, created])
        expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, field])
    }
  })

  it('a task moves only between lists of the same owner', async () => {
    const [one, two] = [await shareNewList('One'), await shareNewList('Two')]
    const onlyViewed = await createList(ana, 'Only viewed')
    await share(onlyViewed, editor, 'viewer')
    const hidden = await createList(ana, 'Hidden')
    const ofEditor = await createList(editor, 'Own')
    await share(ofEditor, ana, 'editor', editor)
    const { id } = await create(ana, { title: 'Wander', listId: one.listId })
    const path = `${TASKS}/${id}`
    const move = async (person: Person, listId: number) => {
      const { status, body } = await patch(path, { listId }, person)
      return status === 200 ? [status, body.listId] : [status, body.code]
    }
    expect(await move(editor, two.listId)).toEqual([200, two.listId])
    expect(await move(editor, ofEditor)).toEqual([409, 'conflict'])
    expect(await move(ana, ofEditor)).toEqual([409, 'conflict'])
    expect(await move(editor, onlyViewed)).toEqual([403, 'forbidden'])
    expect(await move(editor, hidden)).toEqual([400, 'validation_failed'])
    expect(await move(viewer, one.listId)).toEqual([403, 'forbidden'])
    const { id: own } = await create(editor, { title: 'Own' })
    const moved = await patch(`${TASKS}/${own}`, { listId: one.listId }, editor)
    expect([moved.status, moved.body.code]).toEqual([409, 'conflict'])
    expect(await titles(viewer, `listId=${two.listId}&q=wander`)).toEqual(['Wander'])
    expect(await move(ana, hidden)).toEqual([200, hidden])
    expect((await get(path, editor)).status).toBe(404)
  })

  it('the time zone of the owner decides when a due day begins', async () => {
    const { listId } = await shareNewList('Days')
    const task = await instance.post(TASKS, { title: 'Tax', listId, dueDay: '2040-07-01' }, as(editor))
    expect(task.body.dueAt).toBe('2040-06-30T22:00:00.000Z')
    const moved = await patch(`${TASKS}/${task.body.id}`, { dueAt: '2040-07-02' }, editor)
    expect(moved.body.dueAt).toBe('2040-07-01T22:00:00.000Z')
  })

  it('an editor completes and reopens recurring tasks of the owner', async () => {
    const { listId } = await shareNewList('Recurring')
    const input = { title: 'Water', listId, dueAt: '2040-01-01T09:00:00Z', recurrence: 'FREQ=DAILY' }
    const { id } = await create(ana, input)
    expect((await patch(`${TASKS}/${id}`, { status: 'done' }, editor)).status).toBe(200)
    const open = await get(`${TASKS}?listId=${listId}&status=open`, ana)
    expect(open.body.tasks).toMatchObject([{ title: 'Water', listId, changedBy: 'Ed Lee' }])
    await patch(`${TASKS}/${id}`, { status: 'todo' }, editor)
    expect(await titles(ana, `listId=${listId}`)).toEqual(['Water'])
    expect(await titles(editor, `listId=${listId}`)).toEqual(['Water'])
  })

  it('reminders are the own ones of each person, and a viewer can set one', async () => {
    const { listId } = await shareNewList('Reminders')
    const [mine, other] = ['2040-01-01T08:00:00.000Z', '2040-01-02T08:00:00.000Z']
    const task = await create(ana, { title: 'Call', listId, remindAt: mine })
    const path = `${TASKS}/${task.id}`
    expect((await get(path, viewer)).body.remindAt).toBeNull()
    const before = await get(path, viewer)
    const set = await patch(path, { remindAt: other }, viewer)
    expect([set.status, set.body.remindAt, set.body.changedBy]).toEqual([200, other, null])
    expect(set.headers.get('etag')).not.toBe(before.headers.get('etag'))
    // The own reminder is no change of the task.
    expect((await get(path, ana)).headers.get('etag')).toBe(`"${task.id}.1"`)
    expect((await get(path, ana)).body.remindAt).toBe(mine)
    expect((await get(path, editor)).body.remindAt).toBeNull()
    const listed = await get(`${TASKS}?listId=${listId}`, viewer)
    expect(listed.body.tasks).toMatchObject([{ remindAt: other }])
    expect((await patch(path, { remindAt: '2040-01-03' }, editor)).body.remindAt).toBe(
      '2040-01-03T05:00:00.000Z',
    )
    expect((await patch(path, { remindAt: null }, viewer)).body.remindAt).toBeNull()
    const made = await create(editor, { title: 'Own reminder', listId, remindAt: other })
    expect(made.remindAt).toBe(other)
    expect((await get(`${TASKS}/${made.id}`, ana)).body.remindAt).toBeNull()
  })

  it('changes reach the members without the references and reminders of the owner', async () => {
    const shared = await shareNewList('Live')
    const { listId } = shared
    const hidden = await createList(ana, 'Not live')
    const stream = await openEventStream(instance.url, '/api/events?types=task.*,share.*', as(viewer))
    const other = await openEventStream(instance.url, '/api/events?types=task.*', as(stranger))
    const { id } = await create(ana, { title: 'Seen', listId, remindAt: '2040-01-01T08:00:00Z' })
    const path = `${TASKS}/${id}`
    await patch(path, { title: 'Seen again' }, editor)
    await patch(shared.path, { name: 'Renamed' }, ana)
    await patch(path, { listId: hidden }, ana)
    await patch(path, { title: 'Unseen' }, ana)
    const back = await create(ana, { title: 'Back', listId })
    await remove(`${TASKS}/${back.id}`, ana)
    await revoke(shared, viewer)
    await create(ana, { title: 'After the end', listId })
    await create(stranger, { title: 'Mark' })
    const events = await stream.until(7)
    expect(events.map(({ event, data }) => [event, data.data.title ?? null])).toEqual([
      ['task.created', 'Seen'],
      ['task.updated', 'Seen again'],
      ['task.lists_updated', null],
      ['task.deleted', null],
      ['task.created', 'Back'],
      ['task.deleted', null],
      ['share.revoked', null],
    ])
    expect(events[0]?.data.data).toMatchObject({ listId, emailId: null })
    expect(events[0]?.data.data).not.toHaveProperty('remindAt')
    expect(events[1]?.data.data.changedBy).toBe('Ed Lee')
    expect((await other.until(1))[0]?.data.data.title).toBe('Mark')
    expect(stream.events).toHaveLength(7)
    await stream.leave()
    await other.leave()
  })

  it('a revoked share or one of a disabled owner gives no access at once', async () => {
    const shared = await shareNewList('Revoked')
    const { id } = await create(ana, { title: 'Gone', listId: shared.listId })
    await patch(`${TASKS}/${id}`, { remindAt: '2040-01-01T08:00:00Z' }, editor)
    const path = `${TASKS}/${id}`
    const { db } = instance.database
    const disable = (at: string | null) =>
      db.updateTable('users').set({ disabledAt: at }).where('id', '=', ana.id).execute()
    const requireHidden = async (): Promise<void> => {
      expect((await get(path, editor)).status).toBe(404)
      expect((await patch(path, { title: 'x' }, editor)).status).toBe(404)
      expect((await remove(path, editor)).status).toBe(404)
      expect((await get(shared.path, editor)).status).toBe(404)
      expect((await patch(shared.path, { visible: false }, editor)).status).toBe(404)
      expect((await remove(shared.path, editor)).status).toBe(404)
      const created = await instance.post(TASKS, { title: 'x', listId: shared.listId }, as(editor))
      expect(created.status).toBe(400)
      for (const query of [`listId=${shared.listId}`, 'q=gone', '']) {
        expect(await titles(editor, query)).not.toContain('Gone')
      }
    }
    await disable('2026-01-01T00:00:00.000Z')
    await requireHidden()
    await disable(null)
    expect((await get(path, editor)).status).toBe(200)
    await revoke(shared, editor)
    await requireHidden()
    // A new share does not bring the old reminder back.
    await share(shared.listId, editor, 'editor')
    expect((await get(path, editor)).body.remindAt).toBeNull()
  })

  it('a change during a revocation comes before it, or gets 404', async () => {
    for (let round = 0; round < 5; round++) {
      const shared = await shareNewList(`Race ${round}`)
      const { id } = await create(ana, { title: 'Before', listId: shared.listId })
      const [changed] = await Promise.all([
        patch(`${TASKS}/${id}`, { title: 'After' }, editor),
        revoke(shared, editor),
      ])
      expect([200, 404]).toContain(changed.status)
      const { body } = await get(`${TASKS}/${id}`, ana)
      expect(body.title).toBe(changed.status === 200 ? 'After' : 'Before')
      expect((await patch(`${TASKS}/${id}`, { title: 'Late' }, editor)).status).toBe(404)
    }
  })

  it('deleting a shared list ends its shares and keeps the tasks of the owner', async () => {
    const { listId, path } = await shareNewList('Deleted')
    const { id } = await create(editor, { title: 'Kept by the owner', listId })
    const stream = await openEventStream(instance.url, '/api/events?types=task.*,share.*', as(editor))
    expect((await remove(path, ana)).status).toBe(204)
    expect((await get(`${TASKS}/${id}`, editor)).status).toBe(404)
    const { body: inbox } = await get(LISTS, ana)
    expect((await get(`${TASKS}/${id}`, ana)).body).toMatchObject({
      listId: inbox.taskLists[0].id,
      changedBy: null,
    })
    expect((await stream.until(1)).map(({ event }) => event)).toEqual(['share.revoked'])
    await stream.leave()
    expect((await get(path, editor)).status).toBe(404)
  })

  it('statistics, briefing, plans, tags and exports contain only own tasks', async () => {
    const owner = await register(instance)
    const member = await register(instance)
    const listId = await createList(owner, 'Statistics')
    await share(listId, member, 'editor', owner)
    const input = { title: 'Overdue here', listId, dueAt: '2020-01-01T09:00:00Z', tags: ['theirs'] }
    const { id } = await create(owner, input)
    await patch(`${TASKS}/${id}`, { remindAt: '2040-01-01T08:00:00Z' }, member)
    expect(await titles(member, 'status=overdue')).toEqual(['Overdue here'])
    expect((await get('/api/stats', member)).body.tasks).toMatchObject({ open: 0, overdue: 0 })
    expect((await get('/api/briefing', member)).body.overdue).toEqual([])
    expect((await get('/api/tags', member)).body.tags).toEqual([])
    const window = { start: '2040-01-02', end: '2040-01-07' }
    const { body: plan } = await instance.post(`${TASKS}/plan`, window, as(member))
    expect([plan.blocks, plan.unplanned]).toEqual([[], []])
    const entries = await entriesOf(await exportOf(instance, member.token))
    for (const [name, bytes] of entries)
      expect([name, bytes.includes('Overdue here')]).toEqual([name, name.startsWith('changes/')])
  })

  it('the assistant of an editor changes shared tasks and undoes it', async () => {
    const { listId } = await shareNewList('Assistant')
    const { id } = await create(ana, { title: 'Paint the fence', listId })
    const message = 'complete the task "Paint the fence"'
    const { body } = await instance.post('/api/ai/chat', { message }, as(editor))
    expect((await get(`${TASKS}/${id}`, ana)).body).toMatchObject({ status: 'done', changedBy: 'Ed Lee' })
    const undone = await instance.post(
      `/api/actions/${body.actions.at(-1).undoId}/undo`,
      undefined,
      as(editor),
    )
    expect(undone.status).toBe(200)
    expect((await get(`${TASKS}/${id}`, ana)).body.status).toBe('todo')
  })
})

onOneDatabase('sqlite', 'the reminder of a member', (engine) => {
  let instance: Instance
  let owner: Person
  let member: Person
  let listId: number
  let shareId: number

  const as = ({ token }: Person) => ({ token })
  const after = (ms: number): string => new Date(instance.clock.now().getTime() + ms).toISOString()
  const patch = (id: number, body: unknown, person: Person) =>
    instance.call('PATCH', `${TASKS}/${id}`, { token: person.token, body })
  const create = async (input: Record<string, unknown> = {}): Promise<number> =>
    (await instance.post(TASKS, { title: 'Call', listId, ...input }, as(owner))).body.id
  const remind = async (id: number, remindAt: string | null): Promise<void> => {
    expect((await patch(id, { remindAt }, member)).status).toBe(200)
  }
  const shareList = async (): Promise<void> => {
    const input = { email: member.email, role: 'editor' }
    const { body } = await instance.post(`${LISTS}/${listId}/shares`, input, as(owner))
    await instance.post(`/api/shares/${body.id}/accept`, undefined, as(member))
    shareId = body.id
  }
  /** Lets time pass and runs the job, because the clock of PostgreSQL cannot be moved. */
  const pass = async (ms: number): Promise<void> => {
    instance.clock.advance(ms)
    const { jobs } = instance.app
    const job = (await jobs.enqueue(instance.database.db, 'task-reminders', {})) as string
    await expect.poll(async () => (await jobs.find(job))?.state, { timeout: 20_000 }).toBe('done')
    // The sessions have expired.
    for (const person of [owner, member]) Object.assign(person, await signIn(instance, person.email))
  }
  const dueOf = async (person: Person, id: number) => {
    const rows = await instance.database.db
      .selectFrom('changes')
      .select('data')
      .where('type', '=', 'task.due')
      .where('userId', '=', person.id)
      .where('subject', '=', String(id))
      .execute()
    return rows.map(({ data }) => JSON.parse(data))
  }

  beforeAll(async () => {
    instance = await startInstance({ engine })
    owner = await register(instance)
    member = await register(instance)
    listId = (await instance.post(LISTS, { name: 'Shared' }, as(owner))).body.id
    await shareList()
    await instance.app.jobs.start()
  })
  afterAll(() => instance.close())

  // First, because jobs on PostgreSQL use the clock of the database, which tests cannot move.
  it('is sent at its time by the job that waits for the earliest reminder', async () => {
    const id = await create()
    await remind(id, after(1500))
    await expect.poll(async () => (await dueOf(member, id)).length, { timeout: 20_000 }).toBe(1)
  })

  it('is sent once to the member only, without the reminder and references of the owner', async () => {
    const { body: event } = await instance.post(
      '/api/calendar/events',
      { title: 'Party', start: '2040-01-01T10:00:00Z' },
      as(owner),
    )
    const id = await create({ remindAt: after(3 * DAY), eventId: event.id })
    const remindAt = after(10 * MINUTE)
    await remind(id, remindAt)
    await pass(MINUTE)
    expect(await dueOf(member, id)).toEqual([])
    await pass(10 * MINUTE)
    await pass(10 * MINUTE)
    expect(await dueOf(member, id)).toMatchObject([{ id, listId, remindAt, eventId: null }])
    expect(await dueOf(owner, id)).toEqual([])
    // The same reminder again is not sent again.
    await remind(id, remindAt)
    await pass(10 * MINUTE)
    expect(await dueOf(member, id)).toHaveLength(1)
    await pass(3 * DAY)
    expect(await dueOf(owner, id)).toHaveLength(1)
    expect(await dueOf(member, id)).toHaveLength(1)
  })

  it('has no default: a due time reminds only the owner', async () => {
    const id = await create({ dueAt: after(10 * MINUTE) })
    await pass(20 * MINUTE)
    expect(await dueOf(owner, id)).toHaveLength(1)
    expect(await dueOf(member, id)).toEqual([])
  })

  it('is deleted when the task is closed, moved out of sight or deleted, or the share ends', async () => {
    const [closed, moved, deleted, cleared, left] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ]
    for (const id of [closed, moved, deleted, cleared, left]) await remind(id, after(10 * MINUTE))
    await patch(closed, { status: 'done' }, owner)
    await patch(closed, { status: 'todo' }, owner)
    const { body: lists } = await instance.get(LISTS, as(owner))
    await patch(moved, { listId: lists.taskLists[0].id }, owner)
    await instance.call('DELETE', `${TASKS}/${deleted}`, as(owner))
    await remind(cleared, null)
    const countReminders = async (): Promise<number> =>
      (
        await instance.database.db
          .selectFrom('task_reminders')
          .selectAll()
          .where('userId', '=', member.id)
          .where('taskId', 'in', [closed, moved, deleted, cleared, left])
          .execute()
      ).length
    expect(await countReminders()).toBe(1)
    await instance.post(`/api/shares/${shareId}/decline`, undefined, as(member))
    expect(await countReminders()).toBe(0)
    await pass(20 * MINUTE)
    for (const id of [closed, moved, deleted, cleared, left]) expect(await dueOf(member, id)).toEqual([])
  })
})
