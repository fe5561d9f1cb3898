import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type RefusalCode = NonNullable<Shape<'UnsubscribeOptions'>['refusalCode']>

export const subscription = 'Subscription'
export const about = 'Senders of the last 90 days, most active first.'
export const yourSubscriptions = 'Your subscriptions'
export const noSubscriptions = 'No subscriptions'
export const noSubscriptionsAbout = 'Newsletters and mailing lists appear here.'
export const allSubscriptions = 'All subscriptions'
export const fromSubscription = 'Subscription: <name></name>'

// A row.
export const emailCount = (count: number) =>
  plural(count, { one: '1 email', other: `${formatNumber(count)} emails` })
export const allRead = 'all read'
export const noneRead = 'none read'
export const unreadShare = (percent: number) => `${formatNumber(percent)}% unread`
export const lastReceived = 'last email <time></time>'
export const actionsFor = (name: string) => `Actions for ${name}`
export const moreActionsFor = (name: string) => `More actions for ${name}`

// Unsubscribing.
export const unsubscribe = 'Unsubscribe'
export const unsubscribeAgain = 'Unsubscribe again'
export const unsubscribeFrom = (name: string) => `Unsubscribe from ${name}`
export const unsubscribeTitle = (name: string) => `Unsubscribe from ${name}?`
export const methods = {
  'one-click': {
    about: (to: string) => `Sends an unsubscribe request to ${to}.`,
    action: 'Unsubscribe',
    alternative: (to: string) => `Send a request to ${to}`,
  },
  mail: {
    about: (to: string) => `Sends an unsubscribe email to ${to}.`,
    action: 'Send email',
    alternative: (to: string) => `Send an email to ${to}`,
  },
  page: {
    about: (to: string) => `Opens the unsubscribe page at ${to} in a new tab.`,
    action: 'Open page',
    alternative: (to: string) => `Open the page at ${to}`,
  },
}
export const noMethod = 'This sender offers no way to unsubscribe.'
export const unsubscribed = (name: string) => `Unsubscribed from ${name}`
export const unsubscribedOn = (date: string) => `Unsubscribed on ${date}.`
export const emailQueued = (to: string) => `Sending an unsubscribe email to ${to}.`
export const emailUncertain = (to: string) =>
  `Could not confirm that the unsubscribe email to ${to} was sent.`
export const emailSent = ({ to, date }: { to: string; date: string }) =>
  `Unsubscribe email sent to ${to} on ${date}.`

// Moving all emails.
export const archiveAll = 'Archive all emails'
export const deleteAll = 'Move all to trash'
export const archived = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `1 email from ${name} archived`,
    other: `${formatNumber(count)} emails from ${name} archived`,
  })
export const movedToTrash = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `1 email from ${name} moved to trash`,
    other: `${formatNumber(count)} emails from ${name} moved to trash`,
  })
export const archivedPartly = ({ name, count }: { name: string; count: number }) =>
  `${formatNumber(count)} emails from ${name} archived. Repeat it for the rest.`
export const movedToTrashPartly = ({ name, count }: { name: string; count: number }) =>
  `${formatNumber(count)} emails from ${name} moved to trash. Repeat it for the rest.`
export const nothingToMove = (name: string) => `No more emails from ${name} to move`
export const reverted = 'Emails moved back'
export const refusals = {
  spam: 'Your mail server marked this email as spam: a reply would only confirm your address to the sender.',
  phishing:
    'The sender of this email may be forged: a reply would only confirm your address to the sender. Delete the email instead.',
} satisfies Record<RefusalCode, string>
