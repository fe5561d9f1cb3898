import { deviceOf } from '../../platform/access/device.ts'
import type { ActivityEntry } from '../auth/activity.ts'
import type { Occurrence } from './occurrence.ts'
import { named } from './plain-text.ts'

type Details = Readonly<Record<string, unknown>>

/** What happens to an account, in the words of who has to know whether it was them. */
const SAID: Readonly<Record<string, (details: Details) => string>> = {
  'password.changed': () => 'Your password was changed',
  'password.reset': () => 'Your password was reset',
  'email.changed': ({ to }) => `Your sign-in address was changed to ${named(to, 'another')}`,
  'two_factor.enabled': () => 'Two-step sign-in was turned on',
  'two_factor.disabled': () => 'Two-step sign-in was turned off',
  'two_factor.backup_codes_renewed': () => 'Your backup codes were replaced',
  'two_factor.backup_code_used': () => 'A backup code was used to sign in',
  'token.created': ({ name }) => `The access token “${named(name, 'unnamed')}” was made`,
  'session.reuse_detected': () => 'A session was ended because its token was used twice',
  'data.exported': () => 'All your data were exported',
}

const fromWhere = ({ ip, userAgent }: ActivityEntry): string =>
  ip === '' ? '' : `From ${ip}${userAgent === '' ? '' : `, ${named(deviceOf(userAgent).name, '')}`}`

/** What of an account's activity its person is told. */
export const noticeOf = (entry: ActivityEntry, id: string): Occurrence | undefined => {
  const { userId, action, details } = entry
  const whom = { userId }
  if (action === 'session.started')
    return {
      ...{ kind: 'sign_in', key: `sign_in:${id}`, whom, link: '/settings/security#sessions' },
      write: () => ({ title: 'A new sign-in to your account', body: fromWhere(entry) }),
    }
  if (action === 'webhook.disabled')
    return {
      ...{ kind: 'webhook_disabled', key: `webhook_disabled:${id}`, whom, link: '/settings/webhooks' },
      write: () => ({
        title: `The webhook “${named(details.name, 'unnamed')}” was turned off`,
        body: typeof details.reason === 'string' ? details.reason : '',
      }),
    }
  const say = Object.hasOwn(SAID, action) ? SAID[action] : undefined
  if (!say) return undefined
  return {
    ...{ kind: 'security', key: `security:${id}`, whom, link: '/settings/security#activity' },
    write: () => ({
      title: say(details),
      body: `${fromWhere(entry)}${fromWhere(entry) ? '. ' : ''}If that was not you, change your password.`,
    }),
  }
}
