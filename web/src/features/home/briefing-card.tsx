import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  CalendarDays,
  CalendarX2,
  Coffee,
  Handshake,
  type LucideIcon,
  MailQuestion,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Time, useDates } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { addressOf } from '../calendar/url-state.ts'
import { taskHref } from '../tasks/url-state.ts'
import './briefing.css'

type Briefing = Shape<'DailyBriefing'>

const MAX_ITEMS = 5

interface ItemProps {
  href: string
  title: string
  tag?: ReactNode
  children?: ReactNode
}

const Item = ({ href, title, tag, children }: ItemProps) => (
  <li>
    <div className="row-main">
      <p className="row-title">
        <Link href={href} className="row-words">
          {title}
        </Link>
        {tag}
      </p>
      {children !== undefined && <p className="row-notes">{children}</p>}
    </div>
  </li>
)

interface PartProps<T> {
  icon: LucideIcon
  title: string
  items: readonly T[] | undefined
  more: string
  children: (item: T) => ReactNode
}

const Part = <T,>({ icon: Icon, title, items = [], more, children }: PartProps<T>) => {
  if (items.length === 0) return null
  return (
    <section className="briefing-part" aria-label={title}>
      <h3>
        <Icon size={16} aria-hidden="true" />
        {title}
      </h3>
      <ul className="rows">
        {items.slice(0, MAX_ITEMS).map(children)}
        {items.length > MAX_ITEMS && (
          <li>
            <Link href={more} className="small">
              {items.length - MAX_ITEMS} more
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}

const nameOf = ({ name, address }: { name: string; address: string }): string => name || address || 'Someone'

/** The mail page finds an email by id in any folder. */
const mailHref = (id: number): string => `/mail/inbox/${id}`

const BriefingDetails = ({ briefing }: { briefing: Briefing }) => {
  const { time, date, nearDue } = useDates()
  const now = useNow()
  const day = addressOf({ view: 'day', date: briefing.date })
  if (briefing.isEmpty)
    return (
      <Empty icon={Coffee} title="A quiet day">
        <p>Nothing is planned, nothing is due, and nobody waits for an answer.</p>
      </Empty>
    )
  const tasks = [
    ...(briefing.overdue ?? []).map((task) => ({ ...task, late: true })),
    ...(briefing.due ?? []).map((task) => ({ ...task, late: false })),
  ]
  return (
    <div className="briefing">
      <p className="briefing-summary">{briefing.summary}</p>
      <Part icon={CalendarX2} title="Conflicts" items={briefing.conflicts} more={day}>
        {({ start, end, events }) => (
          <Item
            key={`${start}${events.map(({ id }) => id).join()}`}
            href={day}
            title={events.map(({ title }) => title).join(' and ')}
          >
            <span>{`${time(start)} – ${time(end)}`}</span>
          </Item>
        )}
      </Part>
      <Part icon={CalendarDays} title="In the calendar" items={briefing.events} more={day}>
        {({ id, title, start, end, allDay, location }) => (
          <Item key={`${id}@${start}`} href={day} title={title}>
            <span>{allDay ? 'all day' : `${time(start)} – ${time(end)}`}</span>
            {location !== '' && <span>{location}</span>}
          </Item>
        )}
      </Part>
      <Part icon={AlarmClock} title="Due" items={tasks} more="/tasks">
        {({ id, title, dueAt, dueDay, late }) => (
          <Item key={id} href={taskHref(id)} title={title} tag={late && <Tag tone="bad">Overdue</Tag>}>
            <span>{nearDue(dueAt, dueDay, now)}</span>
          </Item>
        )}
      </Part>
      <Part icon={MailQuestion} title="Waiting for your answer" items={briefing.waiting} more="/mail/inbox">
        {({ emailId, from, subject, date: written, asks }) => (
          <Item key={emailId} href={mailHref(emailId)} title={asks[0] ?? (subject || 'No subject')}>
            <span>{nameOf(from)}</span>
            {subject !== '' && <span>{subject}</span>}
            <Time at={written} />
          </Item>
        )}
      </Part>
      <Part icon={Handshake} title="Promised" items={briefing.promises} more="/mail/inbox">
        {({ emailId, by, who, text, dueAt }) => (
          <Item key={`${emailId}${text}`} href={mailHref(emailId)} title={text}>
            <span>{by === 'me' ? `You to ${nameOf(who)}` : nameOf(who)}</span>
            {dueAt !== null && <span>by {date(dueAt)}</span>}
          </Item>
        )}
      </Part>
    </div>
  )
}

/** Daily briefing with its lists. */
export const BriefingCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['briefing'],
    queryFn: () => unwrap(client.GET('/api/briefing')),
    refetchInterval: 5 * 60_000,
  })
  return (
    <Card title="Today">
      <Loaded query={query} lines={5}>
        {(briefing) => <BriefingDetails briefing={briefing} />}
      </Loaded>
    </Card>
  )
}
