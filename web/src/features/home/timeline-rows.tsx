import {
  Archive,
  CalendarArrowDown,
  CalendarPlus,
  ExternalLink,
  Handshake,
  Mail,
  Reply,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/home'
import * as taskTexts from '#locale/tasks'
import type { Shape } from '../../api/client.ts'
import type { TaskLists } from '../../api/task-lists.ts'
import { formatDuration } from '../../locales/format.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Time, useDates } from '../../ui/time.tsx'
import { addressOf } from '../calendar/address.ts'
import { isLate, type Task } from '../tasks/groups.ts'
import { findRescheduleDays, toDueOn } from '../tasks/reschedule.ts'
import { taskHref } from '../tasks/url-state.ts'
import type { TaskActions } from '../tasks/use-tasks.ts'
import type { CalendarEvent } from './today.ts'
import type { HomeActions, Response } from './use-home-actions.ts'

export interface RowContext {
  now: Date
  tasks: TaskActions
  lists: TaskLists
  home: HomeActions
  /** Addresses of the person, in lower case. */
  own: ReadonlySet<string>
}

interface RowProps {
  time: string
  mark: ReactNode
  href: string
  title: string
  tags?: ReactNode
  notes?: ReactNode
  actions?: ReactNode
  isPast?: boolean
}

const Row = ({ time, mark, href, title, tags, notes, actions, isPast = false }: RowProps) => (
  <li className="today-row" data-past={isPast}>
    <span className="today-time">{time}</span>
    {mark}
    <div className="row-main">
      <p className="row-title">
        <Link href={href} className="row-words">
          {title}
        </Link>
        {tags}
      </p>
      {notes !== undefined && <p className="row-notes">{notes}</p>}
    </div>
    {actions !== undefined && <div className="row-actions">{actions}</div>}
  </li>
)

export const TaskRow = ({ task, context }: { task: Task; context: RowContext }) => {
  const { now, tasks, home } = context
  const dates = useDates()
  const { nearDue, nearDay, time } = dates
  const [, navigate] = useLocation()
  const { title, dueAt, dueDay, estimateMinutes } = task
  const isEditable = context.lists.isEditable(task.listId)
  const late = isLate(task, now, dates)
  return (
    <Row
      time={!late && dueDay === null && dueAt !== null ? time(dueAt) : ''}
      mark={
        <input
          type="checkbox"
          className="today-box"
          checked={task.status === 'done'}
          disabled={!isEditable}
          aria-label={t.completeTask(title)}
          onChange={() => void tasks.complete(task)}
        />
      }
      href={taskHref(task.id)}
      title={title}
      notes={
        <>
          {late && dueAt !== null && <span className="today-late">{nearDue(dueAt, dueDay, now)}</span>}
          {estimateMinutes !== null && <span>{formatDuration(estimateMinutes)}</span>}
        </>
      }
      actions={
        <>
          {/* The planner uses own tasks only. */}
          {context.lists.isOwn(task.listId) && (
            <Button size="small" aria-label={t.planTask(title)} onClick={() => void home.plan(task)}>
              <CalendarPlus size={15} aria-hidden="true" />
              {t.plan}
            </Button>
          )}
          <RowMenu
            label={t.moreFor(title)}
            actions={[
              ...(isEditable ? findRescheduleDays(task, now, dates) : []).map((day) => ({
                label: t.dueOn(nearDay(day, now)),
                icon: CalendarArrowDown,
                onSelect: () =>
                  void tasks.update(
                    [task],
                    () => toDueOn(day, task, new Date(), dates),
                    taskTexts.taskDue({ name: title, day: nearDay(day, now) }),
                  ),
              })),
              { label: t.open, icon: ExternalLink, onSelect: () => navigate(taskHref(task.id)) },
            ]}
          />
        </>
      }
    />
  )
}

const RESPONSES = Object.keys(t.responses) as Response[]

/** Whether the person is invited and has not replied. */
const needsResponse = ({ attendees, organizer }: CalendarEvent, own: ReadonlySet<string>): boolean =>
  organizer !== null &&
  !own.has(organizer.email.toLowerCase()) &&
  attendees.some(({ email, status }) => status === 'needs-action' && own.has(email.toLowerCase()))

interface EventRowProps {
  event: CalendarEvent
  day: string
  isConflict?: boolean
  context: RowContext
}

export const EventRow = ({ event, day, isConflict = false, context }: EventRowProps) => {
  const { now, home, own } = context
  const { time } = useDates()
  const { title, allDay, location, meetingUrl } = event
  const isPast = new Date(event.end) <= now
  const isOn = !allDay && !isPast && new Date(event.start) <= now
  return (
    <Row
      time={allDay ? '' : time(event.start)}
      mark={<span className="today-mark" aria-hidden="true" />}
      href={addressOf({ view: 'day', date: day })}
      title={title}
      isPast={isPast}
      tags={
        <>
          {isOn && <Tag tone="accent">{t.now}</Tag>}
          {event.status === 'tentative' && <Tag tone="warn">{t.tentative}</Tag>}
          {event.source === 'bookingsvc' && <Tag>{t.booking}</Tag>}
          {event.tags.includes('focus') && <Tag>{t.planned}</Tag>}
          {isConflict && !isPast && <Tag tone="bad">{t.conflict}</Tag>}
        </>
      }
      notes={
        <>
          {!allDay && <span>{t.until(time(event.end))}</span>}
          {location !== '' && <span>{location}</span>}
        </>
      }
      actions={
        !isPast && (
          <>
            {meetingUrl !== null && /^https?:/i.test(meetingUrl) && (
              <a
                className="button"
                data-kind={isOn ? 'primary' : 'plain'}
                data-size="small"
                href={meetingUrl}
                target="_blank"
                rel="noreferrer noopener"
                aria-label={t.joinEvent(title)}
              >
                <Video size={15} aria-hidden="true" />
                {t.join}
              </a>
            )}
            {needsResponse(event, own) &&
              RESPONSES.map((response) => (
                <Button
                  key={response}
                  size="small"
                  aria-label={t.respondTo({ response: t.responses[response], title })}
                  onClick={() => void home.respond(event, response)}
                >
                  {t.responses[response]}
                </Button>
              ))}
          </>
        )
      }
    />
  )
}

const nameOf = ({ name, address }: { name: string; address: string }): string =>
  name || address || t.unknownSender

/** The mail page finds an email by id in any folder. */
const mailHref = (id: number): string => `/mail/inbox/${id}`

export const WaitingRow = ({ mail, context }: { mail: Shape<'WaitingPerson'>; context: RowContext }) => {
  const [, navigate] = useLocation()
  const { emailId, from, asks } = mail
  const subject = mail.subject || t.noSubject
  return (
    <Row
      time=""
      mark={<Mail className="today-icon" size={18} aria-hidden="true" />}
      href={mailHref(emailId)}
      title={asks[0] ?? subject}
      notes={
        <>
          <span>{nameOf(from)}</span>
          {asks.length > 0 && <span>{subject}</span>}
          <Time at={mail.date} />
        </>
      }
      actions={
        <>
          <Button
            size="small"
            aria-label={t.replyTo(nameOf(from))}
            onClick={() => navigate(mailHref(emailId), { state: { startAction: 'reply' } })}
          >
            <Reply size={15} aria-hidden="true" />
            {t.reply}
          </Button>
          <IconButton
            icon={Archive}
            iconSize={16}
            label={t.archiveEmail(subject)}
            title={t.archive}
            onClick={() => void context.home.archive(emailId)}
          />
        </>
      }
    />
  )
}

export const CommitmentRow = ({ commitment }: { commitment: Shape<'BriefingCommitment'> }) => {
  const { due } = useDates()
  const { by, who, text, dueAt, dueDay, isOverdue, emailId } = commitment
  return (
    <Row
      time=""
      mark={<Handshake className="today-icon" size={18} aria-hidden="true" />}
      href={emailId === null ? '/promises' : mailHref(emailId)}
      title={text}
      notes={
        <>
          <span>{by === 'me' ? t.youPromised(nameOf(who)) : nameOf(who)}</span>
          {dueAt !== null && (
            <span data-tone={isOverdue ? 'bad' : undefined}>{t.promisedBy(due(dueAt, dueDay))}</span>
          )}
        </>
      }
    />
  )
}
