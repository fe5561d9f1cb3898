import { expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const person = (name: string) => ({ name, email: `${name}@example.org`, password: 'a-long-password-of-mine' })

const listUsers = (instance: Instance) =>
  instance.database.db.selectFrom('users').select(['id', 'role', 'email']).orderBy('id').execute()

onOneDatabase('postgres', 'the local account', (engine) => {
  it('exists before anybody registers, and becomes that of the first registration', async () => {
    const instance = await startInstance({ engine })
    const [local, ...others] = await listUsers(instance)
    expect([local?.role, others]).toEqual(['local', []])
    expect((await instance.get('/console/options')).body).toMatchObject({
      hasOwner: false,
      registration: 'open',
    })
    expect((await instance.get('/api/tasks')).status).toBe(200)
    const ana = await instance.post('/api/auth/register', person('ana'))
    expect([ana.status, ana.body.user.id]).toEqual([201, local?.id])
    const ben = await instance.post('/api/auth/register', person('ben'))
    expect(ben.status).toBe(201)
    expect((await listUsers(instance)).map(({ role }) => role)).toEqual(['owner', 'member'])
    await instance.close()
  })

  it('goes to one of two registrations at once', async () => {
    const instance = await startInstance({ engine })
    const answers = await Promise.all(
      ['ana', 'ben', 'cleo'].map((name) => instance.post('/api/auth/register', person(name))),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const roles = (await listUsers(instance)).map(({ role }) => role)
    expect(roles.toSorted()).toEqual(['member', 'member', 'owner'])
    await instance.close()
  })

  it('admits only one person where registration is closed', async () => {
    const instance = await startInstance({ engine, environment: { REGISTRATION: 'first' } })
    const answers = await Promise.all(
      ['ana', 'ben'].map((name) => instance.post('/api/auth/register', person(name))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403])
    expect((await listUsers(instance)).map(({ role }) => role)).toEqual(['owner'])
    await instance.close()
  })

  it('cannot sign in', async () => {
    const instance = await startInstance({ engine })
    const { status } = await instance.post('/api/auth/login', { email: '', password: '' })
    expect(status).toBe(400)
    await instance.close()
  })
})
