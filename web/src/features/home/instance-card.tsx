import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../api/account.ts'
import type { Shape } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'

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

export const InstanceCard = () => {
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
