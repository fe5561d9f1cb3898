import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, Check, CircleAlert, CircleCheck, Copy, RefreshCw, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { bookingSettingsQuery, eventTypesQuery, unreadableBookingsQuery } from '../../../api/bookings.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Empty, Notice } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { type UnreadableItem, UnreadableNotice } from '../remote-accounts/unreadable-notice.tsx'
import { ProviderForm } from './provider-form.tsx'
import './bookings.css'

const UnreadableBookings = ({ count }: { count: number }) => {
  const client = useClient()
  const notify = useNotify()
  const { data = [] } = useQuery(unreadableBookingsQuery(client, count))
  const download = async ({ id }: UnreadableItem) => {
    try {
      const call = client.GET('/api/bookingsvc/unreadable/{id}', {
        params: { path: { id } },
        parseAs: 'blob',
      })
      saveFile((await unwrap(call)) as Blob, `unreadable-booking-${id}.json`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <UnreadableNotice
      nouns={['booking', 'bookings']}
      count={count}
      items={data}
      onDownload={(item) => void download(item)}
    />
  )
}

type Settings = Shape<'BookingSettings'>
type Report = Shape<'SyncReport'>

const STATUS = {
  ok: { tone: 'good', words: 'Went well' },
  partial: { tone: 'warn', words: 'Some bookings made no sense' },
  failed: { tone: 'bad', words: 'Failed' },
} as const

const COUNTS = [
  ['fetched', 'looked at'],
  ['created', 'new'],
  ['updated', 'changed'],
  ['cancelled', 'called off'],
  ['unchanged', 'as they were'],
  ['failed', 'not understood'],
] as const

const Result = ({ report }: { report: Report }) => (
  <div role="status">
    <Notice tone={report.failed > 0 ? 'warn' : 'good'}>
      <p>
        {COUNTS.filter(([name]) => name === 'fetched' || report[name] > 0)
          .map(([name, words]) => `${report[name]} ${words}`)
          .join(', ')}
        .
      </p>
      {report.errors.length > 0 && (
        <ul>
          {report.errors.slice(0, 5).map(({ bookingId, message }) => (
            <li key={`${bookingId} ${message}`}>
              <code>{bookingId ?? 'without a name'}</code>: {message}
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
  const status = settings.lastSyncStatus === null ? null : STATUS[settings.lastSyncStatus]
  return (
    <Card
      id="booking-sync"
      title="In step"
      about={
        settings.lastSyncAt === null ? (
          'No sync has come to its end yet.'
        ) : (
          <>
            Last brought in step <Time at={settings.lastSyncAt} />.
          </>
        )
      }
      aside={status && <Tag tone={status.tone}>{status.words}</Tag>}
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
            Sync now
          </Button>
          <Button disabled={!settings.configured || isBusy} onClick={() => sync.mutate(true)}>
            Look at everything
          </Button>
        </div>
      </div>
    </Card>
  )
}

type Drift = Shape<'DriftReport'>

const KINDS = [
  ['missing', 'No event stands for these'],
  ['changed', 'Their events say something else'],
  ['orphaned', 'The provider does not list these'],
] as const

const DriftResult = ({ drift }: { drift: Drift }) => {
  const found = KINDS.filter(([kind]) => drift[kind].count > 0)
  if (found.length === 0)
    return (
      <Notice tone="good" icon={CircleCheck}>
        The provider and the calendar say the same of {drift.fetched} bookings.
      </Notice>
    )
  return (
    <Notice tone="warn" icon={CircleAlert}>
      {found.map(([kind, words]) => (
        <div key={kind}>
          <p>
            {words} ({drift[kind].count}):
          </p>
          <ul>
            {drift[kind].bookings.slice(0, 10).map((booking) => (
              <li key={booking.bookingId}>
                <code>{booking.bookingId}</code>
                {'title' in booking && ` ${booking.title}`}
                {'fields' in booking && ` ${booking.fields.join(', ')}`}
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
    <Card
      id="booking-drift"
      title="Compare"
      about="Looks at every booking and changes nothing. “Look at everything” above mends what is found."
    >
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
            Compare now
          </Button>
        </div>
      </div>
    </Card>
  )
}

const EventTypesCard = () => {
  const query = useQuery(eventTypesQuery(useClient(), true))
  return (
    <Card id="booking-event-types" title="What can be booked">
      <Loaded query={query}>
        {(types) =>
          types.length === 0 ? (
            <Empty icon={CalendarClock} title="Nothing can be booked yet">
              <p>Make an event type at the provider.</p>
            </Empty>
          ) : (
            <ul className="rows">
              {types.map(({ id, title, durationMinutes, url, active }) => (
                <li key={id}>
                  <span className="row-icon">
                    <CalendarClock size={18} aria-hidden="true" />
                  </span>
                  <div className="row-main">
                    <p className="row-title">{title}</p>
                    <p className="row-notes">
                      {durationMinutes !== null && <span>{durationMinutes} minutes</span>}
                      {!active && <Tag>Hidden</Tag>}
                      {url !== null && (
                        <a className="booking-link" href={url} target="_blank" rel="noreferrer noopener">
                          {url.replace(/^https?:\/\//, '')}
                        </a>
                      )}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

/** Webhook address for the booking provider. */
const WebhookCard = ({ settings }: { settings: Shape<'BookingSettings'> }) => {
  const address = `${window.location.origin}/api/bookingsvc/webhook`
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    setIsCopied(true)
  }
  return (
    <Card
      id="booking-webhook"
      title="Notices"
      about="With this address in the provider’s webhook settings, and the same secret there and here, changes arrive at once."
      aside={
        settings.webhookConfigured ? (
          <Tag tone="good">Secret saved</Tag>
        ) : (
          <Tag tone="warn">No secret yet</Tag>
        )
      }
    >
      <div className="booking-line">
        <code>{address}</code>
        <Button size="small" onClick={() => void copy()}>
          {isCopied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
          {isCopied ? 'Copied' : 'Copy the address'}
        </Button>
      </div>
    </Card>
  )
}

export const BookingsSection = () => {
  const query = useQuery(bookingSettingsQuery(useClient()))
  return (
    <Page
      title="Bookings"
      within="Settings"
      about="What others book with you at Cal.com or Calendly becomes events in your calendar. Their time, status and guests follow the provider; your notes and tags stay yours."
    >
      <Card id="booking-provider" title="Provider">
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
