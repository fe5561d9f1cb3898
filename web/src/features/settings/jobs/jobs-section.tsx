import { RotateCw, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/instance'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { formatNumber } from '../../../locales/format.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Options, SelectField } from '../../../ui/field.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'

const { label, about } = sections.jobs

type Job = Shape<'Job'>
type State = Job['state']

const key = ['jobs']
const STATES = ['running', 'waiting', 'parked', 'done'] as const satisfies readonly State[]
const TONES = { running: 'accent', waiting: 'plain', parked: 'bad', done: 'good' } as const

const Progress = ({ progress }: { progress: NonNullable<Job['progress']> }) => (
  <span>
    {progress.total === null
      ? formatNumber(progress.done)
      : t.progress({ done: progress.done, total: progress.total })}
  </span>
)

const JobRow = ({ job, onChanged }: { job: Job; onChanged: () => Promise<void> }) => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const params = { path: { id: job.id } }
  const run = async (work: Promise<unknown>, toastText: string) => {
    await attempt(async () => {
      await work
      notify(toastText)
    })
    await onChanged()
  }
  const retry = () => run(unwrap(client.POST('/api/jobs/{id}/retry', { params })), t.jobRetried)
  const drop = () => run(unwrap(client.DELETE('/api/jobs/{id}', { params })), t.jobDeleted)
  return (
    <Row
      data-wraps="true"
      title={job.title}
      tags={<Tag tone={TONES[job.state]}>{t.jobStates[job.state]}</Tag>}
      actions={
        <>
          {job.state === 'parked' && (
            <Button size="small" aria-label={t.retryJob(job.title)} onClick={() => void retry()}>
              <RotateCw size={14} aria-hidden="true" />
              {common.retry}
            </Button>
          )}
          {(job.state === 'parked' || job.state === 'waiting') && (
            <Button size="small" aria-label={t.deleteJob(job.title)} onClick={() => void drop()}>
              <Trash2 size={14} aria-hidden="true" />
              {common.remove}
            </Button>
          )}
        </>
      }
    >
      {job.error !== null && job.state !== 'done' && <p className="row-notes">{job.error}</p>}
      <p className="row-notes">
        <span>
          {job.state === 'waiting' ? (
            <RichText text={t.due} tags={{ time: () => <Time at={job.runAt} /> }} />
          ) : (
            <Time at={job.finishedAt ?? job.createdAt} />
          )}
        </span>
        {job.progress && job.state === 'running' && <Progress progress={job.progress} />}
      </p>
    </Row>
  )
}

export const JobsSection = () => {
  const client = useClient()
  const [state, setState] = useState<State | ''>('')
  const query = usePaged([...key, state], (page) =>
    unwrap(client.GET('/api/jobs', { params: { query: { ...page, ...(state !== '' && { state }) } } })),
  )
  const changed = useRefetch(key)
  return (
    <Page title={label} within={common.settings} about={about}>
      <Card
        id="jobs"
        title={t.job}
        aside={
          <Button size="small" onClick={() => void changed()}>
            {t.refresh}
          </Button>
        }
      >
        <SelectField
          name="state"
          label={t.status}
          value={state}
          onChange={(event) => setState(event.target.value as State | '')}
        >
          <option value="">{t.all}</option>
          <Options entries={STATES.map((value) => [value, t.jobStates[value]])} />
        </SelectField>
        <RowList
          query={query}
          itemsOf={({ jobs }) => jobs}
          empty={<Empty icon={Workflow} title={t.noJobs} />}
        >
          {(job) => <JobRow key={job.id} job={job} onChanged={changed} />}
        </RowList>
      </Card>
    </Page>
  )
}
