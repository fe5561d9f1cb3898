import { isPrivate } from '../../../nlu/mail/facts.ts'
import { type AppError, forbidden } from '../../../platform/errors.ts'
import type { EmailView } from '../../mail/messages/email.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { ToolUse } from './tool.ts'

export const privateError = (what: 'email' | 'event' | 'promise' | 'task'): AppError =>
  forbidden(`This ${what} is private and must not be sent to a language model.`)

/** Throws if the email is private and the result would go to a model. */
export const requireOpenEmail = ({ tags }: { tags: readonly string[] }, { sendsToModel }: ToolUse): void => {
  if (sendsToModel && isPrivate(tags)) throw privateError('email')
}

/** Throws if the email is private and the result would go to a model. */
export const getOpenEmail = async (
  { emails }: { emails: Pick<Emails, 'get'> },
  id: number,
  use: ToolUse,
): Promise<EmailView> => {
  const email = await emails.get(use.userId, id)
  requireOpenEmail(email, use)
  return email
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

  const find = { task: tasks, event: events }

  return {
    emails,
    tasks,
    events,

    /** Throws if the item is private and the result would go to a model. */
    async requireOpen(kind: 'task' | 'event', one: PrivacyCheckedItem, { sendsToModel, userId }: ToolUse) {
      if (sendsToModel && (await find[kind](userId, [one])).has(one.id)) throw privateError(kind)
    },

    /** Leaves out private items if the result goes to a model. */
    async filter<I extends PrivacyCheckedItem>(
      kind: 'task' | 'event',
      all: readonly I[],
      { sendsToModel, userId }: ToolUse,
    ) {
      const hidden = await find[kind](userId, all)
      return {
        visible: all.filter(({ id }) => !sendsToModel || !hidden.has(id)),
        hasPrivate: hidden.size > 0,
      }
    },
  }
}
