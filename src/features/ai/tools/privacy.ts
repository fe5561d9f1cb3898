import { isPrivate } from '../../../engine/mail/private-tag.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ToolUse } from './tool.ts'

/** Something that is private by its own tag, or by what it was made of. */
export interface Traced {
  id: number
  tags: readonly string[]
  emailId: number | null
}

export interface PrivacyDeps {
  /** Of those e-mails that are there. */
  emailTags: (ids: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>
  /** The tasks that events are time set aside for, by event. */
  tasksOfEvents: (eventIds: readonly number[]) => Promise<ReadonlyMap<number, Traced>>
}

export type Privacy = ReturnType<typeof createPrivacy>

/** What may go to a model. Links are followed: an event may be time for a task, and a task may be what a mail asks for. */
export const createPrivacy = ({ emailTags, tasksOfEvents }: PrivacyDeps) => {
  const emails = async (ids: readonly number[]): Promise<Set<number>> => {
    const unique = [...new Set(ids)]
    if (unique.length === 0) return new Set()
    const tags = await emailTags(unique)
    return new Set(unique.filter((id) => isPrivate(tags.get(id) ?? [])))
  }

  const tasks = async (all: readonly Traced[]): Promise<Set<number>> => {
    const mails = await emails(all.flatMap(({ emailId }) => emailId ?? []))
    return new Set(
      all
        .filter(({ tags, emailId }) => isPrivate(tags) || (emailId !== null && mails.has(emailId)))
        .map(({ id }) => id),
    )
  }

  const events = async (all: readonly Traced[]): Promise<Set<number>> => {
    const own = await tasks(all)
    const behind = await tasksOfEvents([...new Set(all.map(({ id }) => id))])
    const planned = await tasks([...behind.values()])
    for (const [eventId, { id }] of behind) if (planned.has(id)) own.add(eventId)
    return own
  }

  const requireOpen = async (
    kind: 'task' | 'event',
    one: Traced,
    { leaves }: Pick<ToolUse, 'leaves'>,
  ): Promise<void> => {
    if (leaves && (await (kind === 'task' ? tasks : events)([one])).has(one.id))
      throw new AppError('forbidden', 'forbidden', `This ${kind} is private: it does not leave this machine.`)
  }

  return {
    emails,
    tasks,
    events,
    /** Throws where something is acted on for a model that may not know of it. */
    requireOpen,
  }
}
