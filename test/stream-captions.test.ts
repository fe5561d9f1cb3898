import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainTextOf, readCueText, readWebvtt, speakerOf } from '../src/features/stream/webvtt.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'

const VECTORS = '../shared/data/webvtt-wpt/files.public.jsonl'
const SECOND = 1000

/** Parses a file as a conforming reader does. */
const readBack = (vtt: string) =>
  readWebvtt(vtt)?.cues.map(({ startMs, endMs, text }) => {
    const nodes = readCueText(text)
    return { start: startMs / 1000, end: endMs / 1000, speaker: speakerOf(nodes), text: plainTextOf(nodes) }
  })

const HOSTILE = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '00:00:01.000 --> 00:00:02.000',
  '-->',
  'a\n\nb\n\n\nc',
  '\n leading and trailing \n\n',
  '\u202eevil\u202c \u2066isolated\u2069 \u200f',
  '&amp; &lt; &#10; &notin;',
  'NOTE\nSTYLE\nREGION',
  'WEBVTT',
  '\u0001\u001f\u007f\ufeff\u2028\u2029',
  '𝕏 👩‍👩‍👧 ﷽',
]

onOneDatabase('sqlite', 'captions', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())
  beforeEach(async () => {
    await instance.post('/api/stream/stop')
    await instance.post('/api/stream/start', { title: 'Captioned' })
  })

  const add = (body: unknown, query = '') => instance.post(`/api/stream/captions${query}`, body)
  const list = async (query = '') => (await instance.get(`/api/stream/captions${query}`)).body
  const file = async (name: string) => (await instance.get(`/api/stream/${name}`)).body as string
  const importFile = (body: string, query = '') =>
    instance.call('POST', `/api/stream/captions${query}`, { body, headers: { 'content-type': 'text/vtt' } })

  it('without a time start now, relative to the start of the stream', async () => {
    instance.clock.advance(12.5 * SECOND)
    const made = await add({ text: 'Now the roof goes on.', speaker: ' Ada  Lovelace ' })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/stream/captions/${made.body.id}`)
    expect(made.body).toMatchObject({ text: 'Now the roof goes on.', speaker: 'Ada Lovelace' })
    const { startedAt } = (await instance.get('/api/stream/state')).body
    const said = (Date.parse(made.body.createdAt) - Date.parse(startedAt)) / SECOND
    expect(made.body.start).toBe(said)
    expect(said).toBeGreaterThanOrEqual(12.5)
    expect(made.body.end).toBeGreaterThan(said)
    expect(made.body.language).toBe('en')
  })

  it('accept seconds or timestamps, and must end after they start', async () => {
    const { startedAt } = (await instance.get('/api/stream/state')).body
    const at = (ms: number) => new Date(Date.parse(startedAt) + ms).toISOString()
    expect((await add({ text: 'x', start: 1.25, end: 2 })).body).toMatchObject({ start: 1.25, end: 2 })
    expect((await add({ text: 'x', start: at(3000), end: at(4500) })).body).toMatchObject({
      start: 3,
      end: 4.5,
    })
    for (const wrong of [
      { start: 2, end: 2 },
      { start: 3, end: 1 },
      { start: -1 },
      { start: at(-1000) },
      { start: 'noon' },
      { end: 1e12 },
      { text: '' },
      { text: ' \n ' },
      { language: 'not a language' },
      { language: 'x' },
      { speaker: '' },
    ])
      expect([wrong, (await add({ text: 'x', ...wrong })).status]).toEqual([wrong, 400])
    expect((await list()).captions).toHaveLength(2)
  })

  it('are added in batches, all or none', async () => {
    const captions = [
      { text: 'one', start: 1 },
      { text: 'zwei', start: 1, language: 'de' },
      { text: 'two', start: 2 },
    ]
    const made = await add({ captions })
    expect(made.status).toBe(201)
    expect(made.body.captions.map(({ text }: { text: string }) => text)).toEqual(['one', 'zwei', 'two'])
    const wrong = await add({ captions: [{ text: 'fine' }, { text: 'three', start: 5, end: 4 }] })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors[0].path).toBe('captions.1.end')
    expect((await add({ captions, text: 'both' })).status).toBe(400)
    expect((await add({})).status).toBe(400)
    expect((await list('?language=de')).captions).toHaveLength(1)
    const { streamId } = (await instance.get('/api/stream/state')).body
    expect((await instance.get(`/api/stream/streams/${streamId}`)).body.languages).toEqual([
      { language: 'de', captions: 1 },
      { language: 'en', captions: 2 },
    ])
  })

  it('are listed by time with pagination in both orders', async () => {
    await add({ captions: [3, 1, 2, 2].map((start, n) => ({ text: `c${n}`, start })) })
    const walk = async (order: string) => {
      const found: string[] = []
      for (let cursor = ''; ; ) {
        const page = await list(`?limit=1&order=${order}${cursor}`)
        found.push(...page.captions.map(({ text }: { text: string }) => text))
        if (page.nextCursor === null) return found
        cursor = `&cursor=${page.nextCursor}`
      }
    }
    expect(await walk('asc')).toEqual(['c1', 'c2', 'c3', 'c0'])
    expect(await walk('desc')).toEqual(['c0', 'c3', 'c2', 'c1'])
    expect((await instance.get('/api/stream/captions?cursor=nonsense')).status).toBe(400)
  })

  it('are updated with If-Match', async () => {
    const { body, headers } = await add({ text: 'Their going', start: 4, end: 6 })
    const correct = (change: unknown, match?: string) =>
      instance.call('PATCH', `/api/stream/captions/${body.id}`, {
        body: change,
        headers: match ? { 'if-match': match } : {},
      })
    const etag = headers.get('etag') as string
    const corrected = await correct({ text: 'They’re going', language: 'en-us' }, etag)
    expect(corrected.body).toMatchObject({ text: 'They’re going', start: 4, end: 6, language: 'en-US' })
    expect((await correct({ text: 'x' }, etag)).status).toBe(412)
    expect((await correct({ end: 3 })).status).toBe(400)
    expect(await file('captions.vtt')).toContain('They’re going')
    expect((await instance.call('DELETE', `/api/stream/captions/${body.id}`)).status).toBe(204)
    expect((await list()).captions).toEqual([])
  })

  it('are stored as a rehearsal while no stream is live', async () => {
    await add({ text: 'on air' })
    const { streamId } = (await instance.get('/api/stream/state')).body
    await instance.post('/api/stream/stop')
    expect((await list()).captions).toMatchObject([{ text: 'on air' }])
    await add({ text: 'a try' })
    expect((await list()).captions).toMatchObject([{ text: 'a try' }])
    expect((await list(`?streamId=${streamId}`)).captions).toMatchObject([{ text: 'on air' }])
    const late = await add({ text: 'added later', streamId })
    expect(late.body.streamId).toBe(streamId)
    expect((await instance.get('/api/stream/streams')).body.streams[0]).toMatchObject({ rehearsal: true })
    await instance.post('/api/stream/start')
    expect((await list()).captions).toEqual([])
  })

  it('are deleted, all or in one language', async () => {
    await add({ captions: [{ text: 'a' }, { text: 'b', language: 'fr' }] })
    expect((await instance.call('DELETE', '/api/stream/captions?language=fr')).status).toBe(204)
    expect((await list()).captions).toMatchObject([{ text: 'a' }])
    expect((await instance.call('DELETE', '/api/stream/captions')).status).toBe(204)
    expect((await list()).captions).toEqual([])
  })

  describe('as files', () => {
    it('round-trip any text through a conforming reader', async () => {
      const captions = HOSTILE.map((text, n) => ({ text, start: n + 1, end: n + 2 }))
      const spoken = { text: 'a', speaker: 'Ada <i> & "co" > --> x', start: 100, end: 101 }
      expect((await add({ captions: [...captions, spoken] })).status).toBe(201)
      const vtt = await file('captions.vtt')
      expect(readBack(vtt)).toEqual([...captions.map((caption) => ({ ...caption, speaker: null })), spoken])
      const srt = await file('captions.srt')
      expect(srt.match(/^\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}$/gm)).toHaveLength(
        captions.length + 1,
      )
      expect(srt).not.toMatch(/\n\n\n/)
      expect(srt.split('\n\n').filter(Boolean)).toHaveLength(captions.length + 1)
    })

    it('contain one language and have a descriptive filename', async () => {
      await add({
        captions: [
          { text: 'hello', start: 0, end: 1 },
          { text: 'hallo', start: 0, end: 1, language: 'de-AT' },
        ],
      })
      const german = await instance.get('/api/stream/captions.vtt?language=de')
      expect(german.body).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nhallo\n')
      expect(german.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
      expect(german.headers.get('content-disposition')).toMatch(
        /^attachment; filename="stream-\d+\.de-AT\.vtt"$/,
      )
      expect(await file('captions.srt')).toBe('1\n00:00:00,000 --> 00:00:01,000\nhello\n\n')
      expect(await file('captions.vtt?language=fr')).toBe('WEBVTT\n')
      expect((await instance.get('/api/stream/captions.vtt?streamId=99999')).status).toBe(404)
    })

    it('are imported with their markup and exported unchanged', async () => {
      const vtt = [
        'WEBVTT - with a title',
        'REGION\nid:fred\nwidth:40%',
        'intro\n00:00:01.000 --> 00:00:02.500 align:start region:fred bogus\n<v Ada>Hello &amp; <i>welcome</i>',
        'NOTE left out',
        '00:00:02.000 --> 00:00:03.000\nplain &lt;b&gt;',
      ].join('\n\n')
      const made = await importFile(vtt, '?language=en')
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({ imported: 2, language: 'en' })
      const { captions } = await list()
      expect(captions).toMatchObject([
        { cueId: 'intro', speaker: 'Ada', text: 'Hello & welcome', start: 1, end: 2.5 },
        { cueId: null, speaker: null, text: 'plain <b>', markup: null },
      ])
      const out = await file('captions.vtt')
      expect(readWebvtt(out)).toEqual(readWebvtt(vtt))
      expect((await importFile(vtt, '?language=en&replace=true')).body.imported).toBe(2)
      expect(readWebvtt(await file('captions.vtt'))).toEqual(readWebvtt(vtt))
      expect((await instance.get('/api/stream/overlay')).body.captions).toEqual([])
    })

    it('are rejected if they are not valid WebVTT', async () => {
      for (const wrong of ['', 'WEBSRT\n\n', '1\n00:00:01,000 --> 00:00:02,000\nx\n', '{"text":"x"}'])
        expect([wrong, (await importFile(wrong)).status]).toEqual([wrong, 400])
      const long = `WEBVTT\n\n00:00.000 --> 00:01.000\n${'x'.repeat(20_000)}\n`
      expect((await importFile(long)).status).toBe(400)
      const xml = { body: '<tt/>', headers: { 'content-type': 'application/ttml+xml' } }
      expect((await instance.call('POST', '/api/stream/captions', xml)).status).toBe(415)
    })

    it('can be large, but a single caption cannot', async () => {
      const cues = Array.from({ length: 5000 }, (_, n) => {
        const stamp = (s: number) => new Date(s * 1000).toISOString().slice(11, 23)
        return `${stamp(n)} --> ${stamp(n + 1)}\nLine ${n} ${'words '.repeat(40)}\n`
      })
      const made = await importFile(`WEBVTT\n\n${cues.join('\n')}`)
      expect(made.body.imported).toBe(5000)
      expect(readWebvtt(await file('captions.vtt'))?.cues).toHaveLength(5000)
      expect((await add({ text: 'x'.repeat(1_000_000) })).status).toBe(400)
      expect((await add({ text: 'x'.repeat(2_000_000) })).status).toBe(413)
    })

    it.skipIf(!existsSync(VECTORS))('round-trip the web-platform-tests vectors', async () => {
      const vectors = readFileSync(VECTORS, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; vtt: string; valid: boolean })
      for (const { id, vtt, valid } of vectors) {
        await instance.call('DELETE', '/api/stream/captions')
        const made = await importFile(vtt)
        expect([id, made.status]).toEqual([id, valid && vtt !== '' ? 201 : 400])
        if (!valid) continue
        const sent = readWebvtt(vtt)?.cues.toSorted((a, b) => a.startMs - b.startMs)
        expect(readWebvtt(await file('captions.vtt'))?.cues).toEqual(sent)
      }
    })
  })
})
