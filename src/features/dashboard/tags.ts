import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'

/** Each tag that something in a room has, as tags are compared. */
type UsedTags = () => Promise<string[]>

export interface UsedTag {
  tag: string
  emails?: boolean
  tasks?: boolean
}

export type TagList = ReturnType<typeof createTagList>

/** The tags there are, over all rooms that have some; a token sees those of the rooms it reaches. */
export const createTagList = (rooms: { emails: UsedTags; tasks: UsedTags }) => {
  const read = async (caller: Caller, scope: Scope, used: UsedTags): Promise<Set<string> | undefined> =>
    caller.kind === 'token' && !covers(caller.scopes, scope) ? undefined : new Set(await used())

  return async (caller: Caller, { limit, cursor }: PageRequest) => {
    const after = readCursor(cursor, 'text')?.[0]
    const emails = await read(caller, 'mail:read', rooms.emails)
    const tasks = await read(caller, 'tasks:read', rooms.tasks)
    const all = [...new Set([...(emails ?? []), ...(tasks ?? [])])].sort()
    const rest = after === undefined ? all : all.filter((tag) => tag > after)
    const { page, nextCursor } = pageOf(rest.slice(0, limit + 1), limit, (tag) => [tag])
    const tags = page.map(
      (tag): UsedTag => ({
        tag,
        ...(emails && { emails: emails.has(tag) }),
        ...(tasks && { tasks: tasks.has(tag) }),
      }),
    )
    return { tags, nextCursor }
  }
}
