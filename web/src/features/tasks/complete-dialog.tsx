import * as common from '#locale/shared-texts'
import * as t from '#locale/task-trees'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import type { Task } from './groups.ts'

/** A task with open subtasks. */
export interface Asked {
  task: Task
  subtasks: readonly Task[]
}

interface CompleteDialogProps {
  /** Null closes the dialog. */
  asked: Asked | null
  onClose: () => void
  /** Completes the task and the given subtasks. */
  onComplete: (task: Task, subtasks: readonly Task[]) => void
}

/** Asks whether the open subtasks of a completed task are completed, too. */
export const CompleteDialog = ({ asked, onClose, onComplete }: CompleteDialogProps) => {
  const last = useLastValue(asked)
  const choose = (subtasks: readonly Task[]) => {
    if (asked) onComplete(asked.task, subtasks)
    onClose()
  }
  return (
    <Dialog
      open={asked !== null}
      onClose={onClose}
      alert
      title={t.completeTitle(last?.task.title ?? '')}
      about={t.openSubtasks(last?.subtasks.length ?? 0)}
    >
      <div className="dialog-actions">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button onClick={() => choose([])}>{t.onlyThisTask}</Button>
        <Button kind="primary" data-first onClick={() => choose(asked?.subtasks ?? [])}>
          {t.completeAll}
        </Button>
      </div>
    </Dialog>
  )
}
