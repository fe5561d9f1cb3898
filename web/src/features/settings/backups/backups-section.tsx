import { useQuery } from '@tanstack/react-query'
import { Archive, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/backups'
import { language } from '#locale/language'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap, unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ConfirmDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row } from '../../../ui/rows.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Secret } from '../../../ui/secret.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { ScheduleForm } from './schedule-form.tsx'

const { label, about, cards } = sections.backups

type Backup = Shape<'Backup'>

const LIST = ['backups']
const SCHEDULE = ['backup-schedule']
const POLL_MS = 1_000
const TONES = { running: 'accent', written: 'plain', proven: 'good', failed: 'bad' } as const

const formatBytes = (bytes: number): string => {
  const [unit, size] = bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / size,
  )
}

const useSchedule = () => {
  const client = useClient()
  return useQuery({ queryKey: SCHEDULE, queryFn: () => unwrap(client.GET('/api/backups/schedule')) })
}

const ProofCard = ({ onStarted }: { onStarted: () => Promise<void> }) => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const query = useSchedule()
  const start = async () => {
    await attempt(async () => {
      await unwrap(client.POST('/api/backups'))
      notify(t.backupStarted)
    })
    await onStarted()
  }
  return (
    <Card
      id="proof"
      title={t.lastProven}
      aside={
        <Button kind="primary" size="small" onClick={() => void start()}>
          {t.backUpNow}
        </Button>
      }
    >
      <Loaded query={query} lines={2}>
        {({ lastProvenAt, nextRunAt }) => (
          <div className="stack">
            <p>
              <strong>{lastProvenAt === null ? t.neverProven : <Time at={lastProvenAt} />}</strong>
            </p>
            <p>{lastProvenAt === null ? t.neverProvenAbout : t.provenAbout}</p>
            <p className="quiet">
              {nextRunAt === null ? (
                t.notScheduled
              ) : (
                <RichText text={t.nextBackup} tags={{ time: () => <Time at={nextRunAt} /> }} />
              )}
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

const ScheduleCard = () => {
  const refetch = useRefetch(SCHEDULE)
  const [saves, setSaves] = useState(0)
  // A new form has the saved values and no secrets.
  const reset = async () => {
    await refetch()
    setSaves(saves + 1)
  }
  return (
    <Card id="schedule" title={cards.schedule.label}>
      <Loaded query={useSchedule()} lines={6}>
        {(schedule) => <ScheduleForm key={saves} schedule={schedule} onSaved={reset} />}
      </Loaded>
    </Card>
  )
}

const BackupActions = ({ backup, onChanged }: { backup: Backup; onChanged: () => Promise<void> }) => {
  const client = useClient()
  const notify = useNotify()
  const [open, setOpen] = useState<'download' | 'delete' | null>(null)
  const params = { path: { id: backup.id } }
  const close = () => setOpen(null)
  const download = async (password: string) => {
    const call = client.POST('/api/backups/{id}/download', { params, body: { password }, parseAs: 'blob' })
    saveFile(await unwrapFile(call), backup.filename)
    close()
  }
  const remove = async () => {
    await unwrap(client.DELETE('/api/backups/{id}', { params }))
    notify(t.deleted)
    await onChanged()
  }
  return (
    <>
      <Button size="small" aria-label={t.downloadBackup(backup.filename)} onClick={() => setOpen('download')}>
        <Download size={14} aria-hidden="true" />
        {t.download}
      </Button>
      <Button size="small" aria-label={t.deleteBackup(backup.filename)} onClick={() => setOpen('delete')}>
        <Trash2 size={14} aria-hidden="true" />
        {common.remove}
      </Button>
      <PasswordDialog
        open={open === 'download'}
        onClose={close}
        title={t.downloadBackup(backup.filename)}
        about={t.downloadAbout}
        action={t.download}
        savedAs={null}
        onConfirm={download}
      />
      <ConfirmDialog
        item={open === 'delete' ? backup.filename : null}
        onClose={close}
        title={t.deleteBackup}
        about={() => t.deleteAbout}
        action={common.remove}
        onConfirm={remove}
      />
    </>
  )
}

const BackupItem = ({ backup, onChanged }: { backup: Backup; onChanged: () => Promise<void> }) => (
  <Row
    data-wraps="true"
    title={<Time at={backup.createdAt} />}
    tags={<Tag tone={TONES[backup.state]}>{t.states[backup.state]}</Tag>}
    actions={backup.finishedAt !== null && <BackupActions backup={backup} onChanged={onChanged} />}
  >
    {backup.problem !== null && <p className="row-notes">{backup.problem}</p>}
    <p className="row-notes">
      {backup.step !== null && <span role="status">{t.steps[backup.step]}</span>}
      {backup.size !== null && <span>{formatBytes(backup.size)}</span>}
      {backup.encrypted && <span>{t.encrypted}</span>}
      <span>{backup.location}</span>
    </p>
  </Row>
)

/** Backups of all accounts, for the owner. */
export const BackupsSection = () => {
  const client = useClient()
  const query = usePaged(LIST, (page) => unwrap(client.GET('/api/backups', { params: { query: page } })))
  const isRunning =
    query.data?.pages.some(({ backups }) => backups.some(({ finishedAt }) => finishedAt === null)) ?? false
  const changed = useRefetch(LIST, SCHEDULE)
  // The schedule has the time of the last proven backup, so both are read while one runs.
  useQuery({
    queryKey: ['backup-progress'],
    queryFn: async () => {
      await changed()
      return null
    },
    enabled: isRunning,
    refetchInterval: POLL_MS,
  })
  return (
    <Page title={label} within={common.settings} about={about}>
      <ProofCard onStarted={changed} />
      <ListCard
        id="backups"
        title={cards.backups.label}
        query={query}
        itemsOf={({ backups }) => backups}
        empty={{ icon: Archive, title: t.noBackups, about: t.noBackupsAbout }}
      >
        {(backup) => <BackupItem key={backup.id} backup={backup} onChanged={changed} />}
      </ListCard>
      <ScheduleCard />
      <Card id="restore" title={cards.restore.label}>
        <div className="stack">
          <p>{t.restoreAbout}</p>
          <Secret text={t.restoreCommand} />
          <p className="quiet">{t.restoreHint}</p>
        </div>
      </Card>
    </Page>
  )
}
