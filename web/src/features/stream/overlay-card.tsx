import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { fromSnapshot } from '../../overlay/model.ts'
import { readOptions } from '../../overlay/options.ts'
import { createScreen, type Screen } from '../../overlay/screen.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Secret, SecretDialog } from '../../ui/secret.tsx'
import { useNotify } from '../../ui/toast.tsx'

const addressWith = (token?: string): string =>
  `${window.location.origin}/overlay${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`

/** Small preview with the renderer of the overlay page. */
const Preview = ({ overlay }: { overlay: Shape<'Overlay'> }) => {
  const container = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen | null>(null)
  useEffect(() => {
    if (!container.current) return
    const made = createScreen(container.current, readOptions('?size=18&show=captions,milestones,title'))
    screen.current = made
    return () => made.remove()
  }, [])
  useEffect(() => {
    screen.current?.show(fromSnapshot(overlay, null, performance.now()))
  }, [overlay])
  return <div ref={container} className="overlay-preview" role="img" aria-label="Overlay preview" />
}

export const OverlayCard = ({ overlay }: { overlay: Shape<'Overlay'> }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const [address, setAddress] = useState<string | null>(null)
  const make = async () => {
    try {
      const body = { name: 'Overlay', purpose: 'overlay' as const }
      const { token } = await unwrap(client.POST('/api/settings/feed-tokens', { body }))
      setAddress(addressWith(token))
      await queries.invalidateQueries({ queryKey: ['feed-tokens'] })
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <Card
      title="Overlay"
      about="Give this address to your streaming program as a browser source. It is transparent, and reconnects by itself."
    >
      <Preview overlay={overlay} />
      <div className="overlay-address">
        <Secret text={addressWith()} />
        <p className="quiet small">
          Where this instance asks everyone to sign in, the address needs a token that can read the overlay
          and nothing else.
        </p>
        <Button size="small" onClick={() => void make()}>
          <KeyRound size={16} aria-hidden="true" />
          Make an address with a token
        </Button>
      </div>
      <SecretDialog
        secret={address}
        title="The overlay’s address"
        about="Whoever has it can see what the overlay shows. Copy it now: it is shown this once. Revoke it under Settings, Feed tokens."
        onClose={() => setAddress(null)}
      />
    </Card>
  )
}
