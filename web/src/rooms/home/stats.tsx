import { useQuery } from '@tanstack/react-query'
import { CalendarClock, ListChecks, type LucideIcon, Mail } from 'lucide-react'
import { Link } from 'wouter'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import './stats.css'

interface TileProps {
  icon: LucideIcon
  href: string
  figure: string
  label: string
  note: string
}

const Tile = ({ icon: Icon, href, figure, label, note }: TileProps) => (
  <li>
    <Link href={href} className="stat card">
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <span className="stat-words">
        <span className="stat-label">{label}</span>
        <strong className="stat-figure">{figure}</strong>
        <span className="quiet small">{note}</span>
      </span>
    </Link>
  </li>
)

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Whole days are days of their own zone, wherever they are looked at from. */
const dayIn = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at))

/** How things stand, at a glance. Its place is kept until the figures are there. */
export const Stats = () => {
  const client = useClient()
  const { nearDue, nearDay } = useDates()
  const now = useNow()
  const { data } = useQuery({
    queryKey: ['stats'],
    queryFn: () => unwrap(client.GET('/api/stats')),
    refetchInterval: 60_000,
  })
  const { emails, tasks, events } = data ?? {}
  const next = events?.next ?? null
  return (
    <ul className="stats" aria-label="How things stand" aria-busy={data === undefined}>
      <Tile
        icon={Mail}
        href="/mail/inbox?show=unread"
        label="Unread mail"
        figure={emails ? String(emails.unread) : '–'}
        note={emails ? `${many(emails.receivedToday, 'e-mail', 'e-mails')} today` : '\u00a0'}
      />
      <Tile
        icon={ListChecks}
        href="/tasks"
        label="Due today"
        figure={tasks ? String(tasks.dueToday) : '–'}
        note={
          tasks
            ? tasks.overdue > 0
              ? `${tasks.overdue} overdue`
              : many(tasks.open, 'open task', 'open tasks')
            : '\u00a0'
        }
      />
      <Tile
        icon={CalendarClock}
        href="/calendar"
        label="Next event"
        figure={events ? (next?.title ?? 'Nothing planned') : '–'}
        note={
          next
            ? next.allDay
              ? `${capital(nearDay(dayIn(next.start, next.timezone), now))}, all day`
              : capital(nearDue(next.start, null, now))
            : events
              ? `${many(events.next7Days, 'event', 'events')} in seven days`
              : '\u00a0'
        }
      />
    </ul>
  )
}
