import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type RefusalCode = NonNullable<Shape<'UnsubscribeOptions'>['refusalCode']>

export const subscription = 'Abonnement'
export const about = 'Absender der letzten 90 Tage, die aktivsten zuerst.'
export const yourSubscriptions = 'Deine Abonnements'
export const noSubscriptions = 'Keine Abonnements'
export const noSubscriptionsAbout = 'Newsletter und Mailinglisten erscheinen hier.'
export const allSubscriptions = 'Alle Abonnements'
export const fromSubscription = 'Abonnement: <name></name>'

// A row.
export const emailCount = (count: number) =>
  plural(count, { one: '1 E-Mail', other: `${formatNumber(count)} E-Mails` })
export const allRead = 'alle gelesen'
export const noneRead = 'keine gelesen'
export const unreadShare = (percent: number) => `${formatNumber(percent)} % ungelesen`
export const lastReceived = 'zuletzt <time></time>'
export const actionsFor = (name: string) => `Aktionen für ${name}`
export const moreActionsFor = (name: string) => `Weitere Aktionen für ${name}`

// Unsubscribing.
export const unsubscribe = 'Abbestellen'
export const unsubscribeAgain = 'Erneut abbestellen'
export const unsubscribeFrom = (name: string) => `${name} abbestellen`
export const unsubscribeTitle = (name: string) => `${name} abbestellen?`
export const methods = {
  'one-click': {
    about: (to: string) => `Sendet eine Abbestellung an ${to}.`,
    action: 'Abbestellen',
    alternative: (to: string) => `Anfrage an ${to} senden`,
  },
  mail: {
    about: (to: string) => `Sendet eine E-Mail zum Abbestellen an ${to}.`,
    action: 'E-Mail senden',
    alternative: (to: string) => `E-Mail an ${to} senden`,
  },
  page: {
    about: (to: string) => `Öffnet die Seite zum Abbestellen bei ${to} in einem neuen Tab.`,
    action: 'Seite öffnen',
    alternative: (to: string) => `Seite bei ${to} öffnen`,
  },
}
export const noMethod = 'Dieser Absender bietet keine Möglichkeit zum Abbestellen.'
export const unsubscribed = (name: string) => `${name} abbestellt`
export const unsubscribedOn = (date: string) => `Abbestellt am ${date}.`
export const emailQueued = (to: string) => `Eine E-Mail zum Abbestellen an ${to} wird gesendet.`
export const emailUncertain = (to: string) =>
  `Es ist ungewiss, ob die E-Mail zum Abbestellen an ${to} gesendet wurde.`
export const emailSent = ({ to, date }: { to: string; date: string }) =>
  `E-Mail zum Abbestellen am ${date} an ${to} gesendet.`

// Moving all emails.
export const archiveAll = 'Alle E-Mails archivieren'
export const deleteAll = 'Alle in den Papierkorb verschieben'
export const archived = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `1 E-Mail von ${name} archiviert`,
    other: `${formatNumber(count)} E-Mails von ${name} archiviert`,
  })
export const movedToTrash = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `1 E-Mail von ${name} in den Papierkorb verschoben`,
    other: `${formatNumber(count)} E-Mails von ${name} in den Papierkorb verschoben`,
  })
export const archivedPartly = ({ name, count }: { name: string; count: number }) =>
  `${formatNumber(count)} E-Mails von ${name} archiviert. Wiederhole es für den Rest.`
export const movedToTrashPartly = ({ name, count }: { name: string; count: number }) =>
  `${formatNumber(count)} E-Mails von ${name} in den Papierkorb verschoben. Wiederhole es für den Rest.`
export const nothingToMove = (name: string) => `Keine weiteren E-Mails von ${name} zum Verschieben`
export const reverted = 'E-Mails zurückverschoben'
export const refusals = {
  spam: 'Dein Mailserver hat diese E-Mail als Spam markiert: Eine Antwort würde dem Absender nur deine Adresse bestätigen.',
  phishing:
    'Der Absender dieser E-Mail ist vielleicht gefälscht: Eine Antwort würde ihm nur deine Adresse bestätigen. Lösche die E-Mail stattdessen.',
} satisfies Record<RefusalCode, string>
