import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/calendars'
import { type Calendar, type CalendarChange, useCalendarActions } from '../../../api/calendars.ts'
import { useClient } from '../../../api/context.tsx'
import { offeredSharesQuery } from '../../../api/shares.ts'
import { Button } from '../../../ui/button.tsx'
import { OptimisticCheckbox } from '../../../ui/optimistic-checkbox.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { toColorStyle } from './calendar-color.ts'
import type { CalendarAction } from './calendar-dialogs.tsx'
import { CalendarMenu } from './calendar-menu.tsx'
import './calendar-list.css'

/** Facts below the name: the account or owner, the access, and whether new events go there. */
const listNotes = (calendar: Calendar, isOnly: boolean): string[] => {
  const { owner, account, role, readOnly, isDefault } = calendar
  if (owner !== null && role !== 'owner') return [owner.name, t.roles[role]]
  return [
    ...(account === null ? [] : [account.name]),
    ...(readOnly ? [t.readOnly] : []),
    ...(isDefault && !isOnly ? [t.newEventsGoHere] : []),
  ]
}

interface CalendarRowProps {
  calendar: Calendar
  isOnly: boolean
  onAction: (action: CalendarAction) => void
}

const CalendarRow = ({ calendar, isOnly, onAction }: CalendarRowProps) => {
  const notify = useNotify()
  const attempt = useAttempt()
  const { change } = useCalendarActions()
  const notesId = useId()
  const notes = listNotes(calendar, isOnly)
  const apply = (body: CalendarChange, toastText?: string) =>
    attempt(async () => {
      await change(calendar.id, body)
      if (toastText !== undefined) notify(toastText)
    })
  return (
    <li className="calendar-row">
      <label className="calendar-toggle tinted" style={toColorStyle(calendar.color)}>
        <OptimisticCheckbox
          checked={calendar.visible}
          aria-describedby={notes.length > 0 ? notesId : undefined}
          onChange={(visible) => apply({ visible })}
        />
        <span className="calendar-name">{calendar.name}</span>
        {calendar.shared && (
          <UsersRound size={15} role="img" aria-label={t.sharedWithOthers}>
            <title>{t.sharedWithOthers}</title>
          </UsersRound>
        )}
      </label>
      <CalendarMenu
        calendar={calendar}
        onAction={onAction}
        onColor={(color) => void apply({ color })}
        onNotifications={(notifications) => void apply({ notifications })}
        onMakeDefault={() => void apply({ isDefault: true }, t.defaultChanged(calendar.name))}
      />
      {notes.length > 0 && (
        <p className="calendar-notes" id={notesId}>
          {notes.join(' · ')}
        </p>
      )}
    </li>
  )
}

interface CalendarGroupProps {
  title: string
  calendars: readonly Calendar[]
  onAction: (action: CalendarAction) => void
}

const CalendarGroup = ({ title, calendars, onAction }: CalendarGroupProps) => {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="calendar-group">
        {title}
      </h2>
      <ul aria-labelledby={headingId}>
        {calendars.map((calendar) => (
          <CalendarRow
            key={calendar.id}
            calendar={calendar}
            isOnly={calendars.length === 1}
            onAction={onAction}
          />
        ))}
      </ul>
    </section>
  )
}

/** Calendars that others offer are accepted in the settings. */
const OffersLink = () => {
  const { data } = useQuery(offeredSharesQuery(useClient()))
  const offers = data?.shares.filter(({ kind, status }) => kind === 'calendar' && status === 'pending') ?? []
  if (offers.length === 0) return null
  return (
    <Link className="calendar-offers" href="/settings/sharing">
      {t.offers(offers.length)}
    </Link>
  )
}

interface CalendarListProps {
  calendars: readonly Calendar[]
  onAction: (action: CalendarAction) => void
}

/** The user's calendars and those of others, each with a color checkbox and a menu. */
export const CalendarList = ({ calendars, onAction }: CalendarListProps) => {
  const own = calendars.filter(({ owner }) => owner === null)
  const others = calendars.filter(({ owner }) => owner !== null)
  return (
    <div className="calendar-list">
      <CalendarGroup title={t.myCalendars} calendars={own} onAction={onAction} />
      {others.length > 0 && <CalendarGroup title={t.sharedWithMe} calendars={others} onAction={onAction} />}
      <OffersLink />
      <Button kind="quiet" size="small" onClick={() => onAction({ kind: 'add' })}>
        <Plus size={17} aria-hidden="true" />
        {t.addCalendar}
      </Button>
    </div>
  )
}
