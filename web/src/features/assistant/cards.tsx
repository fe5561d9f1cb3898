import { Menu } from '@base-ui/react/menu'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Archive,
  CalendarDays,
  Clock3,
  ListChecks,
  type LucideIcon,
  Mail,
  Pencil,
  Reply,
  Send,
  Undo2,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/assistant'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError, isMissing } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { OptimisticCheckbox } from '../../ui/optimistic-checkbox.tsx'
import { FormPopover } from '../../ui/popover.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { addressOf } from '../calendar/url-state.ts'
import { listSnoozePresets } from '../mail/later/presets.ts'
import { instantOf } from '../tasks/local-time.ts'
import { taskHref } from '../tasks/url-state.ts'
import type { AnswerItem, Slot } from './items.ts'
import { toToolLabel } from './payload.tsx'
import { useUndo, useUndoneIds } from './undo.ts'

/** Whether an element has been visible. Cards above the visible messages load nothing. */
const useWasVisible = () => {
  const element = useRef<HTMLLIElement>(null)
  const [wasVisible, setWasVisible] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setWasVisible(true)
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, wasVisible }
}

/** Loads the current state of an item. Until then the state of the answer is displayed. */
const useItem = <T,>(item: AnswerItem, isEnabled: boolean, load: () => Promise<T>) => {
  const query = useQuery({
    queryKey: ['assistant-item', item.type, item.id, item.occurrence],
    queryFn: load,
    enabled: isEnabled,
  })
  return { data: (query.data ?? item.data) as T, isGone: isMissing(query.error) }
}

interface FrameProps {
  item: AnswerItem
  icon: LucideIcon
  /** Replaces the icon. */
  mark?: ReactNode
  href: string
  title: string
  isGone: boolean
  notes: readonly (string | null | undefined | false)[]
  children?: ReactNode
}

/** The common parts of a card: a link to the item, its facts, its actions, and the undo of the change. */
const CardFrame = ({ item, icon: Icon, mark, href, title, isGone, notes, children }: FrameProps) => {
  const undone = useUndoneIds()
  const undo = useUndo()
  const { action } = item
  const undoId = action?.undoId ?? null
  const isUndone = undoId !== null && undone.has(undoId)
  const facts = isGone ? [t.cards.gone] : notes.filter((note): note is string => Boolean(note))
  return (
    <div className="chat-card-main" data-gone={isGone || isUndone}>
      {mark ?? <Icon size={17} aria-hidden="true" />}
      <div className="chat-card-text">
        {isGone ? <span>{title}</span> : <Link href={href}>{title}</Link>}
        {facts.length > 0 && <p>{facts.join(' · ')}</p>}
        {item.quote !== null && <blockquote>{item.quote}</blockquote>}
        {action && isUndone && <p>{t.actionUndone(toToolLabel(action.tool))}</p>}
        {!isUndone && (
          <div className="chat-card-actions">
            {!isGone && children}
            {action && undoId !== null && (
              <Button
                kind="quiet"
                size="small"
                aria-label={t.undoAction(toToolLabel(action.tool))}
                onClick={() => void undo([undoId])}
              >
                <Undo2 size={14} aria-hidden="true" />
                {common.undo}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Runs an action of a card and reports its failure. */
const useCardAction = () => {
  const queries = useQueryClient()
  const notify = useNotify()
  return async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await Promise.all(
      ['assistant-item', 'emails', 'tasks', 'calendar', 'stats'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
}

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
  const { data: email, isGone } = useItem<Email>(item, isEnabled, load)
  const { from, folder = 'inbox', date, snippet, snoozedUntil, threadId } = email
  const subject = email.subject || String(item.data.subject ?? '')
  const view = folder === 'other' ? 'inbox' : folder
  const href = `/mail/${view}/${item.id}`
  const isTrashed = folder === 'trash'
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
        isTrashed && t.cards.trashed,
        folder === 'archive' && t.cards.archived,
        snoozedUntil && t.cards.snoozedUntil(dateTime(snoozedUntil)),
        item.quote === null && snippet,
      ]}
    >
      {!isTrashed && (
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
                void run(() =>
                  unwrap(client.PATCH('/api/emails/{id}', { params: { path }, body: { folder: 'archive' } })),
                )
              }
            >
              <Archive size={14} aria-hidden="true" />
              {t.cards.archive}
            </Button>
          )}
          {threadId !== undefined && (
            <SnoozeMenu
              onChoose={(until) =>
                void run(() =>
                  unwrap(
                    client.PATCH('/api/threads', {
                      body: { threadIds: [threadId], change: { snoozedUntil: until } },
                    }),
                  ),
                )
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

const TaskCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const run = useCardAction()
  const { nearDue } = useDates()
  const path = { id: item.id }
  const load = () => unwrap(client.GET('/api/tasks/{id}', { params: { path } }))
  const { data: task, isGone } = useItem<Task>(item, isEnabled, load)
  const title = task.title ?? ''
  const isDone = task.status === 'done'
  const { dueAt } = task
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
            run(() =>
              unwrap(
                client.PATCH('/api/tasks/{id}', {
                  params: { path },
                  body: { status: checked ? 'done' : 'todo' },
                }),
              ),
            )
          }
        />
      }
      href={taskHref(item.id)}
      title={title}
      isGone={isGone}
      notes={[isDone && t.cards.done, dueAt && t.cards.due(nearDue(dueAt, task.dueDay, new Date()))]}
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
  const { data: event, isGone } = useItem<CalendarEvent>(item, isEnabled, load)
  const { title = '', start, end, allDay, location, status } = event
  const day = start && (allDay ? start.slice(0, 10) : dayOf(start))
  return (
    <CardFrame
      item={item}
      icon={CalendarDays}
      href={addressOf({ view: 'day', date: day ?? null })}
      title={title}
      isGone={isGone}
      notes={[
        status === 'cancelled' && t.cards.cancelled,
        day && nearDay(day, new Date()),
        allDay ? t.cards.allDay : start && end && hours(start, end),
        location,
      ]}
    />
  )
}

type Contact = Partial<Shape<'Contact'>>

const ContactCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const load = () => unwrap(client.GET('/api/contacts/{id}', { params: { path: { id: item.id } } }))
  const { data: contact, isGone } = useItem<Contact>(item, isEnabled, load)
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

interface CardProps {
  item: AnswerItem
  /** The card is visible, so it loads the current state of its item. */
  isEnabled: boolean
  onAsk: AskAssistant
}

/** Sends a message about an item. */
export type AskAssistant = (
  text: string,
  about: { type: 'email' | 'event' | 'task' | 'contact'; id: number; title: string },
) => void

const CARDS = {
  email: EmailCard,
  draft: DraftCard,
  task: TaskCard,
  event: EventCard,
  contact: ContactCard,
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

const MAX_SLOTS = 6

/** Free times. Choosing one asks for a title and creates the event. */
export const SlotButtons = ({ slots }: { slots: readonly Slot[] }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { nearDay, dayOf, hours } = useDates()
  if (slots.length === 0) return null
  const create = async (slot: Slot, values: FormData) => {
    const title = String(values.get('title') ?? '').trim()
    await unwrap(client.POST('/api/calendar/events', { body: { title, start: slot.start, end: slot.end } }))
    notify(t.cards.eventCreated(title))
    await queries.invalidateQueries({ queryKey: ['calendar'] })
  }
  return (
    <fieldset className="chat-options">
      <legend className="visually-hidden">{t.cards.freeTime}</legend>
      {slots.slice(0, MAX_SLOTS).map((slot) => {
        const when = `${nearDay(dayOf(slot.start), new Date())}, ${hours(slot.start, slot.end)}`
        return (
          <FormPopover
            key={slot.start}
            title={t.cards.newEvent}
            about={when}
            action={t.cards.createEvent}
            trigger={
              <Button size="small" aria-label={t.cards.book(when)}>
                {when}
              </Button>
            }
            onSubmit={(values) => create(slot, values)}
          >
            <TextField name="title" label={t.cards.eventTitle} required maxLength={500} />
          </FormPopover>
        )
      })}
    </fieldset>
  )
}
