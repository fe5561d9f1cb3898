import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/stream'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useUndoableDelete } from '../../ui/use-undoable-delete.ts'

export type StreamState = Shape<'StreamState'>
export type Caption = Shape<'Caption'>
export type Milestone = Shape<'Milestone'>
export type Stream = Shape<'Stream'>

/** Live stream events invalidate all queries under this key, because programs add captions too. */
const key = ['stream']

/** Overlay content with the stream state. */
export const useOverlay = () => {
  const client = useClient()
  return useQuery({
    queryKey: [...key, 'overlay'],
    queryFn: () => unwrap(client.GET('/api/stream/overlay', { params: { query: {} } })),
  })
}

/** Latest captions of the current or last stream. */
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

/** Stream actions. Each refetches the stream queries. */
export const useStreamActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    await queries.invalidateQueries({ queryKey: key })
    return result
  }
  /** Reports the result in a toast, for actions without a form. */
  const runWithToast = async (work: () => Promise<unknown>, words: string): Promise<void> => {
    await attempt(async () => {
      await after(work())
      notify(words)
    })
  }
  const deleteWithUndo = useUndoableDelete()
  const remove = (
    kind: string,
    target: number,
    name: string,
    path: '/api/stream/milestones/{id}' | '/api/stream/streams/{id}',
  ): void =>
    deleteWithUndo({
      kind,
      target,
      toastText: t.deleted(name),
      undoneText: t.restored(name),
      send: () => after(unwrap(client.DELETE(path, { ...id(target), keepalive: true }))),
    })
  const id = (value: number) => ({ params: { path: { id: value } } })
  return {
    start: () => runWithToast(() => unwrap(client.POST('/api/stream/start', { body: {} })), t.youAreLive),
    stop: () => runWithToast(() => unwrap(client.POST('/api/stream/stop')), t.streamEnded),
    panic: () =>
      runWithToast(() => unwrap(client.POST('/api/stream/panic', { body: { hold: true } })), t.overlayHidden),
    showAgain: () =>
      runWithToast(
        () => unwrap(client.PATCH('/api/stream/state', { body: { held: false } })),
        t.overlayVisible,
      ),
    async describe(body: Shape<'StreamStateChange'>): Promise<void> {
      await after(unwrap(client.PATCH('/api/stream/state', { body })))
      notify(t.titleAndSceneSaved)
    },
    addCaption: (body: Shape<'NewCaption'>) => after(unwrap(client.POST('/api/stream/captions', { body }))),
    correct: (caption: Caption, body: Shape<'CaptionChange'>) =>
      after(unwrap(client.PATCH('/api/stream/captions/{id}', { ...id(caption.id), body }))),
    deleteCaption: (caption: Caption) =>
      runWithToast(
        () => unwrap(client.DELETE('/api/stream/captions/{id}', id(caption.id))),
        t.captionDeleted,
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
    saveKey: (platform: string, body: Shape<'StreamCredentialInput'>) =>
      after(
        unwrap(client.PUT('/api/stream/credentials/{platform}', { params: { path: { platform } }, body })),
      ),
    deleteKey: (platform: string) =>
      after(unwrap(client.DELETE('/api/stream/credentials/{platform}', { params: { path: { platform } } }))),
  }
}

export type StreamActions = ReturnType<typeof useStreamActions>
