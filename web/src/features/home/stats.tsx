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

const pluralize = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns the day as YYYY-MM-DD in a time zone. */
const dayIn = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at))

/** Summary tiles. They keep their place while the data loads. */
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
        note={emails ? `${pluralize(emails.receivedToday, 'e-mail', 'e-mails')} today` : '\u00a0'}
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
              : pluralize(tasks.open, 'open task', 'open tasks')
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
              ? `${capitalize(nearDay(dayIn(next.start, next.timezone), now))}, all day`
              : capitalize(nearDue(next.start, null, now))
            : events
              ? `${pluralize(events.next7Days, 'event', 'events')} in seven days`
              : '\u00a0'
        }
      />
    </ul>
  )
}
