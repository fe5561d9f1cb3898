import { useMutation } from '@tanstack/react-query'
import { Check, Clock3, Image, type LucideIcon, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAccountChanged, usePreferences, useProfile } from '../../api/account.ts'
import { unwrap } from '../../api/client.ts'
import { useClient, useWorld } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { browserTimeZone } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { areAlike, placeOf } from '../../ui/zones.ts'

interface StepProps {
  icon: LucideIcon
  title: string
  done: boolean
  about: string
  children: ReactNode
}

const Step = ({ icon: Icon, title, done, about, children }: StepProps) => (
  <li data-done={done} data-wraps="true">
    <span className="row-icon">
      {done ? <Check size={18} aria-hidden="true" /> : <Icon size={18} aria-hidden="true" />}
    </span>
    <div className="row-main">
      <p className="row-title">
        {title}
        {done && <span className="only-heard">: done</span>}
      </p>
      <p className="quiet small">{about}</p>
    </div>
    {!done && <div className="row-actions">{children}</div>}
  </li>
)

/** Sets the zone in one click; taking it back is another. */
const useTimeZoneChange = () => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const send = async (timezone: string) => {
    await unwrap(client.PATCH('/api/settings/preferences', { body: { timezone } }))
    await changed()
  }
  return useMutation({
    mutationFn: ({ to }: { from: string; to: string }) => send(to),
    onSuccess: (_, { from, to }) =>
      notify(`Your time zone is ${placeOf(to)} now.`, {
        undo: () => void send(from).catch((error: unknown) => notify(tell(error), { failed: true })),
      }),
    onError: (error) => notify(tell(error), { failed: true }),
  })
}

/** What makes the instance one's own. It goes when all is done, or when it is sent away. */
export const FirstSteps = () => {
  const { memory } = useWorld()
  const profile = useProfile().data?.value
  const preferences = usePreferences().data?.value
  const setTimeZone = useTimeZoneChange()
  const name = `first-steps-hidden.${profile?.id ?? ''}`
  const [hidden, setHidden] = useState(false)
  if (!profile || !preferences || hidden || memory.read(name) !== null) return null

  const here = browserTimeZone()
  const { timezone } = preferences
  const isZoneRight = areAlike(timezone, here)
  const steps = [isZoneRight, profile.twoFactorEnabled, profile.avatarUrl !== null]
  const doneCount = steps.filter(Boolean).length
  if (doneCount === steps.length) return null

  const hide = () => {
    memory.write(name, 'yes')
    setHidden(true)
  }
  return (
    <Card
      title="First steps"
      about={`${doneCount} of ${steps.length} done`}
      aside={
        <Button kind="quiet" size="small" onClick={hide}>
          Hide
        </Button>
      }
    >
      <ul className="rows steps">
        <Step
          icon={Clock3}
          title="Set your time zone"
          done={isZoneRight}
          about={
            isZoneRight
              ? `Times are shown as in ${placeOf(timezone)}.`
              : `It is ${placeOf(timezone)}; this browser is in ${placeOf(here)}.`
          }
        >
          <Button
            size="small"
            kind="primary"
            busy={setTimeZone.isPending}
            onClick={() => setTimeZone.mutate({ from: timezone, to: here })}
          >
            Use {placeOf(here)}
          </Button>
        </Step>
        <Step
          icon={ShieldCheck}
          title="Turn on two-step sign-in"
          done={profile.twoFactorEnabled}
          about="A code from your phone, so that a stolen password is not enough."
        >
          <LinkButton size="small" href="/settings/security#two-factor">
            Set up
          </LinkButton>
        </Step>
        <Step
          icon={Image}
          title="Add a picture"
          done={profile.avatarUrl !== null}
          about="So that you see at a glance whose desk this is."
        >
          <LinkButton size="small" href="/settings/profile#picture">
            Choose
          </LinkButton>
        </Step>
      </ul>
    </Card>
  )
}
