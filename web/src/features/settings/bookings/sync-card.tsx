import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Time } from '../../../ui/time.tsx'
import { UnreadableBookings } from './unreadable-bookings.tsx'

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

export const SyncCard = ({ settings }: { settings: Settings }) => {
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
