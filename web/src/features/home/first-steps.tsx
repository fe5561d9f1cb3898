import { useQuery } from '@tanstack/react-query'
import { CalendarSync, Check, Image, type LucideIcon, Mail, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useProfile } from '../../api/account.ts'
import { calendarAccountsQuery } from '../../api/calendar-accounts.ts'
import { useClient, useServices } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

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

/** Onboarding checklist. Hidden when all steps are done, or by the user. */
export const FirstSteps = () => {
  const { browserStorage } = useServices()
  const profile = useProfile().data?.value
  const client = useClient()
  const mail = useQuery(mailAccountsQuery(client)).data
  const calendars = useQuery(calendarAccountsQuery(client)).data
  const name = `first-steps-hidden.${profile?.id ?? ''}`
  const [hidden, setHidden] = useState(false)
  if (!profile || !mail || !calendars || hidden || browserStorage.read(name) !== null) return null

  const hasMail = mail.length > 0
  const hasCalendar = calendars.length > 0
  const steps = [hasMail, hasCalendar, profile.twoFactorEnabled, profile.avatarUrl !== null]
  const doneCount = steps.filter(Boolean).length
  if (doneCount === steps.length) return null

  const hide = () => {
    browserStorage.write(name, 'yes')
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
          icon={Mail}
          title="Connect your mail"
          done={hasMail}
          about="The mailbox you have. Its mail is fetched, and stays where it is too."
        >
          <LinkButton size="small" kind="primary" href="/settings/mail-accounts">
            Connect
          </LinkButton>
        </Step>
        <Step
          icon={CalendarSync}
          title="Bring your calendar"
          done={hasCalendar}
          about="Kept in step with where it is now, both ways."
        >
          <LinkButton size="small" href="/settings/calendar-accounts">
            Connect
          </LinkButton>
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
