import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import {
  EditAccountDialog,
  type EditDialogProps,
  useConnectionTest,
} from '../remote-accounts/remote-accounts.tsx'
import { asksForPassword, type CalendarAccount, type Kind, readAccount, readChange } from './account-form.ts'

const KINDS: readonly { kind: Kind; label: string; about: string }[] = [
  {
    kind: 'caldav',
    label: 'An account at a server (CalDAV)',
    about: 'Two-way sync. Works with Nextcloud, iCloud, Fastmail, Radicale and many others.',
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
  const [kind, setKind] = useState<Kind>('caldav')
  const connection = useConnectionTest((values) =>
    unwrap(client.POST('/api/settings/calendar-accounts/test', { body: readAccount(values, kind) })),
  )
  const add = async (values: FormData) => {
    const body = readAccount(values, kind)
    onAdded(await unwrap(client.POST('/api/settings/calendar-accounts', { body })))
  }
  return (
    <Form onSubmit={add} savedAs="calendar account" onTouch={connection.reset}>
      <div ref={connection.fields} className="stack">
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
        {connection.test && <TestResult test={connection.test} />}
        {connection.alert}
      </div>
      <div className="dialog-actions">
        {connection.button}
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

export const AddCalendarAccountDialog = ({ open, onClose, onAdded }: AddAccountDialogProps) => (
  <Dialog open={open} onClose={onClose} size="large" title="Add a calendar account" persistent>
    <AddForm
      onAdded={(account) => {
        onAdded(account)
        onClose()
      }}
    />
  </Dialog>
)

export const EditCalendarAccountDialog = (dialog: EditDialogProps<CalendarAccount>) => {
  const client = useClient()
  return (
    <EditAccountDialog
      {...dialog}
      title={({ name }) => name}
      disabledHint="(turned off, nothing is fetched, and nothing told)"
      renderFields={(account, isElsewhere) => (
        <>
          {account.kind === 'caldav' && <NewEventsFields account={account} />}
          <UrlField kind={account.kind} defaultValue={account.url} />
          <LoginFields
            kind={account.kind}
            username={account.username}
            password={isElsewhere ? 'again' : account.username === null ? 'first' : 'kept'}
          />
        </>
      )}
      asksForPassword={asksForPassword}
      save={(values, account) =>
        unwrap(
          client.PATCH('/api/settings/calendar-accounts/{id}', {
            params: { path: { id: account.id } },
            body: readChange(values, account),
          }),
        )
      }
    />
  )
}

const NewEventsFields = ({ account }: { account: CalendarAccount }) => (
  <>
    <label className="check">
      <input type="checkbox" name="receivesNew" defaultChecked={account.receivesNew} />
      <span>
        New events go here
        <span className="field-hint"> (what you make in this calendar is put there; one account has it)</span>
      </span>
    </label>
    {account.calendars.length > 0 && (
      <SelectField
        name="newEventsCalendarId"
        label="Calendar for new events"
        defaultValue={account.newEventsCalendarId ?? ''}
      >
        <option value="">First calendar</option>
        {account.calendars
          .filter(({ writable, followed }) => writable && followed)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
    )}
  </>
)

const URLS = {
  caldav: {
    label: 'Address of the server',
    placeholder: 'https://calendar.example.org/',
    hint: 'Your provider gives it for CalDAV. The address of the server alone is often enough.',
  },
  ics: {
    label: 'Address of the calendar',
    placeholder: 'https://example.org/holidays.ics',
    hint: 'It begins with https:// or webcal://, and often ends in .ics. Providers call it a subscription, or a secret address.',
  },
} as const

const SAVED_URL_HINT =
  'It is kept like a password, so only its server is shown. Leave it so, or give another one.'

const UrlField = ({ kind, defaultValue }: { kind: Kind; defaultValue?: string }) => (
  <TextField
    name="url"
    maxLength={2000}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    inputMode="url"
    required
    {...URLS[kind]}
    {...(defaultValue !== undefined && { defaultValue })}
    {...(defaultValue?.endsWith('/…') && { hint: SAVED_URL_HINT })}
  />
)

interface LoginFieldsProps {
  kind: Kind
  username?: string | null
  /**
   * `first`: new account. `again`: the server or user name changed. `kept`: an empty field keeps the stored
   * password.
   */
  password: 'first' | 'again' | 'kept'
}

const HINTS = {
  first: 'Providers with a second factor ask for an app password.',
  again: 'It was given for the address and the user name before: for others it is asked for again.',
  kept: 'Leave it empty to keep the one there is.',
} as const

/** A CalDAV server needs both fields; a published calendar seldom needs either. */
const LoginFields = ({ kind, username, password }: LoginFieldsProps) => (
  <>
    <TextField
      name="username"
      label="User name"
      defaultValue={username ?? ''}
      maxLength={254}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required={kind === 'caldav'}
      {...(kind === 'ics' && { hint: 'Only where the address asks for one.' })}
    />
    <PasswordField
      name="password"
      label={{ first: 'Password', again: 'Password, once more', kept: 'New password' }[password]}
      autoComplete="off"
      required={password === 'again' || (password === 'first' && kind === 'caldav')}
      {...(kind === 'caldav' || password !== 'first' ? { hint: HINTS[password] } : {})}
    />
  </>
)

/** Result of a connection test: the calendars found, or the problem and its remedy. */
export const TestResult = ({ test: { failure, calendars } }: { test: Shape<'CalendarTest'> }) => (
  <div role="status">
    {failure === null ? (
      <Notice tone="good" icon={CircleCheck}>
        <p>
          {calendars.length === 0
            ? 'It works. There is no calendar there yet.'
            : `It works. Found: ${calendars.map(({ name }) => name).join(', ')}.`}
        </p>
      </Notice>
    ) : (
      <Notice tone="bad" icon={CircleX}>
        <p>{failure.problem}</p>
        <p>{failure.remedy}</p>
      </Notice>
    )}
  </div>
)
