import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { healthQuery, usePreferences, useProfile } from '../../api/account.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Page } from '../../shell/page.tsx'
import { ActivityList } from '../../ui/activity-list.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { toCityName } from '../../ui/time-zone.ts'
import { useNow } from '../../ui/use-now.ts'
import { BriefingCard } from './briefing-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NextUpCard } from './next-up-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { Stats } from './stats.tsx'
import './home.css'

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Formats the two largest units: "3 days, 4 hours". */
const lengthOf = (seconds: number): string => {
  const units = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3_600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
  ] as const
  const from = units.findIndex(([, count]) => count > 0)
  if (from === -1) return 'under a minute'
  return units
    .slice(from, from + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(', ')
}

const findProblems = ({ database, checks }: Shape<'Health'>): string[] => [
  ...(database.ok ? [] : ['The database does not answer.']),
  ...Object.entries(checks)
    .filter(([, { ok }]) => !ok)
    .map(([name, { detail }]) =>
      name === 'accepting' ? 'It is shutting down.' : `${name}: ${detail ?? 'not well'}`,
    ),
]

const InstanceCard = () => {
  const query = useQuery(healthQuery(useClient()))
  const health = query.data
  return (
    <Card
      title="This instance"
      aside={
        health && (health.status === 'ok' ? <Tag tone="good">All well</Tag> : <Tag tone="bad">Down</Tag>)
      }
    >
      <Loaded query={query} lines={3}>
        {(report) => (
          <>
            <dl className="facts">
              <dt>Version</dt>
              <dd>{report.version}</dd>
              <dt>Database</dt>
              <dd>{ENGINES[report.database.engine]}</dd>
              <dt>Running for</dt>
              <dd>{lengthOf(report.uptimeSeconds)}</dd>
            </dl>
            {findProblems(report).map((trouble) => (
              <p key={trouble} className="field-error">
                {trouble}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </Card>
  )
}

const MAX_ITEMS = 6

const ActivityCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['activity', 'latest'],
    queryFn: () =>
      unwrap(client.GET('/api/settings/security/activity', { params: { query: { limit: MAX_ITEMS } } })),
  })
  return (
    <Card title="Latest activity" about="Recent sign-ins and changes of your account.">
      <Loaded query={query} lines={6}>
        {({ activity, nextCursor }) =>
          activity.length === 0 ? (
            <Empty icon={History} title="Nothing yet">
              <p>What you do with your account is noted here.</p>
            </Empty>
          ) : (
            <>
              <ActivityList entries={activity} />
              {nextCursor !== null && (
                <div className="home-more">
                  <LinkButton href="/settings/security#activity" size="small">
                    See all activity
                  </LinkButton>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const hourIn = (timeZone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now))

const greetingAt = (hour: number): string => {
  if (hour < 5) return 'Hello'
  if (hour < 12) return 'Good morning'
  if (hour < 18) return 'Good afternoon'
  return 'Good evening'
}

export const Home = () => {
  const now = useNow()
  const { dayInFull, time, timeZone } = useDates()
  const profile = useProfile()
  const name = profile.data?.value.name
  // Waits for profile and preferences, so that the layout does not shift.
  const isKnown = [profile.isPending, usePreferences().isPending].every((isPending) => !isPending)
  const greeting = greetingAt(hourIn(timeZone, now))
  return (
    <div className="home">
      <Page
        name="Home"
        title={name === undefined ? greeting : `${greeting}, ${name}`}
        about={`${dayInFull(now)} · ${time(now)} in ${toCityName(timeZone)}`}
      >
        {!isKnown && <Skeleton lines={6} />}
        <div className="home-desk" hidden={!isKnown}>
          <Stats />
          <div className="home-cards">
            <div>
              <FirstSteps />
              <BriefingCard />
              <ActivityCard />
            </div>
            <div>
              <NextUpCard now={now} />
              <InstanceCard />
              <SessionsCard />
            </div>
          </div>
        </div>
      </Page>
    </div>
  )
}
