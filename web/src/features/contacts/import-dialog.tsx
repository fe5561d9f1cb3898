import { CircleAlert, CircleCheck, FileUp, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import * as t from '#locale/contacts'
import { type ImportReport, useContactActions } from '../../api/contacts.ts'
import { describeError } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

const MAX_BYTES = 25 * 1024 * 1024

type State =
  | { step: 'choose'; failure: string | null }
  | { step: 'reading'; name: string }
  | { step: 'done'; report: ImportReport }

const START: State = { step: 'choose', failure: null }

const Report = ({ report }: { report: ImportReport }) => (
  <>
    <Notice
      tone={report.remarks.length > 0 ? 'warn' : 'good'}
      icon={report.remarks.length > 0 ? TriangleAlert : CircleCheck}
    >
      {t.importDone(report)}
    </Notice>
    {report.remarks.length > 0 && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      <section className="contact-remarks" aria-label={t.reason} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.line}</th>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.reason}</th>
            </tr>
          </thead>
          <tbody>
            {report.remarks.map(({ line, name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one line may have several remarks
              <tr key={index}>
                <td>{line}</td>
                <td>{name}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </>
)

export const ImportDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { importFile } = useContactActions()
  const chooser = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>(START)
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MAX_BYTES) return setState({ step: 'choose', failure: t.fileTooLarge })
    setState({ step: 'reading', name: file.name })
    try {
      setState({ step: 'done', report: await importFile(file) })
    } catch (error) {
      setState({ step: 'choose', failure: describeError(error) })
    }
  }
  const close = () => {
    if (state.step === 'reading') return
    setState(START)
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={t.importTitle} about={<p>{t.importHelp}</p>}>
      <div role="status">
        {state.step === 'reading' && <p>{t.importing(state.name)}</p>}
        {state.step === 'done' && <Report report={state.report} />}
      </div>
      <div role="alert">
        {state.step === 'choose' && state.failure !== null && (
          <Notice tone="bad" icon={CircleAlert}>
            {state.failure}
          </Notice>
        )}
      </div>
      <input
        ref={chooser}
        className="visually-hidden"
        type="file"
        accept=".vcf,.vcard,text/vcard,text/x-vcard"
        tabIndex={-1}
        aria-label={t.chooseFile}
        onChange={(event) => {
          void read(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <div className="dialog-actions">
        <Button
          data-first
          kind="primary"
          busy={state.step === 'reading'}
          onClick={() => chooser.current?.click()}
        >
          <FileUp size={18} aria-hidden="true" />
          {t.chooseFile}
        </Button>
      </div>
    </Dialog>
  )
}
