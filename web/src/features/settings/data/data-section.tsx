import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Download, TriangleAlert, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import * as t from '#locale/account-settings'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { useProfile } from '../../../api/account.ts'
import { type Client, type Shape, unwrap, unwrapFile } from '../../../api/client.ts'
import { useClient, useServices } from '../../../api/context.tsx'
import { fileUploadOptions, readUploadReport } from '../../../api/file-upload.ts'
import { ApiError, describeError, toFieldError } from '../../../api/problem.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { formatList } from '../../../locales/format.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormDialog, PasswordDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Notice } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'

const { label, about, cards } = sections.data

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
    { onProgress, lost: t.importInterrupted },
  )

type State =
  | { step: 'choose'; failure: string | null }
  | { step: 'under-way'; name: string; progress: Progress | null }
  | { step: 'done'; report: Report }

const COUNTED = [
  ['mail/emails.jsonl', t.importedItems.emails],
  ['calendar/events.jsonl', t.importedItems.events],
  ['tasks/tasks.jsonl', t.importedItems.tasks],
  ['stream/streams.jsonl', t.importedItems.streams],
  ['ai/conversations.jsonl', t.importedItems.conversations],
] as const

const describeReport = ({ rows }: Report): string => {
  const items = COUNTED.flatMap(([file, format]) => (rows[file] ? [format(rows[file])] : []))
  return items.length === 0 ? t.importDoneSettings : t.importDone(formatList(items))
}

const ImportProgress = ({ name, progress }: { name: string; progress: Progress | null }) => (
  <div className="stack">
    <p role="status">{progress === null ? t.importUploading(name) : t.importProgress(progress)}</p>
    <progress
      aria-label={t.importing(name)}
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
    <Card id="import" title={cards.import.label} about={t.importAbout}>
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
            {describeReport(state.report)}
          </Notice>
        )}
      </div>
      {state.step === 'under-way' ? (
        <ImportProgress name={state.name} progress={state.progress} />
      ) : (
        <Button onClick={() => chooser.current?.click()}>
          <Upload size={16} aria-hidden="true" />
          {t.chooseZip}
        </Button>
      )}
      <input
        ref={chooser}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={t.zipToImport}
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

const PHRASE = t.confirmationPhrase

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
    if (readText(values, 'phrase').toLowerCase() !== PHRASE)
      throw toFieldError('phrase', t.phraseMissing(PHRASE))
    await send({ password: ownersPassword, wipe: true })
  }
  return (
    <Card id="account" tone="bad" title={cards.account.label} about={t.deleteAccountAbout}>
      <Button kind="warning" onClick={() => setOpen(true)}>
        {t.deleteAccount}
      </Button>
      <PasswordDialog
        open={open && ownersPassword === null}
        onClose={close}
        alert
        danger
        title={t.deleteAccountTitle}
        about={email === undefined ? undefined : t.deleteAccountConfirm(email)}
        action={t.deleteAccount}
        onConfirm={deleteOwn}
      />
      <FormDialog
        open={open && ownersPassword !== null}
        onClose={close}
        alert
        danger
        title={t.ownerTitle}
        action={t.deleteEverything}
        onSubmit={wipe}
      >
        <Notice tone="bad" icon={TriangleAlert}>
          {t.ownerWarning}
        </Notice>
        <TextField
          name="phrase"
          label={t.typePhrase(PHRASE)}
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
  const refetch = useRefetch(['activity'])
  const notify = useNotify()
  const [open, setOpen] = useState(false)
  const download = async (password: string) => {
    const call = client.POST('/api/settings/export', { body: { password }, parseAs: 'blob' })
    const zip = await unwrapFile(call)
    setOpen(false)
    saveFile(zip, `factotum-export-${new Date().toISOString().slice(0, 10)}.zip`)
    notify(t.exportDone)
    await refetch()
  }
  return (
    <Card id="export" title={cards.export.label} about={t.exportAbout}>
      <Button onClick={() => setOpen(true)}>
        <Download size={16} aria-hidden="true" />
        {t.exportAction}
      </Button>
      <PasswordDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.exportTitle}
        about={t.exportConfirm}
        action={t.exportAction}
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
    notify(t.sampleDeleted)
    // A user who is signed in as the sample user gets a 401 here and is signed out.
    await queries.invalidateQueries()
  }
  return (
    <Card id="sample" title={cards.sample.label} about={t.sampleAbout}>
      <Button kind="warning" onClick={() => setOpen(true)}>
        {t.deleteSample}
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        alert
        danger
        title={t.deleteSampleTitle}
        about={t.deleteSampleAbout}
        action={common.remove}
        onSubmit={remove}
      />
    </Card>
  )
}

export const DataSection = () => {
  const isOwner = useProfile().data?.value.role === 'owner'
  return (
    <Page title={label} within={common.settings} about={about}>
      <ExportCard />
      <ImportCard />
      {isOwner && <SampleCard />}
      <DeletionCard />
    </Page>
  )
}
