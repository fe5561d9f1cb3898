import { type Place, readOtherFolders } from '../../../database/other-folders.ts'
import type { EmailRow, Folder } from '../../../database/tables/mail.ts'
import { rankOfRole } from './folder.ts'

export type { Place }

/** The main folder of an email. Its id is null without a copy on a server. */
export interface MainPlace {
  id: number | null
  role: Folder
}

type PlaceColumns = Pick<EmailRow, 'folder' | 'folderId' | 'otherFolders'>

/** Lists the folders of an email, the main one first. */
export const listPlaces = (email: PlaceColumns): MainPlace[] => [
  { id: email.folderId, role: email.folder },
  ...readOtherFolders(email),
]

/** Whether one of the places is in the folder. */
export const isPlaceIn = (
  { id, role }: MainPlace,
  { folder, folderId }: { folder?: Folder | undefined; folderId?: number | undefined },
): boolean => (folder === undefined || role === folder) && (folderId === undefined || id === folderId)

/** A mail to oneself is in the inbox and in the sent folder. */
export const isIn = (email: PlaceColumns, folder: Folder): boolean =>
  listPlaces(email).some(({ role }) => role === folder)

const toColumns = ({ id, role }: MainPlace, others: readonly Place[]): PlaceColumns => ({
  folder: role,
  folderId: id,
  otherFolders: others.length === 0 ? null : JSON.stringify(others),
})

/**
 * Returns the columns of an email in these folders. The inbox is the main one, or the first in the order of the roles.
 * Among equal ones, the current folder stays the main one.
 */
export const toPlaceColumns = (
  places: readonly Place[],
  currentId: number | null,
): PlaceColumns | undefined => {
  const [main, ...others] = [...new Map(places.map((place) => [place.id, place])).values()].toSorted(
    (a, b) =>
      rankOfRole(a.role) - rankOfRole(b.role) ||
      Number(b.id === currentId) - Number(a.id === currentId) ||
      a.id - b.id,
  )
  return main && toColumns(main, others)
}

export const isOnServer = (place: MainPlace): place is Place => place.id !== null

/** Moves an email from these places to a folder. Its other places stay. */
export const movePlaces = (
  email: PlaceColumns,
  from: readonly MainPlace[],
  target: MainPlace,
): PlaceColumns => {
  const ids = new Set(from.map(({ id }) => id))
  const others = listPlaces(email)
    .filter(({ id }) => !ids.has(id))
    .filter(isOnServer)
  // The server creates this folder, so that its id is not known yet.
  if (!isOnServer(target)) return toColumns(target, others)
  return toPlaceColumns([...others, target], email.folderId) as PlaceColumns
}
