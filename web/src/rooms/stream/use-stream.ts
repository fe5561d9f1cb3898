import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useLeave } from '../../ui/use-leaving.ts'

export type StreamState = Shape<'StreamState'>
export type Caption = Shape<'Caption'>
export type Milestone = Shape<'Milestone'>
export type Stream = Shape<'Stream'>

/** Everything under it is read anew when a live event tells of the stream: captions come from programs too. */
const key = ['stream']

/** All that the overlay shows, and with it the state. */
export const useOverlay = () => {
  const client = useClient()
  return useQuery({
    queryKey: [...key, 'overlay'],
    queryFn: () => unwrap(client.GET('/api/stream/overlay', { params: { query: {} } })),
  })
}

/** The newest of the stream that goes on, or of the last one. */
export const useCaptions = () => {
  const client = useClient()
  return useQuery({
    queryKey: [...key, 'captions'],
    queryFn: () =>
      unwrap(client.GET('/api/stream/captions', { params: { query: { order: 'desc', limit: 20 } } })),
  })
}

export const useMilestones = () => {
  const client = useClient()
  return useQuery({
    queryKey: [...key, 'milestones'],
    queryFn: () => unwrap(client.GET('/api/stream/milestones', { params: { query: { limit: 100 } } })),
  })
}

export const useStreams = () => {
  const client = useClient()
  return usePaged([...key, 'streams'], (page) =>
    unwrap(client.GET('/api/stream/streams', { params: { query: { ...page, limit: 20 } } })),
  )
}

export const useCredentials = () => {
  const client = useClient()
  return useQuery({
    queryKey: [...key, 'credentials'],
    queryFn: () => unwrap(client.GET('/api/stream/credentials', { params: { query: { limit: 100 } } })),
  })
}

/** What can be done with the stream; everything that is shown of it follows. */
export const useStreamActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const made = await work
    await queries.invalidateQueries({ queryKey: key })
    return made
  }
  /** Where no form stands by that would tell what went wrong. */
  const said = async (work: () => Promise<unknown>, words: string): Promise<void> => {
    try {
      await after(work())
      notify(words)
    } catch (error) {
      notify(tell(error), { failed: true })
    }
  }
  const leave = useLeave()
  const remove = (
    kind: string,
    what: number,
    name: string,
    path: '/api/stream/milestones/{id}' | '/api/stream/streams/{id}',
  ): void =>
    leave({
      kind,
      what,
      said: `“${name}” is deleted.`,
      back: `“${name}” is back.`,
      send: () => after(unwrap(client.DELETE(path, { ...id(what), keepalive: true }))),
    })
  const id = (value: number) => ({ params: { path: { id: value } } })
  return {
    start: () => said(() => unwrap(client.POST('/api/stream/start', { body: {} })), 'You are live.'),
    stop: () => said(() => unwrap(client.POST('/api/stream/stop')), 'The stream has ended.'),
    panic: () =>
      said(
        () => unwrap(client.POST('/api/stream/panic', { body: { hold: true } })),
        'The overlay is empty, and stays so.',
      ),
    showAgain: () =>
      said(
        () => unwrap(client.PATCH('/api/stream/state', { body: { held: false } })),
        'The overlay shows what comes.',
      ),
    async describe(body: Shape<'StreamStateChange'>): Promise<void> {
      await after(unwrap(client.PATCH('/api/stream/state', { body })))
      notify('Title and scene are saved.')
    },
    say: (body: Shape<'NewCaption'>) => after(unwrap(client.POST('/api/stream/captions', { body }))),
    correct: (caption: Caption, body: Shape<'CaptionChange'>) =>
      after(unwrap(client.PATCH('/api/stream/captions/{id}', { ...id(caption.id), body }))),
    unsay: (caption: Caption) =>
      said(
        () => unwrap(client.DELETE('/api/stream/captions/{id}', id(caption.id))),
        'The caption is deleted.',
      ),
    addMilestone: (body: Shape<'NewMilestone'>) =>
      after(unwrap(client.POST('/api/stream/milestones', { body }))),
    changeMilestone: (milestone: Milestone, body: Shape<'MilestoneChange'>) =>
      after(unwrap(client.PATCH('/api/stream/milestones/{id}', { ...id(milestone.id), body }))),
    addProgress: (milestone: Milestone, amount: number) =>
      after(
        unwrap(
          client.POST('/api/stream/milestones/{id}/progress', { ...id(milestone.id), body: { amount } }),
        ),
      ),
    removeMilestone: (milestone: Milestone) =>
      remove('milestone', milestone.id, milestone.title, '/api/stream/milestones/{id}'),
    removeStream: (stream: Stream, name: string) =>
      remove('stream', stream.id, name, '/api/stream/streams/{id}'),
    keepKey: (platform: string, body: Shape<'StreamCredentialWish'>) =>
      after(
        unwrap(client.PUT('/api/stream/credentials/{platform}', { params: { path: { platform } }, body })),
      ),
    forgetKey: (platform: string) =>
      after(unwrap(client.DELETE('/api/stream/credentials/{platform}', { params: { path: { platform } } }))),
  }
}

export type StreamActions = ReturnType<typeof useStreamActions>
