import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { tell } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'

export type Provider = 'google' | 'microsoft'
export const PROVIDERS = { google: 'Google', microsoft: 'Microsoft' } as const

interface SignInButtonProps {
  provider: Provider
  address: string
  /** To let an account in again that was signed out. */
  accountId?: string
  size?: 'middle' | 'small'
  onRefused: (why: string) => void
}

/** Leaves for the provider's own page; it sends the browser back here. */
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
      onRefused(tell(error))
    }
  }
  return (
    <Button kind="primary" busy={isBusy} {...(size && { size })} onClick={() => void begin()}>
      {!isBusy && <LogIn size={16} aria-hidden="true" />}
      Sign in with {PROVIDERS[provider]}
    </Button>
  )
}
