import { useQuery } from '@tanstack/react-query'
import { CalendarSync, Image, type LucideIcon, Mail, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/home'
import { useProfile } from '../../api/account.ts'
import { calendarAccountsQuery } from '../../api/calendar-accounts.ts'
import { useClient, useServices } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

interface Step {
  icon: LucideIcon
  title: string
  help: string
  href: string
  action: string
}

const STEPS = {
  mail: {
    icon: Mail,
    title: t.addEmailAccount,
    help: t.addEmailAccountHelp,
    href: '/settings/mail-accounts',
    action: t.connect,
  },
  calendar: {
    icon: CalendarSync,
    title: t.addCalendar,
    help: t.addCalendarHelp,
    href: '/settings/calendar-accounts',
    action: t.connect,
  },
  twoFactor: {
    icon: ShieldCheck,
    title: t.turnOnTwoFactor,
    help: t.turnOnTwoFactorHelp,
    href: '/settings/security#two-factor',
    action: t.setUp,
  },
  photo: {
    icon: Image,
    title: t.addPhoto,
    help: t.addPhotoHelp,
    href: '/settings/profile#picture',
    action: t.choose,
  },
} satisfies Record<string, Step>

/** Steps that are still to do. Hidden when all are done, or by the user. */
export const FirstSteps = () => {
  const { browserStorage } = useServices()
  const profile = useProfile().data?.value
  const client = useClient()
  const mail = useQuery(mailAccountsQuery(client)).data
  const calendars = useQuery(calendarAccountsQuery(client)).data
  const name = `first-steps-hidden.${profile?.id ?? ''}`
  const [hidden, setHidden] = useState(false)
  if (!profile || !mail || !calendars || hidden || browserStorage.read(name) !== null) return null

  const open: Step[] = [
    ...(mail.length === 0 ? [STEPS.mail] : []),
    ...(calendars.length === 0 ? [STEPS.calendar] : []),
    ...(profile.twoFactorEnabled ? [] : [STEPS.twoFactor]),
    ...(profile.avatarUrl === null ? [STEPS.photo] : []),
  ]
  if (open.length === 0) return null

  const hide = () => {
    browserStorage.write(name, 'yes')
    setHidden(true)
  }
  return (
    <Card
      title={t.firstSteps}
      aside={
        <Button kind="quiet" size="small" onClick={hide}>
          {t.hide}
        </Button>
      }
    >
      <ul className="rows">
        {open.map(({ icon: Icon, title, help, href, action }) => (
          <li key={title} data-wraps="true">
            <span className="row-icon">
              <Icon size={18} aria-hidden="true" />
            </span>
            <div className="row-main">
              <p className="row-title">{title}</p>
              <p className="quiet small">{help}</p>
            </div>
            <div className="row-actions">
              <LinkButton size="small" href={href}>
                {action}
              </LinkButton>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
