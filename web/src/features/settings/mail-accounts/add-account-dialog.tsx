import { CircleAlert, Info, PlugZap } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type MailAccount, readAccount } from './account-form.ts'
import { ServerFields } from './server-fields.tsx'
import { PROVIDERS, SignInButton } from './sign-in-button.tsx'
import { TestResult } from './test-result.tsx'

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
  const fields = useRef<HTMLDivElement>(null)
  const [test, setTest] = useState<Shape<'MailTest'> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isTesting, setIsTesting] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const { signIn } = found
  const [wantsPassword, setWantsPassword] = useState(signIn === 'password')
  const toAccountInput = (values: FormData) => ({ ...readAccount(values), address })

  const attempt = async () => {
    const form = fields.current?.closest('form')
    if (!form) return
    setTest(null)
    setFailure(null)
    setIsTesting(true)
    try {
      const body = toAccountInput(new FormData(form))
      setTest(await unwrap(client.POST('/api/settings/mail-accounts/test', { body })))
    } catch (error) {
      setFailure(describeError(error))
    } finally {
      setIsTesting(false)
    }
  }
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
    <Form onSubmit={add} savedAs={`mail account ${address}`} onTouch={() => setTest(null)}>
      <div ref={fields} className="stack">
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
        {test && <TestResult test={test} />}
        <div role="alert">{failure !== null && <Notice tone="bad">{failure}</Notice>}</div>
      </div>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
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
  onAdded: (account: MailAccount) => void
}

/** Asks for the address first, because autoconfiguration mostly finds the rest. */
export const AddAccountDialog = ({ open, onClose, onAdded }: AddAccountDialogProps) => {
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
