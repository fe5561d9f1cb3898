import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { AreaField, Field, SelectField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { Weekday } from '../../../ui/weekdays.ts'
import { type DayWords, dayOf, momentOf } from '../days.ts'
import type { ChangeTarget, Scope } from '../delete-event.ts'
import { alarmsQuery } from '../events.ts'
import { type CreateShowAction, type EventChange, isOutdated, useSaveEvent } from '../save-event.ts'
import {
  type Alarm,
  alarmWords,
  type CalendarEvent,
  RSVP_LABELS,
  reminderWords,
  STATUS_WORDS,
  STATUSES,
  type Status,
} from '../words.ts'
import { bodyOf, changesBetween, type Draft, draftOf } from './draft.ts'
import { moveRepeat } from './repeat.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { useSavedEventDraft } from './use-saved-event-draft.ts'
import { WhenFields } from './when-fields.tsx'
import './editor.css'

type Attendees = CalendarEvent['attendees']

const PERSON_PATTERN = /^(?:(.*?)\s*<\s*([^<>\s]+@[^<>\s]+)\s*>|([^<>\s]+@[^<>\s]+))$/

/** Parses "Ana Ruiz <ana@example.org>" or a plain address. */
const readPerson = (text: string): Attendees[number] | null => {
  const [, name = '', inBrackets, alone] = PERSON_PATTERN.exec(text.trim()) ?? []
  const email = inBrackets ?? alone
  return email === undefined ? null : { name: name.replace(/^"|"$/g, ''), email, status: 'needs-action' }
}

interface PeopleProps {
  people: Attendees
  onChange: (people: Attendees) => void
}

const PeopleField = ({ people, onChange }: PeopleProps) => {
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const add = () => {
    if (text.trim() === '') return
    const found = text.split(/[,;]/).filter((part) => part.trim() !== '')
    const read = found.map(readPerson)
    if (read.some((person) => person === null)) return setIsWrong(true)
    const fresh = read.filter(
      (person): person is Attendees[number] =>
        person !== null && !people.some(({ email }) => email.toLowerCase() === person.email.toLowerCase()),
    )
    onChange([...people, ...fresh])
    setText('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter adds the typed person. It submits the form only when the field is empty.
    if (text.trim() !== '') event.preventDefault()
    add()
  }
  return (
    <div className="people">
      <Field
        name="attendees"
        label="People"
        hint={
          isWrong ? (
            <span className="field-error" role="alert">
              Write an address such as ana@example.org, or Ana Ruiz &lt;ana@example.org&gt;.
            </span>
          ) : undefined
        }
      >
        {(control) => (
          <div className="input-with-button">
            <input
              className="input"
              type="text"
              autoComplete="off"
              placeholder="ana@example.org"
              {...control}
              value={text}
              onChange={(event) => {
                setIsWrong(false)
                setText(event.target.value)
              }}
              onKeyDown={onKey}
              onBlur={add}
            />
            <Button kind="quiet" shape="icon" size="small" aria-label="Add person" onClick={add}>
              <Plus size={18} aria-hidden="true" />
            </Button>
          </div>
        )}
      </Field>
      {people.length > 0 && (
        <ul className="pills" aria-label="People who are asked">
          {people.map((person) => (
            <li key={person.email} className="pill">
              <span title={person.email}>{person.name || person.email}</span>
              {person.status !== 'needs-action' && (
                <span className="quiet">{RSVP_LABELS[person.status]}</span>
              )}
              <button
                type="button"
                aria-label={`Remove ${person.name || person.email}`}
                onClick={() => onChange(people.filter((other) => other !== person))}
              >
                <X size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const CHOICES = [0, 5, 10, 15, 30, 60, 2 * 60, 24 * 60, 2 * 24 * 60, 7 * 24 * 60]
const MAX_REMINDERS = 20

interface RemindersProps {
  reminders: readonly number[]
  onChange: (reminders: readonly number[]) => void
}

const RemindersField = ({ reminders, onChange }: RemindersProps) => (
  <div className="people">
    <SelectField
      name="reminders"
      label="Reminders"
      value=""
      disabled={reminders.length >= MAX_REMINDERS}
      onChange={(event) => {
        if (event.target.value !== '')
          onChange([...reminders, Number(event.target.value)].sort((one, other) => one - other))
      }}
    >
      <option value="">{reminders.length === 0 ? 'None; add one…' : 'Add another…'}</option>
      {CHOICES.filter((minutes) => !reminders.includes(minutes)).map((minutes) => (
        <option key={minutes} value={minutes}>
          {reminderWords(minutes)}
        </option>
      ))}
    </SelectField>
    {reminders.length > 0 && (
      <ul className="pills" aria-label="Reminders that are set">
        {reminders.map((minutes) => (
          <li key={minutes} className="pill">
            <span>{reminderWords(minutes)}</span>
            <button
              type="button"
              aria-label={`Remove: ${reminderWords(minutes)}`}
              onClick={() => onChange(reminders.filter((other) => other !== minutes))}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
)

interface AlarmsProps {
  eventId: number
  /** Ids of the alarms to delete. */
  deletedAlarmIds: readonly string[]
  onDelete: (id: string) => void
  words: DayWords
  time: (at: string) => string
  timezone: string
}

/** Alarms from an imported file or a CalDAV server, in addition to the event's reminders. */
const AlarmsField = ({ eventId, deletedAlarmIds, onDelete, words, time, timezone }: AlarmsProps) => {
  const { data } = useQuery(alarmsQuery(useClient(), eventId))
  const alarms = data?.alarms.filter(({ id }) => !deletedAlarmIds.includes(id)) ?? []
  if (alarms.length === 0) return null
  const describeAlarm = (alarm: Alarm): string =>
    alarm.at === null
      ? alarmWords(alarm)
      : `${words.medium(momentOf(alarm.at, timezone, timezone).toPlainDate())}, ${time(alarm.at)}`
  return (
    <div className="people">
      <p className="quiet">The calendar it came from also reminds:</p>
      <ul className="pills" aria-label="Alarms of the calendar it came from">
        {alarms.map((alarm) => (
          <li key={alarm.id} className="pill">
            <span>{describeAlarm(alarm)}</span>
            <button
              type="button"
              aria-label={`Remove: ${describeAlarm(alarm)}`}
              onClick={() => onDelete(alarm.id)}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

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
