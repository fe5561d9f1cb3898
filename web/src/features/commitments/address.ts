export const VIEWS = ['mine', 'theirs', 'done', 'dismissed'] as const
export type View = (typeof VIEWS)[number]

/** The address of the commitments of a view, and of one person. */
export const addressOfCommitments = ({ view, person }: { view: View; person: string | null }): string => {
  const query = new URLSearchParams({
    ...(view !== 'mine' && { show: view }),
    ...(person !== null && { person }),
  })
  return query.size === 0 ? '/promises' : `/promises?${query}`
}
