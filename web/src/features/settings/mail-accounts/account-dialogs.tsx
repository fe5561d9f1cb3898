import { CircleCheck, CircleX, LogIn } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/remote-accounts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Options, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { EditAccountDialog, type EditDialogProps } from '../remote-accounts/remote-accounts.tsx'
import { asksForPassword, type MailAccount, readChange } from './account-form.ts'

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

const DEFAULT_PORTS = { imap: 993, smtp: 465 } as const

interface ServerFieldsProps {
  side: 'imap' | 'smtp'
  server: Partial<MailAccount['imap']> | null
  /** False if one field of the form has the certificate of both servers. */
  hasCertificate?: boolean
}

/** Fields for the IMAP or SMTP server. */
export const ServerFields = ({ side, server, hasCertificate = true }: ServerFieldsProps) => (
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
      <Options entries={Object.entries(t.securityKinds)} />
    </SelectField>
    {hasCertificate && (
      <details className="server-certificate" open={Boolean(server?.certificate)}>
        <summary>{t.selfSignedCertificate}</summary>
        <CertificateField
          name={`${side}.certificate`}
          hint={t.certificateHint}
          defaultValue={server?.certificate ?? ''}
        />
      </details>
    )}
  </fieldset>
)

interface CertificateFieldProps {
  name: string
  hint: string
  defaultValue?: string
}

export const CertificateField = ({ name, hint, defaultValue = '' }: CertificateFieldProps) => (
  <Field name={name} label={t.certificate} hint={hint}>
    {(control) => (
      <textarea
        className="input"
        rows={3}
        maxLength={10_000}
        spellCheck={false}
        defaultValue={defaultValue}
        {...control}
      />
    )}
  </Field>
)

export interface SignInInput {
  provider: 'google' | 'microsoft'
  /** Passed to the provider, which then preselects the account. */
  address?: string
  /** Set to sign in again with an existing account. */
  accountId?: string
  /** Also connect the calendars of the provider. */
  calendar?: boolean
}

/** Redirects to the provider's OAuth page, which redirects back to the console. */
export const useProviderSignIn = (onRefused: (why: string) => void) => {
  const client = useClient()
  const [isBusy, setIsBusy] = useState(false)
  const begin = async (input: SignInInput): Promise<void> => {
    setIsBusy(true)
    try {
      const { url } = await unwrap(client.POST('/api/settings/mail-accounts/oauth/start', { body: input }))
      window.location.assign(url)
    } catch (error) {
      setIsBusy(false)
      onRefused(describeError(error))
    }
  }
  return { isBusy, begin }
}

interface SignInButtonProps extends SignInInput {
  size?: 'middle' | 'small'
  onRefused: (why: string) => void
}

export const SignInButton = ({ size, onRefused, ...input }: SignInButtonProps) => {
  const { isBusy, begin } = useProviderSignIn(onRefused)
  return (
    <Button kind="primary" busy={isBusy} {...(size && { size })} onClick={() => void begin(input)}>
      {!isBusy && <LogIn size={16} aria-hidden="true" />}
      {t.signInWith(t.providers[input.provider])}
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
