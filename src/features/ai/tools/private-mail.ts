/** E-mails with this tag never leave the machine, whatever asks. */
const PRIVATE = 'private'

export const isPrivate = (tags: readonly string[]): boolean =>
  tags.some((tag) => tag.trim().toLowerCase() === PRIVATE)

/** For a search: without them, so that not even a hit tells of their words. */
export const WITHOUT_PRIVATE = `-tag:${PRIVATE}`
