import { CalendarSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import * as calendar from '#locale/calendar'
import * as t from '#locale/event-editor'
import * as common from '#locale/shared-texts'
import type { Calendar } from '../../../api/calendars.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { AreaField, CheckField, Options, SelectField, TextField } from '../../../ui/field.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { Weekday } from '../../../ui/weekdays.ts'
import { isSharedCalendar, listMoveTargets, listWritable } from '../calendars/calendar-access.ts'
import { CalendarField } from '../calendars/calendar-field.tsx'
import { type DayWords, dayOf } from '../days.ts'
import { type CalendarEvent, STATUSES, type Status } from '../event.ts'
import { FindTimeDialog } from '../find-time/find-time-dialog.tsx'
import type { AskInvitations } from '../invitation-question.tsx'
import type { CreateShowAction } from '../save-event.ts'
import type { AskScope } from '../scope-question.tsx'
import { AttendeesField } from './attendees-field.tsx'
import { BufferFields } from './buffer-fields.tsx'
import { ConferencingField } from './conferencing-field.tsx'
import { type Draft, draftOf } from './draft.ts'
import { AlarmsField, RemindersField } from './reminders-field.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import { type Editing, type LoadedEvent, useEventForm } from './use-event-form.ts'
import { WhenFields } from './when-fields.tsx'
import './editor.css'

interface EditorProps {
  words: DayWords
  time: (at: string) => string
  hours: (start: string, end: string) => string
  timezone: string
  calendars: readonly Calendar[]
  weekStart: Weekday
  onClose: () => void
  reloadEvent: (event: CalendarEvent) => Promise<LoadedEvent>
  askScope: AskScope
  askInvitations: AskInvitations
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

const Editor = ({ editing, open, ...props }: EditorProps & { editing: Editing; open: boolean }) => {
  const { words, time, hours, timezone, calendars, weekStart, onClose } = props
  const findCalendar = (id: number | null) => calendars.find((calendar) => calendar.id === id) ?? null
  const current = editing.kind === 'new' ? null : findCalendar(editing.read.version.value.calendarId)
  const offered = editing.kind === 'new' ? listWritable(calendars) : listMoveTargets(calendars, current)
  const isShared = current !== null && current.owner !== null
  const form = useEventForm({ editing, open, offered, isShared, ...props })
  const { base, draft, setDraft } = form
  const chosen = findCalendar(draft.calendarId)
  const [isFindingTime, setIsFindingTime] = useState(false)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const describeSavedVersion = (event: CalendarEvent): string => {
    const date = words.long(dayOf(draftOf(event, null).startDay))
    const when = event.allDay ? date : t.dateAndTime({ date, time: time(event.start) })
    return t.savedVersion({ title: event.title, when })
  }
  return (
    <>
      <FormDialog
        open={open}
        onClose={onClose}
        size="large"
        title={base === null ? t.newEvent : t.editEvent}
        action={base === null ? t.create : common.save}
        savedForm={form.savedForm}
        onSubmit={form.submit}
      >
        {form.conflict && (
          <ChangedElsewhere
            theirs={describeSavedVersion(form.conflict.theirs.version.value)}
            onTakeTheirs={form.takeTheirs}
            onKeepMine={form.keepMine}
          />
        )}
        <TextField
          name="title"
          label={t.title}
          required
          maxLength={1000}
          autoComplete="off"
          value={draft.title}
          onChange={(event) => set({ title: event.target.value })}
        />
        <WhenFields draft={draft} onChange={setDraft} timezone={timezone} hours={hours} />
        <CalendarField
          calendars={offered}
          value={draft.calendarId}
          onChange={(calendarId) => set({ calendarId })}
        />
        <RepeatFields draft={draft} onChange={setDraft} words={words} weekStart={weekStart} />
        <AttendeesField attendees={draft.attendees} onChange={(attendees) => set({ attendees })} />
        <div>
          <Button data-find-time="" onClick={() => setIsFindingTime(true)}>
            <CalendarSearch size={17} aria-hidden="true" />
            {t.findTime}
          </Button>
        </div>
        <div className="editor-pair">
          <TextField
            name="location"
            label={t.location}
            maxLength={2000}
            value={draft.location}
            onChange={(event) => set({ location: event.target.value })}
          />
          <TextField
            name="meetingUrl"
            label={t.meetingLink}
            type="url"
            placeholder="https://"
            maxLength={2000}
            value={draft.meetingUrl}
            onChange={(event) => set({ meetingUrl: event.target.value })}
          />
        </div>
        <ConferencingField draft={draft} onChange={(conferencing) => set({ conferencing })} />
        <div className="editor-pair">
          <div className="editor-list">
            <RemindersField reminders={draft.reminders} onChange={(reminders) => set({ reminders })} />
            {base && (
              <AlarmsField
                eventId={base.version.value.id}
                deletedAlarmIds={form.deletedAlarmIds}
                onDelete={form.deleteAlarm}
                words={words}
                time={time}
                timezone={timezone}
              />
            )}
          </div>
          <SelectField
            name="status"
            label={t.status}
            value={draft.status}
            onChange={(event) => set({ status: event.target.value as Status })}
          >
            <Options entries={STATUSES.map((status) => [status, calendar.statuses[status]])} />
          </SelectField>
        </div>
        <CheckField
          checked={draft.busy}
          onChange={(event) => set({ busy: event.target.checked })}
          label={t.showAsBusy}
        />
        <BufferFields draft={draft} onChange={set} />
        <MoreDetails draft={draft} onChange={set} isShared={chosen !== null && isSharedCalendar(chosen)} />
      </FormDialog>
      <FindTimeDialog
        open={open && isFindingTime}
        draft={draft}
        eventId={base?.version.value.id ?? null}
        timezone={timezone}
        weekStart={weekStart}
        words={words}
        hours={hours}
        onClose={() => setIsFindingTime(false)}
        onChoose={setDraft}
      />
    </>
  )
}

interface MoreDetailsProps {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  /** Whether others see the notes. */
  isShared: boolean
}

/** Fields that few events use. They are open from the start if one of them is filled. */
const MoreDetails = ({ draft, onChange, isShared }: MoreDetailsProps) => {
  const [isOpen] = useState(draft.description !== '' || draft.notes !== '' || draft.tags !== '')
  return (
    <details className="editor-more" open={isOpen}>
      <summary>{t.moreDetails}</summary>
      <div>
        <AreaField
          name="description"
          label={t.description}
          maxLength={100_000}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
        <AreaField
          name="notes"
          label={t.notes}
          hint={isShared ? undefined : t.notesHint}
          maxLength={100_000}
          value={draft.notes}
          onChange={(event) => onChange({ notes: event.target.value })}
        />
        <TextField
          name="tags"
          label={t.tags}
          hint={t.tagsHint}
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
        />
      </div>
    </details>
  )
}
