import { useQueryClient } from '@tanstack/react-query'
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
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { NewPasswordField } from '../../../ui/new-password-field.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
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
  const named = useLastValue(ending)
  const close = () => setEnding(null)

  const end = async () => {
    if (ending === 'others') {
      const { revoked } = await unwrap(client.POST('/api/settings/security/sessions/revoke-others'))
      notify(t.sessionsEnded(revoked))
    } else if (ending !== null) {
      const params = { path: { id: ending.id } }
      await unwrap(client.DELETE('/api/settings/security/sessions/{id}', { params }))
      notify(t.signedOutDevice(deviceName(ending.device.name)))
    }
    await refetch()
    close()
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
      <FormDialog
        open={ending !== null}
        onClose={close}
        alert
        danger
        title={named === 'others' ? t.signOutOthersTitle : t.signOutTitle}
        about={
          named === 'others'
            ? t.signOutOthersAbout
            : named && t.signOutAbout({ device: deviceName(named.device.name), ip: named.ip })
        }
        action={t.signOut}
        onSubmit={end}
      />
    </Card>
  )
}

const PasswordCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const change = async (values: FormData) => {
    const body = { password: passwordOf(values), newPassword: String(values.get('newPassword')) }
    const { sessionsEnded } = await unwrap(client.POST('/api/settings/security/password', { body }))
    await Promise.all([changed(), queries.invalidateQueries({ queryKey: sessionsKey })])
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
