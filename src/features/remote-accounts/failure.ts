import type { StepFailure } from '../../platform/errors.ts'

export interface FailureExplanation {
  step: StepFailure['step']
  /** The cause of the failure, in plain words. */
  problem: string
  /** The action that fixes the problem. */
  remedy: string
}

type Texts = [problem: string, remedy: string]

/** The texts for each failure. `said` quotes the server in parentheses, or is empty. */
export type FailureTexts<Server> = Partial<
  Record<`${StepFailure['step']}.${StepFailure['reason']}`, (server: Server, said: string) => Texts>
>

export const TRY_LATER = 'Try again later. If the problem persists, ask your provider.'

/** Explains a failed connection step to the user who can fix it. */
export const explainStep = <Server>(
  { step, reason, said }: StepFailure,
  server: Server,
  texts: FailureTexts<Server>,
  /** The problem, if no text exists for this failure. */
  otherwise: (said: string) => string,
): FailureExplanation => {
  const quote = said === null ? '' : ` (“${said}”)`
  const [problem, remedy] = texts[`${step}.${reason}`]?.(server, quote) ?? [otherwise(quote), TRY_LATER]
  return { step, problem, remedy }
}
