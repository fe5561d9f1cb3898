import { useQueryClient } from '@tanstack/react-query'
import { RotateCw, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'

type Job = Shape<'Job'>
type State = Job['state']

const key = ['jobs']
const STATE_STYLES = {
  running: { tone: 'accent', label: 'Running' },
  waiting: { tone: 'plain', label: 'Waiting' },
  parked: { tone: 'bad', label: 'Parked' },
  done: { tone: 'good', label: 'Done' },
} as const

/** Formats `calendar.expand` as “Calendar: expand”. */
const titleOf = (name: string): string =>
  name
    .replace('.', ': ')
    .replaceAll('-', ' ')
    .replace(/^./, (first) => first.toUpperCase())

const Progress = ({ progress }: { progress: NonNullable<Job['progress']> }) => (
  <span>
    {progress.done}
    {progress.total !== null && ` of ${progress.total}`} {progress.note}
  </span>
)

const JobRow = ({ job, onChanged }: { job: Job; onChanged: () => Promise<void> }) => {
  const client = useClient()
  const notify = useNotify()
  const { tone, label } = STATE_STYLES[job.state]
  const params = { path: { id: job.id } }
  const run = async (work: Promise<unknown>, toastText: string) => {
    await work.then(
      () => notify(toastText),
      (error: unknown) => notify(describeError(error)),
    )
    await onChanged()
  }
  const retry = () => run(unwrap(client.POST('/api/jobs/{id}/retry', { params })), 'It is tried again.')
  const drop = () => run(unwrap(client.DELETE('/api/jobs/{id}', { params })), 'The job is given up.')
  return (
    <li data-wraps="true">
      <div className="row-main">
        <p className="row-title">
          {titleOf(job.name)}
          <Tag tone={tone}>{label}</Tag>
        </p>
        {job.error !== null && job.state !== 'done' && <p className="row-notes">{job.error}</p>}
        <p className="row-notes">
          <span>
            {job.state === 'waiting' ? 'due ' : ''}
            <Time at={job.state === 'waiting' ? job.runAt : (job.finishedAt ?? job.createdAt)} />
          </span>
          {job.progress && job.state === 'running' && <Progress progress={job.progress} />}
        </p>
      </div>
      <div className="row-actions">
        {job.state === 'parked' && (
          <Button size="small" aria-label={`Try again: ${titleOf(job.name)}`} onClick={() => void retry()}>
            <RotateCw size={14} aria-hidden="true" />
            Try again
          </Button>
        )}
        {(job.state === 'parked' || job.state === 'waiting') && (
          <Button size="small" aria-label={`Give up: ${titleOf(job.name)}`} onClick={() => void drop()}>
            <Trash2 size={14} aria-hidden="true" />
            Give up
          </Button>
        )}
      </div>
    </li>
  )
}

export const JobsSection = () => {
  const client = useClient()
  const queries = useQueryClient()
  const [state, setState] = useState<State | ''>('')
  const query = usePaged([...key, state], (page) =>
    unwrap(client.GET('/api/jobs', { params: { query: { ...page, ...(state !== '' && { state }) } } })),
  )
  const changed = () => queries.invalidateQueries({ queryKey: key })
  return (
    <Page
      title="Background jobs"
      within="Settings"
      about="What is done beside you: what runs, what waits, and what could not be done."
    >
      <Card
        id="jobs"
        title="Jobs"
        aside={
          <Button size="small" onClick={() => void changed()}>
            Look again
          </Button>
        }
      >
        <SelectField
          name="state"
          label="Show"
          value={state}
          onChange={(event) => setState(event.target.value as State | '')}
        >
          <option value="">All</option>
          {Object.entries(STATE_STYLES).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <LoadedList
          query={query}
          itemsOf={({ jobs }) => jobs}
          empty={
            <Empty icon={Workflow} title="No such jobs">
              <p>Nothing is under way, and nothing got stuck.</p>
            </Empty>
          }
        >
          {(jobs) => (
            <ul className="rows">
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} onChanged={changed} />
              ))}
            </ul>
          )}
        </LoadedList>
      </Card>
    </Page>
  )
}
