import { useQuery } from '@tanstack/react-query'
import { Square, Timer } from 'lucide-react'
import { Link } from 'wouter'
import * as t from '#locale/time-entries'
import { useClient } from '../api/context.tsx'
import { runningTimerQuery, useTimerActions } from '../api/time-entries.ts'
import { formatDuration } from '../locales/format.ts'
import { IconButton } from '../ui/button.tsx'
import { useNotify } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { useNow } from '../ui/use-now.ts'
import './running-timer.css'

const MINUTE_MS = 60_000

/** The running timer, on every page. */
export const RunningTimer = () => {
  const notify = useNotify()
  const attempt = useAttempt()
  const now = useNow()
  const timer = useQuery(runningTimerQuery(useClient())).data
  const { stop } = useTimerActions()
  if (!timer) return null
  const { taskId, taskTitle, startedAt } = timer
  // The clock of the browser can be behind.
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / MINUTE_MS))
  const stopTimer = () =>
    attempt(async () => {
      await stop(taskId)
      notify(t.timerStopped(taskTitle))
    })
  return (
    <section className="running-timer" aria-label={t.runningTimer}>
      <Link href={`/tasks?task=${taskId}`} title={taskTitle}>
        <Timer size={18} aria-hidden="true" />
        <span className="running-timer-title">{taskTitle}</span>
        <span className="running-timer-time">{formatDuration(minutes)}</span>
      </Link>
      <IconButton
        icon={Square}
        label={t.stopTimerOf(taskTitle)}
        title={t.stopTimer}
        onClick={() => void stopTimer()}
      />
    </section>
  )
}
