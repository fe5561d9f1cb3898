import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'

/** Each tag that something in a room has, as it is spelled there. */
type UsedTags = () => Promise<string[]>

export interface UsedTag {
  tag: string
  emails?: boolean
  tasks?: boolean
}

/** What is the same tag, over all rooms. */
const keyOf = (tag: string): string => tag.normalize('NFC').toLowerCase()

export type TagList = ReturnType<typeof createTagList>

/** The tags there are, over all rooms that have some; a token sees those of the rooms it reaches. */
export const createTagList = (rooms: { emails: UsedTags; tasks: UsedTags }) => {
  const read = async (
    caller: Caller,
    scope: Scope,
    used: UsedTags,
  ): Promise<Map<string, string> | undefined> =>
    caller.kind === 'token' && !covers(caller.scopes, scope)
      ? undefined
      : new Map((await used()).map((tag) => [keyOf(tag), tag]))

  return async (caller: Caller, { limit, cursor }: PageRequest) => {
    const after = readCursor(cursor, 'text')?.[0]
    const emails = await read(caller, 'mail:read', rooms.emails)
    const tasks = await read(caller, 'tasks:read', rooms.tasks)
    // Where both have it, as it is spelled in mail.
    const all = [...new Map([...(tasks ?? []), ...(emails ?? [])])].sort(([a], [b]) => (a < b ? -1 : 1))
    const rest = after === undefined ? all : all.filter(([key]) => key > after)
    const { page, nextCursor } = pageOf(rest.slice(0, limit + 1), limit, ([key]) => [key])
    const tags = page.map(
      ([key, tag]): UsedTag => ({
        tag,
        ...(emails && { emails: emails.has(key) }),
        ...(tasks && { tasks: tasks.has(key) }),
      }),
    )
    return { tags, nextCursor }
  }
}
