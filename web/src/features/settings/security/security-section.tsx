import { useQueryClient } from '@tanstack/react-query'
import { History, Laptop, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useAccountChanged } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { sessionsKey, useSessions } from '../../../api/sessions.ts'
import { Page } from '../../../shell/page.tsx'
import { ActivityList } from '../../../ui/activity-list.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ConfirmPasswordField, FormDialog, passwordOf, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { NewPasswordField } from '../../../ui/new-password-field.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { Time, useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { TwoFactorCard } from './two-factor-card.tsx'

type SessionRow = Shape<'Session'>

const ICONS = { computer: Laptop, phone: Smartphone, program: SquareTerminal } as const

const Row = ({ session, onEnd }: { session: SessionRow; onEnd: () => void }) => {
  const { date } = useDates()
  const { name, kind } = session.device
  const Icon = ICONS[kind]
  return (
    <li data-wraps="true">
      <span className="row-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          {name}
          {session.current && <Tag tone="accent">This session</Tag>}
        </p>
        <p className="row-notes">
          <span>
            Seen <Time at={session.lastSeenAt} />
          </span>
          <span>{session.ip}</span>
          <span>since {date(session.createdAt)}</span>
          <span>until {date(session.expiresAt)}</span>
        </p>
      </div>
      {!session.current && (
        <div className="row-actions">
          <Button size="small" onClick={onEnd} aria-label={`Sign out ${name}`}>
            Sign out
          </Button>
        </div>
      )}
    </li>
  )
}

const SessionsCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = useSessions(client)
  const [ending, setEnding] = useState<SessionRow | 'others' | null>(null)
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? []
  const named = useLastValue(ending)
  const close = () => setEnding(null)

  const end = async () => {
    if (ending === 'others') {
      const { revoked } = await unwrap(client.POST('/api/settings/security/sessions/revoke-others'))
      notify(revoked === 1 ? 'One session has ended.' : `${revoked} sessions have ended.`)
    } else if (ending !== null) {
      const params = { path: { id: ending.id } }
      await unwrap(client.DELETE('/api/settings/security/sessions/{id}', { params }))
      notify(`${ending.device.name} is signed out.`)
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: sessionsKey }),
      queries.invalidateQueries({ queryKey: ['activity'] }),
    ])
    close()
  }
  return (
    <Card
      id="sessions"
      title="Sessions"
      about="Where you are signed in."
      aside={
        sessions.length > 1 && (
          <Button size="small" kind="warning" onClick={() => setEnding('others')}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <LoadedList needsClick query={query} itemsOf={(page) => page.sessions} empty={null}>
        {(items) => (
          <ul className="rows">
            {items.map((session) => (
              <Row key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </ul>
        )}
      </LoadedList>
      <FormDialog
        open={ending !== null}
        onClose={close}
        alert
        danger
        title={named === 'others' ? 'Sign out everywhere else?' : 'Sign this session out?'}
        about={
          named === 'others'
            ? 'Every session but this one ends at once.'
            : named && `${named.device.name}, ${named.ip}. It ends at once.`
        }
        action="Sign out"
        onSubmit={end}
      />
    </Card>
  )
}

const elsewhere = (count: number): string => {
  if (count === 0) return ''
  return count === 1 ? ' One session elsewhere has ended.' : ` ${count} sessions elsewhere have ended.`
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
    notify(`Your password is changed.${elsewhere(sessionsEnded)}`)
  }
  return (
    <Card id="password" title="Password" about="Changing it ends every other session.">
      <Form label="Change your password" onSubmit={change} codes={WRONG_PASSWORD} resetOnSuccess>
        <ConfirmPasswordField label="Present password" />
        <NewPasswordField name="newPassword" label="New password" />
        <div className="form-actions">
          <Submit>Change password</Submit>
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
    <Card id="activity" title="Activity" about="Recent sign-ins and changes of your account.">
      <LoadedList
        query={query}
        itemsOf={({ activity }) => activity}
        empty={
          <Empty icon={History} title="Nothing yet">
            <p>What you do with your account is noted here.</p>
          </Empty>
        }
      >
        {(entries) => <ActivityList entries={entries} />}
      </LoadedList>
    </Card>
  )
}

export const SecuritySection = () => (
  <Page title="Security" within="Settings" about="What guards your account, and who has been here.">
    <PasswordCard />
    <TwoFactorCard />
    <SessionsCard />
    <ActivityCard />
  </Page>
)
