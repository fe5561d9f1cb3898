import type { EmailPick, Intent, Wall, WallRange } from '../../../nlu/intents/intent.ts'
import type { Edit } from '../../../nlu/requests/edit.ts'
import type { ContactField } from '../../../nlu/requests/questions.ts'
import type { WeekdayName } from '../tools/contracts/calendar.ts'
import type { EmailsChangeName, TasksChangeName } from '../tools/proposal-texts.ts'

/** The subject of a question. `everything` is for "who is …". */
export type ContactFact = ContactField | 'last_email' | 'everything'

/** The value of each field as the message gives it. */
export type ContactValues = { readonly [Field in ContactField]?: string }

export interface ContactChange {
  id: number
  values: ContactValues
  /** Replaces the stored number or address. Otherwise it is added. */
  isNew: boolean
}

/** Abilities that the classifier has no class for. Rules read them from unmistakable wording. */
export interface AbilityArguments {
  summarize_emails: WallRange & { unread?: true; sender?: string }
  /** Summarizes the newest match, or the email of the conversation. */
  summarize_email: { email: EmailPick }
  /** Proposes a reply. Nothing is saved before the person agrees. */
  suggest_reply: { email: EmailPick }
  get_priorities: { isFirst?: true }
  plan_tasks: WallRange
  snooze_email: { email: EmailPick; until?: Wall }
  unsubscribe: { list: string }
  create_rule: { sender: string; change: RuleChange; folder?: string; tag?: string }
  change_emails: {
    change: Exclude<EmailsChangeName, 'move'>
    tag?: string
    /** The named sender, age and state, as a search. */
    query?: string
    unread?: true
    /** Emails of the conversation. */
    ids?: readonly number[]
  }
  change_tasks: {
    change: TasksChangeName
    due?: Wall
    status?: 'open' | 'overdue' | 'done'
    list?: string
    ids?: readonly number[]
  }
  find_meeting: WallRange & {
    minutes?: number
    people?: readonly string[]
    notBefore?: string
    notAfter?: string
    exceptDays?: readonly WeekdayName[]
  }
  /** Changes the item that the conversation is about. */
  edit_item: Edit
  tell_contact: { id: number; facts: readonly ContactFact[]; unused?: string }
  change_contact: ContactChange
  /** Accepts or declines what somebody proposed in an email. */
  answer_proposal: { person: string; isYes: boolean; when?: string }
}

export type RuleChange = 'archive' | 'trash' | 'read' | 'star' | 'tag' | 'move'

export type AbilityName = keyof AbilityArguments

export type Ability = {
  [Name in AbilityName]: { ability: Name; arguments: AbilityArguments[Name] }
}[AbilityName]

/** A request that the interpreter can carry out. */
export type RunnableRequest = Intent | Ability

export const isAbility = (request: RunnableRequest): request is Ability => 'ability' in request
