import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A calendar or task list that an account shares with the account of an address. */
export interface ShareRow {
  id: Generated<number>
  /** The account that owns the calendar or list. */
  userId: number
  kind: 'taskList' | 'calendar'
  resourceId: number
  email: string
  /** Normalized email for comparison. The account that has this address can accept the offer. */
  emailKey: string
  /** The account that accepted or declined. It keeps the share when its address changes. */
  memberId: number | null
  role: 'viewer' | 'editor' | 'freeBusy'
  status: 'pending' | 'accepted' | 'declined'
  /** How the member displays it: 0 hides it, and a null color is the one of the owner. */
  visible: number
  color: string | null
  /** The notifications that the member of a calendar wants; see `CalendarRow`. */
  notifications: Generated<'all' | 'reminders' | 'none'>
  version: number
  createdAt: string
  updatedAt: string
}

export interface SharingTables {
  shares: ShareRow
}

export const sharingKeys: TableKeys<SharingTables> = { shares: ['id'] }
