import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import * as t from '#locale/oauth-clients'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { Form, SaveButton } from '../../../ui/form.tsx'
import { readText } from '../../../ui/form-values.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Secret } from '../../../ui/secret.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import './oauth-clients.css'

const { label, about } = sections['oauth-clients']

type OauthClient = Shape<'OauthClient'>
type Provider = OauthClient['provider']

const PROVIDERS: readonly Provider[] = ['google', 'microsoft']

/** The pages of the providers, in the order of the links in the steps. */
const STEP_URLS: Readonly<Record<Provider, readonly (string | null)[]>> = {
  google: [
    'https://console.cloud.google.com/projectcreate',
    'https://console.cloud.google.com/apis/library/gmail.googleapis.com',
    'https://console.cloud.google.com/apis/library/caldav.googleapis.com',
    'https://console.cloud.google.com/auth/overview',
    'https://console.cloud.google.com/auth/clients',
    null,
  ],
  microsoft: [
    'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
    null,
    null,
    null,
    null,
    null,
  ],
}

const useOauthClients = () => {
  const client = useClient()
  const refetch = useRefetch(['oauth-clients'], ['mail-providers'], ['activity'])
  const notify = useNotify()
  const query = useQuery({
    queryKey: ['oauth-clients'],
    queryFn: async () => (await unwrap(client.GET('/api/instance/oauth-clients'))).oauthClients,
  })
  const changed = async (text: string): Promise<void> => {
    await refetch()
    notify(text)
  }
  return {
    query,
    async save(provider: Provider, values: FormData): Promise<void> {
      const clientSecret = readText(values, 'clientSecret')
      const body = { clientId: readText(values, 'clientId'), ...(clientSecret !== '' && { clientSecret }) }
      const params = { path: { provider } }
      await unwrap(client.PUT('/api/instance/oauth-clients/{provider}', { params, body }))
      await changed(t.clientSaved(t.providers[provider]))
    },
    async remove(provider: Provider): Promise<void> {
      const params = { path: { provider } }
      await unwrap(client.DELETE('/api/instance/oauth-clients/{provider}', { params }))
      await changed(t.clientDeleted(t.providers[provider]))
    },
  }
}

const Steps = ({ provider }: { provider: Provider }) => (
  <details className="oauth-steps">
    <summary>{t.stepsTitle(t.providers[provider])}</summary>
    <ol>
      {t.steps[provider].map((step, index) => (
        <li key={step}>
          <RichText
            text={step}
            tags={{
              link: (text) => (
                <a href={STEP_URLS[provider][index] ?? ''} target="_blank" rel="noreferrer noopener">
                  {text}
                </a>
              ),
            }}
          />
        </li>
      ))}
    </ol>
    <p>{t.notes[provider]}</p>
  </details>
)

/** Google and Microsoft accept plain http only for the own machine. */
const isAccepted = (redirectUri: string): boolean => {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const RedirectAddress = ({ redirectUri }: { redirectUri: string }) => (
  <div>
    <h3 className="oauth-label">{t.redirectAddress}</h3>
    <Secret text={redirectUri} />
    {!isAccepted(redirectUri) && (
      <Notice tone="warn" icon={TriangleAlert}>
        {t.httpsRequired}
      </Notice>
    )}
  </div>
)

const Status = ({ source }: Pick<OauthClient, 'source'>) => (
  <Tag tone={source === 'none' ? 'plain' : 'good'}>{t.sources[source]}</Tag>
)

interface ClientFormProps {
  client: OauthClient
  onSave: (values: FormData) => Promise<void>
  onRemove: () => Promise<void>
}

const ClientForm = ({
  client: { provider, clientId, hasSecret, source },
  onSave,
  onRemove,
}: ClientFormProps) => (
  <Form key={clientId} label={t.providers[provider]} savedAs={`oauth-client:${provider}`} onSubmit={onSave}>
    <TextField
      name="clientId"
      label={t.clientIds[provider]}
      defaultValue={clientId ?? ''}
      maxLength={500}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
    <PasswordField
      name="clientSecret"
      label={hasSecret ? t.newClientSecret : t.clientSecret}
      hint={hasSecret ? t.keepSecretHint : t.clientSecretHints[provider]}
      autoComplete="off"
      required={!hasSecret}
    />
    <div className="form-actions">
      {source === 'owner' && (
        <FormPopover
          align="end"
          trigger={<Button>{t.deleteClient}</Button>}
          title={t.deleteClientTitle(t.providers[provider])}
          about={t.deleteClientAbout}
          action={t.deleteClient}
          danger
          onSubmit={onRemove}
        />
      )}
      <SaveButton />
    </div>
  </Form>
)

const ClientCard = ({
  provider,
  clients,
}: {
  provider: Provider
  clients: ReturnType<typeof useOauthClients>
}) => (
  <Card id={provider} title={t.signInWith(t.providers[provider])} about={t.abouts[provider]}>
    <Loaded query={clients.query} lines={4}>
      {(list) => {
        const client = list.find((one) => one.provider === provider)
        return (
          client && (
            <div className="stack">
              <p>
                <Status source={client.source} />
              </p>
              {client.source === 'environment' ? (
                <Notice icon={Info}>
                  <RichText
                    text={t.setByEnvironment({ provider, clientId: client.clientId ?? '' })}
                    tags={{ code: (text) => <code>{text}</code> }}
                  />
                </Notice>
              ) : (
                <Steps provider={provider} />
              )}
              <RedirectAddress redirectUri={client.redirectUri} />
              {client.source !== 'environment' && (
                <ClientForm
                  client={client}
                  onSave={(values) => clients.save(provider, values)}
                  onRemove={() => clients.remove(provider)}
                />
              )}
            </div>
          )
        )
      }}
    </Loaded>
  </Card>
)

export const OauthClientsSection = () => {
  const clients = useOauthClients()
  return (
    <Page title={label} within={common.settings} about={about}>
      {PROVIDERS.map((provider) => (
        <ClientCard key={provider} provider={provider} clients={clients} />
      ))}
    </Page>
  )
}
