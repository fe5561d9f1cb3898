import { isPrivate } from '../../nlu/mail/facts.ts'
import { type Caller, requireScope, type Scope, userIdOf } from '../../platform/access/caller.ts'
import type { Events } from '../calendar/events.ts'
import type { Contacts } from '../contacts/contacts.ts'
import type { Emails } from '../mail/messages/emails.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { PageItem } from './interpreter/memory.ts'
import { createPrivacy, type PrivacyDeps } from './tools/privacy.ts'

export const CONTEXT_TYPES = ['email', 'event', 'task', 'contact'] as const
export type ContextType = (typeof CONTEXT_TYPES)[number]

/** The item that is open in the client. "This" refers to it. */
export interface PageContext {
  type: ContextType
  id: number
  /** `occurrenceStart` of one occurrence of a series. */
  occurrence?: string | undefined
}

/** The item of a context, and whether models may know of it. */
export interface ResolvedContext {
  item: PageItem
  isPrivate: boolean
}

const SCOPES: Readonly<Record<ContextType, Scope>> = {
  email: 'mail:read',
  event: 'calendar:read',
  task: 'tasks:read',
  contact: 'mail:read',
}

interface ContextServices {
  emails: Pick<Emails, 'get'>
  events: Pick<Events, 'get'>
  tasks: Pick<Tasks, 'get'>
  contacts: Pick<Contacts, 'get'>
  traces: PrivacyDeps
}

export type ResolveContext = (caller: Caller, context: PageContext) => Promise<ResolvedContext>

/** Finds the item of a context in the account of the caller. Throws if it does not exist there. */
export const createContextResolver = (services: ContextServices): ResolveContext => {
  const privacy = createPrivacy(services.traces)

  const findEmail = async (userId: number, id: number): Promise<ResolvedContext> => {
    const { subject, tags, folder } = await services.emails.get(userId, id)
    const kind = folder === 'drafts' ? 'draft' : 'email'
    return { item: { kind, id, title: subject }, isPrivate: isPrivate(tags) }
  }

  const findTask = async (userId: number, id: number): Promise<ResolvedContext> => {
    const task = await services.tasks.get(userId, id)
    const hidden = await privacy.tasks(userId, [task])
    return { item: { kind: 'task', id, title: task.title }, isPrivate: hidden.has(id) }
  }

  const findEvent = async (userId: number, id: number, occurrence?: string): Promise<ResolvedContext> => {
    const event = await services.events.get(userId, id, occurrence)
    const hidden = await privacy.events(userId, [event])
    const { title, start } = event
    const item = { kind: 'event' as const, id, title, start, ...(occurrence && { occurrence }) }
    return { item, isPrivate: hidden.has(id) }
  }

  const findContact = async (userId: number, id: number): Promise<ResolvedContext> => {
    const { name, addresses } = await services.contacts.get(userId, id)
    return {
      item: { kind: 'contact', id, title: name || (addresses[0]?.address ?? '') },
      isPrivate: false,
    }
  }

  return (caller, { type, id, occurrence }) => {
    requireScope(caller, SCOPES[type])
    const userId = userIdOf(caller)
    if (type === 'email') return findEmail(userId, id)
    if (type === 'task') return findTask(userId, id)
    if (type === 'event') return findEvent(userId, id, occurrence)
    return findContact(userId, id)
  }
}
