import { useQuery } from '@tanstack/react-query'
import { Coffee, Sunrise } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import * as t from '#locale/home'
import type { Shape } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { useTaskLists } from '../../api/task-lists.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Failure, Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { addressOf } from '../calendar/address.ts'
import type { Task } from '../tasks/groups.ts'
import { addDays } from '../tasks/local-time.ts'
import { useTaskActions } from '../tasks/use-tasks.ts'
import { ConnectButton } from './connect-button.tsx'
import { useIsNewAccount } from './first-steps.tsx'
import { CommitmentRow, EventRow, type RowContext, TaskRow, WaitingRow } from './timeline-rows.tsx'
import { type CalendarEvent, findConflicts, type TimelineItem, toTimeline } from './today.ts'
import { useHomeActions } from './use-home-actions.ts'
import { useToday } from './use-today.ts'

const FEW = 5
const FEW_TOMORROW = 3

interface GroupProps<T> {
  title: string
  items: readonly T[]
  children: (item: T) => ReactNode
}

/** Lists the first items and shows the others on request. */
const Group = <T,>({ title, items, children }: GroupProps<T>) => {
  const [isWhole, setIsWhole] = useState(false)
  if (items.length === 0) return null
  const hidden = isWhole ? 0 : Math.max(0, items.length - FEW)
  return (
    <section className="today-group" aria-label={title}>
      <h3>{title}</h3>
      <ul className="rows">{items.slice(0, items.length - hidden).map(children)}</ul>
      {hidden > 0 && (
        <Button kind="quiet" size="small" onClick={() => setIsWhole(true)}>
          {t.showMore(hidden)}
        </Button>
      )}
    </section>
  )
}

interface ItemProps {
  item: TimelineItem
  day: string
  conflicts?: ReadonlySet<string>
  context: RowContext
}

const Item = ({ item, day, conflicts, context }: ItemProps) =>
  item.kind === 'task' ? (
    <TaskRow task={item.task} context={context} />
  ) : (
    <EventRow event={item.event} day={day} isConflict={conflicts?.has(item.key) ?? false} context={context} />
  )

const NowMarker = ({ time }: { time: string }) => (
  <li className="today-now" aria-current="time">
    <span className="today-time">{time}</span>
    <span>{t.now}</span>
  </li>
)

/** The timed part of the day, with a marker between past and future. */
const Schedule = ({
  items,
  day,
  context,
}: {
  items: readonly TimelineItem[]
  day: string
  context: RowContext
}) => {
  const { time } = useDates()
  if (items.length === 0) return null
  const conflicts = findConflicts(items)
  const next = items.findIndex(({ at }) => new Date(at) > context.now)
  const marker = <NowMarker time={time(context.now)} />
  return (
    <section className="today-group" aria-label={t.schedule}>
      <h3>{t.schedule}</h3>
      <ul className="rows">
        {items.map((item, index) => (
          <Fragment key={item.key}>
            {index === next && marker}
            <Item item={item} day={day} conflicts={conflicts} context={context} />
          </Fragment>
        ))}
        {next === -1 && marker}
      </ul>
    </section>
  )
}

const Tomorrow = ({
  items,
  day,
  context,
}: {
  items: readonly TimelineItem[]
  day: string
  context: RowContext
}) =>
  items.length === 0 ? null : (
    <details className="today-tomorrow">
      <summary>{t.tomorrow}</summary>
      <ul className="rows">
        {items.slice(0, FEW_TOMORROW).map((item) => (
          <Item key={item.key} item={item} day={day} context={context} />
        ))}
      </ul>
      <LinkButton size="small" kind="quiet" href={addressOf({ view: 'day', date: day })}>
        {t.openCalendar}
      </LinkButton>
    </details>
  )

interface DayData {
  tasks: readonly Task[]
  events: readonly CalendarEvent[]
  briefing: Shape<'DailyBriefing'>
}

const Day = ({ data, now }: { data: DayData; now: Date }) => {
  const dates = useDates()
  const accounts = useQuery(mailAccountsQuery(useClient())).data
  const context: RowContext = {
    now,
    tasks: useTaskActions(),
    lists: useTaskLists(),
    home: useHomeActions(),
    own: new Set(accounts?.map(({ address }) => address.toLowerCase())),
  }
  const isNew = useIsNewAccount()
  const today = dates.dayOf(now)
  const { overdue, allDay, timed, tomorrow } = toTimeline(data, now, dates)
  const waiting = (data.briefing.waiting ?? []).filter(({ folder }) => folder === 'inbox')
  const listed = new Set<number | null>(waiting.map(({ emailId }) => emailId))
  const commitments = (data.briefing.commitments ?? []).filter(({ emailId }) => !listed.has(emailId))
  const isEmpty = [overdue, allDay, timed, waiting, commitments].every(({ length }) => length === 0)
  return (
    <div className="today">
      {isEmpty && isNew && (
        <Empty icon={Sunrise} title={t.newAccount}>
          <p>{t.newAccountHelp}</p>
          <ConnectButton target="mail" kind="primary" label={t.connectEmail}>
            {t.connectEmail}
          </ConnectButton>
        </Empty>
      )}
      {isEmpty && !isNew && <Empty icon={Coffee} title={t.nothingToday} about={t.nothingTodayHelp} />}
      <Group title={t.overdue} items={overdue}>
        {(item) => <Item key={item.key} item={item} day={today} context={context} />}
      </Group>
      <Group title={t.allDay} items={allDay}>
        {(item) => <Item key={item.key} item={item} day={today} context={context} />}
      </Group>
      <Schedule items={timed} day={today} context={context} />
      <Group title={t.toAnswer} items={waiting}>
        {(mail) => <WaitingRow key={mail.emailId} mail={mail} context={context} />}
      </Group>
      <Group title={t.commitments} items={commitments}>
        {(commitment) => <CommitmentRow key={commitment.id} commitment={commitment} />}
      </Group>
      <Tomorrow items={tomorrow} day={addDays(today, 1)} context={context} />
    </div>
  )
}

/** The timeline of today: tasks, events, bookings and emails that need a reply. */
export const TodayCard = ({ now }: { now: Date }) => {
  const { dayOf } = useDates()
  const { data, ...queries } = useToday(dayOf(now))
  const failed = Object.values(queries).filter(({ isError }) => isError)
  return (
    <Card title={t.today}>
      {data && <Day data={data} now={now} />}
      {!data && failed[0] && (
        <Failure
          error={failed[0].error}
          onRetry={() => {
            for (const query of failed) void query.refetch()
          }}
        />
      )}
      {!data && failed.length === 0 && <Skeleton lines={6} />}
    </Card>
  )
}
