import { CircleAlert, CircleCheck, CircleX, Info, LogIn } from 'lucide-react'
import { useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import {
  EditAccountDialog,
  type EditDialogProps,
  useConnectionTest,
} from '../remote-accounts/remote-accounts.tsx'
import { asksForPassword, type MailAccount, readAccount, readChange, type Tls } from './account-form.ts'

type Found = Shape<'MailAutoconfig'>

const SOURCES = {
  provider: 'These servers are known.',
  dns: 'These servers are in the records of the domain.',
  autoconfig: 'The provider tells these servers.',
  none: 'The servers of this address could not be found. Your provider’s help pages name them.',
} as const

interface LookupResult {
  address: string
  found: Found
}

const AddressStep = ({ onFound }: { onFound: (lookup: LookupResult) => void }) => {
  const client = useClient()
  const find = async (values: FormData) => {
    const address = String(values.get('address')).trim()
    const found = await unwrap(client.POST('/api/settings/mail-accounts/autoconfig', { body: { address } }))
    onFound({ address, found })
  }
  return (
    <Form onSubmit={find} savedAs="mail account">
      <TextField
        name="address"
        label="E-mail address"
        type="email"
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint="Its servers are looked up; you need not know them."
        required
      />
      <div className="dialog-actions">
        <Submit>Continue</Submit>
      </div>
    </Form>
  )
}

interface ServersStepProps {
  lookup: LookupResult
  onBack: () => void
  onAdded: (account: MailAccount) => void
}

const ServersStep = ({ lookup: { address, found }, onBack, onAdded }: ServersStepProps) => {
  const client = useClient()
  const [refused, setRefused] = useState<string | null>(null)
  const { signIn } = found
  const [wantsPassword, setWantsPassword] = useState(signIn === 'password')
  const toAccountInput = (values: FormData) => ({ ...readAccount(values), address })

  const connection = useConnectionTest((values) =>
    unwrap(client.POST('/api/settings/mail-accounts/test', { body: toAccountInput(values) })),
  )
  const add = async (values: FormData) => {
    onAdded(await unwrap(client.POST('/api/settings/mail-accounts', { body: toAccountInput(values) })))
  }
  if (signIn !== 'password' && !wantsPassword)
    return (
      <div className="stack">
        {found.note !== null && <p>{found.note}</p>}
        <div role="alert">
          {refused !== null && (
            <Notice tone="warn" icon={CircleAlert}>
              {refused}
            </Notice>
          )}
        </div>
        <div className="dialog-actions">
          <Button onClick={onBack}>Back</Button>
          <Button onClick={() => setWantsPassword(true)}>Use a password</Button>
          <SignInButton provider={signIn} address={address} onRefused={setRefused} />
        </div>
      </div>
    )
  return (
    <Form onSubmit={add} savedAs={`mail account ${address}`} onTouch={connection.reset}>
      <div ref={connection.fields} className="stack">
        <Notice tone={found.source === 'none' ? 'warn' : 'plain'} icon={Info}>
          <p>{SOURCES[found.source]}</p>
          {found.note !== null && <p>{found.note}</p>}
        </Notice>
        <PasswordField name="password" label="Password of the mailbox" autoComplete="off" />
        <TextField
          name="senderName"
          label="Your name, as others see it"
          maxLength={100}
          autoComplete="name"
          placeholder="Ana Ruiz"
        />
        <details className="server-details" open={found.source === 'none'}>
          <summary>Servers and user name</summary>
          <div className="stack">
            <TextField
              name="username"
              label="User name"
              defaultValue={found.username}
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <ServerFields side="imap" server={found.imap} />
            <ServerFields side="smtp" server={found.smtp} />
          </div>
        </details>
        {connection.test && <TestResult test={connection.test} />}
        {connection.alert}
      </div>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        {connection.button}
        <Submit>Add account</Submit>
      </div>
    </Form>
  )
}

interface AddAccountDialogProps {
  open: boolean
  onClose: () => void
  onAdded: (account: MailAccount) => void
}

/** Asks for the address first, because autoconfiguration mostly finds the rest. */
export const AddMailAccountDialog = ({ open, onClose, onAdded }: AddAccountDialogProps) => {
  const [lookup, setLookup] = useState<LookupResult | null>(null)
  const close = () => {
    onClose()
    setLookup(null)
  }
  const provider = lookup && lookup.found.signIn !== 'password' ? PROVIDERS[lookup.found.signIn] : null
  return (
    <Dialog
      open={open}
      onClose={close}
      size="large"
      title={lookup ? `Add ${lookup.address}` : 'Add a mail account'}
      about={provider === null ? undefined : `This mailbox is at ${provider}.`}
      persistent
    >
      {lookup === null ? (
        <AddressStep onFound={setLookup} />
      ) : (
        <ServersStep
          key={lookup.address}
          lookup={lookup}
          onBack={() => setLookup(null)}
          onAdded={(account) => {
            onAdded(account)
            close()
          }}
        />
      )}
    </Dialog>
  )
}

export const EditMailAccountDialog = (dialog: EditDialogProps<MailAccount>) => {
  const client = useClient()
  return (
    <EditAccountDialog
      {...dialog}
      title={({ address }) => address}
      disabledHint="(turned off, nothing is fetched)"
      renderNameFields={({ senderName }) => (
        <TextField
          name="senderName"
          label="Your name, as others see it"
          defaultValue={senderName}
          maxLength={100}
          autoComplete="name"
        />
      )}
      renderFields={(account, isElsewhere) =>
        account.signIn === 'password' && <PasswordFields account={account} isElsewhere={isElsewhere} />
      }
      asksForPassword={asksForPassword}
      save={(values, account) =>
        unwrap(
          client.PATCH('/api/settings/mail-accounts/{id}', {
            params: { path: { id: account.id } },
            body: readChange(values, account),
          }),
        )
      }
    />
  )
}

const PasswordFields = ({ account, isElsewhere }: { account: MailAccount; isElsewhere: boolean }) => (
  <>
    <TextField
      name="username"
      label="User name"
      defaultValue={account.username}
      maxLength={254}
      autoComplete="off"
      autoCapitalize="none"
      required
    />
    <ServerFields side="imap" server={account.imap} />
    <ServerFields side="smtp" server={account.smtp} />
    <PasswordField
      name="password"
      label={isElsewhere ? 'Password, once more' : 'New password'}
      autoComplete="off"
      required={isElsewhere}
      hint={
        isElsewhere
          ? 'It was given for the servers and the user name before: for others it is asked for again.'
          : 'Leave it empty to keep the one there is.'
      }
    />
  </>
)

const TLS_WORDS: readonly (readonly [Tls, string])[] = [
  ['implicit', 'TLS from the start'],
  ['starttls', 'STARTTLS'],
  ['none', 'None (unprotected)'],
]
const DEFAULT_PORTS = { imap: 993, smtp: 465 } as const

interface ServerFieldsProps {
  side: 'imap' | 'smtp'
  server: Partial<MailAccount['imap']> | null
}

/** Fields for the IMAP or SMTP server. */
const ServerFields = ({ side, server }: ServerFieldsProps) => (
  <fieldset className="server-fields">
    <legend>{side === 'imap' ? 'Reading (IMAP)' : 'Sending (SMTP)'}</legend>
    <TextField
      name={`${side}.host`}
      label="Server"
      defaultValue={server?.host ?? ''}
      placeholder={`${side}.example.org`}
      maxLength={253}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
    <TextField
      name={`${side}.port`}
      label="Port"
      type="number"
      min={1}
      max={65_535}
      defaultValue={server?.port ?? DEFAULT_PORTS[side]}
      required
    />
    <SelectField name={`${side}.tls`} label="Protection" defaultValue={server?.tls ?? 'implicit'}>
      {TLS_WORDS.map(([tls, words]) => (
        <option key={tls} value={tls}>
          {words}
        </option>
      ))}
    </SelectField>
    <details className="server-certificate" open={Boolean(server?.certificate)}>
      <summary>Self-signed certificate</summary>
      <Field
        name={`${side}.certificate`}
        label="Trusted certificate (PEM)"
        hint="Only for a server at home whose certificate nobody has signed."
      >
        {(control) => (
          <textarea
            className="input"
            rows={3}
            maxLength={10_000}
            spellCheck={false}
            defaultValue={server?.certificate ?? ''}
            {...control}
          />
        )}
      </Field>
    </details>
  </fieldset>
)

type Provider = 'google' | 'microsoft'
const PROVIDERS = { google: 'Google', microsoft: 'Microsoft' } as const

interface SignInButtonProps {
  provider: Provider
  address: string
  /** Set to sign in again with an existing account. */
  accountId?: string
  size?: 'middle' | 'small'
  onRefused: (why: string) => void
}

/** Redirects to the provider's OAuth page, which redirects back to the console. */
export const SignInButton = ({ provider, address, accountId, size, onRefused }: SignInButtonProps) => {
  const client = useClient()
  const [isBusy, setIsBusy] = useState(false)
  const begin = async () => {
    setIsBusy(true)
    try {
      const { url } = await unwrap(
        client.POST('/api/settings/mail-accounts/oauth/start', {
          body: { provider, address, ...(accountId !== undefined && { accountId }) },
        }),
      )
      window.location.assign(url)
    } catch (error) {
      setIsBusy(false)
      onRefused(describeError(error))
    }
  }
  return (
    <Button kind="primary" busy={isBusy} {...(size && { size })} onClick={() => void begin()}>
      {!isBusy && <LogIn size={16} aria-hidden="true" />}
      Sign in with {PROVIDERS[provider]}
    </Button>
  )
}

type Side = Shape<'MailTestSide'>

const STEPS: Readonly<Record<NonNullable<Side['failure']>['step'], string>> = {
  dns: 'finding the server',
  connect: 'connecting',
  tls: 'securing the connection',
  greeting: 'the server’s greeting',
  login: 'signing in',
  select: 'opening the mailbox',
  command: 'a command',
}

const Line = ({ what, side }: { what: string; side: Side }) => (
  <li>
    {side.ok ? <CircleCheck size={17} aria-hidden="true" /> : <CircleX size={17} aria-hidden="true" />}
    <div>
      <p>
        <strong>{what}:</strong> {side.failure ? `failed at ${STEPS[side.failure.step]}` : 'works'}
      </p>
      {side.failure && (
        <p>
          {side.failure.problem} {side.failure.remedy}
        </p>
      )}
    </div>
  </li>
)

/** Test result for both servers. */
export const TestResult = ({ test }: { test: Shape<'MailTest'> }) => (
  <div role="status">
    <Notice tone={test.ok ? 'good' : 'bad'}>
      <ul className="mail-test">
        <Line what="Reading" side={test.imap} />
        <Line what="Sending" side={test.smtp} />
      </ul>
    </Notice>
  </div>
)
