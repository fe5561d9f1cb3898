import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEveryDatabase } from './support/databases.ts'
import { openEventStream } from './support/event-stream.ts'
import { entriesOf, exportOf, importInto, linesOf } from './support/exports.ts'
import { type Answer, type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

interface Comment {
  id: number
  authorId: number | null
  authorName: string
  text: string
}

onEveryDatabase('comments on tasks', (engine) => {
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
  const createList = async (): Promise<number> =>
    (await call('POST', '/api/task-lists', ana, { name: 'Garden' })).body.id
  const createShared = async (): Promise<{ listId: number; task: string; shareId: number }> => {
    const listId = await createList()
    const shareId = await share(listId, editor, 'editor')
    await share(listId, viewer, 'viewer')
    return { listId, task: await createTask({ listId }), shareId }
  }
  const comment = async (task: string, person: Person, text: string): Promise<Comment> => {
    const answer = await call('POST', `${task}/comments`, person, { text })
    expect([answer.status, answer.body.detail]).toEqual([201, undefined])
    return answer.body
  }
  const texts = async (task: string, person: Person): Promise<string[]> =>
    (await call('GET', `${task}/comments`, person)).body.comments.map(
      ({ authorName, text }: Comment) => `${authorName}: ${text}`,
    )
  const notices = async (person: Person): Promise<string[]> => {
    const { body } = await call('GET', '/api/notifications?kind=task_commented', person)
    return body.notifications.map(({ title, body }: { title: string; body: string }) => `${title}: ${body}`)
  }

  beforeAll(async () => {
    instance = await startInstance({ engine })
    ana = await register(instance, { name: 'Ana Ruiz' })
    editor = await register(instance, { name: 'Ed Lee' })
    viewer = await register(instance, { name: 'Vi Kaur' })
    stranger = await register(instance, { name: 'Sam Stone' })
  })
  afterAll(() => instance.close())

  it('are listed oldest first, page by page, with their authors', async () => {
    const task = await createTask()
    const first = await call('POST', `${task}/comments`, ana, { text: '  Which colour?\n' })
    expect(first.body).toMatchObject({ authorName: 'Ana Ruiz', text: 'Which colour?' })
    expect(first.headers.get('location')).toBe(`${task}/comments/${first.body.id}`)
    await comment(task, ana, 'Green.')
    const { body } = await call('GET', `${task}/comments?limit=1`, ana)
    expect(body.comments).toEqual([first.body])
    const next = await call('GET', `${task}/comments?limit=1&cursor=${body.nextCursor}`, ana)
    expect([next.body.comments[0].text, next.body.nextCursor]).toEqual(['Green.', null])
  })

  it('editors write them, viewers read them, and others do not see them', async () => {
    const { task } = await createShared()
    await comment(task, ana, 'Which colour?')
    const { id, authorId } = await comment(task, editor, 'Green.')
    expect(authorId).toBe(editor.id)
    for (const person of [ana, editor, viewer])
      expect(await texts(task, person)).toEqual(['Ana Ruiz: Which colour?', 'Ed Lee: Green.'])
    const refused = await call('POST', `${task}/comments`, viewer, { text: 'Blue.' })
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const own = `${task}/comments/${id}`
    const answers = [
      await call('GET', `${task}/comments`, stranger),
      await call('POST', `${task}/comments`, stranger, { text: 'x' }),
      await call('PATCH', own, stranger, { text: 'x' }),
      await call('DELETE', own, stranger),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  it('are changed by their author only, and deleted by the author or the owner of the list', async () => {
    const { task } = await createShared()
    const other = await createTask()
    const ofAna = await comment(task, ana, 'Which colour?')
    const ofEditor = await comment(task, editor, 'Green.')
    const path = `${task}/comments/${ofEditor.id}`
    expect((await call('PATCH', path, ana, { text: 'Red.' })).status).toBe(403)
    expect((await call('DELETE', `${task}/comments/${ofAna.id}`, editor)).status).toBe(403)
    expect((await call('PATCH', path, viewer, { text: 'Red.' })).status).toBe(403)
    expect((await call('DELETE', `${other}/comments/${ofAna.id}`, ana)).status).toBe(404)
    const changed = await call('PATCH', path, editor, { text: 'Dark green.' })
    expect([changed.status, changed.body.text]).toEqual([200, 'Dark green.'])
    const stale = await call('PATCH', path, editor, { text: 'Red.' }, { 'if-match': `"${ofEditor.id}.1"` })
    expect(stale.status).toBe(412)
    expect((await call('DELETE', path, ana)).status).toBe(204)
    expect(await texts(task, viewer)).toEqual(['Ana Ruiz: Which colour?'])
  })

  it('rejects empty, long and unknown input', async () => {
    const task = await createTask()
    for (const body of [
      { text: ' \n' },
      { text: 'x'.repeat(10_001) },
      {},
      { text: 'x', html: 'y' },
      { text: 1 },
    ])
      expect((await call('POST', `${task}/comments`, ana, body)).status).toBe(400)
    expect(await texts(task, ana)).toEqual([])
  })

  it('notify the owner, the assignee and earlier authors, but not their author', async () => {
    const { task } = await createShared()
    await call('PATCH', task, ana, { title: 'Paint the shed' })
    const ofShed = async (person: Person) => (await notices(person)).filter((text) => text.includes('shed'))
    await comment(task, editor, 'Which colour?')
    expect(await ofShed(ana)).toEqual(['Ed Lee commented on “Paint the shed”: Which colour?'])
    expect([await ofShed(editor), await ofShed(viewer)]).toEqual([[], []])
    await comment(task, ana, 'Green.')
    expect(await ofShed(editor)).toEqual(['Ana Ruiz commented on “Paint the shed”: Green.'])
    await call('PATCH', task, ana, { assigneeId: viewer.id })
    await comment(task, ana, 'Dark green.')
    expect(await ofShed(viewer)).toEqual(['Ana Ruiz commented on “Paint the shed”: Dark green.'])
    expect([(await ofShed(ana)).length, await ofShed(stranger)]).toEqual([1, []])
  })

  it('reach open pages of all members as live events', async () => {
    const { task, listId } = await createShared()
    const path = '/api/events?types=task.comment_created,task.comment_deleted'
    const stream = await openEventStream(instance.url, path, viewer)
    const { id } = await comment(task, editor, 'Green.')
    await call('DELETE', `${task}/comments/${id}`, ana)
    await stream.until(2)
    expect(stream.events.map(({ event, data }) => [event, data.data])).toEqual([
      ['task.comment_created', expect.objectContaining({ id, listId, authorName: 'Ed Lee', text: 'Green.' })],
      ['task.comment_deleted', { taskId: Number(task.split('/').at(-1)), listId }],
    ])
    await stream.leave()
  })

  it('stay with the name of a member who leaves the list, or whose account is deleted', async () => {
    const { listId, task, shareId } = await createShared()
    const gone = await register(instance, { name: 'Gus Hill' })
    await share(listId, gone, 'editor')
    await comment(task, gone, 'Blue.')
    const { id } = await comment(task, editor, 'Green.')
    expect((await call('POST', `/api/shares/${shareId}/decline`, editor)).status).toBe(200)
    expect((await call('PATCH', `${task}/comments/${id}`, editor, { text: 'Red.' })).status).toBe(404)
    const deletion = await call('DELETE', '/api/settings/account', gone, { password: PASSWORD })
    expect(deletion.status).toBe(204)
    expect(await texts(task, ana)).toEqual(['Gus Hill: Blue.', 'Ed Lee: Green.'])
    const { body } = await call('GET', `${task}/comments`, ana)
    expect(body.comments[0].authorId).toBeNull()
    // Former members are not notified.
    const before = await notices(editor)
    await comment(task, ana, 'Red.')
    expect(await notices(editor)).toEqual(before)
  })

  it('stay with a completed occurrence, and keep its next occurrence when the task is reopened', async () => {
    const task = await createTask({ dueDay: '2026-03-02', recurrence: 'FREQ=DAILY' })
    await comment(task, ana, 'Done with care.')
    const { body } = await call('PATCH', task, ana, { status: 'done' })
    const next = `/api/tasks/${body.nextTaskId}`
    expect([await texts(task, ana), await texts(next, ana)]).toEqual([['Ana Ruiz: Done with care.'], []])
    await comment(next, ana, 'Buy a brush first.')
    await call('PATCH', task, ana, { status: 'todo' })
    expect(await texts(next, ana)).toEqual(['Ana Ruiz: Buy a brush first.'])
  })

  it('are part of an export, and belong to the importing person', async () => {
    const source = await register(instance, { name: 'Ida Berg' })
    const task = await createTask({ title: 'Own' }, source)
    await comment(task, source, 'My note.')
    const zip = await exportOf(instance, source.token)
    expect(linesOf(await entriesOf(zip))['tasks/comments.jsonl']).toMatchObject([
      { text: 'My note.', memberName: null },
    ])
    const target = await register(instance, { name: 'Ida Imported' })
    expect((await importInto(instance, target.token, zip)).status).toBe(200)
    const { body } = await call('GET', '/api/tasks?q=own', target)
    const path = `/api/tasks/${body.tasks[0].id}`
    expect(await texts(path, target)).toEqual(['Ida Berg: My note.'])
    const { body: found } = await call('GET', `${path}/comments`, target)
    const changed = await call('PATCH', `${path}/comments/${found.comments[0].id}`, target, { text: 'Mine.' })
    expect(changed.status).toBe(200)
  })
})
