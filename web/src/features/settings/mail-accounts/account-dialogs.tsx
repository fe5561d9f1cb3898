import { CircleAlert, CircleCheck, CircleX, Info, LogIn } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/remote-accounts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import {
  EditAccountDialog,
  type EditDialogProps,
  useConnectionTest,
} from '../remote-accounts/remote-accounts.tsx'
import { asksForPassword, type MailAccount, readAccount, readChange, type Tls } from './account-form.ts'

type Found = Shape<'MailAutoconfig'>

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
    <Form onSubmit={find} savedAs="mail-account">
      <TextField
        name="address"
        label={t.emailAddress}
        type="email"
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint={t.emailAddressHint}
        required
      />
      <div className="dialog-actions">
        <Submit>{t.continueAction}</Submit>
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
  const { signIn, oauthAvailable, setup } = found
  const [wantsPassword, setWantsPassword] = useState(!oauthAvailable)
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
        <p>{t.signInAbout(t.providers[signIn])}</p>
        <div role="alert">
          {refused !== null && (
            <Notice tone="warn" icon={CircleAlert}>
              {refused}
            </Notice>
          )}
        </div>
        <div className="dialog-actions">
          <Button onClick={onBack}>{t.back}</Button>
          {setup.kind !== 'rejected' && (
            <Button onClick={() => setWantsPassword(true)}>{t.useAppPassword}</Button>
          )}
          <SignInButton provider={signIn} address={address} onRefused={setRefused} />
        </div>
      </div>
    )
  return (
    <Form onSubmit={add} savedAs={`mail-account:${address}`} onTouch={connection.reset}>
      <div ref={connection.fields} className="stack">
        <Notice tone={found.source === 'none' || setup.kind === 'rejected' ? 'warn' : 'plain'} icon={Info}>
          <SetupSteps found={found} />
        </Notice>
        <PasswordField
          name="password"
          label={setup.kind === 'app_password' ? t.appPassword : t.password}
          autoComplete="off"
        />
        <TextField
          name="senderName"
          label={t.senderName}
          maxLength={100}
          autoComplete="name"
          placeholder={t.senderNameExample}
        />
        <details className="server-details" open={found.source === 'none'}>
          <summary>{t.serverSettings}</summary>
          <div className="stack">
            <TextField
              name="username"
              label={t.username}
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
        <Button onClick={onBack}>{t.back}</Button>
        {connection.button}
        <Submit>{t.addAccount}</Submit>
      </div>
    </Form>
  )
}

/** Steps at the provider before the password is entered. Most providers need none. */
const SetupSteps = ({ found: { source, provider, signIn, setup } }: { found: Found }) => {
  const link = (text: string) => (
    <a href={setup.url ?? ''} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  )
  const name = signIn === 'password' ? (provider ?? '') : t.providers[signIn]
  if (setup.kind === 'rejected') return <p>{t.microsoftNeedsSignIn}</p>
  if (setup.kind === 'imap_access')
    return (
      <p>
        <RichText text={t.imapFirst(name)} tags={{ link }} />
      </p>
    )
  if (setup.kind === 'none') return <p>{t.serverSources[source]}</p>
  return (
    <>
      <p>{t.appPasswordIntro(name)}</p>
      <ol className="setup-steps">
        {t.appPasswordSteps(name).map((step) => (
          <li key={step}>
            <RichText text={step} tags={{ link }} />
          </li>
        ))}
      </ol>
      {signIn === 'google' && <p>{t.twoFactorNote}</p>}
    </>
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
  return (
    <Dialog
      open={open}
      onClose={close}
      size="large"
      title={lookup ? t.addEmailAddress(lookup.address) : t.addEmailAccount}
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
      renderNameFields={({ senderName }) => (
        <TextField
          name="senderName"
          label={t.senderName}
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
      label={t.username}
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
      label={isElsewhere ? t.passwordAgain : t.newPassword}
      autoComplete="off"
      required={isElsewhere}
      hint={isElsewhere ? t.otherServerHint : t.keepPasswordHint}
    />
  </>
)

const SECURITY_KINDS: readonly Tls[] = ['implicit', 'starttls', 'none']
const DEFAULT_PORTS = { imap: 993, smtp: 465 } as const

interface ServerFieldsProps {
  side: 'imap' | 'smtp'
  server: Partial<MailAccount['imap']> | null
}

/** Fields for the IMAP or SMTP server. */
const ServerFields = ({ side, server }: ServerFieldsProps) => (
  <fieldset className="server-fields">
    <legend>{t.serverSides[side]}</legend>
    <TextField
      name={`${side}.host`}
      label={t.server}
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
      label={t.port}
      type="number"
      min={1}
      max={65_535}
      defaultValue={server?.port ?? DEFAULT_PORTS[side]}
      required
    />
    <SelectField name={`${side}.tls`} label={t.security} defaultValue={server?.tls ?? 'implicit'}>
      {SECURITY_KINDS.map((tls) => (
        <option key={tls} value={tls}>
          {t.securityKinds[tls]}
        </option>
      ))}
    </SelectField>
    <details className="server-certificate" open={Boolean(server?.certificate)}>
      <summary>{t.selfSignedCertificate}</summary>
      <Field name={`${side}.certificate`} label={t.certificate} hint={t.certificateHint}>
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
      {t.signInWith(t.providers[provider])}
    </Button>
  )
}

type Side = Shape<'MailTestSide'>

const Line = ({ name, side }: { name: string; side: Side }) => (
  <li>
    {side.ok ? <CircleCheck size={17} aria-hidden="true" /> : <CircleX size={17} aria-hidden="true" />}
    <div>
      <p>
        <RichText
          text={
            side.failure
              ? t.testFailed({ side: name, failure: t.failedSteps[side.failure.step] })
              : t.testPassed(name)
          }
          tags={{ strong: (text) => <strong>{text}</strong> }}
        />
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
        <Line name={t.serverSides.imap} side={test.imap} />
        <Line name={t.serverSides.smtp} side={test.smtp} />
      </ul>
    </Notice>
  </div>
)
