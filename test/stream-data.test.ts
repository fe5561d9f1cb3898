import { expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'
import { PASSWORD, register } from './support/people.ts'
import { unzip } from './support/unzip.ts'

onEveryDatabase('stream data', (engine) => {
  it('is exported without secrets and deleted by a wipe', async () => {
    const instance = await startInstance({ engine })
    const { token } = await register(instance)
    await instance.post('/api/stream/start', { title: 'Bird table' })
    const captions = [
      { text: 'hello', start: 0, end: 1 },
      { text: 'hallo', start: 0, end: 1, language: 'de' },
    ]
    await instance.post('/api/stream/captions', { captions })
    await instance.post('/api/stream/milestones', { title: 'Goal', target: 3 })
    await instance.call('PUT', '/api/stream/credentials/twitch', {
      body: { streamKey: 'the-only-secret-there-is' },
    })
    const response = await fetch(`${instance.url}/api/settings/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    })
    const files = await unzip(Buffer.from(await response.arrayBuffer()))
    const { streamId } = (await instance.get('/api/stream/state')).body
    expect(JSON.parse(files['stream/streams.jsonl'] as string)).toMatchObject({
      id: streamId,
      title: 'Bird table',
    })
    expect(JSON.parse(files['stream/milestones.jsonl'] as string)).toMatchObject({ title: 'Goal', target: 3 })
    expect(files[`stream/captions/${streamId}.de.vtt`]).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nhallo\n',
    )
    expect(JSON.stringify(files)).not.toContain('the-only-secret')

    const { revision } = (await instance.get('/api/stream/overlay')).body
    const body = { password: PASSWORD, wipe: true }
    expect((await instance.call('DELETE', '/api/settings/account', { body, token })).status).toBe(204)
    for (const table of [
      'streams',
      'captions',
      'caption_tracks',
      'milestones',
      'stream_credentials',
    ] as const)
      expect(
        await instance.database.db.selectFrom(table).selectAll().modifyEnd(ALL_ACCOUNTS).execute(),
      ).toEqual([])
    expect((await instance.get('/api/stream/state')).body).toMatchObject({ live: false, title: '' })
    expect((await instance.get('/api/stream/overlay')).body.revision).toBeGreaterThan(revision)
    await instance.close()
  })
})
