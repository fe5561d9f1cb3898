import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sanitiseHtml } from '../src/features/emails/html.ts'
import { readAddresses } from '../src/features/emails/mime/addresses.ts'
import { decodeWords } from '../src/features/emails/mime/encoded-words.ts'
import { readHeader } from '../src/features/emails/mime/header-fields.ts'
import { readMessage } from '../src/features/emails/mime/message.ts'
import { type Part, splitParts } from '../src/features/emails/mime/parts.ts'
import { defineTask } from '../src/platform/workers/task.ts'
import { createWorkerPool, type WorkerPool } from '../src/platform/workers/worker-pool.ts'
import { onEveryDatabase } from './support/databases.ts'
import { HOSTILE_MAILS, hostileMessage } from './support/hostile-mails.ts'
import { type Answer, type Instance, type InstanceOptions, startInstance } from './support/instance.ts'

const MEGABYTE = 1024 * 1024
const NOTE = 'Download the original to read all of it.'
const mailNamed = (name: string): Buffer => {
  const mail = HOSTILE_MAILS.find((each) => each.name === name)
  if (!mail) throw new Error(`There is no hostile mail ${name}.`)
  return mail.make()
}

describe('reading a hostile message', () => {
  afterEach(() => vi.restoreAllMocks())

  it('makes no object for each of a million lines', () => {
    const blob = vi.spyOn(globalThis, 'Blob')
    const searches = vi.spyOn(Buffer.prototype, 'indexOf')
    const views = vi.spyOn(Buffer.prototype, 'subarray')
    const { text } = readMessage(hostileMessage([], `begin${'\n'.repeat(MEGABYTE)}`))
    expect(text).toContain('begin')
    expect(blob).not.toHaveBeenCalled()
    expect(searches.mock.calls.length).toBeLessThan(100)
    expect(views.mock.calls.length).toBeLessThan(100)
  })

  const partsOf = (raw: Buffer) => {
    const { root, isCut } = splitParts(raw, readHeader(raw))
    const depthOf = ({ parts }: Part): number => 1 + Math.max(0, ...parts.map(depthOf))
    const countOf = ({ parts }: Part): number => 1 + parts.reduce((count, part) => count + countOf(part), 0)
    return { isCut, depth: depthOf(root), count: countOf(root) }
  }

  it('bounds the depth and the number of parts', () => {
    const nested = partsOf(mailNamed('parts within 5,000 parts'))
    expect(nested.isCut).toBe(true)
    expect(nested.depth).toBeLessThanOrEqual(32)
    const many = partsOf(mailNamed('200,000 parts'))
    expect(many).toMatchObject({ isCut: true, count: 1_001 })
  })

  it('looks for delimiters once in the bytes, not in each line', () => {
    const raw = mailNamed('8 million lines that look like delimiters')
    const header = readHeader(raw)
    const searches = vi.spyOn(Buffer.prototype, 'indexOf')
    splitParts(raw, header)
    expect(searches.mock.calls.length).toBeLessThan(100)
  })

  it('bounds the fields of a header and the addresses of a field', () => {
    expect(readHeader(mailNamed('a header of 170,000 fields'))).toHaveLength(2_000)
    expect(readAddresses('a@example.org,'.repeat(10_000))).toHaveLength(2_000)
  })

  it('looks for the end of brackets and encoded words that never end once', () => {
    const searches = vi.spyOn(String.prototype, 'indexOf')
    readAddresses('<,'.repeat(100_000))
    const searched = searches.mock.calls.filter(([sought]) => sought === '>')
    searches.mockRestore()
    expect(searched).toEqual([])
    const slices = vi.spyOn(String.prototype, 'slice')
    decodeWords('=?u?q?a '.repeat(10_000))
    const longest = Math.max(...slices.mock.calls.map(([start = 0, end = 0]) => end - start))
    slices.mockRestore()
    expect(longest).toBeLessThan(2_100)
  })

  it('bounds the text and the HTML by bytes, and says that something is missing', () => {
    const texts = readMessage(mailNamed('24 MB of words'))
    expect(texts.isCut).toBe(true)
    expect(texts.text).toHaveLength(MEGABYTE)
    const html = readMessage(mailNamed('1,800 nested div with 1 MB of </b>'))
    expect(html.isCut).toBe(true)
    expect(html.html).toHaveLength(MEGABYTE)
  })

  it('bounds the attachments', () => {
    const part = '--b\r\nContent-Type: image/png\r\n\r\nx\r\n'
    const read = readMessage(hostileMessage(['Content-Type: multipart/mixed; boundary=b'], part.repeat(700)))
    expect(read.isCut).toBe(true)
    expect(read.attachments).toHaveLength(500)
  })

  it('gives the sanitiser no deeper nesting, no stray end tags and no nested styles', () => {
    const parts = { urlOf: () => undefined }
    const deep = sanitiseHtml(`${'<div>'.repeat(5_000)}inside`, parts)
    expect(deep).not.toContain('inside')
    expect(deep).toContain(NOTE)
    const searches = vi.spyOn(Array.prototype, 'lastIndexOf')
    sanitiseHtml(`${'<div>'.repeat(400)}${'</b>'.repeat(100_000)}`, parts)
    expect(searches.mock.calls.length).toBeLessThan(10_000)
    searches.mockRestore()
    expect(sanitiseHtml(`<p style="${'a{b{'.repeat(1_000)}">text</p>`, parts)).toBe('<p>text</p>')
    expect(sanitiseHtml('<p style="color:red">text</p>', parts)).toBe('<p style="color:red">text</p>')
  })
})

const store = (instance: Instance, raw: Buffer): Promise<Answer> =>
  instance.call('POST', '/api/emails', { body: raw, headers: { 'content-type': 'message/rfc822' } })

describe('a hostile message that is sent to the API', { timeout: 60_000 }, () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it.each(HOSTILE_MAILS.map(({ name, make }) => [name, make] as const))(
    '%s: is read in a worker thread, and kept as it came',
    async (_, make) => {
      const raw = make()
      const ended = (): number => {
        const { completed, failed } = instance.app.workers.statistics()
        const failures = Object.values(failed).reduce((sum, count) => sum + count, 0)
        return (completed.readWhole ?? 0) + failures
      }
      const before = ended()
      const { status, body } = await store(instance, raw)
      expect(ended()).toBe(before + 1)
      if (status !== 201) {
        // A machine that is busy may need more than the time there is.
        expect([status, body.code]).toEqual([400, 'unreadable_message'])
        return
      }
      expect(body.text.length).toBeLessThanOrEqual(MEGABYTE + 200)
      const kept = await fetch(`${instance.url}/api/emails/${body.id}/raw`)
      const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
      expect(hash(new Uint8Array(await kept.arrayBuffer()))).toBe(hash(raw))
    },
  )
})

onEveryDatabase('hostile mail', (engine) => {
  const instances: Instance[] = []
  const start = async (options: InstanceOptions = {}): Promise<Instance> => {
    const instance = await startInstance({ engine, ...options })
    instances.push(instance)
    return instance
  }
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.close()
  })
  const listed = async (instance: Instance): Promise<number> =>
    (await instance.get('/api/emails')).body.emails.length
  const NEW_EMAIL = { from: 'Ana <ana@example.org>', to: ['ben@example.org'], subject: 'Hello' }
  const LONG_HTML = '<p style="color:red">text</p>'.repeat(2_000)
  const LONG_TEXT = 'Could you send me the figures by Friday? '.repeat(200)

  it('leaves the main thread, and an ordinary message does not', async () => {
    const instance = await start()
    const statistics = () => instance.app.workers.statistics()
    expect((await store(instance, hostileMessage([], 'An ordinary text.'))).status).toBe(201)
    const html = '<p>An ordinary page.</p>'
    expect((await instance.post('/api/emails', { ...NEW_EMAIL, html })).status).toBe(201)
    expect((await instance.post('/api/ai/email-intelligence', { text: 'Are you free?' })).status).toBe(200)
    expect(statistics()).toMatchObject({ started: 0, completed: {} })
    const { status, body } = await store(instance, mailNamed('24 MB of words'))
    expect(status).toBe(201)
    expect(body.text).toContain(NOTE)
    expect(statistics().completed).toEqual({ readWhole: 1 })
    expect((await instance.post('/api/emails', { ...NEW_EMAIL, html: LONG_HTML })).status).toBe(201)
    expect(statistics().completed).toMatchObject({ prepareContent: 1 })
    expect((await instance.post(`/api/emails/${body.id}/analyze`)).status).toBe(200)
    expect((await instance.post('/api/ai/email-intelligence', { text: LONG_TEXT })).status).toBe(200)
    expect(statistics().completed).toMatchObject({ analyze: 2 })
    const text = 'Let us meet on Friday at noon. '.repeat(200)
    expect((await instance.post('/api/calendar/detect', { text })).status).toBe(200)
    expect(statistics().completed).toMatchObject({ detect: 1 })
    expect(statistics().failed).toEqual({})
  })

  it('does not wait for a worker thread within the transaction of an Idempotency-Key', async () => {
    const pool = createWorkerPool()
    let writes = 0
    const instance: Instance = await start({
      deps: {
        workers: {
          ...pool,
          async run(...given) {
            // Another writer would wait here for the transaction to end.
            await instance.post('/api/tasks', { title: 'Meanwhile' })
            writes++
            return pool.run(...given)
          },
        },
      },
    })
    const headers = { 'idempotency-key': 'hostile-1' }
    const given = { ...NEW_EMAIL, html: LONG_HTML }
    const first = await instance.post('/api/emails', given, { headers })
    const second = await instance.post('/api/emails', given, { headers })
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id])
    const draft = { ...NEW_EMAIL, folder: 'drafts', html: '<p>short</p>' }
    const { body } = await instance.post('/api/emails', draft)
    const changed = await instance.call('PATCH', `/api/emails/${body.id}`, { body: { html: LONG_HTML } })
    expect(changed.status).toBe(200)
    expect(writes).toBeGreaterThanOrEqual(2)
  })

  const limited = (change: Partial<Parameters<WorkerPool['run']>[2]>, pool: WorkerPool): WorkerPool => ({
    ...pool,
    run: (task, input, options) => pool.run(task, input, { ...options, ...change }),
  })

  it('that takes too long is rejected with a 400, and nothing of it is stored', async () => {
    const instance = await start({ deps: { workers: limited({ timeoutMs: 1 }, createWorkerPool()) } })
    const { status, body } = await store(instance, mailNamed('quoted-printable of 20 MB'))
    expect([status, body.code]).toEqual([400, 'unreadable_message'])
    expect(body.detail).toBe('Could not read the message: it took longer than 0.001 seconds.')
    const html = '<p style="color:red">text</p>'.repeat(20_000)
    const given = await instance.post('/api/emails', { ...NEW_EMAIL, html })
    expect([given.status, given.body.code]).toEqual([400, 'unreadable_message'])
    expect(await listed(instance)).toBe(0)
    expect((await store(instance, hostileMessage([], 'An ordinary text.'))).status).toBe(201)
  })

  it('that needs too much memory is rejected with a 400', async () => {
    const workers = limited({ timeoutMs: 60_000 }, createWorkerPool({ heapMb: 12 }))
    const instance = await start({ deps: { workers } })
    const { status, body } = await store(instance, mailNamed('500 KB of HTML attributes with styles'))
    expect([status, body.code]).toEqual([400, 'unreadable_message'])
    expect(body.detail).toBe('Could not read the message: it needs too much memory.')
  })

  it('is put off with a 503 when too many others wait', async () => {
    const workers = createWorkerPool({ threads: 1, queued: 0 })
    const instance = await start({ deps: { workers } })
    const endless = defineTask<undefined, never>(
      new URL('./support/worker-tasks.ts', import.meta.url),
      'loopForever',
    )
    const running = workers.run(endless, undefined, { timeoutMs: 60_000 }).catch(() => {})
    const { status, headers, body } = await store(instance, mailNamed('1 MB of quoted lines'))
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(headers.get('retry-after')).toBe('10')
    await workers.close()
    await running
  })

  it('leaves no thread behind', async () => {
    const instance = await start({ deps: { workers: createWorkerPool({ idleMs: 100 }) } })
    await store(instance, mailNamed('1 MB of quoted lines'))
    await expect.poll(() => instance.app.workers.statistics().threads).toBe(0)
  })
})
