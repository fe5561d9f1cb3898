import { useQuery } from '@tanstack/react-query'
import { Pencil, Play, Square, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/time-entries'
import { useProfile } from '../../api/account.ts'
import { useClient } from '../../api/context.tsx'
import { useTaskLists } from '../../api/task-lists.ts'
import {
  runningTimerQuery,
  type TimeEntry,
  type TimeEntryChange,
  type TimeEntryInput,
  useTimeEntries,
  useTimeEntryActions,
  useTimerActions,
} from '../../api/time-entries.ts'
import { formatDuration } from '../../locales/format.ts'
import { AddButton, Button } from '../../ui/button.tsx'
import { DateField, TimeField } from '../../ui/date-time-input.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { LoadedList } from '../../ui/loaded.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useNow } from '../../ui/use-now.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { Task } from './groups.ts'
import { addDays, instantOf, toLocalTime } from './local-time.ts'
import './records.css'

const DELETION_KIND = 'time-entry'
const HOUR_MS = 3_600_000

const formatSeconds = (seconds: number): string => formatDuration(Math.floor(seconds / 60))

interface Times {
  day: string
  from: string
  to: string
}

const toTimes = (entry: TimeEntry | null, timeZone: string): Times => {
  const end = new Date(entry?.endedAt ?? Date.now())
  const start = new Date(entry?.startedAt ?? end.getTime() - HOUR_MS)
  const [day = '', from = ''] = toLocalTime(start, timeZone).split('T')
  return { day, from, to: toLocalTime(end, timeZone).slice(11) }
}

/** An end before the start is on the next day. */
const toInstants = ({ day, from, to }: Times, timeZone: string) => ({
  startedAt: instantOf(`${day}T${from}`, timeZone),
  endedAt: instantOf(`${to < from ? addDays(day, 1) : day}T${to}`, timeZone),
})

interface EntryDialogProps {
  /** `new` adds an entry; null closes the dialog. */
  entry: TimeEntry | 'new' | null
  onSave: (entry: TimeEntry | null, input: TimeEntryChange) => Promise<unknown>
  onClose: () => void
}

/** The day and the hours of an entry. Hours that nobody touches keep their seconds. */
const EntryDialog = ({ entry, onSave, onClose }: EntryDialogProps) => {
  const { timeZone } = useDates()
  const [changed, setChanged] = useState<Times | null>(null)
  const existing = entry === 'new' ? null : entry
  const times = changed ?? toTimes(existing, timeZone)
  const set = (change: Partial<Times>) => setChanged({ ...times, ...change })
  const close = () => {
    setChanged(null)
    onClose()
  }
  return (
    <FormDialog
      open={entry !== null}
      onClose={close}
      title={existing ? t.editTime : t.addTime}
      onSubmit={async (values) => {
        const note = readText(values, 'note')
        await onSave(existing, {
          note,
          ...((changed || !existing) && toInstants(times, timeZone)),
        })
        close()
      }}
    >
      <DateField name="day" label={t.day} value={times.day} onChange={(day) => set({ day })} />
      <div className="task-fields">
        <TimeField name="from" label={t.from} value={times.from} onChange={(from) => set({ from })} />
        <TimeField name="to" label={t.to} value={times.to} onChange={(to) => set({ to })} />
      </div>
      <TextField
        name="note"
        label={t.note}
        maxLength={500}
        autoComplete="off"
        defaultValue={existing?.note}
      />
    </FormDialog>
  )
}

interface EntryRowProps {
  entry: TimeEntry
  isOwn: boolean
  canDelete: boolean
  onEdit: () => void
  onDelete: () => void
}

const EntryRow = ({ entry, isOwn, canDelete, onEdit, onDelete }: EntryRowProps) => {
  const { shortDate, hours, time } = useDates()
  const now = useNow()
  const { personName, startedAt, endedAt, seconds, note } = entry
  const when = `${shortDate(startedAt, now)}, ${endedAt === null ? time(startedAt) : hours(startedAt, endedAt)}`
  const actions = [
    // A running timer has no end that could be edited.
    ...(isOwn && endedAt !== null ? [{ label: common.edit, icon: Pencil, onSelect: onEdit }] : []),
    ...(canDelete ? [{ label: common.remove, icon: Trash2, onSelect: onDelete }] : []),
  ]
  return (
    <li className="task-record">
      <div className="task-record-head">
        <strong>{seconds === null ? t.running : formatSeconds(seconds)}</strong>
        <span className="quiet small">
          {personName} · {when}
        </span>
        {actions.length > 0 && (
          <RowMenu label={t.entryActions({ person: personName, when })} actions={actions} />
        )}
      </div>
      {note !== '' && <p className="task-record-text">{note}</p>}
    </li>
  )
}

/** The time that people spent on a task, and the timer. Who may only view the list sees it. */
export const TimeEntries = ({ task: { id: taskId, listId, title, status } }: { task: Task }) => {
  const headingId = useId()
  const notify = useNotify()
  const attempt = useAttempt()
  const lists = useTaskLists()
  const callerId = useProfile().data?.value.id
  const running = useQuery(runningTimerQuery(useClient())).data
  const query = useTimeEntries(taskId)
  const { start, stop } = useTimerActions()
  const { add, change, send } = useTimeEntryActions(taskId)
  const deleteWithUndo = useUndoableDelete()
  const pendingIds = usePendingDeletionIds(DELETION_KIND)
  const [edited, setEdited] = useState<TimeEntry | 'new' | null>(null)
  const isEditable = lists.isEditable(listId)
  const isRunning = running?.taskId === taskId
  const isOpen = status === 'todo' || status === 'doing'
  const trackedSeconds = query.data?.pages[0]?.trackedSeconds ?? 0
  const startTimer = () =>
    attempt(async () => {
      const { stopped } = await start(taskId)
      notify(stopped === null ? t.timerStarted(title) : t.otherTimerStopped(title))
    })
  const stopTimer = () =>
    attempt(async () => {
      await stop(taskId)
      notify(t.timerStopped(title))
    })
  const save = (entry: TimeEntry | null, input: TimeEntryChange) =>
    entry ? change(entry, input) : add(input as TimeEntryInput)
  const remove = (entry: TimeEntry): void =>
    deleteWithUndo({
      kind: DELETION_KIND,
      target: entry.id,
      toastText: t.timeDeleted,
      undoneText: t.timeRestored,
      send: () => send(entry),
    })
  return (
    <section aria-labelledby={headingId} className="task-records">
      <div className="task-record-head">
        <h3 id={headingId}>{t.time}</h3>
        {trackedSeconds > 0 && (
          <span className="quiet small">{t.tracked(formatSeconds(trackedSeconds))}</span>
        )}
      </div>
      <LoadedList
        query={query}
        needsClick
        itemsOf={({ timeEntries }) => timeEntries.filter(({ id }) => !pendingIds.has(id))}
        empty={null}
      >
        {(entries) => (
          <ul>
            {entries.map((entry) => {
              const isOwn = entry.personId === callerId
              return (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  isOwn={isEditable && isOwn}
                  canDelete={isEditable && (isOwn || lists.isOwn(listId))}
                  onEdit={() => setEdited(entry)}
                  onDelete={() => remove(entry)}
                />
              )
            })}
          </ul>
        )}
      </LoadedList>
      {(isEditable || isRunning) && (
        <div className="task-record-actions">
          {isRunning ? (
            <Button size="small" onClick={() => void stopTimer()}>
              <Square size={16} aria-hidden="true" />
              {t.stopTimer}
            </Button>
          ) : (
            isOpen && (
              <Button size="small" onClick={() => void startTimer()}>
                <Play size={16} aria-hidden="true" />
                {t.startTimer}
              </Button>
            )
          )}
          {isEditable && (
            <AddButton kind="quiet" onClick={() => setEdited('new')}>
              {t.addTime}
            </AddButton>
          )}
        </div>
      )}
      <EntryDialog entry={edited} onSave={save} onClose={() => setEdited(null)} />
    </section>
  )
}
