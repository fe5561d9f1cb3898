import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sanitizeHtml } from '../src/features/mail/html/sanitizer.ts'
import { readAddresses } from '../src/features/mail/mime/addresses.ts'
import { decodeWords, readHeader } from '../src/features/mail/mime/header-fields.ts'
import { readMessage } from '../src/features/mail/mime/message.ts'
import { type Part, splitParts } from '../src/features/mail/mime/parts.ts'
import { defineTask } from '../src/platform/workers/task.ts'
import { WorkerPool, type WorkerPoolOptions } from '../src/platform/workers/worker-pool.ts'
import { onOneDatabase } from './support/databases.ts'
import { HOSTILE_MAILS, hostileMessage } from './support/hostile-mails.ts'
import { type Answer, type Instance, type InstanceOptions, startInstance } from './support/instance.ts'
import { sampleOf } from './support/scale.ts'
import { InterceptedPool } from './support/worker-pools.ts'

const MEGABYTE = 1024 * 1024
const NOTE = 'Download the original to read all of it.'
const makeMail = (name: string): Buffer => {
  const mail = HOSTILE_MAILS.find((each) => each.name === name)
  if (!mail) throw new Error(`There is no hostile mail ${name}.`)
  return mail.make()
}

describe('parsing a hostile message', () => {
  afterEach(() => vi.restoreAllMocks())

  it('does not create an object per line', () => {
    const blob = vi.spyOn(globalThis, 'Blob')
    const searches = vi.spyOn(Buffer.prototype, 'indexOf')
    const views = vi.spyOn(Buffer.prototype, 'subarray')
    const { text } = readMessage(hostileMessage([], `begin${'\n'.repeat(MEGABYTE)}`))
    expect(text).toContain('begin')
    expect(blob).not.toHaveBeenCalled()
    expect(searches.mock.calls.length).toBeLessThan(100)
    expect(views.mock.calls.length).toBeLessThan(100)
  })

  const measureParts = (raw: Buffer) => {
    const { root, isTruncated } = splitParts(raw, readHeader(raw))
    const measureDepth = ({ parts }: Part): number => 1 + Math.max(0, ...parts.map(measureDepth))
    const countParts = ({ parts }: Part): number =>
      1 + parts.reduce((count, part) => count + countParts(part), 0)
    return { isTruncated, depth: measureDepth(root), count: countParts(root) }
  }

  it('limits depth and number of parts', () => {
    const nested = measureParts(makeMail('parts within 5,000 parts'))
    expect(nested.isTruncated).toBe(true)
    expect(nested.depth).toBeLessThanOrEqual(32)
    const many = measureParts(makeMail('200,000 parts'))
    expect(many).toMatchObject({ isTruncated: true, count: 1_001 })
  })

  it('searches the bytes for delimiters once, not per line', () => {
    const raw = makeMail('8 million lines that look like delimiters')
    const header = readHeader(raw)
    const searches = vi.spyOn(Buffer.prototype, 'indexOf')
    splitParts(raw, header)
    expect(searches.mock.calls.length).toBeLessThan(100)
  })

  it('limits the fields of a header and the addresses of a field', () => {
    expect(readHeader(makeMail('a header of 170,000 fields'))).toHaveLength(2_000)
    expect(readAddresses('a@example.org,'.repeat(10_000))).toHaveLength(2_000)
  })

  it('searches only once for the end of unterminated brackets and encoded words', () => {
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

  it('limits text and HTML, and marks the message as truncated', () => {
    const texts = readMessage(makeMail('24 MB of words'))
    expect(texts.isTruncated).toBe(true)
    expect(texts.text).toHaveLength(MEGABYTE)
    const html = readMessage(makeMail('1,800 nested div with 1 MB of </b>'))
    expect(html.isTruncated).toBe(true)
    expect(html.html).toHaveLength(MEGABYTE)
  })

  it('limits the number of attachments', () => {
    const part = '--b\r\nContent-Type: image/png\r\n\r\nx\r\n'
    const read = readMessage(hostileMessage(['Content-Type: multipart/mixed; boundary=b'], part.repeat(700)))
    expect(read.isTruncated).toBe(true)
    expect(read.attachments).toHaveLength(500)
  })

  it('limits nesting, stray end tags and styles before sanitizing', () => {
    const parts = { toUrl: () => undefined }
    const deep = sanitizeHtml(`${'<div>'.repeat(5_000)}inside`, parts)
    expect(deep).not.toContain('inside')
    expect(deep).toContain(NOTE)
    const searches = vi.spyOn(Array.prototype, 'lastIndexOf')
    sanitizeHtml(`${'<div>'.repeat(400)}${'</b>'.repeat(100_000)}`, parts)
    expect(searches.mock.calls.length).toBeLessThan(10_000)
    searches.mockRestore()
    expect(sanitizeHtml(`<p style="${'a{b{'.repeat(1_000)}">text</p>`, parts)).toBe('<p>text</p>')
    expect(sanitizeHtml('<p style="color:red">text</p>', parts)).toBe('<p style="color:red">text</p>')
  })
})

const store = (instance: Instance, raw: Buffer): Promise<Answer> =>
  instance.call('POST', '/api/emails', { body: raw, headers: { 'content-type': 'message/rfc822' } })

describe('POST /api/emails with a hostile message', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance()
  })
  afterAll(() => instance.close())

  it.each(sampleOf(HOSTILE_MAILS, 5).map(({ name, make }) => [name, make] as const))(
    'parses %s in a worker thread and stores the original bytes',
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
        // A busy machine may exceed the time limit.
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

onOneDatabase('postgres', 'hostile mail', (engine) => {
  const instances: Instance[] = []
  const start = async (options: InstanceOptions = {}): Promise<Instance> => {
    const instance = await startInstance({ engine, ...options })
    instances.push(instance)
    return instance
  }
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.close()
  })
  const countEmails = async (instance: Instance): Promise<number> =>
    (await instance.get('/api/emails')).body.emails.length
  const NEW_EMAIL = { from: 'Ana <ana@example.org>', to: ['ben@example.org'], subject: 'Hello' }
  const LONG_HTML = '<p style="color:red">text</p>'.repeat(2_000)
  const LONG_TEXT = 'Could you send me the figures by Friday? '.repeat(200)

  it('is processed in a worker thread, but an ordinary message is not', async () => {
    const instance = await start()
    const statistics = () => instance.app.workers.statistics()
    expect((await store(instance, hostileMessage([], 'An ordinary text.'))).status).toBe(201)
    const html = '<p>An ordinary page.</p>'
    expect((await instance.post('/api/emails', { ...NEW_EMAIL, html })).status).toBe(201)
    expect((await instance.post('/api/ai/email-intelligence', { text: 'Are you free?' })).status).toBe(200)
    expect(statistics()).toMatchObject({ started: 0, completed: {} })
    const { status, body } = await store(instance, hostileMessage([], 'word and more '.repeat(150_000)))
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

  it('does not wait for a worker thread inside the transaction of an Idempotency-Key', async () => {
    let writes = 0
    const workers = new InterceptedPool(async (options) => {
      // Another writer would wait here for the end of the transaction.
      await instance.post('/api/tasks', { title: 'Meanwhile' })
      writes++
      return options
    })
    const instance: Instance = await start({ deps: { workers } })
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

  const limitPool = (timeoutMs: number, options?: WorkerPoolOptions) =>
    new InterceptedPool((given) => ({ ...given, timeoutMs }), options)

  it('that takes too long is rejected with 400, and nothing is stored', async () => {
    const instance = await start({ deps: { workers: limitPool(1) } })
    const { status, body } = await store(instance, makeMail('utf-7 of 4 MB'))
    expect([status, body.code]).toEqual([400, 'unreadable_message'])
    expect(body.detail).toBe('Could not read the message: it took longer than 0.001 seconds.')
    const html = '<p style="color:red">text</p>'.repeat(20_000)
    const given = await instance.post('/api/emails', { ...NEW_EMAIL, html })
    expect([given.status, given.body.code]).toEqual([400, 'unreadable_message'])
    expect(await countEmails(instance)).toBe(0)
    expect((await store(instance, hostileMessage([], 'An ordinary text.'))).status).toBe(201)
  })

  it('that needs too much memory is rejected with 400', async () => {
    const workers = limitPool(60_000, { heapMb: 20 })
    const instance = await start({ deps: { workers } })
    const { status, body } = await store(instance, makeMail('500 KB of HTML attributes with styles'))
    expect([status, body.code]).toEqual([400, 'unreadable_message'])
    expect(body.detail).toBe('Could not read the message: it needs too much memory.')
  })

  it('is rejected with 503 if the queue is full', async () => {
    const workers = new WorkerPool({ threads: 1, queued: 0 })
    const instance = await start({ deps: { workers } })
    const endless = defineTask<undefined, never>(
      new URL('./support/worker-tasks.ts', import.meta.url),
      'loopForever',
    )
    const running = workers.run(endless, undefined, { timeoutMs: 60_000 }).catch(() => {})
    const { status, headers, body } = await store(instance, makeMail('1 MB of quoted lines'))
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(headers.get('retry-after')).toBe('10')
    await workers.close()
    await running
  })
})
