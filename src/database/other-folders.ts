import type { EmailRow, Folder } from './tables/mail.ts'

/** A server folder that contains an email. */
export interface Place {
  id: number
  role: Folder
}

/** Returns the folders of an email besides its main one. */
export const readOtherFolders = ({ otherFolders }: Pick<EmailRow, 'otherFolders'>): Place[] =>
  otherFolders === null ? [] : (JSON.parse(otherFolders) as Place[])
