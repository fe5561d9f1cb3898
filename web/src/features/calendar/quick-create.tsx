import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import * as t from '#locale/calendar'
import type { Calendar } from '../../api/calendars.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { findDefaultCalendar, listWritable, withOfferedCalendar } from './calendars/calendar-access.ts'
import { CalendarField } from './calendars/calendar-field.tsx'
import { ConferencingField } from './editor/conferencing-field.tsx'
import { bodyOf, type Draft } from './editor/draft.ts'
import { useSavedEventDraft } from './editor/use-saved-event-draft.ts'
import { DateTimeFields } from './editor/when-fields.tsx'
import { applyEventText, listUnderstood, type ParsedText, useEventText } from './event-text.ts'
import { type AskInvitations, planChange } from './invitation-question.tsx'
import { toDraft } from './new-event.ts'
import type { NewEventRange } from './new-event-range.ts'
import { type CreateShowAction, useSaveEvent } from './save-event.ts'
import './quick-create.css'

interface QuickCreateProps {
  range: NewEventRange | null
  timezone: string
  calendars: readonly Calendar[]
  onClose: (isOutsidePress: boolean) => void
  /** Opens the editor. `blank` is the event before anything was entered. */
  onMore: (blank: Draft, draft: Draft) => void
  askInvitations: AskInvitations
  createShowAction: CreateShowAction
}

const findPlace = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-new-event]') ??
  document.querySelector<HTMLElement>('[data-new-event-button]')

/** Creates an event with a title and a time, beside its place in the calendar. */
export const QuickCreate = ({ range, onClose, ...rest }: QuickCreateProps) => {
  const displayed = useLastValue(range)
  if (!displayed) return null
  return (
    <Popover open={range !== null} onClose={onClose} title={t.newEvent} anchor={findPlace} side="right">
      <QuickCreateForm {...rest} range={displayed} onClose={onClose} />
    </Popover>
  )
}

/** The parts of the text that become fields, such as the place. */
const Understood = ({ parts }: { parts: ParsedText['understood'] }) =>
  parts.map(({ kind, text, offset }) => (
    <span key={`${kind}${offset}`}>
      <span className="quick-kind">{t.understoodKinds[kind]}</span> {text}
    </span>
  ))

const QuickCreateForm = ({
  range,
  timezone,
  calendars,
  onClose,
  onMore,
  askInvitations,
  createShowAction,
}: QuickCreateProps & { range: NewEventRange }) => {
  const saving = useSaveEvent(createShowAction)
  const [blank] = useState(() => toDraft(range, timezone, findDefaultCalendar(calendars)?.id ?? null))
  const { draft: savedDraft, setDraft, form } = useSavedEventDraft('event', blank)
  const offered = listWritable(calendars)
  const draft = withOfferedCalendar(savedDraft, offered)
  const [isPlain, setIsPlain] = useState(false)
  const recognizedId = useId()
  const { parsed, parse } = useEventText(draft)
  const understood = listUnderstood(parsed)
  const displayed = isPlain ? draft : applyEventText(draft, parsed)

  useEffect(() => {
    findPlace()?.scrollIntoView({ block: 'nearest' })
  }, [])

  const submit = async () => {
    const created = isPlain ? draft : applyEventText(draft, await parse())
    const isOthers = offered.some(({ id, owner }) => id === created.calendarId && owner !== null)
    const choice = isOthers
      ? { sendInvitations: false }
      : await askInvitations(planChange('create', { ...created, organizer: null }))
    if (choice === null) return
    await saving.create(bodyOf(created), choice)
    onClose(false)
  }
  const openEditor = () => {
    // The editor takes over the input, so that it is neither kept twice nor reported as unsaved.
    form.markSubmitting()
    form.discard()
    onMore(blank, displayed)
  }
  /** Shift+Enter opens the editor with everything that was typed and understood. */
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    openEditor()
  }
  return (
    <Form onSubmit={submit} savedForm={form}>
      <Field name="title" label={t.title}>
        {({ onInput, ...control }) => (
          <>
            <input
              className="input"
              type="text"
              required
              maxLength={1000}
              autoComplete="off"
              placeholder={t.titleExample}
              {...control}
              aria-describedby={[control['aria-describedby'], recognizedId].filter(Boolean).join(' ')}
              onKeyDown={onKey}
              value={draft.title}
              onChange={(event) => {
                onInput()
                if (event.target.value.trim() === '') setIsPlain(false)
                setDraft({ ...draft, title: event.target.value })
              }}
            />
            <div className="quick-recognized" id={recognizedId} aria-live="polite">
              {!isPlain && <Understood parts={understood} />}
            </div>
            {understood.length > 0 && (
              <Button kind="quiet" size="small" aria-pressed={isPlain} onClick={() => setIsPlain(!isPlain)}>
                {t.addAsPlainText}
              </Button>
            )}
          </>
        )}
      </Field>
      <DateTimeFields draft={displayed} onChange={setDraft} />
      <CalendarField
        calendars={offered}
        value={draft.calendarId}
        onChange={(calendarId) => setDraft({ ...draft, calendarId })}
      />
      <ConferencingField
        draft={displayed}
        onChange={(conferencing) => setDraft({ ...draft, conferencing })}
      />
      <div className="dialog-actions">
        <Button onClick={openEditor} aria-keyshortcuts="Shift+Enter" title={t.moreOptionsKey}>
          {t.moreOptions}
        </Button>
        <Submit>{t.create}</Submit>
      </div>
    </Form>
  )
}
