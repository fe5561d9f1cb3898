import type { Db } from '../../../database/db.ts'
import type { KeywordChange } from '../accounts/ports.ts'
import { findMissingTags, toKeyword, toTags } from '../folders/keywords.ts'
import { tagKeyOf } from '../messages/search.ts'
import { findPlacementsOf, type PlacementRecord, updatePlacement } from './repository.ts'
import type { Session } from './session.ts'

export const readKeywords = ({ keywords }: Pick<PlacementRecord, 'keywords'>): string[] =>
  JSON.parse(keywords) as string[]

export const writeKeywords = (keywords: readonly string[]): string => JSON.stringify(keywords)

/**
 * Applies the keywords of the server to the tags of the email: only those that changed since the last sync. A tag that
 * the server does not permit as a keyword is therefore kept. `isMoved`: the message came from another folder, which
 * may permit more keywords, so no tag is removed.
 */
export const applyKeywords = async (
  session: Pick<Session, 'store' | 'userId'>,
  tx: Db,
  placement: Pick<PlacementRecord, 'id' | 'emailId' | 'keywords'>,
  keywords: readonly string[],
  { isMoved = false } = {},
): Promise<void> => {
  if (writeKeywords(keywords) === placement.keywords) return
  await updatePlacement(tx, placement.id, { keywords: writeKeywords(keywords) })
  if (placement.emailId === null) return
  const before = toTags(readKeywords(placement))
  const after = toTags(keywords)
  const add = findMissingTags(before, after)
  let remove = isMoved ? [] : findMissingTags(after, before)
  if (remove.length > 0) {
    const places = await findPlacementsOf(tx, placement.emailId)
    remove = findMissingTags(toTags(places.flatMap(readKeywords)), remove)
  }
  await session.store.changeTags(tx, session.userId, placement.emailId, { add, remove })
}

/** Returns the keywords to change for the tags of a local change. The server may spell an existing one differently. */
export const toKeywordChange = (
  placement: Pick<PlacementRecord, 'keywords'>,
  tags: { add: readonly string[]; remove: readonly string[] },
): KeywordChange => {
  const existing = readKeywords(placement)
  const removed = new Set(tags.remove.map(tagKeyOf))
  return {
    add: findMissingTags(toTags(existing), tags.add).flatMap((tag) => toKeyword(tag) ?? []),
    remove: existing.filter((keyword) => toTags([keyword]).some((tag) => removed.has(tagKeyOf(tag)))),
  }
}
