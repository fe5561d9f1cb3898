import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { CalendarDays, ListChecks, Mail, Send } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/contacts'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { type Commitment, commitmentsKey } from '../../api/commitments.ts'
import { type Contact, contactsKey } from '../../api/contacts.ts'
import { useClient } from '../../api/context.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { addressOfCommitments } from '../commitments/address.ts'
import { CommitmentList } from '../commitments/commitment-row.tsx'

type Email = Shape<'EmailSummary'>
type CalendarEvent = Shape<'Event'>
type Task = Shape<'Task'>

/** People rarely write from more addresses. Each costs two requests. */
const MAX_ADDRESSES = 3
const MAX_ROWS = 6
/** Tasks are matched with this many of the newest emails from each address. */
const MAX_EMAILS = 100
const WINDOW_DAYS = 90
const DAY_MS = 86_400_000

const findEmails = async (client: Client, q: string, limit: number): Promise<Email[]> =>
  (await unwrap(client.GET('/api/emails', { params: { query: { q, limit } } }))).emails

const searchFrom = (address: string): string => `from:"${address}"`
const searchTo = (address: string): string => `to:"${address}"`

const isFrom = (email: Email, addresses: readonly string[]): boolean =>
  addresses.includes(email.from?.address.toLowerCase() ?? '')

/** Emails from and to the addresses, the newest first. */
const readEmails = async (client: Client, addresses: readonly string[]): Promise<Email[]> => {
  const pages = await Promise.all(
    addresses
      .slice(0, MAX_ADDRESSES)
      .flatMap((address) => [
        findEmails(client, searchFrom(address), MAX_EMAILS),
        findEmails(client, searchTo(address), MAX_ROWS),
      ]),
  )
  const byId = new Map(pages.flat().map((email) => [email.id, email]))
  return [...byId.values()].sort((one, other) => (one.date < other.date ? 1 : -1))
}

const readMeetings = async (
  client: Client,
  addresses: readonly string[],
  now: number,
): Promise<CalendarEvent[]> => {
  const at = (days: number): string => new Date(now + days * DAY_MS).toISOString()
  const query = { start: at(-WINDOW_DAYS), end: at(WINDOW_DAYS), limit: 200 }
  const { events } = await unwrap(client.GET('/api/calendar/events', { params: { query } }))
  const people = ({ attendees, organizer }: CalendarEvent): string[] =>
    [...attendees, ...(organizer ? [organizer] : [])].map(({ email }) => email.toLowerCase())
  const theirs = events.filter((event) => people(event).some((email) => addresses.includes(email)))
  // The next meetings first, then the latest past ones.
  const instant = new Date(now).toISOString()
  const next = theirs.filter(({ end }) => end >= instant)
  const past = theirs.filter(({ end }) => end < instant).reverse()
  return [...next, ...past]
}

const readTasks = async (client: Client): Promise<Task[]> =>
  (await unwrap(client.GET('/api/tasks', { params: { query: { status: 'open', limit: 200 } } }))).tasks

/** Open promises from and to the addresses, by due date. */
const readCommitments = async (client: Client, addresses: readonly string[]): Promise<Commitment[]> => {
  const pages = await Promise.all(
    addresses
      .slice(0, MAX_ADDRESSES)
      .map((address) =>
        unwrap(client.GET('/api/commitments', { params: { query: { address, status: 'open' } } })),
      ),
  )
  return pages.flatMap(({ commitments }) => commitments)
}

interface SectionProps<T> {
  id: string
  title: string
  none: string
  query: UseQueryResult<T[]>
  aside?: ReactNode
  children: (item: T) => ReactNode
}

const Section = <T extends { id: number }>({ id, title, none, query, aside, children }: SectionProps<T>) => (
  <Card id={id} title={title} aside={aside}>
    <Loaded query={query}>
      {(items) =>
        items.length === 0 ? (
          <p className="quiet">{none}</p>
        ) : (
          <ul className="rows">
            {items.slice(0, MAX_ROWS).map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: occurrences of a series have the same id
              <li key={`${item.id}-${index}`}>{children(item)}</li>
            ))}
          </ul>
        )
      }
    </Loaded>
  </Card>
)

interface RowProps {
  icon: ReactNode
  href: string
  title: string
  note: ReactNode
}

const Row = ({ icon, href, title, note }: RowProps) => (
  <>
    <span className="row-icon">{icon}</span>
    <div className="row-main">
      <p className="row-title">
        <Link className="row-words" href={href}>
          {title}
        </Link>
      </p>
      <p className="row-notes">{note}</p>
    </div>
  </>
)

/** Lists the promises, emails, meetings and tasks that concern a person. */
export const ContactActivity = ({ contact }: { contact: Contact }) => {
  const client = useClient()
  const now = useNow().getTime()
  const addresses = useMemo(() => contact.addresses.map(({ address }) => address), [contact.addresses])
  const key = [...contactsKey, 'activity', addresses]
  const emails = useQuery({
    queryKey: ['emails', ...key],
    queryFn: () => readEmails(client, addresses),
  })
  const meetings = useQuery({
    queryKey: ['calendar', ...key],
    queryFn: () => readMeetings(client, addresses, now),
  })
  const ids = new Set((emails.data ?? []).filter((email) => isFrom(email, addresses)).map(({ id }) => id))
  const tasks = useQuery({
    queryKey: ['tasks', ...key, [...ids]],
    queryFn: async () =>
      (await readTasks(client)).filter(({ emailId }) => emailId !== null && ids.has(emailId)),
    enabled: emails.data !== undefined,
  })
  const commitments = useQuery({
    queryKey: [...commitmentsKey, ...key],
    queryFn: () => readCommitments(client, addresses),
  })
  const [primary = ''] = addresses
  return (
    <>
      <Card
        id="contact-promises"
        title={t.promises}
        aside={<Link href={addressOfCommitments({ view: 'mine', person: primary })}>{t.allCommitments}</Link>}
      >
        <Loaded query={commitments}>
          {(items) =>
            items.length === 0 ? (
              <p className="quiet">{t.noCommitments}</p>
            ) : (
              <CommitmentList commitments={items.slice(0, MAX_ROWS)} hidesPerson />
            )
          }
        </Loaded>
      </Card>
      <Section
        id="contact-emails"
        title={t.emails}
        none={t.noEmails}
        query={emails}
        aside={<Link href={`/mail/inbox?q=${encodeURIComponent(`"${primary}"`)}`}>{t.allEmails}</Link>}
      >
        {(email) => (
          <Row
            icon={
              isFrom(email, addresses) ? (
                <Mail size={17} aria-hidden="true" />
              ) : (
                <Send size={17} aria-label={t.sentMark} />
              )
            }
            href={`/mail/${email.folder}/${email.id}`}
            title={email.subject || t.noSubject}
            note={<Time at={email.date} />}
          />
        )}
      </Section>
      <Section id="contact-meetings" title={t.meetings} none={t.noMeetings} query={meetings}>
        {(event) => (
          <Row
            icon={<CalendarDays size={17} aria-hidden="true" />}
            href={`/calendar?view=day&date=${event.start.slice(0, 10)}`}
            title={event.title}
            note={<Time at={event.start} />}
          />
        )}
      </Section>
      <Section id="contact-tasks" title={t.tasks} none={t.noTasks} query={tasks}>
        {(task) => (
          <Row
            icon={<ListChecks size={17} aria-hidden="true" />}
            href={`/tasks?task=${task.id}`}
            title={task.title}
            note={task.dueAt !== null && <Time at={task.dueAt} />}
          />
        )}
      </Section>
    </>
  )
}
