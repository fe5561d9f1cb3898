import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'

export type Provider = 'google' | 'microsoft'
export const PROVIDERS = { google: 'Google', microsoft: 'Microsoft' } as const

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
