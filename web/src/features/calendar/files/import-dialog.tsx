import { CircleCheck, FileUp, TriangleAlert } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import * as calendars from '#locale/calendars'
import type { Calendar } from '../../../api/calendars.ts'
import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { fileUploadOptions, readUploadReport } from '../../../api/file-upload.ts'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { useUndoActions } from '../../../ui/use-undo-actions.ts'
import { calendarKey } from '../events.ts'
import { useSaveEvent } from '../save-event.ts'
import './files.css'

type Report = Shape<'ImportReport'>
type Progress = Pick<Report, 'found' | 'created' | 'updated' | 'unchanged' | 'skippedCount'>

/** Uploads a calendar file and reports the progress. */
const importFile = async (
  client: Client,
  file: File,
  calendar: Calendar | null,
  onProgress: (progress: Progress) => void,
): Promise<Report> => {
  const params = { query: calendar === null ? {} : { calendarId: calendar.id } }
  const call = client.POST('/api/calendar/import', { params, ...fileUploadOptions(file, 'text/calendar') })
  return readUploadReport(await unwrap(call), { onProgress, lost: t.importLost })
}

const MAX_BYTES = 25 * 1024 * 1024
const NONE: Progress = { found: 0, created: 0, updated: 0, unchanged: 0, skippedCount: 0 }

type State =
  | { step: 'choose'; failure: string | null }
  | { step: 'reading'; name: string; progress: Progress }
  | { step: 'done'; name: string; report: Report }

const START: State = { step: 'choose', failure: null }

const Remarks = ({ title, remarks }: { title: string; remarks: Report['skipped'] }) =>
  remarks.length > 0 && (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="skipped" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.line}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {remarks.map(({ uid, line, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one line may have several remarks
            <tr key={index}>
              <td>{line}</td>
              <td>
                {reason}
                {uid !== null && <span className="skipped-uid">{uid}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )

const ReportView = ({ name, report }: { name: string; report: Report }) => (
  <>
    <Notice
      tone={report.skippedCount > 0 ? 'warn' : 'good'}
      icon={report.skippedCount > 0 ? TriangleAlert : CircleCheck}
    >
      {t.importDone({
        name,
        created: report.created,
        updated: report.updated,
        unchanged: report.unchanged,
        skipped: report.skippedCount,
      })}
    </Notice>
    <Remarks title={t.skippedEntries} remarks={report.skipped} />
    <Remarks title={t.adjustedEntries} remarks={report.warnings} />
  </>
)

const ImportProgress = ({ name, progress }: { name: string; progress: Progress }) => (
  <div className="reading">
    <p>{t.importing(name)}</p>
    <progress aria-label={t.importing(name)} />
    <p className="quiet" role="status">
      {t.importProgress({
        found: progress.found,
        created: progress.created,
        updated: progress.updated,
        skipped: progress.skippedCount,
      })}
    </p>
  </div>
)

interface ImportProps {
  open: boolean
  /** The calendar of the new events. Null: the default calendar. */
  calendar: Calendar | null
  onClose: () => void
}

export const ImportDialog = ({ open, calendar, onClose }: ImportProps) => {
  const client = useClient()
  const { refresh } = useSaveEvent()
  const notify = useNotify()
  const undoActions = useUndoActions(calendarKey)
  const chooser = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>(START)
  const [isOver, setIsOver] = useState(false)
  const title = useLastValue(
    open ? (calendar === null ? t.importTitle : calendars.importInto(calendar.name)) : null,
  )

  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MAX_BYTES) return setState({ step: 'choose', failure: t.fileTooLarge })
    setState({ step: 'reading', name: file.name, progress: NONE })
    try {
      const report = await importFile(client, file, calendar, (progress) =>
        setState({ step: 'reading', name: file.name, progress }),
      )
      setState({ step: 'done', name: file.name, report })
    } catch (error) {
      setState({ step: 'choose', failure: describeError(error) })
    }
    await refresh()
  }
  /** Closing the report offers to undo the whole import. */
  const leave = () => {
    const actionId = state.step === 'done' ? state.report.actionId : null
    if (state.step === 'done' && actionId !== null)
      notify(t.imported(state.name), { undo: () => void undoActions([actionId], t.importUndone) })
    setState(START)
  }
  const close = () => {
    if (state.step === 'reading') return
    leave()
    onClose()
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      size="large"
      title={title ?? t.importTitle}
      about={t.importAbout}
      persistent={state.step === 'reading'}
    >
      {state.step === 'choose' && (
        <>
          <div role="alert" hidden={state.failure === null}>
            {state.failure !== null && (
              <Notice tone="bad" icon={TriangleAlert}>
                {state.failure}
              </Notice>
            )}
          </div>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a drop zone; the button inside does the same */}
          <div
            className="drop"
            data-over={isOver}
            onDragOver={(event) => {
              event.preventDefault()
              setIsOver(true)
            }}
            onDragLeave={() => setIsOver(false)}
            onDrop={drop}
          >
            <FileUp size={26} aria-hidden="true" />
            <p>{t.dropFile}</p>
            <Button onClick={() => chooser.current?.click()}>{t.chooseFile}</Button>
            <input
              ref={chooser}
              type="file"
              accept=".ics,.ical,.ifb,text/calendar"
              hidden
              aria-label={t.calendarFile}
              onChange={(event) => void read(event.target.files?.[0])}
            />
          </div>
        </>
      )}
      {state.step === 'reading' && <ImportProgress name={state.name} progress={state.progress} />}
      <div role="status" hidden={state.step !== 'done'}>
        {state.step === 'done' && <ReportView name={state.name} report={state.report} />}
      </div>
      {state.step === 'done' && (
        <div className="dialog-actions">
          <Button onClick={leave}>{t.importAnother}</Button>
          <Button kind="primary" onClick={close}>
            {t.done}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
