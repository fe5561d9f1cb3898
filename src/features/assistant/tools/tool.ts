import type { Static } from 'typebox'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Language } from '../../../platform/language.ts'
import type { ToolContract } from './contracts/contract.ts'

/** Describes the caller of a tool and the destination of its result. */
export interface ToolUse {
  caller: Caller
  /** The account of the caller. */
  userId: number
  /** The result goes to a language model, so private data must be withheld. */
  sendsToModel: boolean
  /** Language for the confirmation request. Defaults to English. */
  language?: Language
  isConfirmed?: true
}

/** The item that an action changes, and the version that the person saw. */
export interface About {
  kind: 'task' | 'event' | 'email' | 'mail_rule'
  id: number
  version: number
}

export interface Outcome<R = unknown> {
  result: R
  /** Id of the entry in the undo journal. */
  undoId?: number
  /** The changed fields of an existing item as they were before. */
  before?: Readonly<Record<string, unknown>>
  /** Emails that the result quotes, or that its items were created from. */
  emails?: readonly number[]
  /** The result contains data that must not be sent to a model. */
  isPrivate?: boolean
}

/** An action as the person sees it before the confirmation. */
export interface ToolProposal {
  summary: string
  about: About | null
  /** Replaces the input, so that exactly the items that were counted are changed. */
  input?: unknown
  /** Other people may be notified. */
  reachesOthers?: boolean
}

/** The existing item that a change is about, and how a person names it. */
export interface ChangeTarget {
  kind: 'task' | 'event' | 'email' | 'commitment' | 'contact'
  id: number
  titles: readonly string[]
  people: readonly { name: string; address: string }[]
  /** Start of an event. */
  start?: string
  /** The change is about all events of a series. */
  isSeries?: true
}

export interface WriteProposal extends ToolProposal {
  /** Null for a new item. */
  target: ChangeTarget | null
  /** The name of the list that the item is put into. */
  listName?: string
}

/** Runs a tool with an input that matches its contract. */
interface Runnable<I, R> {
  run(input: I, use: ToolUse): Promise<Outcome<R>>
}

interface Changing<I> {
  /** The verbs that command this change in a message of the person, from `says`. All of them must match. */
  verbs(input: I): readonly RegExp[]
  /** Other words that the message must contain, such as those of a priority. */
  mentions?(input: I): readonly RegExp[]
  /** Tells whether this call needs a confirmation, because it reaches other people. */
  needsConfirmation?(input: I, use: ToolUse): Promise<boolean>
  /** Describes the change for the person who confirms it. Throws if the change is not possible. */
  propose(input: I, use: ToolUse): Promise<WriteProposal>
}

interface Confirmable<I> {
  /** Describes the action for the person who confirms it. Throws if the action is not possible. */
  propose(input: I, use: ToolUse): Promise<ToolProposal>
}

type NamedContract = ToolContract & { name: string }
type ReadTool = NamedContract & Runnable<unknown, unknown> & { effect: 'read' }
export type WriteTool = NamedContract & Runnable<unknown, unknown> & Changing<unknown> & { effect: 'write' }
type ConfirmTool = NamedContract & Runnable<unknown, unknown> & Confirmable<unknown> & { effect: 'confirm' }

export type Tool = ReadTool | WriteTool | ConfirmTool

type Implementation<C extends ToolContract, I = Static<C['input']>> = Runnable<
  I,
  Static<ReturnType<C['result']>>
> &
  (C['effect'] extends 'write' ? Changing<I> : C['effect'] extends 'confirm' ? Confirmable<I> : unknown)

/** The registry checks each input against the contract, so a list of tools may forget the types of inputs. */
export const defineTool = <C extends NamedContract>(contract: C, implementation: Implementation<C>): Tool =>
  ({ ...contract, ...implementation }) as unknown as Tool
