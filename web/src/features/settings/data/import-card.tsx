import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import './data.css'
import { importZip, type Progress, type Report } from './import-zip.ts'

type State =
  | { step: 'choose'; failure: string | null }
  | { step: 'under-way'; name: string; progress: Progress | null }
  | { step: 'done'; report: Report }

const COUNTED = [
  ['mail/emails.jsonl', 'e-mails'],
  ['calendar/events.jsonl', 'events'],
  ['tasks/tasks.jsonl', 'tasks'],
  ['stream/streams.jsonl', 'streams'],
  ['ai/conversations.jsonl', 'conversations'],
] as const

const summaryOf = ({ rows }: Report): string =>
  COUNTED.flatMap(([file, words]) => (rows[file] ? [`${rows[file].toLocaleString()} ${words}`] : [])).join(
    ', ',
  ) || 'nothing but your settings'

const ImportProgress = ({ name, progress }: { name: string; progress: Progress | null }) => (
  <div className="importing">
    <p role="status">
      {progress === null
        ? `Sending ${name} and looking through it…`
        : `Bringing it in: ${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}`}
    </p>
    <progress
      aria-label={`Importing ${name}`}
      {...(progress !== null && { value: progress.done, max: Math.max(1, progress.total) })}
    />
  </div>
)

export const ImportCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const chooser = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>({ step: 'choose', failure: null })

  const read = async (file: File | undefined) => {
    if (!file) return
    setState({ step: 'under-way', name: file.name, progress: null })
    try {
      const report = await importZip(client, file, (progress) =>
        setState({ step: 'under-way', name: file.name, progress }),
      )
      setState({ step: 'done', report })
      await queries.invalidateQueries()
    } catch (error) {
      setState({ step: 'choose', failure: describeError(error) })
    }
  }
  return (
    <Card
      id="import"
      title="Import an export"
      about="Brings the zip of an export back, into an instance that has nothing yet: all of it, or nothing. Passwords and keys are not in it; mail accounts and webhooks come back turned off until you give theirs anew."
    >
      <div role="alert" hidden={state.step !== 'choose' || state.failure === null}>
        {state.step === 'choose' && state.failure !== null && (
          <Notice tone="bad" icon={TriangleAlert}>
            {state.failure}
          </Notice>
        )}
      </div>
      <div role="status" hidden={state.step !== 'done'}>
        {state.step === 'done' && (
          <Notice tone="good" icon={CircleCheck}>
            Everything is here: {summaryOf(state.report)}.
          </Notice>
        )}
      </div>
      {state.step === 'under-way' ? (
        <ImportProgress name={state.name} progress={state.progress} />
      ) : (
        <Button onClick={() => chooser.current?.click()}>
          <Upload size={16} aria-hidden="true" />
          Choose a zip
        </Button>
      )}
      <input
        ref={chooser}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label="Export to import"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Resets the input, so that the same file can be selected again after a failure.
          event.target.value = ''
          void read(file)
        }}
      />
    </Card>
  )
}
