import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/imports'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap, unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { formatList } from '../../../locales/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Time, useDates } from '../../../ui/time.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useAmounts } from '../billing/amounts.ts'
import { StartForm } from './start-form.tsx'

export type FileImport = Shape<'FileImport'>
export const importsKey = ['imports'] as const

const BUSY: readonly FileImport['state'][] = ['uploading', 'analysing', 'running', 'undoing']
const isBusy = ({ state }: FileImport): boolean => BUSY.includes(state)

const TONES = {
  uploading: 'accent',
  analysing: 'accent',
  ready: 'plain',
  running: 'accent',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  undoing: 'accent',
  undone: 'plain',
} as const

const KINDS = ['emails', 'contacts', 'events', 'tasks'] as const
const LISTED_PROBLEMS = 50

const Analysis = ({ analysis }: { analysis: NonNullable<FileImport['analysis']> }) => {
  const { days } = useDates()
  const kinds = KINDS.filter((kind) => analysis[kind].count > 0)
  if (kinds.length === 0) return <p>{t.nothingFound}</p>
  return (
    <dl className="import-facts">
      {kinds.map((kind) => {
        const { samples, earliest, latest } = analysis[kind]
        const [from, to] = [earliest?.slice(0, 10), latest?.slice(0, 10)]
        return (
          <div key={kind}>
            <dt>{t.kinds[kind]}</dt>
            <dd>
              {t.found(analysis[kind])}
              {from !== undefined && to !== undefined && <p className="quiet">{days(from, to)}</p>}
              {samples.length > 0 && <p className="quiet">{t.examples(formatList(samples))}</p>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const Counts = ({ counts }: { counts: FileImport['counts'] }) => {
  const kinds = KINDS.filter((kind) => Object.values(counts[kind]).some((count) => count > 0))
  return (
    <>
      <dl className="import-facts">
        {kinds.map((kind) => (
          <div key={kind}>
            <dt>{t.kinds[kind]}</dt>
            <dd>{t.written(counts[kind])}</dd>
          </div>
        ))}
      </dl>
      {counts.undo && <p>{t.removed(counts.undo)}</p>}
    </>
  )
}

const ProblemList = ({ id, count }: { id: number; count: number }) => {
  const client = useClient()
  const query = useQuery({
    queryKey: [...importsKey, id, 'problems', count],
    queryFn: async () =>
      (
        await unwrap(
          client.GET('/api/imports/{id}/problems', {
            params: { path: { id }, query: { limit: LISTED_PROBLEMS } },
          }),
        )
      ).problems,
  })
  return (
    <Loaded query={query}>
      {(problems) => (
        <>
          <ul className="import-problems">
            {problems.map((problem) => (
              <li key={problem.id}>
                <Tag tone={problem.severity === 'skipped' ? 'bad' : 'warn'}>
                  {t.severities[problem.severity]}
                </Tag>
                <div>
                  <p className="import-place">
                    {[problem.file, problem.line === null ? '' : t.line(problem.line), problem.field]
                      .filter((part) => part !== '')
                      .join(' · ')}
                  </p>
                  {problem.value !== '' && <q>{problem.value}</q>}
                  <p className="quiet">{problem.reason}</p>
                </div>
              </li>
            ))}
          </ul>
          {count > problems.length && <p className="quiet">{t.moreProblems(count - problems.length)}</p>}
        </>
      )}
    </Loaded>
  )
}

const Problems = ({ value: { id, problemCount } }: { value: FileImport }) => {
  const client = useClient()
  const attempt = useAttempt()
  const [isOpen, setIsOpen] = useState(false)
  if (problemCount === 0) return null
  const download = () =>
    attempt(async () => {
      const call = client.GET('/api/imports/{id}/problems.csv', { params: { path: { id } }, parseAs: 'blob' })
      saveFile(await unwrapFile(call), `import-${id}.csv`)
    })
  return (
    <div className="stack">
      <Notice tone="warn" icon={TriangleAlert}>
        <p>{t.problems(problemCount)}</p>
        <div className="form-actions">
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t.hideProblems : t.showProblems}
          </Button>
          <Button size="small" onClick={() => void download()}>
            <Download size={14} aria-hidden="true" />
            {t.downloadProblems}
          </Button>
        </div>
      </Notice>
      {isOpen && <ProblemList id={id} count={problemCount} />}
    </div>
  )
}

/** Imported items are in other lists, which are loaded again when the import ends. */
const useRefreshAfterEnd = (state: FileImport['state']): void => {
  const queries = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    const hasEnded = before.current !== state && (state === 'done' || state === 'undone')
    before.current = state
    if (hasEnded) void queries.invalidateQueries()
  }, [state, queries])
}

export const ImportRow = ({ value }: { value: FileImport }) => {
  const client = useClient()
  const attempt = useAttempt()
  const { bytes } = useAmounts()
  const [asksUndo, setAsksUndo] = useState(false)
  const { id, filename, state, format, analysis, progress } = value
  useRefreshAfterEnd(state)
  const params = { path: { id } }
  const changed = useRefetch(importsKey)
  const run = async (work: Promise<unknown>) => {
    await attempt(() => work)
    await changed()
  }
  const undo = async () => {
    await unwrap(client.POST('/api/imports/{id}/undo', { params }))
    setAsksUndo(false)
    await changed()
  }
  const canContinue = state === 'failed' && analysis !== null
  const canUndo = state === 'done' || ((state === 'cancelled' || canContinue) && progress.done > 0)
  return (
    <li className="import-row">
      <div>
        <h3>
          {filename} <Tag tone={TONES[state]}>{t.states[state]}</Tag>
        </h3>
        <p className="quiet">
          {format !== null && `${t.formats[format]} · `}
          {bytes(value.size)} · <Time at={value.createdAt} />
        </p>
      </div>
      {value.error !== null && (
        <Notice tone="bad" icon={TriangleAlert}>
          {value.error}
        </Notice>
      )}
      {isBusy(value) && (
        <div className="stack">
          <p role="status">{t.progress(progress)}</p>
          <progress
            aria-label={t.progressOf(filename)}
            {...(progress.total !== null &&
              state === 'running' && { value: progress.done, max: Math.max(1, progress.total) })}
          />
        </div>
      )}
      {state === 'ready' && analysis !== null && <Analysis analysis={analysis} />}
      {(state === 'done' || state === 'undone' || state === 'cancelled' || canContinue) && (
        <Counts counts={value.counts} />
      )}
      <Problems value={value} />
      {(state === 'ready' || canContinue) && (
        <StartForm value={value} isContinued={canContinue} onStarted={changed} />
      )}
      <div className="form-actions">
        {(state === 'ready' || state === 'analysing' || state === 'running') && (
          <Button
            size="small"
            onClick={() => void run(unwrap(client.POST('/api/imports/{id}/cancel', { params })))}
          >
            {t.cancelImport}
          </Button>
        )}
        {canUndo && (
          <Button size="small" onClick={() => setAsksUndo(true)}>
            {t.undoImport}
          </Button>
        )}
        {!isBusy(value) && state !== 'ready' && (
          <Button
            size="small"
            aria-label={t.deleteRecord(filename)}
            onClick={() => void run(unwrap(client.DELETE('/api/imports/{id}', { params })))}
          >
            <Trash2 size={14} aria-hidden="true" />
            {common.remove}
          </Button>
        )}
      </div>
      <FormDialog
        open={asksUndo}
        onClose={() => setAsksUndo(false)}
        alert
        title={t.undoTitle(filename)}
        about={t.undoAbout}
        action={t.undoImport}
        onSubmit={undo}
      />
    </li>
  )
}
