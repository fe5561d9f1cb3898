import type { Static } from 'typebox'
import Type from 'typebox'
import type { Folder } from '../../../database/tables/mail.ts'
import { isPrivate } from '../../../nlu/mail/facts.ts'
import { type Caller, userIdOf } from '../../../platform/access/caller.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { ToolContract } from './contracts/contract.ts'

/** Describes the caller of a tool and the destination of its result. */
export interface ToolUse {
  caller: Caller
  /** The result goes to a language model, so private data must be withheld. */
  sendsToModel: boolean
  /** Language for the confirmation request. Defaults to English. */
  language?: Language
  isConfirmed?: true
}

/** The item that an action changes, and the version that the person saw. */
export interface About {
  kind: 'task' | 'event' | 'email' | 'mail_rule'
  id: number
  version: number
}

export interface Outcome<R = unknown> {
  result: R
  /** Id of the entry in the undo journal. */
  undoId?: number
  /** The changed fields of an existing item as they were before. */
  before?: Readonly<Record<string, unknown>>
  /** Emails that the result quotes, or that its items were created from. */
  emails?: readonly number[]
  /** The result contains data that must not be sent to a model. */
  isPrivate?: boolean
}

/** An action as the person sees it before the confirmation. */
export interface ToolProposal {
  summary: string
  about: About | null
  /** Replaces the input, so that exactly the items that were counted are changed. */
  input?: unknown
  /** Other people may be notified. */
  reachesOthers?: boolean
}

/** The existing item that a change is about, and how a person names it. */
export interface ChangeTarget {
  kind: 'task' | 'event' | 'email' | 'commitment'
  id: number
  titles: readonly string[]
  people: readonly { name: string; address: string }[]
  /** Start of an event. */
  start?: string
  /** The change is about all events of a series. */
  isSeries?: true
}

export interface WriteProposal extends ToolProposal {
  /** Null for a new item. */
  target: ChangeTarget | null
  /** The name of the list that the item is put into. */
  listName?: string
}

/** What a tool does with an input that matches its contract. */
interface Runnable<I, R> {
  run(input: I, use: ToolUse): Promise<Outcome<R>>
}

interface Changing<I> {
  /** The verbs that command this change in a message of the person, from `says`. All of them must match. */
  verbs(input: I): readonly RegExp[]
  /** Other words that the message must contain, such as those of a priority. */
  mentions?(input: I): readonly RegExp[]
  /** Tells whether this call needs a confirmation, because it reaches other people. */
  needsConfirmation?(input: I, use: ToolUse): Promise<boolean>
  /** Describes the change for the person who confirms it. Throws if the change is not possible. */
  propose(input: I, use: ToolUse): Promise<WriteProposal>
}

interface Confirmable<I> {
  /** Describes the action for the person who confirms it. Throws if the action is not possible. */
  propose(input: I, use: ToolUse): Promise<ToolProposal>
}

type NamedContract = ToolContract & { name: string }
type ReadTool = NamedContract & Runnable<unknown, unknown> & { effect: 'read' }
export type WriteTool = NamedContract & Runnable<unknown, unknown> & Changing<unknown> & { effect: 'write' }
type ConfirmTool = NamedContract & Runnable<unknown, unknown> & Confirmable<unknown> & { effect: 'confirm' }

export type Tool = ReadTool | WriteTool | ConfirmTool

type Implementation<C extends ToolContract, I = Static<C['input']>> = Runnable<
  I,
  Static<ReturnType<C['result']>>
> &
  (C['effect'] extends 'write' ? Changing<I> : C['effect'] extends 'confirm' ? Confirmable<I> : unknown)

/** The registry checks each input against the contract, so a list of tools may forget the types of inputs. */
export const defineTool = <C extends NamedContract>(contract: C, implementation: Implementation<C>): Tool =>
  ({ ...contract, ...implementation }) as unknown as Tool

/** Item and version after the change of the assistant. */
export const ChangedItem = { id: Type.Integer(), version: Type.Integer() }
/** `found` is the version before the change. */
export const Changed = { ...ChangedItem, found: Type.Optional(Type.Integer()) }
/** The folder that an email was moved to, if it is in several. Entries of older versions have none. */
export const MovedTo = Type.Optional(Type.Unsafe<Folder>(Type.String()))
export const Fields = Type.Record(Type.String(), Type.Unknown())

export const changedError = (what: string): AppError =>
  conflict(`The ${what} has been changed or deleted since.`)

/** Undoes a change, unless the item was changed since: later changes of the person are kept. */
export const unlessChanged = async <T>(
  what: string,
  left: { id: number; version: number },
  undo: (etag: string) => Promise<T>,
): Promise<T> => {
  try {
    return await undo(etagOf(left))
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'precondition' || error.kind === 'not_found'))
      throw changedError(what)
    throw error
  }
}

/** Fields that link an item to its source or to its list. */
const LINKS = ['emailId', 'eventId', 'listId']

/** Recreates a deleted item. Drops links to items that no longer exist, so that they get their default. */
export const recreate = async <T>(
  before: Record<string, unknown>,
  make: (before: Record<string, unknown>) => Promise<T>,
): Promise<T> => {
  try {
    return await make(before)
  } catch (error) {
    const wrong = error instanceof AppError && error.kind === 'invalid' ? (error.details.errors ?? []) : []
    const lost = wrong.map(({ path }) => path).filter((path) => LINKS.includes(path))
    if (lost.length === 0) throw error
    const kept = Object.entries(before).filter(([name]) => !lost.includes(name))
    return recreate(Object.fromEntries(kept), make)
  }
}

/** Picks the old values of the changed fields. */
export const pickValues = (from: object, names: readonly string[]): Record<string, unknown> => {
  const values = new Map(Object.entries(from))
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null]))
}

/** An item that can be private by its own tags or by the email it was created from. */
export interface PrivacyCheckedItem {
  id: number
  tags: readonly string[]
  emailId: number | null
}

export interface PrivacyDeps {
  /** Maps existing emails of an account to their tags. */
  emailTags: (userId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
  /** Maps events to the tasks that they reserve time for. */
  tasksOfEvents: (
    userId: number,
    eventIds: readonly number[],
  ) => Promise<ReadonlyMap<number, PrivacyCheckedItem>>
}

export type Privacy = ReturnType<typeof createPrivacy>

/**
 * Decides which items may be sent to a model.
 * Follows links: an event can reserve time for a task, and a task can come from a private email.
 */
export const createPrivacy = ({ emailTags, tasksOfEvents }: PrivacyDeps) => {
  const emails = async (userId: number, ids: readonly number[]): Promise<Set<number>> => {
    const unique = [...new Set(ids)]
    if (unique.length === 0) return new Set()
    const tags = await emailTags(userId, unique)
    return new Set(unique.filter((id) => isPrivate(tags.get(id) ?? [])))
  }

  const tasks = async (userId: number, all: readonly PrivacyCheckedItem[]): Promise<Set<number>> => {
    const mails = await emails(
      userId,
      all.flatMap(({ emailId }) => emailId ?? []),
    )
    return new Set(
      all
        .filter(({ tags, emailId }) => isPrivate(tags) || (emailId !== null && mails.has(emailId)))
        .map(({ id }) => id),
    )
  }

  const events = async (userId: number, all: readonly PrivacyCheckedItem[]): Promise<Set<number>> => {
    const own = await tasks(userId, all)
    const behind = await tasksOfEvents(userId, [...new Set(all.map(({ id }) => id))])
    const planned = await tasks(userId, [...behind.values()])
    for (const [eventId, { id }] of behind) if (planned.has(id)) own.add(eventId)
    return own
  }

  const requireOpen = async (
    kind: 'task' | 'event',
    one: PrivacyCheckedItem,
    { sendsToModel, caller }: Pick<ToolUse, 'sendsToModel' | 'caller'>,
  ): Promise<void> => {
    if (!sendsToModel) return
    const hidden = await (kind === 'task' ? tasks : events)(userIdOf(caller), [one])
    if (hidden.has(one.id))
      throw new AppError(
        'forbidden',
        'forbidden',
        `This ${kind} is private and must not be sent to a language model.`,
      )
  }

  return {
    emails,
    tasks,
    events,
    /** Throws if the item is private and the result would go to a model. */
    requireOpen,
  }
}

/** Languages of confirmation requests. */
export type Language = 'en' | 'de'

interface Proposals {
  createTask: (title: string, due: string) => string
  completeTask: (title: string) => string
  changeTask: (title: string) => string
  deleteTask: (title: string) => string
  draft: (subject: string, to: string) => string
  snooze: (subject: string, until: string) => string
  endSnooze: (subject: string) => string
  pin: (subject: string) => string
  unpin: (subject: string) => string
  followUp: (subject: string, by: string) => string
  endFollowUp: (subject: string) => string
  unarchive: (subject: string) => string
  removeTag: (subject: string, tag: string) => string
  createContact: (name: string, addresses: string) => string
  closeCommitment: (text: string) => string
  syncBookings: string
  /** Without other guests, `guests` is empty. */
  createEvent: (title: string, when: string, guests: string) => string
  moveEvent: (title: string, from: string, to: string) => string
  changeEvent: (title: string, when: string) => string
  cancelEvent: (title: string, when: string) => string
  deleteEvent: (title: string, when: string) => string
  /** Appended to one of the texts above. */
  wholeSeries: string
  mayNotify: (guests: string) => string
  andMore: (count: number) => string
  send: (subject: string, to: string) => string
  trash: (subject: string) => string
  createRule: (name: string, condition: string) => string
  deleteRule: (name: string) => string
  startStream: (name: string) => string
  stopStream: string
  changeStream: (name: string) => string
  auditPage: (url: string) => string
  bookPlan: (count: number, named: readonly string[]) => string
  changeEmails: (change: EmailsChangeName, count: Counted, examples: readonly string[], tag: string) => string
  changeTasks: (change: TasksChangeName, count: Counted, examples: readonly string[], due: string) => string
  unsubscribe: (list: string, to: string) => string
  /** Appended to the text of a new rule. */
  ruleEffects: (effects: readonly string[], count: Counted) => string
  ruleEffect: Record<'archive' | 'trash' | 'read' | 'starred' | 'task' | 'pinned' | 'snooze', string> & {
    tags: (tags: string) => string
    folder: (name: string) => string
  }
  invite: (title: string, guests: string) => string
  locale: string
}

/** Changes of several emails or tasks at once. */
export type EmailsChangeName = 'archive' | 'trash' | 'read' | 'unread' | 'star' | 'unstar' | 'tag' | 'move'
export type TasksChangeName = 'complete' | 'delete' | 'move'

/** `more` tells that there are more than were counted. */
export interface Counted {
  count: number
  more: boolean
}

/** Lists the first items of a bulk change: “Offer”, “Invoice” … */
const quoteAll = (examples: readonly string[], count: number): string =>
  examples.length === 0
    ? ''
    : `: ${examples.map((one) => `“${one}”`).join(', ')}${count > examples.length ? ' …' : ''}`

const ENGLISH: Proposals = {
  createTask: (title, due) => `Add the task “${title}”${due === '' ? '' : `, due ${due}`}`,
  completeTask: (title) => `Complete the task “${title}”`,
  changeTask: (title) => `Change the task “${title}”`,
  deleteTask: (title) => `Delete the task “${title}”`,
  draft: (subject, to) => `Save the draft “${subject}”${to === '' ? '' : ` to ${to}`}`,
  snooze: (subject, until) => `Snooze “${subject}” until ${until}`,
  endSnooze: (subject) => `End the snooze of “${subject}”`,
  pin: (subject) => `Pin “${subject}”`,
  unpin: (subject) => `Unpin “${subject}”`,
  followUp: (subject, by) => `Remind you of “${subject}” if nobody answers by ${by}`,
  endFollowUp: (subject) => `Remove the reminder of “${subject}”`,
  unarchive: (subject) => `Move “${subject}” to the inbox`,
  removeTag: (subject, tag) => `Remove #${tag} from “${subject}”`,
  createContact: (name, addresses) => `Add the contact “${name}”${addresses === '' ? '' : ` (${addresses})`}`,
  closeCommitment: (text) => `Close the promise “${text}”`,
  syncBookings: 'Fetch bookings from the booking provider',
  createEvent: (title, when, guests) =>
    `Create “${title}” on ${when}${guests === '' ? '' : ` with ${guests}`}`,
  moveEvent: (title, from, to) => `Move “${title}” from ${from} to ${to}`,
  changeEvent: (title, when) => `Change “${title}” on ${when}`,
  cancelEvent: (title, when) => `Cancel “${title}” on ${when}`,
  deleteEvent: (title, when) => `Delete “${title}” on ${when}`,
  wholeSeries: ', the whole series',
  mayNotify: (guests) => ` (guests may be notified: ${guests})`,
  andMore: (count) => `and ${count} more`,
  send: (subject, to) => `Send “${subject}” to ${to}`,
  trash: (subject) => `Move the email “${subject}” to the trash`,
  createRule: (name, condition) => `Add the mail rule “${name}” for mail that matches “${condition}”`,
  deleteRule: (name) => `Delete the mail rule “${name}”`,
  startStream: (name) => (name === '' ? 'Start the stream' : `Start the stream “${name}”`),
  stopStream: 'Stop the stream',
  changeStream: (name) => `Change the stream to “${name}”`,
  auditPage: (url) => `Fetch and audit the page ${url}`,
  bookPlan: (count, named) =>
    `Add ${count} ${count === 1 ? 'block' : 'blocks'} to the calendar: ${named.join(', ')}${count > named.length ? ' …' : ''}`,
  changeEmails: (change, { count, more }, examples, tag) => {
    const emails = `${more ? 'the newest ' : ''}${count} ${count === 1 ? 'email' : 'emails'}`
    const text = {
      archive: `Archive ${emails}`,
      trash: `Move ${emails} to the trash`,
      read: `Mark ${emails} as read`,
      unread: `Mark ${emails} as unread`,
      star: `Star ${emails}`,
      unstar: `Remove the star of ${emails}`,
      tag: `Tag ${emails} with #${tag}`,
      move: `Move ${emails} to “${tag}”`,
    }[change]
    return `${text}${quoteAll(examples, count)}`
  },
  changeTasks: (change, { count, more }, examples, due) => {
    const tasks = `${more ? 'the first ' : ''}${count} ${count === 1 ? 'task' : 'tasks'}`
    const text = {
      complete: `Complete ${tasks}`,
      delete: `Delete ${tasks}`,
      move: `Move ${tasks} to ${due}`,
    }[change]
    return `${text}${quoteAll(examples, count)}`
  },
  unsubscribe: (list, to) => `Unsubscribe from “${list}” (sends a request to ${to})`,
  ruleEffects: (effects, { count, more }) =>
    `: ${effects.join(', ')}. ${count === 0 ? 'No email matches yet' : `${more ? 'More than ' : ''}${count} ${count === 1 ? 'email matches' : 'emails match'} already`}`,
  ruleEffect: {
    archive: 'archive it',
    trash: 'move it to the trash',
    read: 'mark it as read',
    starred: 'star it',
    task: 'create a task',
    pinned: 'pin it',
    snooze: 'snooze it',
    tags: (tags) => `tag it with ${tags}`,
    folder: (name) => `move it to “${name}”`,
  },
  invite: (title, guests) => `Send an invitation for “${title}” to ${guests}`,
  locale: 'en-GB',
}

const GERMAN: Proposals = {
  createTask: (title, due) => `Die Aufgabe „${title}“${due === '' ? '' : `, fällig ${due},`} anlegen`,
  completeTask: (title) => `Die Aufgabe „${title}“ als erledigt markieren`,
  changeTask: (title) => `Die Aufgabe „${title}“ ändern`,
  deleteTask: (title) => `Die Aufgabe „${title}“ löschen`,
  draft: (subject, to) => `Den Entwurf „${subject}“${to === '' ? '' : ` an ${to}`} speichern`,
  snooze: (subject, until) => `„${subject}“ bis ${until} zurückstellen`,
  endSnooze: (subject) => `„${subject}“ nicht länger zurückstellen`,
  pin: (subject) => `„${subject}“ anheften`,
  unpin: (subject) => `„${subject}“ nicht länger anheften`,
  followUp: (subject, by) => `Dich an „${subject}“ erinnern, wenn bis ${by} niemand antwortet`,
  endFollowUp: (subject) => `Die Erinnerung an „${subject}“ entfernen`,
  unarchive: (subject) => `„${subject}“ in den Posteingang verschieben`,
  removeTag: (subject, tag) => `#${tag} von „${subject}“ entfernen`,
  createContact: (name, addresses) =>
    `Den Kontakt „${name}“${addresses === '' ? '' : ` (${addresses})`} anlegen`,
  closeCommitment: (text) => `Die Zusage „${text}“ abschließen`,
  syncBookings: 'Buchungen vom Buchungsanbieter abrufen',
  createEvent: (title, when, guests) =>
    `„${title}“ am ${when}${guests === '' ? '' : ` mit ${guests}`} anlegen`,
  moveEvent: (title, from, to) => `„${title}“ von ${from} auf ${to} verschieben`,
  changeEvent: (title, when) => `„${title}“ vom ${when} ändern`,
  cancelEvent: (title, when) => `„${title}“ vom ${when} absagen`,
  deleteEvent: (title, when) => `„${title}“ vom ${when} löschen`,
  wholeSeries: ', die ganze Serie',
  mayNotify: (guests) => ` (Gäste werden möglicherweise benachrichtigt: ${guests})`,
  andMore: (count) => `und ${count} weitere`,
  send: (subject, to) => `„${subject}“ an ${to} senden`,
  trash: (subject) => `Die E-Mail „${subject}“ in den Papierkorb verschieben`,
  createRule: (name, condition) =>
    `Die E-Mail-Regel „${name}“ für E-Mails anlegen, auf die „${condition}“ zutrifft`,
  deleteRule: (name) => `Die E-Mail-Regel „${name}“ löschen`,
  startStream: (name) => (name === '' ? 'Den Stream starten' : `Den Stream „${name}“ starten`),
  stopStream: 'Den Stream beenden',
  changeStream: (name) => `Den Stream in „${name}“ ändern`,
  auditPage: (url) => `Die Seite ${url} abrufen und prüfen`,
  bookPlan: (count, named) =>
    `${count === 1 ? 'Einen Block' : `${count} Blöcke`} in den Kalender eintragen: ${named.join(', ')}${count > named.length ? ' …' : ''}`,
  changeEmails: (change, { count, more }, examples, tag) => {
    const emails = `${more ? 'Die neuesten ' : ''}${count} ${count === 1 ? 'E-Mail' : 'E-Mails'}`
    const text = {
      archive: `${emails} archivieren`,
      trash: `${emails} in den Papierkorb verschieben`,
      read: `${emails} als gelesen markieren`,
      unread: `${emails} als ungelesen markieren`,
      star: `${emails} mit einem Stern markieren`,
      unstar: `Den Stern von ${emails} entfernen`,
      tag: `${emails} mit #${tag} markieren`,
      move: `${emails} nach „${tag}“ verschieben`,
    }[change]
    return `${text}${quoteAll(examples, count).replaceAll('“', '„').replaceAll('”', '“')}`
  },
  changeTasks: (change, { count, more }, examples, due) => {
    const tasks = `${more ? 'Die ersten ' : ''}${count} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`
    const text = {
      complete: `${tasks} als erledigt markieren`,
      delete: `${tasks} löschen`,
      move: `${tasks} auf ${due} verschieben`,
    }[change]
    return `${text}${quoteAll(examples, count).replaceAll('“', '„').replaceAll('”', '“')}`
  },
  unsubscribe: (list, to) => `„${list}“ abbestellen (sendet eine Anfrage an ${to})`,
  ruleEffects: (effects, { count, more }) =>
    `: ${effects.join(', ')}. ${count === 0 ? 'Noch passt keine E-Mail dazu' : `${more ? 'Mehr als ' : ''}${count} ${count === 1 ? 'E-Mail passt' : 'E-Mails passen'} schon dazu`}`,
  ruleEffect: {
    archive: 'archivieren',
    trash: 'in den Papierkorb verschieben',
    read: 'als gelesen markieren',
    starred: 'mit einem Stern markieren',
    task: 'eine Aufgabe anlegen',
    pinned: 'anheften',
    snooze: 'zurückstellen',
    tags: (tags) => `mit ${tags} markieren`,
    folder: (name) => `nach „${name}“ verschieben`,
  },
  invite: (title, guests) => `Eine Einladung zu „${title}“ an ${guests} senden`,
  locale: 'de',
}

/** Returns the texts that describe an action to the person who confirms it. */
export const getProposalTexts = (language: Language = 'en'): Proposals =>
  language === 'de' ? GERMAN : ENGLISH

/** Formats the start of an event in the timezone of the person. An all-day event keeps its own timezone. */
export const formatStart = (
  event: { start: string; allDay?: unknown; timezone?: unknown },
  person: string,
  language: Language = 'en',
): string => {
  const isDay = event.allDay === true
  return new Intl.DateTimeFormat(getProposalTexts(language).locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(!isDay && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: isDay && typeof event.timezone === 'string' ? event.timezone : person,
  }).format(new Date(event.start))
}

const MAX_NAMED = 5

export const listGuests = (guests: readonly string[], language: Language = 'en'): string => {
  const named = guests.slice(0, MAX_NAMED).join(', ')
  const more = guests.length - MAX_NAMED
  return more > 0 ? `${named} ${getProposalTexts(language).andMore(more)}` : named
}

/** A list leaves out snoozed emails. A search for words, people or days finds them. */
export const withoutSnoozed = (query: string): { snoozed?: false } =>
  query.split(/\s+/).every((term) => /^(?:is:(?!snoozed).*|in:.*|)$/i.test(term)) ? { snoozed: false } : {}
