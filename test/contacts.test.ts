import { afterAll, beforeAll, expect, it } from 'vitest'
import { isKnownContact } from '../src/features/contacts/contacts.ts'
import { onEveryDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { type Person, register } from './support/people.ts'

const DAY_MS = 86_400_000

interface Suggestion {
  contactId: number
  name: string
  address: string
}

onEveryDatabase('contacts', (engine) => {
  let instance: Instance
  let user: Person
  let userId: number

  beforeAll(async () => {
    instance = await startInstance({ engine })
    user = await register(instance)
    userId = (await instance.get('/api/auth/me', user)).body.id
  })
  afterAll(() => instance?.close())

  const daysAgo = (days: number): string =>
    new Date(instance.clock.now().getTime() - days * DAY_MS).toISOString()
  const receive = (from: string, date = daysAgo(0), folder = 'inbox') =>
    instance.post('/api/emails', { from, subject: 'x', date, folder }, user)
  const send = (to: string, date = daysAgo(0)) =>
    instance.post('/api/emails', { folder: 'sent', from: user.email, to: [to], subject: 'x', date }, user)
  const suggest = async (q: string, of = user): Promise<Suggestion[]> =>
    (await instance.get(`/api/contacts/suggest?q=${encodeURIComponent(q)}`, of)).body.suggestions
  const addressesFor = async (q: string): Promise<string[]> =>
    (await suggest(q)).map(({ address }) => address)
  const create = async (input: object) => (await instance.post('/api/contacts', input, user)).body
  const change = (id: number, body: object, headers = {}) =>
    instance.call('PATCH', `/api/contacts/${id}`, { ...user, body, headers })
  const find = async (q: string) => (await instance.get(`/api/contacts?q=${q}`, user)).body.contacts

  it('are made from mail sent and received', async () => {
    await receive('Ines Falk <Ines@Falk-Architekten.example>')
    await send('Zoë Lindgren <zoe.lindgren@example.org>')
    const [ines] = await find('ines')
    expect(ines).toMatchObject({
      name: 'Ines Falk',
      isKnown: false,
      addresses: [{ address: 'ines@falk-architekten.example', sent: 0, received: 1 }],
    })
    const [zoe] = await find('lindgren')
    expect(zoe).toMatchObject({ name: 'Zoë Lindgren', isKnown: true, addresses: [{ sent: 1, received: 0 }] })
  })

  it('are suggested by the beginning of a name, an address or a domain, without accents', async () => {
    for (const q of [
      'zo',
      'ZOE',
      'lind',
      'zoe lin',
      'zoe.l',
      'exam',
      'example.o',
      'zoe@exa',
      'zoe.lindgren@example.org',
    ])
      expect([q, await addressesFor(q)]).toEqual([q, ['zoe.lindgren@example.org']])
    expect(await addressesFor('zoe falk')).toEqual([])
    expect(await addressesFor('org')).toEqual([])
    expect(await addressesFor('%')).toEqual([])
  })

  it('are not made from mailing lists, no-reply addresses, drafts and trash', async () => {
    await receive('Shop <no-reply@shop.example>')
    await receive('Thrown Away <thrown@away.example>', daysAgo(0), 'trash')
    const list = [
      'From: Weekly Loom <editor@loom.example>',
      'To: me@example.org',
      'List-Id: <loom.example>',
      'Subject: News',
      '',
      'x',
      '',
    ].join('\r\n')
    const headers = { 'content-type': 'message/rfc822' }
    await instance.call('POST', '/api/emails', { ...user, body: list, headers })
    for (const q of ['shop', 'thrown', 'loom']) expect([q, await addressesFor(q)]).toEqual([q, []])
    await send('editor@loom.example')
    expect(await addressesFor('loom')).toEqual(['editor@loom.example'])
  })

  it('are ranked by how often and how lately they are used', async () => {
    for (let n = 0; n < 5; n++) await receive('Rank Often <often@rank.example>', daysAgo(3))
    await receive('Rank Once <once@rank.example>', daysAgo(3))
    for (let n = 0; n < 8; n++) await receive('Rank Old <old@rank.example>', daysAgo(600))
    await send('Rank Sent <sent@rank.example>', daysAgo(4))
    await send('Rank Sent <sent@rank.example>', daysAgo(5))
    const future = new Date(instance.clock.now().getTime() + 400 * DAY_MS).toISOString()
    await receive('Rank Future <future@rank.example>', future)
    expect(await addressesFor('rank')).toEqual([
      'sent@rank.example',
      'often@rank.example',
      'future@rank.example',
      'once@rank.example',
      'old@rank.example',
    ])
  })

  it('are created, read, changed with a version and deleted', async () => {
    const contact = await create({
      givenName: 'Ben',
      familyName: 'Okafor',
      organization: 'Okafor & Söhne',
      phones: [{ label: 'mobile', number: '+44 20 7946 0000' }],
      addresses: [{ address: 'Ben@Okafor.example', label: 'work' }],
    })
    expect(contact).toMatchObject({ name: 'Ben Okafor', isKnown: true })
    const path = `/api/contacts/${contact.id}`
    const read = await instance.get(path, user)
    expect(read.body.addresses[0]).toMatchObject({ address: 'ben@okafor.example', label: 'work' })
    const etag = read.headers.get('etag') as string
    const changed = await change(contact.id, { notes: 'two\nlines' }, { 'if-match': etag })
    expect([changed.status, changed.body.notes]).toEqual([200, 'two\nlines'])
    expect((await change(contact.id, { notes: 'x' }, { 'if-match': etag })).status).toBe(412)
    expect(await addressesFor('sohne')).toEqual(['ben@okafor.example'])
    await change(contact.id, { addresses: [{ address: 'new@okafor.example' }] })
    expect(await addressesFor('okafor')).toEqual(['new@okafor.example'])
    expect((await instance.call('DELETE', path, user)).status).toBe(204)
    expect((await instance.get(path, user)).status).toBe(404)
    expect(await addressesFor('okafor')).toEqual([])
  })

  it('reject bad input', async () => {
    expect((await instance.post('/api/contacts', {}, user)).status).toBe(400)
    expect((await instance.post('/api/contacts', { name: 'X', phone: '1' }, user)).status).toBe(400)
    const bad = await instance.post('/api/contacts', { addresses: [{ address: 'not an address' }] }, user)
    expect([bad.status, bad.body.errors[0].path]).toEqual([400, 'addresses.0.address'])
    await create({ name: 'First', addresses: [{ address: 'taken@example.org' }] })
    const taken = await instance.post(
      '/api/contacts',
      { name: 'Second', addresses: [{ address: 'TAKEN@example.org' }] },
      user,
    )
    expect([taken.status, taken.body.code]).toEqual([409, 'conflict'])
    expect((await instance.get('/api/contacts?cursor=abc', user)).status).toBe(400)
  })

  it('do not return after deletion, until the user writes to them', async () => {
    await receive('Gone Person <gone@person.example>')
    const [gone] = await find('gone')
    await instance.call('DELETE', `/api/contacts/${gone.id}`, user)
    await receive('Gone Person <gone@person.example>')
    await send('gone@person.example', daysAgo(10))
    expect(await find('gone')).toEqual([])
    instance.clock.advance(1_000)
    await send('Gone Person <gone@person.example>')
    expect(await find('gone')).toMatchObject([{ addresses: [{ sent: 2, received: 2 }] }])
  })

  it('keep the name that the user gave', async () => {
    await receive('j.doe <j.doe@names.example>')
    const [doe] = await find('j.doe')
    await change(doe.id, { name: 'Jane Doe' })
    await receive('Spammer <j.doe@names.example>')
    expect((await find('jane'))[0].name).toBe('Jane Doe')
    expect(await find('spammer')).toEqual([])
  })

  it('are listed in pages by name, and by whether they are known', async () => {
    const names: string[] = []
    let cursor = ''
    do {
      const { body } = await instance.get(`/api/contacts?known=true&limit=2${cursor}`, user)
      names.push(
        ...body.contacts.map(
          ({ name, addresses }: { name: string; addresses: Suggestion[] }) => name || addresses[0]?.address,
        ),
      )
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`
    } while (cursor !== '')
    expect(names).toEqual([...names].sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)))
    expect(names).toContain('Zoë Lindgren')
    expect(names).not.toContain('Ines Falk')
    const { body: unknown } = await instance.get('/api/contacts?known=false', user)
    expect(unknown.contacts.map(({ name }: { name: string }) => name)).toContain('Ines Falk')
  })

  it('are merged with all addresses, and the merge is undone', async () => {
    const kept = await create({
      name: 'Mia Merge',
      notes: 'first',
      addresses: [{ address: 'mia@merge.example' }],
    })
    const other = await create({
      name: 'Mia M.',
      organization: 'Merge Ltd',
      notes: 'second',
      phones: [{ label: '', number: '1 23' }],
      addresses: [{ address: 'mia@home.example', label: 'home' }],
    })
    const path = `/api/contacts/${kept.id}/merge`
    expect((await instance.post(path, { contactIds: [kept.id] }, user)).status).toBe(400)
    expect((await instance.post(path, { contactIds: [999_999] }, user)).status).toBe(400)
    const { body } = await instance.post(path, { contactIds: [other.id] }, user)
    expect(body.contact).toMatchObject({
      id: kept.id,
      name: 'Mia Merge',
      organization: 'Merge Ltd',
      notes: 'first\n\nsecond',
      phones: [{ number: '1 23' }],
      addresses: [{ address: 'mia@merge.example' }, { address: 'mia@home.example', label: 'home' }],
    })
    expect((await instance.get(`/api/contacts/${other.id}`, user)).status).toBe(404)
    expect(await addressesFor('merge ltd')).toHaveLength(2)
    expect((await instance.post(`/api/actions/${body.actionId}/undo`, {}, user)).status).toBe(200)
    const contacts = await find('mia')
    expect(contacts).toMatchObject([
      { name: 'Mia M.', addresses: [{ address: 'mia@home.example', label: 'home' }] },
      { id: kept.id, name: 'Mia Merge', notes: 'first', addresses: [{ address: 'mia@merge.example' }] },
    ])
  })

  it('are reported as duplicates by name and by address', async () => {
    await create({ name: 'Dora Double', addresses: [{ address: 'dora@one.example' }] })
    await create({ name: 'dora  double', addresses: [{ address: 'dd@two.example' }] })
    await create({ name: 'T. Win', addresses: [{ address: 'twin.person@one.example' }] })
    await create({ name: 'Twin Person', addresses: [{ address: 'twin.person@two.example' }] })
    const { duplicates } = (await instance.get('/api/contacts/duplicates', user)).body
    const groups = duplicates.map(
      ({ reason, contacts }: { reason: string; contacts: { name: string }[] }) => [
        reason,
        ...contacts.map(({ name }) => name),
      ],
    )
    expect(groups).toContainEqual(['name', 'Dora Double', 'dora double'])
    expect(groups).toContainEqual(['address', 'T. Win', 'Twin Person'])
  })

  it('say whether a sender is known', async () => {
    const { db } = instance.database
    expect(await isKnownContact(db, userId, 'Zoe.Lindgren@example.org')).toBe(true)
    expect(await isKnownContact(db, userId, 'ines@falk-architekten.example')).toBe(false)
    expect(await isKnownContact(db, userId, 'nonsense')).toBe(false)
    await send('pending@example.org')
    expect(await isKnownContact(db, userId, 'pending@example.org')).toBe(true)
    expect(await isKnownContact(db, userId + 1, 'pending@example.org')).toBe(false)
  })

  it('belong to one account', async () => {
    const other = await register(instance, { email: 'other@example.org', name: 'Other' })
    expect(await suggest('zoe', other)).toEqual([])
    expect((await instance.get('/api/contacts', other)).body.contacts).toEqual([])
    const [zoe] = await find('zoe')
    expect((await instance.get(`/api/contacts/${zoe.id}`, other)).status).toBe(404)
    const own = (await instance.post('/api/contacts', { name: 'Own' }, other)).body
    const merge = await instance.post(`/api/contacts/${own.id}/merge`, { contactIds: [zoe.id] }, other)
    expect(merge.status).toBe(400)
  })
})
