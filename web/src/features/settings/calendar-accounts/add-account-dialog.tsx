import { PlugZap } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoginFields, UrlField } from './account-fields.tsx'
import { type CalendarAccount, type Kind, readAccount } from './account-form.ts'
import { TestResult } from './test-result.tsx'

const KINDS: readonly { kind: Kind; label: string; about: string }[] = [
  {
    kind: 'caldav',
    label: 'An account at a server (CalDAV)',
    about: 'Kept in step both ways. Nextcloud, iCloud, Fastmail, Radicale and many others have it.',
  },
  {
    kind: 'ics',
    label: 'A published calendar',
    about: 'A calendar at an address, such as holidays or a timetable. It is read, never changed.',
  },
]

const KindChoice = ({ kind, onChoose }: { kind: Kind; onChoose: (kind: Kind) => void }) => (
  <fieldset className="calendar-kinds">
    <legend>What is it?</legend>
    {KINDS.map((one) => (
      <label key={one.kind} className="check">
        <input
          type="radio"
          name="kind"
          value={one.kind}
          checked={one.kind === kind}
          onChange={() => onChoose(one.kind)}
        />
        <span>
          {one.label}
          <span className="field-hint calendar-kind-about">{one.about}</span>
        </span>
      </label>
    ))}
  </fieldset>
)

const AddForm = ({ onAdded }: { onAdded: (account: CalendarAccount) => void }) => {
  const client = useClient()
  const fields = useRef<HTMLDivElement>(null)
  const [kind, setKind] = useState<Kind>('caldav')
  const [test, setTest] = useState<Shape<'CalendarTest'> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const forget = () => {
    setTest(null)
    setFailure(null)
  }
  const attempt = async () => {
    const form = fields.current?.closest('form')
    if (!form) return
    forget()
    setIsTesting(true)
    try {
      const body = readAccount(new FormData(form), kind)
      setTest(await unwrap(client.POST('/api/settings/calendar-accounts/test', { body })))
    } catch (error) {
      setFailure(describeError(error))
    } finally {
      setIsTesting(false)
    }
  }
  const add = async (values: FormData) => {
    const body = readAccount(values, kind)
    onAdded(await unwrap(client.POST('/api/settings/calendar-accounts', { body })))
  }
  return (
    <Form onSubmit={add} savedAs="calendar account" onTouch={forget}>
      <div ref={fields} className="stack">
        <KindChoice kind={kind} onChoose={setKind} />
        <UrlField kind={kind} />
        <LoginFields key={kind} kind={kind} password="first" />
        <TextField
          name="name"
          label="Name"
          maxLength={100}
          autoComplete="off"
          placeholder={kind === 'caldav' ? 'Work' : 'Holidays'}
          hint="How you call it here. Left empty, it is called like its server."
        />
        {test && <TestResult test={test} />}
        <div role="alert">{failure !== null && <Notice tone="bad">{failure}</Notice>}</div>
      </div>
      <div className="dialog-actions">
        <Button busy={isTesting} onClick={() => void attempt()}>
          {!isTesting && <PlugZap size={16} aria-hidden="true" />}
          Test
        </Button>
        <Submit>Add account</Submit>
      </div>
    </Form>
  )
}

interface AddAccountDialogProps {
  open: boolean
  onClose: () => void
  onAdded: (account: CalendarAccount) => void
}

export const AddAccountDialog = ({ open, onClose, onAdded }: AddAccountDialogProps) => (
  <Dialog open={open} onClose={onClose} size="large" title="Add a calendar account" persistent>
    <AddForm
      onAdded={(account) => {
        onAdded(account)
        onClose()
      }}
    />
  </Dialog>
)
