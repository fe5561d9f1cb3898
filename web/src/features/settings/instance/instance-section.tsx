import { useQuery } from '@tanstack/react-query'
import * as t from '#locale/instance'
import { language } from '#locale/language'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { healthQuery } from '../../../api/account.ts'
import { toServerPath } from '../../../api/base-path.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { formatList, formatNumber } from '../../../locales/format.ts'
import { Page } from '../../../shell/page.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Secret } from '../../../ui/secret.tsx'
import './instance.css'

const { label, about, cards } = sections.instance

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

const units = new Intl.ListFormat(language, { type: 'unit' })

const formatUnit = (value: number, unit: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)

/** Formats the two largest units: "3 days, 4 hours". */
const formatUptime = (seconds: number): string => {
  const parts = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3_600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
  ] as const
  const first = parts.findIndex(([, count]) => count > 0)
  if (first === -1) return t.uptimeUnderOneMinute
  return units.format(
    parts
      .slice(first, first + 2)
      .filter(([, count]) => count > 0)
      .map(([unit, count]) => formatUnit(count, unit)),
  )
}

const formatBytes = (bytes: number): string => {
  const [unit, size] = bytes < 1e9 ? (['megabyte', 1e6] as const) : (['gigabyte', 1e9] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / size,
  )
}

const Checks = ({ checks }: { checks: Shape<'Health'>['checks'] }) =>
  Object.entries(checks).map(([name, { ok, detail }]) => (
    <div key={name}>
      <dt>{t.checks[name] ?? name}</dt>
      <dd>
        {ok ? (
          t.checkPassed
        ) : (
          <span className="field-error">
            {detail ?? (name === 'accepting' ? t.shuttingDown : t.checkFailed)}
          </span>
        )}
      </dd>
    </div>
  ))

const useStorage = () => {
  const client = useClient()
  return useQuery({
    queryKey: ['billing', 'usage'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/usage', { params: { query: { days: 30 } } })),
  })
}

const StatusCard = () => {
  const query = useQuery(healthQuery(useClient()))
  const storage = useStorage().data?.totals.storageBytes
  const health = query.data
  return (
    <Card
      id="status"
      title={cards.status.label}
      aside={
        health &&
        (health.status === 'ok' ? <Tag tone="good">{t.healthy}</Tag> : <Tag tone="bad">{t.down}</Tag>)
      }
    >
      <Loaded query={query} lines={5}>
        {({ version, database, uptimeSeconds, checks }) => (
          <dl className="instance-facts">
            <div>
              <dt>{t.version}</dt>
              <dd>{version}</dd>
            </div>
            <div>
              <dt>{t.database}</dt>
              <dd>
                {ENGINES[database.engine]}
                {!database.ok && <p className="field-error">{t.databaseDown}</p>}
              </dd>
            </div>
            {storage !== undefined && (
              <div>
                <dt>{t.storage}</dt>
                <dd>{formatBytes(storage)}</dd>
              </div>
            )}
            <div>
              <dt>{t.uptime}</dt>
              <dd>{formatUptime(uptimeSeconds)}</dd>
            </div>
            <Checks checks={checks} />
          </dl>
        )}
      </Loaded>
    </Card>
  )
}

const MAX_JOBS = 200

const ServicesCard = () => {
  const client = useClient()
  const models = useQuery({ queryKey: ['ai-models'], queryFn: () => unwrap(client.GET('/api/ai/models')) })
  const failed = useQuery({
    queryKey: ['jobs', 'failed'],
    queryFn: () =>
      unwrap(client.GET('/api/jobs', { params: { query: { state: 'parked', limit: MAX_JOBS } } })),
  })
  return (
    <Card id="services" title={cards.services.label}>
      <dl className="instance-facts">
        <div>
          <dt>{t.aiModels}</dt>
          <dd>
            <Loaded query={models} lines={1}>
              {({ models: all }) => {
                const ready = all.filter((model) => model.ready).map(({ providerModel }) => providerModel)
                return ready.length === 0 ? t.noAiModel : formatList(ready)
              }}
            </Loaded>
          </dd>
        </div>
        <div>
          <dt>{t.failedJobs}</dt>
          <dd>
            <Loaded query={failed} lines={1}>
              {({ jobs }) => (jobs.length === 0 ? t.none : formatNumber(jobs.length))}
            </Loaded>
          </dd>
        </div>
      </dl>
      <div className="form-actions">
        <LinkButton href="/settings/ai" size="small">
          {t.manageAi}
        </LinkButton>
        <LinkButton href="/settings/jobs" size="small">
          {t.showJobs}
        </LinkButton>
      </div>
    </Card>
  )
}

const DiagnosticsCard = () => (
  <Card id="diagnostics" title={cards.diagnostics.label}>
    <div className="stack">
      <p>{t.doctorAbout}</p>
      <Secret text={t.doctorCommand} />
      <p className="quiet">{t.logsAbout}</p>
      <div className="form-actions">
        {/* Pages of the server, not of the console. */}
        <a className="button" data-size="small" href={toServerPath('/docs')}>
          {t.apiReference}
        </a>
        <a className="button" data-size="small" href={toServerPath('/metrics')}>
          {t.metrics}
        </a>
      </div>
    </div>
  </Card>
)

/** Facts about the server, for the owner. */
export const InstanceSection = () => (
  <Page title={label} within={common.settings} about={about}>
    <StatusCard />
    <ServicesCard />
    <DiagnosticsCard />
  </Page>
)
