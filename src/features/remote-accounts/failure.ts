import type { StepFailure } from '../../platform/errors.ts'

export interface FailureExplanation {
  step: StepFailure['step']
  /** The cause of the failure, in plain words. */
  problem: string
  /** The action that fixes the problem. */
  remedy: string
}

/** `response` is the quoted error message of the server, or empty. */
export type ExplainFailure<Server> = (server: Server, response: string) => [problem: string, remedy: string]

/** The texts for each failure in one language. */
export interface FailureTexts<Server> {
  steps: Partial<Record<`${StepFailure['step']}.${StepFailure['reason']}`, ExplainFailure<Server>>>
  /** For failures without a text of their own. */
  otherwise: ExplainFailure<Server>
  /** Quotes the error message of the server in parentheses. */
  quote: (response: string) => string
}

/** Explains a failed connection step to the user who can fix it. */
export const explainStep = <Server>(
  { step, reason, response }: StepFailure,
  server: Server,
  texts: FailureTexts<Server>,
): FailureExplanation => {
  const explain = texts.steps[`${step}.${reason}`] ?? texts.otherwise
  const [problem, remedy] = explain(server, response === null ? '' : texts.quote(response))
  return { step, problem, remedy }
}
