import * as t from '#locale/promises'
import { type Commitment, useCommitmentActions } from '../../api/commitments.ts'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'

/** Changes of a promise, each with its undo. */
export const usePromiseActions = () => {
  const { change, makeTask, undo } = useCommitmentActions()
  const notify = useNotify()
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  const setStatus = ({ id, status: before }: Commitment, status: Commitment['status'], text: string) =>
    attempt(async () => {
      await change(id, { status })
      notify(text, { undo: () => void attempt(() => change(id, { status: before })) })
    })
  return {
    finish: (promise: Commitment) => setStatus(promise, 'done', t.markedDone),
    dismiss: (promise: Commitment) => setStatus(promise, 'dismissed', t.dismissed),
    reopen: (promise: Commitment) => setStatus(promise, 'open', t.reopened),
    /** Throws, so that the form shows what is wrong. */
    async edit(promise: Commitment, changed: Pick<Commitment, 'text' | 'dueAt' | 'dueDay'>): Promise<void> {
      const { id, text, dueAt, dueDay } = promise
      await change(id, changed)
      const before = { text, dueDay, dueAt: dueDay === null ? dueAt : null }
      notify(t.saved, {
        undo: () =>
          void attempt(async () => {
            await change(id, before)
            notify(t.restored)
          }),
      })
    },
    keepOpen: ({ id }: Commitment) =>
      attempt(async () => {
        await change(id, { rejectSuggestion: true })
        notify(t.kept)
      }),
    makeTask: ({ id }: Commitment) =>
      attempt(async () => {
        const { actionId } = await makeTask(id)
        notify(t.taskCreated, {
          ...(actionId !== null && { undo: () => void attempt(() => undo(actionId)) }),
        })
      }),
  }
}
