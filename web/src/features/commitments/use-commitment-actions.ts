import * as t from '#locale/commitments'
import { type Commitment, useCommitmentRequests } from '../../api/commitments.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'

/** Changes of a commitment, each with its undo. */
export const useCommitmentActions = () => {
  const { change, makeTask, undo } = useCommitmentRequests()
  const notify = useNotify()
  const attempt = useAttempt()
  const setStatus = ({ id, status: before }: Commitment, status: Commitment['status'], text: string) =>
    attempt(async () => {
      await change(id, { status })
      notify(text, { undo: () => void attempt(() => change(id, { status: before })) })
    })
  return {
    finish: (commitment: Commitment) => setStatus(commitment, 'done', t.markedDone),
    dismiss: (commitment: Commitment) => setStatus(commitment, 'dismissed', t.dismissed),
    reopen: (commitment: Commitment) => setStatus(commitment, 'open', t.reopened),
    /** Throws, so that the form shows what is wrong. */
    async edit(
      commitment: Commitment,
      changed: Pick<Commitment, 'text' | 'dueAt' | 'dueDay'>,
    ): Promise<void> {
      const { id, text, dueAt, dueDay } = commitment
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
