import { useMutation } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAccountChanged, usePreferences, useProfile } from '../api/account.ts'
import { unwrap } from '../api/client.ts'
import { useClient } from '../api/context.tsx'
import { tell } from '../api/problem.ts'
import { Button } from '../ui/button.tsx'
import { browserTimeZone } from '../ui/time.tsx'
import { useNotify } from '../ui/toast.tsx'
import { areAlike, isZone, placeOf } from '../ui/zones.ts'
import { useKeptZone } from './kept-zone.ts'

/** Sets the zone in one click; taking it back is another. */
const useZoneChange = () => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const { keep } = useKeptZone()
  const send = async (timezone: string) => {
    await unwrap(client.PATCH('/api/settings/preferences', { body: { timezone } }))
    await changed()
  }
  return useMutation({
    mutationFn: ({ to }: { from: string; to: string }) => send(to),
    onSuccess: (_, { from, to }) =>
      notify(`Your time zone is ${placeOf(to)} now.`, {
        undo: () => {
          keep()
          void send(from).catch((error: unknown) => notify(tell(error), { failed: true }))
        },
      }),
    onError: (error) => notify(tell(error), { failed: true }),
  })
}

/** For whoever has travelled, or came by a way that could not tell the zone. Asked once; no answer is needed. */
export const ZoneOffer = () => {
  const isKnown = useProfile().data !== undefined
  const timezone = usePreferences().data?.value.timezone
  const kept = useKeptZone()
  const change = useZoneChange()
  const [isAnswered, setIsAnswered] = useState(false)
  const here = browserTimeZone()
  const isHome = timezone === undefined || !isZone(here) || areAlike(timezone, here)
  const isBack = isKnown && timezone !== undefined && isHome
  // biome-ignore lint/correctness/useExhaustiveDependencies: when that becomes so
  useEffect(() => {
    if (isBack) kept.forget()
  }, [isBack])
  if (!isKnown || isHome || isAnswered || kept.isKept()) return null

  const keep = () => {
    kept.keep()
    setIsAnswered(true)
  }
  return (
    <section className="zone-offer" aria-label="Time zone">
      <Clock3 size={18} aria-hidden="true" />
      <p>
        This browser is in {placeOf(here)}; your times are those of {placeOf(timezone)}.
      </p>
      <div>
        <Button
          size="small"
          busy={change.isPending}
          onClick={() => change.mutate({ from: timezone, to: here })}
        >
          Use {placeOf(here)}
        </Button>
        <Button size="small" kind="quiet" onClick={keep}>
          Keep {placeOf(timezone)}
        </Button>
      </div>
    </section>
  )
}
