import { History, Laptop, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { deviceName } from '#locale/activity'
import * as t from '#locale/security'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { useAccountChanged } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { sessionsKey, useSessions } from '../../../api/sessions.ts'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { ActivityList } from '../../../ui/activity-list.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ConfirmDialog, ConfirmPasswordField, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { NewPasswordField } from '../../../ui/new-password-field.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const { label, about, cards } = sections.security

type Session = Shape<'Session'>

const ICONS = { computer: Laptop, phone: Smartphone, program: SquareTerminal } as const

const SessionRow = ({ session, onEnd }: { session: Session; onEnd: () => void }) => {
  const { date } = useDates()
  const name = deviceName(session.device.name)
  const Icon = ICONS[session.device.kind]
  return (
    <Row
      data-wraps="true"
      icon={Icon}
      title={name}
      tags={session.current && <Tag tone="accent">{t.thisSession}</Tag>}
      actions={
        !session.current && (
          <Button size="small" onClick={onEnd} aria-label={t.signOutDevice(name)}>
            {t.signOut}
          </Button>
        )
      }
    >
      <p className="row-notes">
        <span>
          <RichText text={t.lastSeen} tags={{ time: () => <Time at={session.lastSeenAt} /> }} />
        </span>
        <span>{session.ip}</span>
        <span>{t.signedInOn(date(session.createdAt))}</span>
        <span>{t.expiresOn(date(session.expiresAt))}</span>
      </p>
    </Row>
  )
}

const SessionsCard = () => {
  const client = useClient()
  const notify = useNotify()
  const query = useSessions(client)
  const refetch = useRefetch(sessionsKey, ['activity'])
  const [ending, setEnding] = useState<Session | 'others' | null>(null)
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? []

  const end = async (chosen: Session | 'others') => {
    if (chosen === 'others') {
      const { revoked } = await unwrap(client.POST('/api/settings/security/sessions/revoke-others'))
      notify(t.sessionsEnded(revoked))
    } else {
      const params = { path: { id: chosen.id } }
      await unwrap(client.DELETE('/api/settings/security/sessions/{id}', { params }))
      notify(t.signedOutDevice(deviceName(chosen.device.name)))
    }
    await refetch()
  }
  return (
    <Card
      id="sessions"
      title={cards.sessions.label}
      about={t.sessionsAbout}
      aside={
        sessions.length > 1 && (
          <Button size="small" kind="warning" onClick={() => setEnding('others')}>
            {t.signOutOthers}
          </Button>
        )
      }
    >
      <RowList needsClick query={query} itemsOf={(page) => page.sessions} empty={null}>
        {(session) => <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />}
      </RowList>
      <ConfirmDialog
        item={ending}
        onClose={() => setEnding(null)}
        title={(chosen) => (chosen === 'others' ? t.signOutOthersTitle : t.signOutTitle)}
        about={(chosen) =>
          chosen === 'others'
            ? t.signOutOthersAbout
            : t.signOutAbout({ device: deviceName(chosen.device.name), ip: chosen.ip })
        }
        action={t.signOut}
        onConfirm={end}
      />
    </Card>
  )
}

const PasswordCard = () => {
  const client = useClient()
  const changed = useAccountChanged()
  const refetch = useRefetch(sessionsKey)
  const notify = useNotify()
  const change = async (values: FormData) => {
    const body = { password: passwordOf(values), newPassword: String(values.get('newPassword')) }
    const { sessionsEnded } = await unwrap(client.POST('/api/settings/security/password', { body }))
    await Promise.all([changed(), refetch()])
    notify(t.passwordChanged(sessionsEnded))
  }
  return (
    <Card id="password" title={cards.password.label} about={t.passwordAbout}>
      <Form label={t.changePassword} onSubmit={change} codes={WRONG_PASSWORD} resetOnSuccess>
        <ConfirmPasswordField label={t.currentPassword} />
        <NewPasswordField name="newPassword" label={t.newPassword} />
        <div className="form-actions">
          <Submit>{t.changePassword}</Submit>
        </div>
      </Form>
    </Card>
  )
}

const PAGE = 20

const ActivityCard = () => {
  const client = useClient()
  const query = usePaged(['activity', 'all'], (page) =>
    unwrap(client.GET('/api/settings/security/activity', { params: { query: { limit: PAGE, ...page } } })),
  )
  return (
    <Card id="activity" title={cards.activity.label} about={t.activityAbout}>
      <LoadedList
        query={query}
        itemsOf={({ activity }) => activity}
        empty={<Empty icon={History} title={t.noActivity} />}
      >
        {(entries) => <ActivityList entries={entries} />}
      </LoadedList>
    </Card>
  )
}

export const SecuritySection = () => (
  <Page title={label} within={common.settings} about={about}>
    <PasswordCard />
    <TwoFactorCard />
    <SessionsCard />
    <ActivityCard />
  </Page>
)
