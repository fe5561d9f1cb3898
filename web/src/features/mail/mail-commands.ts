import {
  Archive,
  FolderInput,
  Inbox,
  Mail,
  MailOpen,
  OctagonAlert,
  Star,
  StarOff,
  Tag,
  Trash2,
} from 'lucide-react'
import * as t from '#locale/commands'
import * as folderTexts from '#locale/mail-folders'
import { useTags } from '../../api/tags.ts'
import { type Command, useCommands } from '../../shell/commands.ts'
import { type EmailSummary, isPutAway, subjectOf } from './folders.ts'
import type { SelectedEmailActions } from './use-selected-email-actions.ts'

/** Adds the actions on the selected emails to the command palette. */
export const useMailCommands = (actions: SelectedEmailActions): void => {
  const known = useTags('emails')
  const listTags = (emails: readonly EmailSummary[], typed: string): readonly Command[] => {
    const addTag = (tag: string) => () => void actions.addTag(tag, emails)
    const isNew = typed !== '' && !known.some((tag) => tag.toLowerCase() === typed.toLowerCase())
    return [
      ...known.map((tag) => ({ id: `mail.tag.${tag}`, label: `#${tag}`, icon: Tag, run: addTag(tag) })),
      ...(isNew
        ? [{ id: 'mail.tag', label: t.createTag(typed), icon: Tag, keywords: typed, run: addTag(typed) }]
        : []),
    ]
  }
  useCommands(() => {
    const emails = actions.targets()
    const [first] = emails
    if (!first) return []
    const isArchived = emails.every(isPutAway)
    const isRead = emails.every(({ read }) => read)
    const isStarred = emails.every(({ starred }) => starred)
    return [
      {
        title: emails.length === 1 ? subjectOf(first) : t.selectedEmails(emails.length),
        commands: [
          {
            id: 'mail.archive',
            label: isArchived ? t.moveToInbox : t.archive,
            icon: isArchived ? Inbox : Archive,
            keys: ['e'],
            run: () => actions.toggleArchived(emails),
          },
          {
            id: 'mail.move',
            label: folderTexts.moveTo,
            icon: FolderInput,
            keys: ['v'],
            run: () => actions.move.ask(emails),
          },
          {
            id: 'mail.spam',
            label: emails.every(({ folder }) => folder === 'junk') ? folderTexts.notSpam : folderTexts.spam,
            icon: OctagonAlert,
            keys: ['!'],
            run: () => actions.toggleSpam(emails),
          },
          { id: 'mail.tags', label: t.addTag, icon: Tag, choices: (typed) => listTags(emails, typed) },
          {
            id: 'mail.star',
            label: isStarred ? t.unstar : t.star,
            icon: isStarred ? StarOff : Star,
            keys: ['s'],
            run: () => void actions.toggleStar(emails),
          },
          {
            id: 'mail.read',
            label: isRead ? t.markUnread : t.markRead,
            icon: isRead ? Mail : MailOpen,
            keys: ['u'],
            run: () => void actions.toggleRead(emails),
          },
          {
            id: 'mail.delete',
            label: t.remove,
            icon: Trash2,
            keys: ['#'],
            run: () => actions.remove(emails),
          },
        ],
      },
    ]
  })
}
