/** What has this tag never leaves the machine, whatever asks: e-mails, and tasks and events likewise. */
const PRIVATE = 'private'

const isTheTag = (tag: string): boolean => tag.trim().toLowerCase() === PRIVATE

export const isPrivate = (tags: readonly string[]): boolean => tags.some(isTheTag)

/** For what is made of something private: it is so itself, also when that is gone. */
export const privateTagsOf = (tags: readonly string[]): string[] => tags.filter(isTheTag).slice(0, 1)

/** For a search: without them, so that not even a hit tells of their words. */
export const WITHOUT_PRIVATE = `-tag:${PRIVATE}`
