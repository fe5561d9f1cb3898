import { useRef, useState } from 'react'
import type { Versioned } from '../../../api/client.ts'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { AreaField, SelectField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { Weekday } from '../../../ui/weekdays.ts'
import { type DayWords, dayOf } from '../days.ts'
import type { ChangeTarget, Scope } from '../delete-event.ts'
import { type CreateShowAction, type EventChange, isOutdated, useSaveEvent } from '../save-event.ts'
import { type CalendarEvent, STATUS_WORDS, STATUSES, type Status } from '../words.ts'
import { bodyOf, changesBetween, type Draft, draftOf } from './draft.ts'
import './editor.css'
import { AlarmsField } from './alarms-field.tsx'
import { PeopleField } from './people-field.tsx'
import { RemindersField } from './reminders-field.tsx'
import { moveRepeat } from './repeat.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { useSavedEventDraft } from './use-saved-event-draft.ts'
import { WhenFields } from './when-fields.tsx'

/** A loaded event with the recurrence rule of its series. */
export interface LoadedEvent {
  version: Versioned<CalendarEvent>
  recurrence: string | null
}

export type Editing = { kind: 'new'; draft: Draft } | { kind: 'change'; read: LoadedEvent }

export interface EditorProps {
  words: DayWords
  time: (at: string) => string
  hours: (start: string, end: string) => string
  timezone: string
  weekStart: Weekday
  onClose: () => void
  reloadEvent: (event: CalendarEvent) => Promise<LoadedEvent>
  /** Asks which occurrences are meant. Null: the user cancelled. */
  askScope: (question: { verb: 'Change' | 'Delete'; canThis: boolean }) => Promise<Scope | null>
  createShowAction: CreateShowAction
}

export const EditorDialog = ({ editing, ...rest }: EditorProps & { editing: Editing | null }) => {
  const displayed = useLastValue(editing)
  const turn = useRef({ isOpen: false, count: 0 })
  // A new key resets the form each time the dialog opens.
  if (editing && !turn.current.isOpen) turn.current.count++
  turn.current.isOpen = editing !== null
  if (!displayed) return null
  return <Editor key={turn.current.count} editing={displayed} open={editing !== null} {...rest} />
}

const toChangeTarget = ({ id, occurrenceStart }: CalendarEvent, scope: Scope): ChangeTarget => ({
  id,
  occurrence: occurrenceStart,
  scope,
})

const blankOf = (editing: Editing): Draft =>
  editing.kind === 'new' ? editing.draft : draftOf(editing.read.version.value, editing.read.recurrence)

const savedFormNameOf = (editing: Editing): string => {
  if (editing.kind === 'new') return 'event'
  const { id, occurrenceStart } = editing.read.version.value
  return ['event', id, occurrenceStart].filter(Boolean).join(' ')
}

const Editor = ({ editing, open, ...props }: EditorProps & { editing: Editing; open: boolean }) => {
  const { words, time, hours, timezone, weekStart, onClose, reloadEvent, askScope, createShowAction } = props
  const saving = useSaveEvent(createShowAction)
  const [base, setBase] = useState(editing.kind === 'change' ? editing.read : null)
  const before = base === null ? null : draftOf(base.version.value, base.recurrence)
  const { draft, setDraft, form } = useSavedEventDraft(
    open ? savedFormNameOf(editing) : null,
    before ?? blankOf(editing),
  )
  const [isDetailed] = useState(
    draft.attendees.length > 0 || draft.description !== '' || draft.notes !== '' || draft.tags !== '',
  )
  const [conflict, setConflict] = useState<{
    theirs: LoadedEvent
    changes: EventChange
    changeTarget: ChangeTarget
  } | null>(null)
  const [deletedAlarmIds, setDeletedAlarmIds] = useState<readonly string[]>([])
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })

  const send = async (changeTarget: ChangeTarget, changes: EventChange, read: LoadedEvent) => {
    const toastText = `“${changes.title ?? read.version.value.title}” is saved.`
    const { value } = await saving.change(changeTarget, changes, read.version.etag, { toastText })
    // Saving with scope `following` may have split the series, so the alarms are deleted in both.
    if (deletedAlarmIds.length > 0)
      for (const id of new Set([changeTarget.id, value.id])) await saving.deleteAlarms(id, deletedAlarmIds)
    onClose()
  }

  const change = async (read: LoadedEvent, was: Draft) => {
    const event = read.version.value
    const { recurrence, ...plain } = changesBetween(bodyOf(was), bodyOf(draft))
    const isRuled = JSON.stringify(was.repeat) !== JSON.stringify(draft.repeat)
    const changes: EventChange = isRuled && recurrence !== undefined ? { ...plain, recurrence } : plain
    if (Object.keys(changes).length === 0) {
      if (deletedAlarmIds.length > 0) await saving.deleteAlarms(event.id, deletedAlarmIds)
      return onClose()
    }
    const isSeries = event.recurringEventId !== null
    const scope = isSeries ? await askScope({ verb: 'Change', canThis: !isRuled }) : 'all'
    if (scope === null) return
    const isMoved = changes.start !== undefined && !isRuled && isSeries && scope !== 'this'
    const contextOf = ({ startDay, allDay, timezone: zone }: Draft) => ({
      start: dayOf(startDay),
      allDay,
      timezone: zone,
    })
    const moved = isMoved ? moveRepeat(read.recurrence, contextOf(was), contextOf(draft)) : read.recurrence
    const whole = moved === read.recurrence ? changes : { ...changes, recurrence: moved }
    const changeTarget = toChangeTarget(event, scope)
    try {
      await send(changeTarget, whole, read)
    } catch (error) {
      if (!isOutdated(error)) throw error
      setConflict({ theirs: await reloadEvent(event), changes: whole, changeTarget })
    }
  }

  const submit = async () => {
    setConflict(null)
    if (base && before) return change(base, before)
    await saving.create(bodyOf(draft))
    onClose()
  }

  const takeTheirs = () => {
    if (!conflict) return
    setBase(conflict.theirs)
    setDraft(draftOf(conflict.theirs.version.value, conflict.theirs.recurrence))
    setConflict(null)
  }
  const theirs = conflict?.theirs.version.value
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      size="large"
      title={base === null ? 'New event' : 'Edit event'}
      action={base === null ? 'Create' : 'Save'}
      savedForm={form}
      onSubmit={submit}
    >
      {conflict && theirs && (
        <ChangedElsewhere
          theirs={`There it is “${theirs.title}”, ${words.long(dayOf(draftOf(theirs, null).startDay))}${theirs.allDay ? '' : ` at ${time(theirs.start)}`}.`}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => send(conflict.changeTarget, conflict.changes, conflict.theirs)}
        />
      )}
      <TextField
        name="title"
        label="Title"
        required
        maxLength={1000}
        autoComplete="off"
        value={draft.title}
        onChange={(event) => set({ title: event.target.value })}
      />
      <WhenFields draft={draft} onChange={setDraft} timezone={timezone} hours={hours} />
      <RepeatFields draft={draft} onChange={setDraft} words={words} weekStart={weekStart} />
      <div className="editor-pair">
        <TextField
          name="location"
          label="Place"
          maxLength={2000}
          value={draft.location}
          onChange={(event) => set({ location: event.target.value })}
        />
        <TextField
          name="meetingUrl"
          label="Meeting link"
          type="url"
          placeholder="https://"
          maxLength={2000}
          value={draft.meetingUrl}
          onChange={(event) => set({ meetingUrl: event.target.value })}
        />
      </div>
      <div className="editor-pair">
        <div className="people">
          <RemindersField reminders={draft.reminders} onChange={(reminders) => set({ reminders })} />
          {base && (
            <AlarmsField
              eventId={base.version.value.id}
              deletedAlarmIds={deletedAlarmIds}
              onDelete={(id) => setDeletedAlarmIds([...deletedAlarmIds, id])}
              words={words}
              time={time}
              timezone={timezone}
            />
          )}
        </div>
        <SelectField
          name="status"
          label="Status"
          value={draft.status}
          onChange={(event) => set({ status: event.target.value as Status })}
        >
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_WORDS[status]}
            </option>
          ))}
        </SelectField>
      </div>
      <details className="editor-more" open={isDetailed}>
        <summary>People, notes and tags</summary>
        <div>
          <PeopleField people={draft.attendees} onChange={(attendees) => set({ attendees })} />
          <AreaField
            name="description"
            label="Description"
            maxLength={100_000}
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
          <AreaField
            name="notes"
            label="Notes"
            hint="For you alone."
            maxLength={100_000}
            value={draft.notes}
            onChange={(event) => set({ notes: event.target.value })}
          />
          <TextField
            name="tags"
            label="Tags"
            hint="Words with commas between them."
            value={draft.tags}
            onChange={(event) => set({ tags: event.target.value })}
          />
          <label className="check">
            <input
              type="checkbox"
              checked={draft.busy}
              onChange={(event) => set({ busy: event.target.checked })}
            />
            <span>It takes up my time</span>
          </label>
        </div>
      </details>
    </FormDialog>
  )
}
