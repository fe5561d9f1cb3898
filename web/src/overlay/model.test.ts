import { describe, expect, it } from 'vitest'
import { afterEvent, fromSnapshot, type Model, nextExpiry, withoutExpired } from './model.ts'
import type { Caption, Milestone, Snapshot, StreamEventData } from './shapes.ts'

const NOW = '2026-03-02T08:00:10.000Z'

const caption = (id: number, change: Partial<Caption> = {}): Caption =>
  ({
    id,
    streamId: 1,
    text: `Caption ${id}`,
    language: 'en',
    createdAt: '2026-03-02T08:00:00.000Z',
    ...change,
  }) as Caption

const snapshot = (change: Partial<Snapshot> = {}): Snapshot =>
  ({
    revision: 10,
    now: NOW,
    language: 'en',
    state: { live: true, held: false, streamId: 1, title: '', scene: '', startedAt: NOW },
    captions: [],
    milestones: [],
    ...change,
  }) as Snapshot

const open = (change: Partial<Snapshot> = {}, wanted: string | null = null) =>
  fromSnapshot(snapshot(change), wanted, 50_000)

const follow = (model: Model, type: string, data: Partial<StreamEventData>, revision = 11) =>
  afterEvent(model, `stream.${type}`, { revision, ...data } as StreamEventData, 60_000)

const add = (model: Model, ...captions: Caption[]): Model =>
  captions.reduce((next, one) => follow(next, 'caption_added', { caption: one }) as Model, model)

const ids = (model: Model | null) => model?.captions.map((displayed) => displayed.caption.id)

describe('the overlay', () => {
  it('knows how long the captions of a snapshot have been visible', () => {
    expect(open({ captions: [caption(1)] }).captions).toMatchObject([{ since: 40_000 }])
  })

  it('ignores events that the snapshot contains', () => {
    const model = open()
    expect(follow(model, 'caption_added', { caption: caption(1) }, 10)).toBe(model)
  })

  it('keeps the newest twelve captions', () => {
    const captions = Array.from({ length: 14 }, (_, index) => caption(index + 1))
    expect(ids(add(open(), ...captions))).toEqual(captions.slice(2).map(({ id }) => id))
  })

  it('corrects and removes captions in place', () => {
    const model = add(open(), caption(1), caption(2))
    const corrected = follow(model, 'caption_corrected', { caption: caption(1, { text: 'Better' }) })
    expect(corrected?.captions[0]?.caption.text).toBe('Better')
    expect(ids(follow(model, 'caption_removed', { captionId: 1 }))).toEqual([2])
  })

  it('takes the language of the first caption, and then keeps it', () => {
    const model = add(
      open(),
      caption(1, { language: 'de-AT' }),
      caption(2),
      caption(3, { language: 'de-AT' }),
    )
    expect(ids(model)).toEqual([1, 3])
  })

  it('shows the variants of the language of its address only', () => {
    const model = open({ language: 'en' }, 'en')
    expect(ids(add(model, caption(1, { language: 'en-GB' }), caption(2, { language: 'de' })))).toEqual([1])
  })

  it('drops the captions of the last stream when another one starts', () => {
    const model = add(open(), caption(1))
    const stream = { id: 2, live: true, title: 'Next', scene: '', startedAt: NOW }
    const next = follow(model, 'started', {
      stream: stream as NonNullable<StreamEventData['stream']>,
    }) as Model
    expect(ids(add(next, caption(2), caption(3, { streamId: 2 })))).toEqual([3])
  })

  it('is empty after panic, also for later captions and goals', () => {
    const held = follow(add(open(), caption(1)), 'panicked', { held: true }) as Model
    const goal = { id: 1, title: 'Followers' } as Milestone
    expect(follow(add(held, caption(2)), 'milestone_changed', { milestone: goal })).toMatchObject({
      captions: [],
      milestones: [],
    })
  })

  it('needs a new snapshot when it is shown again', () => {
    const held = follow(open(), 'panicked', { held: true }) as Model
    expect(follow(held, 'updated', { state: { ...held.state, held: false } })).toBeNull()
  })

  it('lists goals by id, and updates them', () => {
    const goal = (id: number, current: number) => ({ id, current }) as Milestone
    let model = follow(open(), 'milestone_changed', { milestone: goal(2, 1) }) as Model
    model = follow(model, 'milestone_changed', { milestone: goal(1, 1) }) as Model
    model = follow(model, 'milestone_reached', { milestone: goal(2, 5) }) as Model
    expect(model.milestones).toEqual([goal(1, 1), goal(2, 5)])
    expect(follow(model, 'milestone_removed', { milestoneId: 1 })?.milestones).toEqual([goal(2, 5)])
  })

  it('hides captions after a while, unless they stay until the next one', () => {
    const model = add(open(), caption(1))
    expect(nextExpiry(model, 30)).toBe(90_000)
    expect(withoutExpired(model, 30, 89_999)).toBe(model)
    expect(withoutExpired(model, 30, 90_000).captions).toEqual([])
    expect(nextExpiry(model, 0)).toBeNull()
    expect(withoutExpired(model, 0, 1e9)).toBe(model)
  })
})
