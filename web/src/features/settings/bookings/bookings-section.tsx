import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, CircleAlert, CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import * as t from '#locale/booking-settings'
import * as common from '#locale/shared-texts'
import { toPublicUrl } from '../../../api/base-path.ts'
import { bookingSettingsQuery, eventTypesQuery, unreadableBookingsQuery } from '../../../api/bookings.ts'
import { type Shape, unwrap, unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { formatList } from '../../../locales/format.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row } from '../../../ui/rows.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { CopyButton } from '../../../ui/secret.tsx'
import { Time } from '../../../ui/time.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useAmounts } from '../billing/amounts.ts'
import { type UnreadableItem, UnreadableNotice } from '../remote-accounts/unreadable-notice.tsx'
import { ProviderForm } from './provider-form.tsx'
import './bookings.css'

const UnreadableBookings = ({ count }: { count: number }) => {
  const client = useClient()
  const attempt = useAttempt()
  const { data = [] } = useQuery(unreadableBookingsQuery(client, count))
  const download = ({ id }: UnreadableItem) =>
    attempt(async () => {
      const call = client.GET('/api/bookingsvc/unreadable/{id}', {
        params: { path: { id } },
        parseAs: 'blob',
      })
      saveFile(await unwrapFile(call), `unreadable-booking-${id}.json`)
    })
  return (
    <UnreadableNotice text={t.unreadable(count)} items={data} onDownload={(item) => void download(item)} />
  )
}

type Settings = Shape<'BookingSettings'>
type Report = Shape<'SyncReport'>

const TONES = { ok: 'good', partial: 'warn', failed: 'bad' } as const

const COUNTS = ['fetched', 'created', 'updated', 'cancelled', 'unchanged', 'failed'] as const

const Result = ({ report }: { report: Report }) => (
  <div role="status">
    <Notice tone={report.failed > 0 ? 'warn' : 'good'}>
      <p>
        {formatList(
          COUNTS.filter((name) => name === 'fetched' || report[name] > 0).map((name) =>
            t.syncCounts[name](report[name]),
          ),
        )}
      </p>
      {report.errors.length > 0 && (
        <ul>
          {report.errors.slice(0, 5).map(({ bookingId, message }) => (
            <li key={`${bookingId} ${message}`}>
              <code>{bookingId ?? t.unknownBooking}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  </div>
)

const SyncCard = ({ settings }: { settings: Settings }) => {
  const client = useClient()
  const queries = useQueryClient()
  const sync = useMutation({
    mutationFn: (full: boolean) =>
      unwrap(client.POST('/api/bookingsvc/sync', { params: { query: full ? { full } : {} } })),
    onSettled: () => queries.invalidateQueries(),
  })
  const isBusy = sync.isPending || settings.syncing
  const { lastSyncAt, lastSyncStatus: status } = settings
  return (
    <Card
      id="booking-sync"
      title={t.sync}
      about={
        lastSyncAt === null ? (
          t.neverSynced
        ) : (
          <RichText text={t.lastSynced} tags={{ time: () => <Time at={lastSyncAt} /> }} />
        )
      }
      aside={status && <Tag tone={TONES[status]}>{t.syncStatuses[status]}</Tag>}
    >
      <div className="booking-stack">
        {sync.data && <Result report={sync.data} />}
        {!sync.data && (sync.error ?? settings.lastError) !== null && (
          <div role="alert">
            <Notice tone="bad" icon={TriangleAlert}>
              {sync.error ? describeError(sync.error) : settings.lastError}
            </Notice>
          </div>
        )}
        {settings.unreadable > 0 && <UnreadableBookings count={settings.unreadable} />}
        <div className="form-actions">
          <Button
            kind="primary"
            busy={isBusy}
            disabled={!settings.configured}
            onClick={() => sync.mutate(false)}
          >
            <RefreshCw size={16} aria-hidden="true" />
            {t.refresh}
          </Button>
          <Button disabled={!settings.configured || isBusy} onClick={() => sync.mutate(true)}>
            {t.fullSync}
          </Button>
        </div>
      </div>
    </Card>
  )
}

type Drift = Shape<'DriftReport'>

const DIFFERENCES = ['missing', 'changed', 'orphaned'] as const

const DriftResult = ({ drift }: { drift: Drift }) => {
  const found = DIFFERENCES.filter((kind) => drift[kind].count > 0)
  if (found.length === 0)
    return (
      <Notice tone="good" icon={CircleCheck}>
        {t.noDifferences(drift.fetched)}
      </Notice>
    )
  return (
    <Notice tone="warn" icon={CircleAlert}>
      {found.map((kind) => (
        <div key={kind}>
          <p>{t.differences[kind](drift[kind].count)}</p>
          <ul>
            {drift[kind].bookings.slice(0, 10).map((booking) => (
              <li key={booking.bookingId}>
                <code>{booking.bookingId}</code>
                {'title' in booking && ` ${booking.title}`}
                {'fields' in booking &&
                  ` ${formatList(booking.fields.map((name) => t.fields[name] ?? name))}`}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Notice>
  )
}

/** Compares all bookings with the calendar on request. */
const DriftCard = () => {
  const client = useClient()
  const compare = useMutation({ mutationFn: () => unwrap(client.GET('/api/bookingsvc/drift')) })
  return (
    <Card id="booking-drift" title={t.comparison} about={t.comparisonAbout}>
      <div className="booking-stack">
        <div role="status">
          {compare.data && <DriftResult drift={compare.data} />}
          {compare.error && (
            <Notice tone="bad" icon={CircleAlert}>
              {describeError(compare.error)}
            </Notice>
          )}
        </div>
        <div className="form-actions">
          <Button busy={compare.isPending} onClick={() => compare.mutate()}>
            {t.compare}
          </Button>
        </div>
      </div>
    </Card>
  )
}

const EventTypesCard = () => {
  const query = useQuery(eventTypesQuery(useClient(), true))
  const { duration } = useAmounts()
  return (
    <ListCard
      id="booking-event-types"
      title={t.eventTypes}
      query={query}
      itemsOf={(all) => all}
      empty={{ icon: CalendarClock, title: t.noEventTypes, about: t.noEventTypesAbout }}
    >
      {({ id, title, durationMinutes, url, active }) => (
        <Row key={id} icon={CalendarClock} title={title}>
          <p className="row-notes">
            {durationMinutes !== null && <span>{duration(durationMinutes, 'minute')}</span>}
            {!active && <Tag>{t.hidden}</Tag>}
            {url !== null && (
              <a className="booking-link" href={url} target="_blank" rel="noreferrer noopener">
                {url.replace(/^https?:\/\//, '')}
              </a>
            )}
          </p>
        </Row>
      )}
    </ListCard>
  )
}

/** Webhook address for the booking provider. */
const WebhookCard = ({ settings }: { settings: Shape<'BookingSettings'> }) => {
  const address = toPublicUrl('/api/bookingsvc/webhook')
  return (
    <Card
      id="booking-webhook"
      title={t.webhooks}
      about={t.webhooksAbout}
      aside={
        settings.webhookConfigured ? (
          <Tag tone="good">{t.secretSaved}</Tag>
        ) : (
          <Tag tone="warn">{t.noSecret}</Tag>
        )
      }
    >
      <div className="booking-line">
        <code>{address}</code>
        <CopyButton text={address} label={t.copyAddress} />
      </div>
    </Card>
  )
}

export const BookingsSection = () => {
  const query = useQuery(bookingSettingsQuery(useClient()))
  return (
    <Page title={t.title} within={common.settings} about={t.about}>
      <Card id="booking-provider" title={t.connection}>
        <Loaded query={query}>
          {(settings) => <ProviderForm key={settings.provider} settings={settings} />}
        </Loaded>
      </Card>
      {query.data && (
        <>
          <SyncCard settings={query.data} />
          <WebhookCard settings={query.data} />
          {query.data.configured && (
            <>
              <EventTypesCard />
              <DriftCard />
            </>
          )}
        </>
      )}
    </Page>
  )
}
