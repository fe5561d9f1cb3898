/** What a tool call returned. */
type ToolCallResult<R> =
  | { status: 'done'; result: R }
  | { status: 'failed'; result: ToolCallFailure }
  | { status: 'needs_confirmation'; result: ToolCallProposal }

interface ToolCallFailure {
  error: string
  code: string
  errors?: readonly object[]
}

interface ToolCallProposal {
  summary: string
  expiresAt: string
}

/** Describes the outcome of a tool call. The result is unknown if the tool is. */
export type ToolCallOutcome<R = unknown> = ToolCallResult<R> & {
  tool: string
  input: unknown
  /** Set if the call waits for confirmation. */
  actionId: string | null
  /** Entry of the undo journal, if the call can be undone. */
  undoId: number | null
  /** The changed fields of an existing item before the change. Answers of earlier versions have none. */
  before?: Readonly<Record<string, unknown>> | null
  /** Ids of the emails that the result quotes. */
  emails: readonly number[]
  /** The result contains data that must not be sent to a model. */
  isPrivate: boolean
  /** Set if the call waits: whether a typed yes confirms it. Answers of earlier versions have none. */
  confirmedBy?: 'word' | 'button' | null
}

/** Removes internal fields: clients do not need to know which emails a result quotes. */
export const toPublicAction = ({ emails: _, isPrivate: __, confirmedBy: ___, ...action }: ToolCallOutcome) =>
  action
