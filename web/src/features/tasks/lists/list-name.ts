import * as t from '#locale/task-lists'
import type { TaskListInfo } from '../../../api/task-lists.ts'

/** The name that the server gives to a new Inbox. It is translated until somebody renames the list. */
const UNTOUCHED_INBOX = /^Inbox$/

export const toListName = ({ name, isInbox }: TaskListInfo): string =>
  isInbox && UNTOUCHED_INBOX.test(name) ? t.inbox : name
