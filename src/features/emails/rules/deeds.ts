import type { Folder } from '../../../database/tables/mail.ts'
import { eachOnce } from '../../../platform/each-once.ts'
import { tagKeys } from '../draft.ts'
import { tagKeyOf } from '../search.ts'
import type { Deeds } from './schema.ts'

/** What rules may change of an e-mail. */
export interface Marks {
  folder: Folder
  tags: readonly string[]
  read: boolean
  starred: boolean
}

/** As many as an e-mail may have. */
const MOST_TAGS = 50

export const NOTHING: Deeds = { tags: [], folder: null, read: false, starred: false, task: false }

export const isNothing = ({ tags, folder, read, starred, task }: Deeds): boolean =>
  tags.length === 0 && folder === null && !read && !starred && !task

/** The marks once it is done. */
export const markedBy = (marks: Marks, deeds: Deeds): Marks => ({
  folder: deeds.folder ?? marks.folder,
  tags: eachOnce([...marks.tags, ...deeds.tags], tagKeyOf).slice(0, Math.max(MOST_TAGS, marks.tags.length)),
  read: marks.read || deeds.read,
  starred: marks.starred || deeds.starred,
})

/** What was changed of one e-mail, for it to be taken back. */
export interface Marked {
  id: number
  folder?: { was: Folder; is: Folder }
  /** Those that were added. */
  tags?: string[]
  read?: true
  starred?: true
}

/** Null where nothing is. */
export const differenceOf = (id: number, before: Marks, after: Marks): Marked | null => {
  const known = tagKeys(before.tags)
  const tags = after.tags.filter((tag) => !known.includes(tagKeyOf(tag)))
  const marked: Marked = {
    id,
    ...(before.folder !== after.folder && { folder: { was: before.folder, is: after.folder } }),
    ...(tags.length > 0 && { tags }),
    ...(before.read !== after.read && { read: true as const }),
    ...(before.starred !== after.starred && { starred: true as const }),
  }
  return Object.keys(marked).length > 1 ? marked : null
}

/** The marks without what was done; whatever was changed since is left as it is. */
export const withoutDeeds = (marks: Marks, marked: Marked): Marks => {
  const added = tagKeys(marked.tags ?? [])
  return {
    folder: marked.folder && marks.folder === marked.folder.is ? marked.folder.was : marks.folder,
    tags: marks.tags.filter((tag) => !added.includes(tagKeyOf(tag))),
    read: marked.read ? false : marks.read,
    starred: marked.starred ? false : marks.starred,
  }
}

const FOLDERS = { archive: 'archived', trash: 'moved to the trash' } as const

/** In words that follow the name of what it was done with. */
export const deedWords = (all: readonly Deeds[]): string => {
  const tags = eachOnce(
    all.flatMap((deeds) => deeds.tags),
    tagKeyOf,
  )
  const folder = all.findLast((deeds) => deeds.folder !== null)?.folder ?? null
  return [
    ...(folder === null ? [] : [FOLDERS[folder]]),
    ...(tags.length > 0 ? [`tagged ${tags.map((tag) => `#${tag}`).join(' ')}`] : []),
    ...(all.some(({ read }) => read) ? ['marked as read'] : []),
    ...(all.some(({ starred }) => starred) ? ['starred'] : []),
    ...(all.some(({ task }) => task) ? ['made a task'] : []),
  ].join(', ')
}
