import { useState } from 'react'
import * as calendar from '#locale/calendar'
import type { Calendar } from '../../../api/calendars.ts'
import type { Versioned } from '../../../api/client.ts'
import { withOfferedCalendar } from '../calendars/calendar-access.ts'
import { dayOf } from '../days.ts'
import type { ChangeTarget, Scope } from '../delete-event.ts'
import type { CalendarEvent, EventChange } from '../event.ts'
import {
  type AskInvitations,
  concernsOthers,
  type InvitationChoice,
  planChange,
} from '../invitation-question.tsx'
import { type CreateShowAction, isOutdated, useSaveEvent } from '../save-event.ts'
import type { AskScope } from '../scope-question.tsx'
import { bodyOf, changesBetween, type Draft, draftOf } from './draft.ts'
import { moveRepeat } from './repeat.ts'
import { useSavedEventDraft } from './use-saved-event-draft.ts'

/** A loaded event with the recurrence rule of its series. */
export interface LoadedEvent {
  version: Versioned<CalendarEvent>
  recurrence: string | null
}

export type Editing =
  /** `draft` is the input so far; `blank` is the event before anything was entered. */
  { kind: 'new'; blank: Draft; draft: Draft } | { kind: 'change'; read: LoadedEvent }

/** Changes that were refused because the event was changed elsewhere. */
interface Conflict {
  theirs: LoadedEvent
  changes: EventChange
  changeTarget: ChangeTarget
  choice: InvitationChoice
}

const NOTHING: InvitationChoice = { sendInvitations: false }

interface EventFormOptions {
  editing: Editing
  open: boolean
  /** The calendars that the event can be in. */
  offered: readonly Calendar[]
  /** The event is in a calendar of somebody else. */
  isShared: boolean
  onClose: () => void
  reloadEvent: (event: CalendarEvent) => Promise<LoadedEvent>
  askScope: AskScope
  askInvitations: AskInvitations
  createShowAction: CreateShowAction
}

const toChangeTarget = ({ id, occurrenceStart }: CalendarEvent, scope: Scope): ChangeTarget => ({
  id,
  occurrence: occurrenceStart,
  scope,
})

const toDraft = ({ version, recurrence }: LoadedEvent): Draft => draftOf(version.value, recurrence)

const toSavedFormName = (editing: Editing): string => {
  if (editing.kind === 'new') return 'event'
  const { id, occurrenceStart } = editing.read.version.value
  return ['event', id, occurrenceStart].filter(Boolean).join(' ')
}

const toRuleContext = ({ startDay, allDay, timezone }: Draft) => ({
  start: dayOf(startDay),
  allDay,
  timezone,
})

/** State of the event editor: the draft, conflicts, and saving. */
export const useEventForm = (options: EventFormOptions) => {
  const { editing, open, offered, isShared, onClose, reloadEvent, askScope, askInvitations } = options
  const { createShowAction } = options
  const saving = useSaveEvent(createShowAction)
  const [base, setBase] = useState(editing.kind === 'change' ? editing.read : null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [deletedAlarmIds, setDeletedAlarmIds] = useState<readonly string[]>([])
  const before = base === null ? null : toDraft(base)
  const {
    draft: savedDraft,
    setDraft,
    form,
  } = useSavedEventDraft(
    open ? toSavedFormName(editing) : null,
    editing.kind === 'new' ? editing.blank : toDraft(base ?? editing.read),
    editing.kind === 'new' ? editing.draft : undefined,
  )
  const draft = withOfferedCalendar(savedDraft, offered)

  /** Restores the previous values of a single event. A series may have been split, and guests were notified. */
  const createUndo = ({ changeTarget, changes, theirs }: Omit<Conflict, 'choice'>): (() => void) | null => {
    const previous = theirs.version.value
    if (previous.recurrence !== null || previous.recurringEventId !== null || 'recurrence' in changes)
      return null
    if (previous.attendees.length > 0 || 'attendees' in changes) return null
    const keys = Object.keys(changes).map((key) =>
      key === 'conferencing' ? 'meetingUrl' : key,
    ) as (keyof EventChange & keyof typeof previous)[]
    const inverse: EventChange = Object.fromEntries(keys.map((key) => [key, previous[key]]))
    return () => void saving.undoChange(changeTarget, inverse, calendar.eventRestored(previous.title))
  }

  const send = async ({ changeTarget, changes, theirs, choice }: Conflict) => {
    const toastText = calendar.eventSaved(changes.title ?? theirs.version.value.title)
    const undo = createUndo({ changeTarget, changes, theirs })
    const toast = { toastText, ...(undo && { undo }) }
    const { value } = await saving.change(changeTarget, changes, theirs.version.etag, toast, choice)
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
    // Occurrences are always in the calendar of their series. Own reminders for events of others apply to the
    // series too.
    const isForSeries =
      isRuled || changes.calendarId !== undefined || (isShared && changes.reminders !== undefined)
    const scope = isSeries ? await askScope(isForSeries ? 'changeRule' : 'change') : 'all'
    if (scope === null) return
    const isMoved = changes.start !== undefined && !isRuled && isSeries && scope !== 'this'
    const moved = isMoved
      ? moveRepeat(read.recurrence, toRuleContext(was), toRuleContext(draft))
      : read.recurrence
    const whole = moved === read.recurrence ? changes : { ...changes, recurrence: moved }
    const changeTarget = toChangeTarget(event, scope)
    const choice =
      isShared || !concernsOthers(whole)
        ? NOTHING
        : await askInvitations(planChange('change', event, whole.attendees as Draft['attendees'] | undefined))
    if (choice === null) return
    try {
      await send({ changeTarget, changes: whole, theirs: read, choice })
    } catch (error) {
      if (!isOutdated(error)) throw error
      setConflict({ theirs: await reloadEvent(event), changes: whole, changeTarget, choice })
    }
  }

  return {
    /** The loaded event; null for a new one. */
    base,
    draft,
    setDraft,
    savedForm: form,
    conflict,
    deletedAlarmIds,
    deleteAlarm: (id: string) => setDeletedAlarmIds([...deletedAlarmIds, id]),
    async submit() {
      setConflict(null)
      if (base && before) return change(base, before)
      const { attendees, status } = draft
      const isOthers = offered.some(({ id, owner }) => id === draft.calendarId && owner !== null)
      const choice = isOthers
        ? NOTHING
        : await askInvitations(planChange('create', { organizer: null, attendees, status }))
      if (choice === null) return
      await saving.create(bodyOf(draft), choice)
      onClose()
    },
    takeTheirs() {
      if (!conflict) return
      setBase(conflict.theirs)
      setDraft(toDraft(conflict.theirs))
      setConflict(null)
    },
    async keepMine() {
      if (conflict) await send(conflict)
    },
  }
}
