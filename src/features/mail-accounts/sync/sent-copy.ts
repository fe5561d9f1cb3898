import { identityOf } from './folders.ts'
import { type FolderRecord, findPlacementsOf, insertPlacement } from './placement-store.ts'
import type { Session } from './session.ts'

/**
 * Puts a copy of what was sent into the server's own folder for it, unless one is there: servers that file it
 * themselves, and a try of ours that ended before it was noted, are both found by the Message-ID.
 */
export const appendSent = async (session: Session, emailId: number, sent: FolderRecord): Promise<boolean> => {
  const { mailbox, filing, db, accountId } = session
  if (mailbox.filesSentItself || (await findPlacementsOf(db, emailId)).length > 0) return true
  const email = await filing.find(db, emailId)
  const raw = await filing.readRaw(db, emailId)
  if (!email?.messageId || !raw) return true
  const messageId = `<${email.messageId}>`
  const state = await session.reopen(sent.path)
  const [there] = await mailbox.search(messageId)
  const receivedAt = session.now()
  const place =
    there === undefined
      ? await mailbox.append(sent.path, {
          raw,
          flags: { read: true, starred: email.starred },
          receivedAt: new Date(receivedAt),
          draft: false,
        })
      : { uid: there, uidValidity: state.uidValidity }
  if (place === null || (sent.uidValidity !== '' && sent.uidValidity !== place.uidValidity)) return true
  await session.write((tx) =>
    insertPlacement(tx, {
      accountId,
      folderId: sent.id,
      ...place,
      emailId,
      identity: identityOf({ messageId, size: raw.length, receivedAt }),
      read: 1,
      starred: email.starred ? 1 : 0,
      goneAt: null,
    }),
  )
  return true
}
