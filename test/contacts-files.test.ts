import { afterAll, beforeAll, expect, it } from 'vitest'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const card = (...lines: string[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')

onOneDatabase('sqlite', 'vCard files', (engine) => {
  let instance: Instance
  let user: Person

  beforeAll(async () => {
    instance = await startInstance({ engine })
    user = await register(instance)
  })
  afterAll(() => instance?.close())

  const importFile = (body: string | Buffer, headers = {}) =>
    instance.call('POST', '/api/contacts/import', {
      ...user,
      body,
      headers: { 'content-type': 'text/vcard', ...headers },
    })
  const find = async (q: string) => (await instance.get(`/api/contacts?q=${q}`, user)).body.contacts

  it('add and update contacts, and the report says why others were skipped', async () => {
    await instance.post('/api/emails', { from: 'ana <ana@ruiz.example>', subject: 'x' }, user)
    expect(await find('ana')).toHaveLength(1)
    const file =
      card('FN:Ana Ruiz', 'EMAIL:ana@ruiz.example', 'EMAIL;TYPE=home:ana@home.example', 'TEL:1') +
      card('FN:Ben Okafor', 'EMAIL:wrong address', 'TEL:2') +
      card('NOTE:nobody')
    const { status, body } = await importFile(file)
    expect([status, body.found, body.added, body.updated, body.skipped]).toEqual([200, 3, 1, 1, 1])
    expect(body.remarks).toEqual([
      { line: 8, name: 'Ben Okafor', reason: '“wrong address” is not an email address.' },
      { line: 14, name: '', reason: 'The vCard has neither a name nor an address.' },
    ])
    const [ana] = await find('ruiz')
    expect(ana).toMatchObject({
      name: 'Ana Ruiz',
      isKnown: true,
      addresses: [
        { address: 'ana@ruiz.example', received: 1 },
        { address: 'ana@home.example', label: 'home' },
      ],
    })
    const again = (await importFile(file)).body
    expect([again.added, again.updated, again.skipped]).toEqual([0, 0, 3])
  })

  it('do not replace what the user edited', async () => {
    const [ana] = await find('ruiz')
    const body = { name: 'Dr. Ana Ruiz', organization: '' }
    await instance.call('PATCH', `/api/contacts/${ana.id}`, { ...user, body })
    await importFile(card('FN:Ana', 'ORG:Ruiz Ltd', 'EMAIL:ana@ruiz.example'))
    expect(await find('ruiz')).toMatchObject([{ name: 'Dr. Ana Ruiz', organization: 'Ruiz Ltd' }])
  })

  it('keep lines that no field shows out of the ETag', async () => {
    await importFile(card('FN:Zoë Lindgren', 'EMAIL:zoe@lindgren.example', 'X-NICK;X-A="b, c":Zoë'))
    const [{ id }] = await find('lindgren')
    const { status, headers } = await instance.get(`/api/contacts/${id}`, user)
    const etag = headers.get('etag') ?? ''
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"\d+\.\d+"$/)])
    const changed = await instance.call('PATCH', `/api/contacts/${id}`, {
      ...user,
      body: { jobTitle: 'Pilot' },
      headers: { 'if-match': etag },
    })
    expect([changed.status, changed.body.jobTitle]).toEqual([200, 'Pilot'])
    const removed = await instance.call('DELETE', `/api/contacts/${id}`, {
      ...user,
      headers: { 'if-match': changed.headers.get('etag') ?? '' },
    })
    expect(removed.status).toBe(204)
  })

  it('are rejected if they are no vCards, empty, or too large', async () => {
    expect((await importFile('hello')).status).toBe(400)
    expect((await importFile('')).status).toBe(400)
    expect((await importFile('x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await importFile(Buffer.alloc(25 * 1024 * 1024 + 1, 'x'))).status).toBe(413)
  })

  it('are exported and read back', async () => {
    const all = await instance.get('/api/contacts/export', user)
    expect(all.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(all.body.match(/BEGIN:VCARD/g)).toHaveLength(2)
    const [ana] = await find('ruiz')
    const one = await instance.get(`/api/contacts/${ana.id}/vcard`, user)
    expect(one.body).toContain('FN:Dr. Ana Ruiz\r\n')
    const other = await register(instance, { email: 'other@example.org', name: 'Other' })
    const headers = { 'content-type': 'text/vcard' }
    const copied = await instance.call('POST', '/api/contacts/import', { ...other, body: all.body, headers })
    // The export has each line of the imported cards, also the one that is no address.
    expect(copied.body).toMatchObject({ found: 2, added: 2, remarks: [{ name: 'Ben Okafor' }] })
    const { contacts } = (await instance.get('/api/contacts?q=ruiz', other)).body
    expect(contacts[0]).toMatchObject({ name: 'Dr. Ana Ruiz', phones: [{ number: '1' }] })
  })
})
