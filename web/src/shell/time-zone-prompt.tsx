import { useMutation } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as t from '#locale/shell'
import { useAccountChanged, usePreferences, useProfile } from '../api/account.ts'
import { unwrap } from '../api/client.ts'
import { useClient } from '../api/context.tsx'
import { describeError } from '../api/problem.ts'
import { Button } from '../ui/button.tsx'
import { browserTimeZone } from '../ui/time.tsx'
import { haveSameOffsets, isSupportedTimeZone, toCityName } from '../ui/time-zone.ts'
import { useNotify } from '../ui/toast.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { useDismissedTimeZone } from './dismissed-time-zone.ts'

/** Changes the time zone. The toast offers to undo it. */
const useChangeTimeZone = () => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const attempt = useAttempt()
  const { dismiss } = useDismissedTimeZone()
  const send = async (timezone: string) => {
    await unwrap(client.PATCH('/api/settings/preferences', { body: { timezone } }))
    await changed()
  }
  return useMutation({
    mutationFn: ({ to }: { from: string; to: string }) => send(to),
    onSuccess: (_, { from, to }) =>
      notify(t.timeZoneChanged(toCityName(to)), {
        undo: () => {
          dismiss()
          void attempt(() => send(from))
        },
      }),
    onError: (error) => notify(describeError(error), { failed: true }),
  })
}

/**
 * Offers the browser's time zone to users who travel or whose zone was unknown at sign-up. Shown once; no
 * answer is needed.
 */
export const TimeZonePrompt = () => {
  const isKnown = useProfile().data !== undefined
  const timezone = usePreferences().data?.value.timezone
  const dismissedZone = useDismissedTimeZone()
  const change = useChangeTimeZone()
  const [isAnswered, setIsAnswered] = useState(false)
  const browserZone = browserTimeZone()
  const isOwnZone =
    timezone === undefined || !isSupportedTimeZone(browserZone) || haveSameOffsets(timezone, browserZone)
  const isOwnZoneAgain = isKnown && timezone !== undefined && isOwnZone
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when `isOwnZoneAgain` changes
  useEffect(() => {
    if (isOwnZoneAgain) dismissedZone.reset()
  }, [isOwnZoneAgain])
  if (!isKnown || isOwnZone || isAnswered || dismissedZone.isDismissed()) return null

  const dismiss = () => {
    dismissedZone.dismiss()
    setIsAnswered(true)
  }
  return (
    <section className="time-zone-prompt" aria-label={t.timeZone}>
      <Clock3 size={18} aria-hidden="true" />
      <p>{t.otherTimeZone({ device: toCityName(browserZone), account: toCityName(timezone) })}</p>
      <div>
        <Button
          size="small"
          busy={change.isPending}
          onClick={() => change.mutate({ from: timezone, to: browserZone })}
        >
          {t.switchTimeZone(toCityName(browserZone))}
        </Button>
        <Button size="small" kind="quiet" onClick={dismiss}>
          {t.keepTimeZone(toCityName(timezone))}
        </Button>
      </div>
    </section>
  )
}
