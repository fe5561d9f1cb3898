import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { eachOnce } from '../../../platform/collections.ts'
import { AppError, invalidField, notFound } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { Platform } from '../../../platform/platform.ts'
import { toFolder } from '../folders/folder.ts'
import { type PlaceMove, resolveMove } from '../folders/move-target.ts'
import {
  isIn,
  isOnServer,
  isPlaceIn,
  listPlaces,
  type MainPlace,
  type Place,
  toPlaceColumns,
} from '../folders/places.ts'
import { findFolder } from '../folders/repository.ts'
import { MAX_TAGS, pickFlags, toFlags, toReturned } from '../messages/email.ts'
import { type EmailRecord, lockEmail, updateEmail } from '../messages/email-repository.ts'
import type { EmailEditor, EmailWriter } from '../messages/email-writer.ts'
import { changeBetween, type MailStore, toFiledEmail } from '../messages/mail-store.ts'
import type { EmailChange } from '../messages/schema.ts'
import { tagKeyOf } from '../messages/search.ts'
import type { MailReminders } from '../reminders/reminders.ts'
import { findThreadVersion, listForChange } from './repository.ts'
import {
  type ChangedThreads,
  type EmailsChange,
  MAX_CHANGED,
  type ThreadsChange,
  type ThreadsDeletion,
} from './schema.ts'

interface ThreadActionsNeeds {
  editor: Pick<EmailEditor, 'change'>
  writer: Pick<EmailWriter, 'erase'>
  emails: Pick<MailStore, 'notifyLocalChange'>
  reminders: Pick<MailReminders, 'readTimes'>
}

/** Cancels the delivery of a queued email. */
export type CancelSend = (userId: number, emailId: number) => Promise<unknown>

const tooManyEmails = (): AppError =>
  new AppError(
    'invalid',
    'too_many_emails',
    `These conversations have more than ${MAX_CHANGED} emails. Select fewer conversations. Nothing was changed.`,
  )

/** Sent emails and drafts stay in their folders when a conversation is archived or returns to the inbox. */
const RECEIVED: readonly string[] = ['inbox', 'archive', 'other', 'junk', 'trash']

/** Folders whose emails change only if the request names the folder. */
const NAMED_ONLY: readonly string[] = ['drafts', 'junk', 'trash']

/** The destination of a move. `accountId` is set for a folder of a mail account. */
interface Target {
  folder: Folder | undefined
  accountId: string | undefined
}

const NO_MOVE: Target = { folder: undefined, accountId: undefined }

const findTarget = async (
  tx: Db,
  userId: number,
  { folder, folderId }: ThreadsChange['change'],
): Promise<Target> => {
  if (folderId === undefined) return { folder, accountId: undefined }
  const found = await findFolder(tx, userId, folderId)
  if (!found) throw invalidField('folderId', 'does not exist')
  return { folder: toFolder(found.use), accountId: found.accountId }
}

type Selection = Parameters<typeof isPlaceIn>[1]

const isNamed = ({ folder, folderId }: Selection): boolean => folder !== undefined || folderId !== undefined

/** Whether a move, or a change of other properties, concerns the email. */
const isAffected = (email: EmailRecord, { folder, folderId }: Selection, target = NO_MOVE): boolean => {
  if (target.accountId !== undefined && email.accountId !== target.accountId) return false
  if (isNamed({ folder, folderId }))
    return listPlaces(email).some((place) => isPlaceIn(place, { folder, folderId }))
  if (NAMED_ONLY.includes(email.folder)) return false
  return target.folder === undefined || target.folder === 'trash' || RECEIVED.includes(email.folder)
}

/**
 * The places that a move leaves: those in the folder of the list. In a list of all folders, an email is moved from its
 * main folder. It is discarded from all folders, because a copy elsewhere would keep it in that list.
 */
const selectLeft = (
  places: readonly MainPlace[],
  input: Selection,
  { folder }: Target,
): readonly MainPlace[] => {
  const named = places.filter((place) => isPlaceIn(place, input))
  if (isNamed(input) && named.length > 0) return named
  return folder === 'trash' || folder === 'junk' ? places : places.slice(0, 1)
}

/** An email with several places that has left the named one is not moved. */
const selectNamed = (places: readonly MainPlace[], origin: Selection): readonly MainPlace[] => {
  const named = places.filter((place) => isPlaceIn(place, origin))
  return isNamed(origin) && (named.length > 0 || places.length > 1) ? named : places.slice(0, 1)
}

/** The places outside the named folder. Their copies are kept when the email is deleted in that folder. */
const listKept = (email: EmailRecord, input: Selection): Place[] =>
  isNamed(input)
    ? listPlaces(email)
        .filter(isOnServer)
        .filter((place) => !isPlaceIn(place, input))
    : []

const changeTags = (email: EmailRecord, { addTags = [], removeTags = [] }: ThreadsChange['change']) => {
  const removed = new Set(removeTags.map(tagKeyOf))
  const before = JSON.parse(email.tags) as string[]
  const kept = before.filter((tag) => !removed.has(tagKeyOf(tag)))
  return eachOnce([...kept, ...addTags], tagKeyOf).slice(0, Math.max(MAX_TAGS, before.length))
}

/** A folder that the server does not have yet has no id. */
const toOrigin = ({ id, role }: MainPlace) => (id === null ? { fromFolder: role } : { fromFolderId: id })

/** The values before a change, and the folder that contains the email after it. */
const toMarks = (
  email: EmailRecord,
  left: MainPlace,
  move: PlaceMove | undefined,
): ChangedThreads['emails'][number] => ({
  id: email.id,
  ...toFlags(email),
  folder: left.role,
  ...(left.id !== null && { folderId: left.id }),
  ...toOrigin(move ? move.to : left),
  tags: JSON.parse(email.tags) as string[],
  snoozedUntil: email.snoozedUntil,
  followUpAt: email.followUpAt,
  pinned: email.pinned === 1,
  returned: toReturned(email),
})

/** A star, and the mark as unread, concern the newest email. Their removal concerns all emails. */
const isForNewest = (flag: string, value: boolean | undefined): boolean =>
  flag === 'read' ? value === false : value === true

const toEmailChange = (
  email: EmailRecord,
  change: ThreadsChange['change'],
  { isNewest, isNewestSent }: { isNewest: boolean; isNewestSent: boolean },
): EmailChange => {
  const { folder, folderId, addTags, removeTags, snoozedUntil, followUpAt, pinned, returned } = change
  const flags = Object.entries(pickFlags(change)).filter(
    ([flag, value]) => isNewest || !isForNewest(flag, value),
  )
  return {
    ...Object.fromEntries(flags),
    ...(folder !== undefined && { folder }),
    ...(folderId !== undefined && { folderId }),
    ...((addTags || removeTags) && { tags: changeTags(email, change) }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(followUpAt !== undefined && (isNewestSent || followUpAt === null) && { followUpAt }),
    ...(pinned !== undefined && { pinned }),
    ...(returned !== undefined && { returned }),
  }
}

/** The inbox also lists returned emails of other folders. A move only removes them from the inbox. */
const isListedInInbox = (
  { folder, returnedPosition }: EmailRecord,
  { folder: inFolder, folderId, change }: ThreadsChange,
): boolean => {
  const isListed = isNamed(change) || inFolder === 'inbox' || folderId !== undefined
  return returnedPosition !== null && folder !== 'trash' && isListed
}

const withoutMove = ({ folder, folderId, ...change }: ThreadsChange['change']): ThreadsChange['change'] =>
  folder === undefined && folderId === undefined ? change : { ...change, returned: null }

export type ThreadActions = ReturnType<typeof createThreadActions>

/** Changes whole conversations, each request in one transaction. */
export const createThreadActions = (
  { db, clock, blobs }: Pick<Platform, 'db' | 'clock' | 'blobs'>,
  { editor, writer, emails, reminders }: ThreadActionsNeeds,
) => {
  /** Lists the emails of the threads, newest first. Fails if there are too many or none. */
  const listEmails = async (tx: Db, userId: number, threadIds: readonly number[]): Promise<EmailRecord[]> => {
    const found = await listForChange(tx, userId, threadIds, MAX_CHANGED)
    if (found.length > MAX_CHANGED) throw tooManyEmails()
    if (found.length === 0) throw notFound('thread')
    return found.sort((one, other) => other.position - one.position)
  }

  /**
   * Changes an email. A move leaves the places that `select` returns. Returns undefined if the email does not exist, or
   * nothing changed.
   */
  const changeOne = async (
    tx: Db,
    userId: number,
    id: number,
    change: EmailChange,
    select: (places: readonly MainPlace[]) => readonly MainPlace[],
  ): Promise<ChangedThreads['emails'][number] | undefined> => {
    const email = await lockEmail(tx, userId, id)
    if (!email) return undefined
    const from = select(listPlaces(email))
    const { folder, folderId, ...marks } = change
    const { change: resolved, move } = await resolveMove(tx, email, from.length > 0 ? change : marks, from)
    const changed = await editor.change(tx, email, resolved)
    const localChange = changeBetween(toFiledEmail(email), toFiledEmail(changed), move)
    if (localChange) await emails.notifyLocalChange(tx, localChange)
    if (changed.version === email.version) return undefined
    const [main = { id: email.folderId, role: email.folder }] = from
    return toMarks(email, main, move)
  }

  const actions = {
    /** Changes one conversation. One that is only in the trash or in the junk folder changes there. */
    changeThread: (
      userId: number,
      id: number,
      change: ThreadsChange['change'],
      ifMatch: string | undefined,
      cancelSend: CancelSend,
    ): Promise<ChangedThreads> =>
      inTransaction(db, async (tx) => {
        const members = await listEmails(tx, userId, [id])
        requireMatch(ifMatch, { id, version: 0, ...(await findThreadVersion(tx, userId, id)) })
        const folder = ['trash', 'junk'].some((name) => members.every((email) => email.folder === name))
          ? members[0]?.folder
          : undefined
        return actions.change(userId, { threadIds: [id], change, ...(folder && { folder }) }, cancelSend)
      }),

    change: (userId: number, input: ThreadsChange, cancelSend: CancelSend): Promise<ChangedThreads> =>
      inTransaction(db, async (tx) => {
        const { threadIds } = input
        const change = await reminders.readTimes(userId, input.change)
        const target = await findTarget(tx, userId, change)
        const visited = new Set<number>()
        const changed: ChangedThreads['emails'] = []
        const followed = new Set<number>()
        for (const email of await listEmails(tx, userId, threadIds)) {
          const isMember = isAffected(email, input, target)
          if (!isMember && !isListedInInbox(email, input)) continue
          const isNewest = !visited.has(email.threadId)
          visited.add(email.threadId)
          const isNewestSent = isIn(email, 'sent') && !followed.has(email.threadId)
          if (isNewestSent) followed.add(email.threadId)
          // A queued email would be sent from the trash as well.
          if (target.folder === 'trash' && email.deliveryStatus === 'queued')
            await cancelSend(userId, email.id)
          const emailChange = toEmailChange(email, isMember ? change : withoutMove(change), {
            isNewest,
            isNewestSent,
          })
          const done = await changeOne(tx, userId, email.id, emailChange, (places) =>
            selectLeft(places, input, target),
          )
          if (done) changed.push(done)
        }
        return { emails: changed }
      }),

    /** Changes several emails. Emails that no longer exist are skipped. */
    changeEmails: (userId: number, { emails: given }: EmailsChange): Promise<{ changed: number }> =>
      inTransaction(db, async (tx) => {
        let changed = 0
        for (const { id, fromFolder: folder, fromFolderId: folderId, ...change } of given) {
          const restored = await reminders.readTimes(userId, change, { mayBePast: true })
          const select = (places: readonly MainPlace[]) => selectNamed(places, { folder, folderId })
          if (await changeOne(tx, userId, id, restored, select)) changed++
        }
        return { changed }
      }),

    /** Deletes the emails of conversations with their attachments. */
    async remove(userId: number, input: ThreadsDeletion): Promise<void> {
      await inTransaction(db, async (tx) => {
        for (const found of await listEmails(tx, userId, input.threadIds)) {
          if (!isAffected(found, input)) continue
          const email = await lockEmail(tx, userId, found.id)
          if (!email) continue
          const before = toFiledEmail(email)
          const kept = listKept(email, input)
          const columns = toPlaceColumns(kept, null)
          if (columns) {
            const changed = toFiledEmail(await updateEmail(tx, email, columns, clock.now().toISOString()))
            const removedFrom = listPlaces(email)
              .filter(isOnServer)
              .filter(({ id }) => !kept.some((place) => place.id === id))
              .map(({ id }) => id)
            await emails.notifyLocalChange(tx, { kind: 'removed', email: changed, before, removedFrom })
            continue
          }
          await writer.erase(tx, email)
          await emails.notifyLocalChange(tx, { kind: 'removed', email: before, before })
        }
      })
      await blobs.settled()
    },
  }
  return actions
}
