import { Menu } from '@base-ui/react/menu'
import { Archive, CalendarDays, Clock3, ListChecks, Mail, Pencil, Reply, Send, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/assistant'
import { priorities } from '#locale/tasks'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { OptimisticCheckbox } from '../../ui/optimistic-checkbox.tsx'
import { useDates } from '../../ui/time.tsx'
import { eventAddress } from '../calendar/address.ts'
import { listSnoozePresets } from '../mail/later/presets.ts'
import { instantOf } from '../tasks/local-time.ts'
import { taskHref } from '../tasks/url-state.ts'
import {
  type AskAssistant,
  CardFrame,
  type CardProps,
  fromTo,
  useCardAction,
  useItem,
  useWasVisible,
} from './card-frame.tsx'
import { CommitmentCard } from './commitment-card.tsx'
import type { AnswerItem } from './items.ts'
import { ReservationCard } from './reservation-card.tsx'

type Email = Partial<Shape<'Email'>>

const SnoozeMenu = ({ onChoose }: { onChoose: (until: string) => void }) => {
  const { timeZone } = useDates()
  return (
    <Menu.Root>
      <Menu.Trigger className="button" data-kind="quiet" data-size="small" data-shape="text">
        <Clock3 size={14} aria-hidden="true" />
        {t.cards.snooze}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-place" sideOffset={4} collisionPadding={8}>
          <Menu.Popup className="menu">
            {listSnoozePresets(new Date(), timeZone).map(({ label, day, time }) => (
              <Menu.Item
                key={label}
                className="menu-item"
                onClick={() => onChoose(instantOf(`${day}T${time}`, timeZone))}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const EmailCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const run = useCardAction()
  const { dateTime } = useDates()
  const [, navigate] = useLocation()
  const path = { id: item.id }
  const load = () => unwrap(client.GET('/api/emails/{id}', { params: { path } }))
  const { data: email, said, isGone } = useItem<Email>(item, isEnabled, load)
  const { from, folder = 'inbox', date, snippet, snoozedUntil, threadId } = email
  const subject = email.subject || String(item.data.subject ?? item.data.title ?? '')
  const view = folder === 'other' ? 'inbox' : folder
  const href = `/mail/${view}/${item.id}`
  const isTrashed = folder === 'trash'
  const isReceived = !isTrashed && folder !== 'sent' && folder !== 'drafts'
  const moveTo = (to: 'archive' | Exclude<typeof folder, 'other'>) =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path }, body: { folder: to } }))
  const snooze = (thread: number, until: string | null) =>
    unwrap(client.PATCH('/api/threads', { body: { threadIds: [thread], change: { snoozedUntil: until } } }))
  return (
    <CardFrame
      item={item}
      icon={Mail}
      href={href}
      title={subject}
      isGone={isGone}
      notes={[
        from?.name || from?.address,
        date && dateTime(date),
        said.folder === 'trash' && t.cards.trashed,
        said.folder === 'archive' && t.cards.archived,
        said.snoozedUntil && t.cards.snoozedUntil(dateTime(said.snoozedUntil)),
        item.quote === null && snippet,
      ]}
    >
      {isReceived && (
        <>
          <Button
            kind="quiet"
            size="small"
            onClick={() => navigate(href, { state: { startAction: 'reply' } })}
          >
            <Reply size={14} aria-hidden="true" />
            {t.cards.reply}
          </Button>
          {folder !== 'archive' && (
            <Button
              kind="quiet"
              size="small"
              onClick={() =>
                void run({
                  text: t.cards.emailArchived(subject),
                  work: () => moveTo('archive'),
                  ...(folder !== 'other' && { undo: () => moveTo(folder) }),
                })
              }
            >
              <Archive size={14} aria-hidden="true" />
              {t.cards.archive}
            </Button>
          )}
          {threadId !== undefined && (
            <SnoozeMenu
              onChoose={(until) =>
                void run({
                  text: t.cards.snoozedUntil(dateTime(until)),
                  work: () => snooze(threadId, until),
                  undo: () => snooze(threadId, snoozedUntil ?? null),
                })
              }
            />
          )}
        </>
      )}
    </CardFrame>
  )
}

const namesOf = (people: Email['to']): string =>
  (people ?? []).map(({ name, address }) => name || address).join(', ')

const DraftCard = ({ item, isEnabled, onAsk }: CardProps) => {
  const client = useClient()
  const path = { id: item.id }
  const load = () => unwrap(client.GET('/api/emails/{id}', { params: { path } }))
  const { data: email, isGone } = useItem<Email>(item, isEnabled, load)
  const { to, snippet, text, folder = 'drafts' } = email
  const subject = email.subject || String(item.data.subject ?? '')
  const isDraft = folder === 'drafts'
  const href = `/mail/${folder === 'other' ? 'inbox' : folder}/${item.id}`
  const names = namesOf(to)
  return (
    <CardFrame
      item={item}
      icon={Pencil}
      href={href}
      title={subject || t.cards.draft}
      isGone={isGone}
      notes={[
        isDraft ? t.cards.draft : t.cards.sent,
        names !== '' && t.cards.to(names),
        (snippet ?? text ?? '').slice(0, 160),
      ]}
    >
      {isDraft && (
        <>
          <Link href={href} className="button" data-kind="quiet" data-size="small" data-shape="text">
            <Pencil size={14} aria-hidden="true" />
            {t.cards.editDraft}
          </Link>
          <Button
            kind="quiet"
            size="small"
            onClick={() =>
              onAsk(t.cards.sendDraftMessage, { type: 'email', id: item.id, title: subject || t.cards.draft })
            }
          >
            <Send size={14} aria-hidden="true" />
            {t.cards.sendDraft}
          </Button>
        </>
      )}
    </CardFrame>
  )
}

type Task = Partial<Shape<'Task'>>

const readDay = (at: string | null | undefined): string | null => (at?.length === 10 ? at : null)

const TaskCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const run = useCardAction()
  const { nearDue } = useDates()
  const path = { id: item.id }
  const load = () => unwrap(client.GET('/api/tasks/{id}', { params: { path } }))
  const { data: task, said, isGone } = useItem<Task>(item, isEnabled, load)
  const before: Task = item.before
  const title = said.title ?? ''
  const { status = 'todo' } = task
  const isDone = status === 'done'
  const writeDue = ({ dueAt, dueDay }: Task) => dueAt && nearDue(dueAt, dueDay, new Date())
  // The state before a change has a due day as its due date.
  const due = fromTo(writeDue({ ...before, dueDay: readDay(before.dueAt) }), writeDue(said))
  const writePriority = ({ priority }: Task) => priority && priorities[priority]
  const setStatus = (next: typeof status) =>
    unwrap(client.PATCH('/api/tasks/{id}', { params: { path }, body: { status: next } }))
  return (
    <CardFrame
      item={item}
      icon={ListChecks}
      mark={
        <OptimisticCheckbox
          checked={isDone}
          disabled={isGone}
          aria-label={t.cards.complete(title)}
          onChange={(checked) =>
            run({
              text: (checked ? t.cards.taskCompleted : t.cards.taskReopened)(title),
              work: () => setStatus(checked ? 'done' : 'todo'),
              undo: () => setStatus(status),
            })
          }
        />
      }
      href={taskHref(item.id)}
      title={title}
      isGone={isGone}
      notes={[
        before.title && fromTo(before.title, title),
        (before.status === undefined ? isDone : said.status === 'done') && t.cards.done,
        due && t.cards.due(due),
        before.priority && fromTo(writePriority(before), writePriority(said)),
      ]}
    />
  )
}

type CalendarEvent = Partial<Shape<'Event'>>

const EventCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const { nearDay, dayOf, hours } = useDates()
  const load = () =>
    unwrap(
      client.GET('/api/calendar/events/{id}', {
        params: {
          path: { id: item.id },
          query: item.occurrence === null ? {} : { occurrence: item.occurrence },
        },
      }),
    )
  const { said, isGone } = useItem<CalendarEvent>(item, isEnabled, load)
  const { title = '', start, allDay, location, status } = said
  const before: CalendarEvent = item.before
  const day = start && (allDay ? start.slice(0, 10) : dayOf(start))
  const writeDay = ({ start: at }: CalendarEvent) =>
    at && nearDay(allDay ? at.slice(0, 10) : dayOf(at), new Date())
  const writeHours = ({ start: from, end: to }: CalendarEvent) => from && to && hours(from, to)
  const days = fromTo(writeDay(before), writeDay(said))
  const times = allDay ? t.cards.allDay : fromTo(writeHours(before), writeHours(said))
  return (
    <CardFrame
      item={item}
      icon={CalendarDays}
      href={eventAddress({ id: item.id, occurrence: item.occurrence, day: day ?? null })}
      title={title}
      isGone={isGone}
      notes={[
        before.title && fromTo(before.title, title),
        status === 'cancelled' && t.cards.cancelled,
        days,
        times,
        fromTo(before.location, location),
      ]}
    />
  )
}

type Contact = Partial<Shape<'Contact'>>

const ContactCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const load = () => unwrap(client.GET('/api/contacts/{id}', { params: { path: { id: item.id } } }))
  const { said: contact, isGone } = useItem<Contact>(item, isEnabled, load)
  const address = contact.addresses?.[0]?.address
  const title = contact.name || contact.organization || address || ''
  return (
    <CardFrame
      item={item}
      icon={UserRound}
      href={`/contacts/${item.id}`}
      title={title}
      isGone={isGone}
      notes={[address !== title && address, contact.phones?.[0]?.number, contact.organization]}
    />
  )
}

const CARDS = {
  email: EmailCard,
  draft: DraftCard,
  task: TaskCard,
  event: EventCard,
  contact: ContactCard,
  commitment: CommitmentCard,
  reservation: ReservationCard,
} as const

const ItemCard = ({ item, onAsk }: Omit<CardProps, 'isEnabled'>) => {
  const { element, wasVisible } = useWasVisible()
  const Card = CARDS[item.type]
  return (
    <li className="chat-card" ref={element}>
      <Card item={item} isEnabled={wasVisible} onAsk={onAsk} />
    </li>
  )
}

const FEW = 5

/** Cards of the items that an answer names. */
export const ItemCards = ({ items, onAsk }: { items: readonly AnswerItem[]; onAsk: AskAssistant }) => {
  const [showsAll, setShowsAll] = useState(false)
  if (items.length === 0) return null
  const visible = showsAll ? items : items.slice(0, FEW)
  return (
    <>
      <ul className="chat-cards">
        {visible.map((item) => (
          <ItemCard key={`${item.type} ${item.id} ${item.occurrence}`} item={item} onAsk={onAsk} />
        ))}
      </ul>
      {visible.length < items.length && (
        <Button kind="quiet" size="small" onClick={() => setShowsAll(true)}>
          {t.cards.showAll(items.length)}
        </Button>
      )}
    </>
  )
}
