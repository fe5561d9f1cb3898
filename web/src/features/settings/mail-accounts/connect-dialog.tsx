import { useQuery } from '@tanstack/react-query'
import { CalendarDays, CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/remote-accounts'
import { useProfile } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery, mailProvidersQuery } from '../../../api/mail-accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CheckField, PasswordField, TextField } from '../../../ui/field.tsx'
import { Form, Submit, useFormState } from '../../../ui/form.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useConnectionTest } from '../remote-accounts/remote-accounts.tsx'
import { CertificateField, ServerFields, SignInButton, TestResult } from './account-dialogs.tsx'
import { type MailAccount, readAccount } from './account-form.ts'
import './mail-accounts.css'

type Provider = Shape<'MailProvider'>
type Found = Shape<'MailAutoconfig'>

/** The provider that the user chose, or that the address belongs to. Null for any other provider. */
interface Choice {
  address: string
  provider: Provider | null
  /** The settings that were found for the address; null if there was no address. */
  found: Pick<Found, 'source' | 'imap' | 'smtp' | 'username'> | null
}

interface ProviderButtonsProps {
  providers: readonly Provider[]
  onChoose: (provider: Provider | null) => void
}

const ProviderButtons = ({ providers, onChoose }: ProviderButtonsProps) => {
  const { discard } = useFormState()
  const choose = (provider: Provider | null) => {
    // The next step continues with the address, so that it is no unsent input.
    discard()
    onChoose(provider)
  }
  return (
    <ul>
      {providers.map((provider) => (
        <li key={provider.id}>
          <Button wide onClick={() => choose(provider)}>
            {provider.name}
          </Button>
        </li>
      ))}
      <li>
        <Button wide onClick={() => choose(null)}>
          {t.otherProvider}
        </Button>
      </li>
    </ul>
  )
}

interface ProviderStepProps {
  /** The address of the step that the user has left; null before the first step. */
  address: string | null
  /** Set after a step back, which removes the focused button. The dialog itself sets the first focus. */
  focusesAddress: boolean
  onChoose: (choice: Choice) => void
}

const ProviderStep = ({ address: initialAddress, focusesAddress, onChoose }: ProviderStepProps) => {
  const client = useClient()
  const fields = useRef<HTMLDivElement>(null)
  // Most people connect first the mailbox that they sign in with.
  const ownAddress = useProfile().data?.value.email ?? ''
  const isFirst = useQuery(mailAccountsQuery(client)).data?.length === 0
  const suggested = initialAddress ?? (isFirst ? ownAddress : '')
  // A suggestion that arrives late does not change a field in which somebody types.
  const [kept, keep] = useState<string>()
  useEffect(() => {
    if (focusesAddress) fields.current?.querySelector('input')?.focus()
  }, [focusesAddress])
  const query = useQuery(mailProvidersQuery(client))
  const lookUp = async (values: FormData) => {
    const address = readText(values, 'address')
    const found = await unwrap(client.POST('/api/settings/mail-accounts/autoconfig', { body: { address } }))
    onChoose({ address, provider: found.details, found })
  }
  const choose = (provider: Provider | null) => {
    const field = fields.current?.querySelector<HTMLInputElement>('input[name="address"]')
    onChoose({ address: field?.value.trim() ?? '', provider, found: null })
  }
  return (
    <Form onSubmit={lookUp} savedAs="mail-account">
      <div ref={fields} className="stack">
        <TextField
          name="address"
          label={t.emailAddress}
          type="email"
          maxLength={254}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          hint={t.emailAddressHint}
          defaultValue={kept ?? suggested}
          onFocus={() => keep(kept ?? suggested)}
          required
        />
        <div className="form-actions">
          <Submit>{t.continueAction}</Submit>
        </div>
        <fieldset className="provider-choices">
          <legend>{t.orChooseProvider}</legend>
          <Loaded query={query} lines={3}>
            {({ providers }) => <ProviderButtons providers={providers} onChoose={choose} />}
          </Loaded>
        </fieldset>
      </div>
    </Form>
  )
}

/** The provider requires OAuth, and this instance has no client for it. */
const UnavailableStep = ({ provider, onBack }: { provider: Provider; onBack: () => void }) => {
  const isOwner = useProfile().data?.value.role === 'owner'
  const name = provider.signIn === 'password' ? provider.name : t.providers[provider.signIn]
  return (
    <div className="stack">
      <Notice tone="warn" icon={TriangleAlert}>
        {provider.note !== null && <p>{provider.note}</p>}
        {isOwner ? (
          <p>
            {t.signInNotSetUp(name)} <Link href="/settings/oauth-clients">{t.setUpSignIn(name)}</Link>
          </p>
        ) : (
          <p>{t.askOwnerForSignIn(name)}</p>
        )}
      </Notice>
      <CalendarNote provider={provider} />
      <div className="dialog-actions">
        <Button onClick={onBack}>{t.back}</Button>
      </div>
    </div>
  )
}

interface OauthStepProps {
  provider: Provider & { signIn: 'google' | 'microsoft' }
  address: string
  onBack: () => void
  onPassword: () => void
}

const OauthStep = ({ provider, address, onBack, onPassword }: OauthStepProps) => {
  const { signIn, ways } = provider
  const [refused, setRefused] = useState<string | null>(null)
  const [hasCalendar, setHasCalendar] = useState(false)
  return (
    <div className="stack">
      <p>{t.signInAbout(t.providers[signIn])}</p>
      {signIn === 'google' ? (
        <CheckField
          checked={hasCalendar}
          onChange={(event) => setHasCalendar(event.target.checked)}
          label={t.alsoGoogleCalendars}
        />
      ) : (
        <CalendarNote provider={provider} />
      )}
      <div role="alert">
        {refused !== null && (
          <Notice tone="warn" icon={CircleAlert}>
            {refused}
          </Notice>
        )}
      </div>
      <div className="dialog-actions">
        <Button onClick={onBack}>{t.back}</Button>
        {ways.includes('app_password') && <Button onClick={onPassword}>{t.useAppPassword}</Button>}
        <SignInButton
          provider={signIn}
          {...(address !== '' && { address })}
          {...(hasCalendar && { calendar: true })}
          onRefused={setRefused}
        />
      </div>
    </div>
  )
}

const CalendarNote = ({ provider: { calendarNote, caldavUrl, ways } }: { provider: Provider }) => {
  const text =
    caldavUrl === null
      ? calendarNote
      : t.calendarAddressNote({ url: caldavUrl, isAppPassword: ways.includes('app_password') })
  return text === null ? null : <Notice icon={CalendarDays}>{text}</Notice>
}

/** The steps at the provider, or the source of the settings if there are none. */
const Instructions = ({ provider, found }: Pick<Choice, 'provider' | 'found'>) => {
  const steps = provider?.steps ?? []
  if (steps.length === 0)
    return found === null && provider === null ? null : (
      <Notice tone={found?.source === 'none' ? 'warn' : 'plain'} icon={Info}>
        {t.serverSources[found?.source ?? 'provider']}
      </Notice>
    )
  return (
    <Notice icon={Info}>
      <p>{t.stepsAt(provider?.name ?? '')}</p>
      <ol className="setup-steps">
        {steps.map(({ text, url }) => (
          <li key={text}>
            {url === null ? (
              text
            ) : (
              <a href={url} target="_blank" rel="noreferrer noopener">
                {text}
              </a>
            )}
          </li>
        ))}
      </ol>
      {provider?.note !== null && <p>{provider?.note}</p>}
    </Notice>
  )
}

interface PasswordStepProps {
  choice: Choice
  /** The input is not stored with the other unsent input, but it survives a look at another provider. */
  password: string
  onPassword: (password: string) => void
  savedAs: string
  onBack: () => void
  onAdded: (account: MailAccount) => void
}

const PasswordStep = ({ choice, password, onPassword, savedAs, onBack, onAdded }: PasswordStepProps) => {
  const client = useClient()
  const ownName = useProfile().data?.value.name
  const { provider, found, address } = choice
  const isBridge = provider?.ways.includes('bridge') ?? false
  const isAppPassword = provider?.ways.includes('app_password') ?? false
  const connection = useConnectionTest((values) =>
    unwrap(client.POST('/api/settings/mail-accounts/test', { body: readAccount(values) })),
  )
  const add = async (values: FormData) => {
    onAdded(await unwrap(client.POST('/api/settings/mail-accounts', { body: readAccount(values) })))
  }
  const rememberPassword = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLInputElement && target.name === 'password') onPassword(target.value)
  }
  return (
    <Form onSubmit={add} savedAs={savedAs} onTouch={connection.reset}>
      <div ref={connection.fields} className="stack" onInput={rememberPassword}>
        <Instructions provider={provider} found={found} />
        <TextField
          name="address"
          label={t.emailAddress}
          type="email"
          maxLength={254}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={address}
          required
        />
        <PasswordField
          name="password"
          label={isBridge ? t.bridgePassword : isAppPassword ? t.appPassword : t.password}
          autoComplete="off"
          defaultValue={password}
        />
        {isBridge && <CertificateField name="certificate" hint={t.bridgeCertificateHint} />}
        <TextField
          name="senderName"
          label={t.senderName}
          maxLength={100}
          autoComplete="name"
          defaultValue={ownName}
          placeholder={t.senderNameExample}
        />
        <details
          className="server-details"
          open={provider === null && (found === null || found.source === 'none')}
        >
          <summary>{t.serverSettings}</summary>
          <div className="stack">
            <TextField
              name="username"
              label={t.username}
              defaultValue={found && found.username !== address ? found.username : ''}
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              hint={t.usernameHint}
            />
            <ServerFields
              side="imap"
              server={provider?.imap ?? found?.imap ?? null}
              hasCertificate={!isBridge}
            />
            <ServerFields
              side="smtp"
              server={provider?.smtp ?? found?.smtp ?? null}
              hasCertificate={!isBridge}
            />
          </div>
        </details>
        {provider && <CalendarNote provider={provider} />}
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

const hasOauth = (provider: Provider | null): provider is OauthStepProps['provider'] =>
  provider !== null && provider.signIn !== 'password' && provider.ways[0] === 'oauth'

interface ConnectStepProps {
  choice: Choice
  passwords: Map<string, string>
  onBack: () => void
  onAdded: (account: MailAccount) => void
}

/** Takes the focus, so that a screen reader announces the provider and reads the steps next. */
const ConnectStep = (props: ConnectStepProps) => {
  const step = useRef<HTMLElement>(null)
  useEffect(() => step.current?.focus(), [])
  return (
    <section ref={step} className="connect-step" tabIndex={-1} aria-label={toTitle(props.choice)}>
      <SignInStep {...props} />
    </section>
  )
}

const SignInStep = ({ choice, passwords, onBack, onAdded }: ConnectStepProps) => {
  const { provider, address } = choice
  const [wantsPassword, setWantsPassword] = useState(false)
  const key = `${provider?.id ?? 'other'}:${address}`
  if (provider?.ways.length === 0) return <UnavailableStep provider={provider} onBack={onBack} />
  if (hasOauth(provider) && !wantsPassword)
    return (
      <OauthStep
        provider={provider}
        address={address}
        onBack={onBack}
        onPassword={() => setWantsPassword(true)}
      />
    )
  return (
    <PasswordStep
      choice={choice}
      password={passwords.get(key) ?? ''}
      onPassword={(password) => passwords.set(key, password)}
      savedAs={`mail-account:${key}`}
      onBack={hasOauth(provider) ? () => setWantsPassword(false) : onBack}
      onAdded={onAdded}
    />
  )
}

interface AddAccountDialogProps {
  open: boolean
  onClose: () => void
  onAdded: (account: MailAccount) => void
}

const toTitle = (choice: Choice | null): string => {
  if (choice === null) return t.addEmailAccount
  if (choice.provider !== null) return t.addProviderAccount(choice.provider.name)
  return choice.address === '' ? t.addEmailAccount : t.addEmailAddress(choice.address)
}

/** Recognizes the provider by the address, or lets the user choose it, and shows the way that works there. */
export const AddMailAccountDialog = ({ open, onClose, onAdded }: AddAccountDialogProps) => {
  const [choice, setChoice] = useState<Choice | null>(null)
  /** The address of the step that the user has left; null before the first step. */
  const [lastAddress, setLastAddress] = useState<string | null>(null)
  const [passwords, setPasswords] = useState(() => new Map<string, string>())
  const close = () => {
    onClose()
    setChoice(null)
    setLastAddress(null)
    setPasswords(new Map())
  }
  return (
    <Dialog open={open} onClose={close} size="large" title={toTitle(choice)} persistent>
      {choice === null ? (
        <ProviderStep address={lastAddress} focusesAddress={lastAddress !== null} onChoose={setChoice} />
      ) : (
        <ConnectStep
          choice={choice}
          passwords={passwords}
          onBack={() => {
            setLastAddress(choice.address)
            setChoice(null)
          }}
          onAdded={(account) => {
            onAdded(account)
            close()
          }}
        />
      )}
    </Dialog>
  )
}
