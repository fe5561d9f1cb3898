import { queryOptions, useQuery } from '@tanstack/react-query'
import { CalendarSync, Import, type LucideIcon, Mail, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import * as t from '#locale/home'
import { useProfile } from '../../api/account.ts'
import { calendarAccountsQuery } from '../../api/calendar-accounts.ts'
import { type Client, unwrap } from '../../api/client.ts'
import { useClient, useServices } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Row } from '../../ui/rows.tsx'
import { ConnectButton } from './connect-button.tsx'

const hiddenKey = (userId: number): string => `first-steps-hidden.${userId}`

/** Whether the account has imported a file. */
const hasImportsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['imports', 'any'],
    queryFn: async () =>
      (await unwrap(client.GET('/api/imports', { params: { query: { limit: 1 } } }))).imports.length > 0,
  })

/** Whether nothing is connected yet, and the user has not hidden the first steps. */
export const useIsNewAccount = (): boolean => {
  const { browserStorage } = useServices()
  const client = useClient()
  const profile = useProfile().data?.value
  const mail = useQuery(mailAccountsQuery(client)).data
  const calendars = useQuery(calendarAccountsQuery(client)).data
  return (
    profile !== undefined &&
    mail?.length === 0 &&
    calendars?.length === 0 &&
    browserStorage.read(hiddenKey(profile.id)) === null
  )
}

interface StepProps {
  icon: LucideIcon
  title: string
  help: string
  children: ReactNode
}

const Step = ({ icon: Icon, title, help, children }: StepProps) => (
  <Row data-wraps="true" icon={Icon} title={title} actions={children}>
    <p className="quiet small">{help}</p>
  </Row>
)

/** Steps that are still to do. Hidden when all are done, or by the user. */
export const FirstSteps = () => {
  const { browserStorage } = useServices()
  const profile = useProfile().data?.value
  const client = useClient()
  const mail = useQuery(mailAccountsQuery(client)).data
  const calendars = useQuery(calendarAccountsQuery(client)).data
  const hasImports = useQuery(hasImportsQuery(client)).data
  const [hidden, setHidden] = useState(false)
  if (!profile || !mail || !calendars || hasImports === undefined) return null
  if (hidden || browserStorage.read(hiddenKey(profile.id)) !== null) return null
  const needs = {
    mail: mail.length === 0,
    calendar: calendars.length === 0,
    moveIn: !hasImports,
    twoFactor: !profile.twoFactorEnabled,
  }
  if (Object.values(needs).every((isNeeded) => !isNeeded)) return null
  const hide = () => {
    browserStorage.write(hiddenKey(profile.id), 'yes')
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
        {needs.mail && (
          <Step icon={Mail} title={t.addEmailAccount} help={t.addEmailAccountHelp}>
            <ConnectButton target="mail" label={t.connectEmail}>
              {t.connect}
            </ConnectButton>
          </Step>
        )}
        {needs.calendar && (
          <Step icon={CalendarSync} title={t.addCalendar} help={t.addCalendarHelp}>
            <ConnectButton target="calendar" label={t.connectCalendar}>
              {t.connect}
            </ConnectButton>
          </Step>
        )}
        {needs.moveIn && (
          <Step icon={Import} title={t.moveIn} help={t.moveInHelp}>
            <LinkButton size="small" href="/settings/imports">
              {t.importFiles}
            </LinkButton>
          </Step>
        )}
        {needs.twoFactor && (
          <Step icon={ShieldCheck} title={t.turnOnTwoFactor} help={t.turnOnTwoFactorHelp}>
            <LinkButton size="small" href="/settings/security#two-factor">
              {t.setUp}
            </LinkButton>
          </Step>
        )}
      </ul>
    </Card>
  )
}
