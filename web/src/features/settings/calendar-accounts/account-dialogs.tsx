import { CircleCheck, CircleX, Info } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/remote-accounts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField, Options, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import {
  EditAccountDialog,
  type EditDialogProps,
  useConnectionTest,
} from '../remote-accounts/remote-accounts.tsx'
import { asksForPassword, type CalendarAccount, type Kind, readAccount, readChange } from './account-form.ts'
import './calendar-accounts.css'

const KINDS: readonly Kind[] = ['caldav', 'ics']

const KindChoice = ({ kind, onChoose }: { kind: Kind; onChoose: (kind: Kind) => void }) => (
  <fieldset className="calendar-kinds">
    <legend>{t.calendarType}</legend>
    {KINDS.map((one) => (
      <label key={one} className="check">
        <input type="radio" name="kind" value={one} checked={one === kind} onChange={() => onChoose(one)} />
        <span>
          {t.calendarKinds[one]}
          <span className="field-hint calendar-kind-about">{t.calendarKindsAbout[one]}</span>
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
    <Form onSubmit={add} savedAs="calendar-account" onTouch={connection.reset}>
      <div ref={connection.fields} className="stack">
        <KindChoice kind={kind} onChoose={setKind} />
        <Notice icon={Info}>
          <p>
            <RichText
              text={t.providerCalendars}
              tags={{ link: (text) => <Link href="/settings/mail-accounts">{text}</Link> }}
            />
          </p>
        </Notice>
        <UrlField kind={kind} />
        <LoginFields key={kind} kind={kind} password="first" />
        <TextField
          name="name"
          label={t.name}
          maxLength={100}
          autoComplete="off"
          placeholder={t.calendarNameExamples[kind]}
          hint={t.calendarNameHint}
        />
        {connection.test && <TestResult test={connection.test} />}
        {connection.alert}
      </div>
      <div className="dialog-actions">
        {connection.button}
        <Submit>{t.addAccount}</Submit>
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
  <Dialog open={open} onClose={onClose} size="large" title={t.addCalendarAccount} persistent>
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
      renderFields={(account, isElsewhere) => (
        <>
          {account.kind === 'caldav' && <NewEventsFields account={account} />}
          {account.signIn === 'password' && (
            <>
              <UrlField kind={account.kind} defaultValue={account.url} />
              <LoginFields
                kind={account.kind}
                username={account.username}
                password={isElsewhere ? 'again' : account.username === null ? 'first' : 'kept'}
              />
            </>
          )}
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
    <CheckField name="receivesNew" defaultChecked={account.receivesNew} label={t.newEvents} />
    {account.calendars.length > 0 && (
      <SelectField
        name="newEventsCalendarId"
        label={t.newEventsCalendar}
        defaultValue={account.newEventsCalendarId ?? ''}
      >
        <option value="">{t.firstCalendar}</option>
        <Options
          entries={account.calendars
            .filter(({ writable, followed }) => writable && followed)
            .map(({ id, name }) => [id, name])}
        />
      </SelectField>
    )}
  </>
)

const URL_EXAMPLES = {
  caldav: 'https://calendar.example.org/',
  ics: 'https://example.org/holidays.ics',
} as const

const UrlField = ({ kind, defaultValue }: { kind: Kind; defaultValue?: string }) => (
  <TextField
    name="url"
    maxLength={2000}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    inputMode="url"
    required
    label={t.calendarUrls[kind]}
    placeholder={URL_EXAMPLES[kind]}
    // The API hides the path of a subscription.
    hint={defaultValue?.endsWith('/…') ? t.savedUrlHint : t.calendarUrlHints[kind]}
    {...(defaultValue !== undefined && { defaultValue })}
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

const PASSWORDS = {
  first: { label: t.password, hint: t.appPasswordHint },
  again: { label: t.passwordAgain, hint: t.otherServerHint },
  kept: { label: t.newPassword, hint: t.keepPasswordHint },
} as const

/** A CalDAV server needs both fields; a published calendar seldom needs either. */
const LoginFields = ({ kind, username, password }: LoginFieldsProps) => (
  <>
    <TextField
      name="username"
      label={t.username}
      defaultValue={username ?? ''}
      maxLength={254}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required={kind === 'caldav'}
      {...(kind === 'ics' && { hint: t.optionalUsernameHint })}
    />
    <PasswordField
      name="password"
      label={PASSWORDS[password].label}
      autoComplete="off"
      required={password === 'again' || (password === 'first' && kind === 'caldav')}
      {...(kind === 'caldav' || password !== 'first' ? { hint: PASSWORDS[password].hint } : {})}
    />
  </>
)

/** Result of a connection test: the calendars found, or the problem and its remedy. */
export const TestResult = ({ test: { failure, calendars } }: { test: Shape<'CalendarTest'> }) => (
  <div role="status">
    {failure === null ? (
      <Notice tone="good" icon={CircleCheck}>
        <p>
          {calendars.length === 0 ? t.foundNoCalendars : t.foundCalendars(calendars.map(({ name }) => name))}
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
