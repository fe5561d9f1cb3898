import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Download, TriangleAlert, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useProfile } from '../../../api/account.ts'
import { type Client, type Shape, unwrap } from '../../../api/client.ts'
import { useClient, useServices } from '../../../api/context.tsx'
import { fileUploadOptions, readUploadReport } from '../../../api/file-upload.ts'
import { ApiError, describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import './data.css'

type Report = Shape<'ImportedData'>
interface Progress {
  done: number
  total: number
}

/** Uploads an export. Reports progress after the archive was validated. */
const importZip = async (
  client: Client,
  file: File,
  onProgress: (progress: Progress) => void,
): Promise<Report> =>
  readUploadReport(
    await unwrap(client.POST('/api/settings/import', fileUploadOptions(file, 'application/zip'))),
    {
      onProgress,
      lost: 'The connection was lost before the end. Reload the page to see whether everything is here.',
    },
  )

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

const ImportCard = () => {
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

const PHRASE = 'delete everything'

const mustBeTyped = () =>
  new ApiError({
    status: 400,
    code: 'validation_failed',
    message: `Type “${PHRASE}”.`,
    fields: [{ path: 'phrase', message: `Type “${PHRASE}” to go on.` }],
  })

/**
 * The first request deletes only the account. The service rejects it for the owner (409), and only then the
 * dialog offers to delete the instance.
 */
const DeletionCard = () => {
  const { client, session } = useServices()
  const email = useProfile().data?.value.email
  const [open, setOpen] = useState(false)
  const [ownersPassword, setOwnersPassword] = useState<string | null>(null)
  const close = () => {
    setOpen(false)
    setOwnersPassword(null)
  }
  const send = async (body: { password: string; wipe?: boolean }) => {
    await unwrap(client.DELETE('/api/settings/account', { body }))
    close()
    session.end('signed-out')
  }

  const deleteOwn = async (password: string) => {
    try {
      await send({ password })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error
      setOwnersPassword(password)
    }
  }
  const wipe = async (values: FormData) => {
    if (ownersPassword === null) return
    if (String(values.get('phrase')).trim().toLowerCase() !== PHRASE) throw mustBeTyped()
    await send({ password: ownersPassword, wipe: true })
  }
  return (
    <Card
      id="account"
      tone="bad"
      title="Delete the account"
      about="This also deletes your settings, sessions and tokens. You cannot undo this. Export your data first."
    >
      <Button kind="warning" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <PasswordDialog
        open={open && ownersPassword === null}
        onClose={close}
        alert
        danger
        title="Delete your account?"
        about={email === undefined ? undefined : `The account ${email} goes, with all that is its own.`}
        action="Delete account"
        onConfirm={deleteOwn}
      />
      <FormDialog
        open={open && ownersPassword !== null}
        onClose={close}
        alert
        danger
        title="You own this instance"
        action="Delete everything"
        onSubmit={wipe}
      >
        <Notice tone="bad" icon={TriangleAlert}>
          Deleting the owner’s account deletes everything in the instance, for everyone who uses it: every
          account, and all mail, tasks, events and files. Nothing is kept, and nothing can be brought back.
        </Notice>
        <TextField
          name="phrase"
          label={`Type “${PHRASE}” to confirm`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </FormDialog>
    </Card>
  )
}

const ExportCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [open, setOpen] = useState(false)
  const download = async (password: string) => {
    const call = client.POST('/api/settings/export', { body: { password }, parseAs: 'blob' })
    const zip = (await unwrap(call)) as unknown as Blob
    setOpen(false)
    saveFile(zip, `factotum-export-${new Date().toISOString().slice(0, 10)}.zip`)
    notify('Your export is downloaded.')
    await queries.invalidateQueries({ queryKey: ['activity'] })
  }
  return (
    <Card
      id="export"
      title="Export everything"
      about="One zip with all that is yours, in files that other programs can read. No password and no token is in it."
    >
      <Button onClick={() => setOpen(true)}>
        <Download size={16} aria-hidden="true" />
        Export
      </Button>
      <PasswordDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Export everything"
        about="The download begins when you confirm that it is you."
        action="Export"
        onConfirm={download}
      />
    </Card>
  )
}

const SampleCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [open, setOpen] = useState(false)
  const remove = async () => {
    await unwrap(client.DELETE('/api/settings/sample-data'))
    setOpen(false)
    notify('No sample data is left.')
    // A user who is signed in as the sample user gets a 401 here and is signed out.
    await queries.invalidateQueries()
  }
  return (
    <Card
      id="sample"
      title="Sample data"
      about="An instance that was started with --demo has a sample week in it. It can go; what you added yourself stays."
    >
      <Button kind="warning" onClick={() => setOpen(true)}>
        Remove sample data
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        alert
        danger
        title="Remove the sample data?"
        about="This cannot be taken back. If you are signed in as the sample’s person, you are signed out by it."
        action="Remove"
        onSubmit={remove}
      />
    </Card>
  )
}

export const DataSection = () => (
  <Page title="Your data" within="Settings" about="Take it with you, or take it away.">
    <ExportCard />
    <ImportCard />
    <SampleCard />
    <DeletionCard />
  </Page>
)
