import {
  AlarmClock,
  Archive,
  FolderInput,
  Inbox,
  Mail,
  MailOpen,
  OctagonAlert,
  Pin,
  PinOff,
  Star,
  StarOff,
  Tag,
  Trash2,
} from 'lucide-react'
import * as t from '#locale/commands'
import * as folderTexts from '#locale/mail-folders'
import * as later from '#locale/mail-later'
import { useTags } from '../../api/tags.ts'
import { type Command, useCommands } from '../../shell/commands.ts'
import { isPutAway, subjectOf } from './folders.ts'
import { isRead, type Thread } from './threads.ts'
import type { SelectedEmailActions } from './use-selected-email-actions.ts'

/** Adds the actions on the selected emails to the command palette. */
export const useMailCommands = (actions: SelectedEmailActions): void => {
  const known = useTags('emails')
  const listTags = (threads: readonly Thread[], typed: string): readonly Command[] => {
    const addTag = (tag: string) => () => void actions.addTag(tag, threads)
    const isNew = typed !== '' && !known.some((tag) => tag.toLowerCase() === typed.toLowerCase())
    return [
      ...known.map((tag) => ({ id: `mail.tag.${tag}`, label: `#${tag}`, icon: Tag, run: addTag(tag) })),
      ...(isNew
        ? [{ id: 'mail.tag', label: t.createTag(typed), icon: Tag, keywords: typed, run: addTag(typed) }]
        : []),
    ]
  }
  useCommands(() => {
    const threads = actions.targets()
    const [first] = threads
    if (!first) return []
    const isArchived = threads.every(isPutAway)
    const areRead = threads.every(isRead)
    const isStarred = threads.every(({ starred }) => starred)
    const isPinned = threads.every(({ pinned }) => pinned)
    return [
      {
        title: threads.length === 1 ? subjectOf(first) : t.selectedEmails(threads.length),
        commands: [
          {
            id: 'mail.archive',
            label: isArchived ? t.moveToInbox : t.archive,
            icon: isArchived ? Inbox : Archive,
            keys: ['e'],
            run: () => actions.toggleArchived(threads),
          },
          {
            id: 'mail.move',
            label: folderTexts.moveTo,
            icon: FolderInput,
            keys: ['v'],
            run: () => actions.move.ask(threads),
          },
          {
            id: 'mail.snooze',
            label: threads.every(({ snoozedUntil }) => snoozedUntil !== null) ? later.unsnooze : later.snooze,
            icon: AlarmClock,
            keys: ['h'],
            run: () => actions.snooze.ask(threads),
          },
          {
            id: 'mail.pin',
            label: isPinned ? later.unpin : later.pin,
            icon: isPinned ? PinOff : Pin,
            keys: ['p'],
            run: () => void actions.togglePin(threads),
          },
          {
            id: 'mail.spam',
            label: threads.every(({ folder }) => folder === 'junk') ? folderTexts.notSpam : folderTexts.spam,
            icon: OctagonAlert,
            keys: ['!'],
            run: () => actions.toggleSpam(threads),
          },
          {
            id: 'mail.tags',
            label: t.addTag,
            icon: Tag,
            keys: ['l'],
            choices: (typed) => listTags(threads, typed),
          },
          {
            id: 'mail.star',
            label: isStarred ? t.unstar : t.star,
            icon: isStarred ? StarOff : Star,
            keys: ['s'],
            run: () => void actions.toggleStar(threads),
          },
          {
            id: 'mail.read',
            label: areRead ? t.markUnread : t.markRead,
            icon: areRead ? Mail : MailOpen,
            keys: ['u'],
            run: () => void actions.toggleRead(threads),
          },
          {
            id: 'mail.delete',
            label: t.remove,
            icon: Trash2,
            keys: ['#'],
            run: () => actions.remove(threads),
          },
        ],
      },
    ]
  })
}
