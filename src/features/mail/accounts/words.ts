import { AppError, type StepFailure } from '../../../platform/errors.ts'
import type { Language } from '../../../platform/language.ts'
import { explainStep, type FailureExplanation } from '../../remote-accounts/failure.ts'
import { de } from './locales/de.ts'
import { en, type MailServerTexts } from './locales/en.ts'
import type { ServerAddress } from './ports.ts'

const TEXTS: Readonly<Record<Language, MailServerTexts>> = { en, de }

export const mailServerTexts = (language: Language): MailServerTexts => TEXTS[language]

/** Explains a failed connection step to the user who can fix it. */
export const explainFailure = (
  failure: StepFailure,
  server: ServerAddress,
  language: Language,
): FailureExplanation => explainStep(failure, server, TEXTS[language])

/** Explains an error that a mail connection threw. Rethrows any other error. */
export const explainError = (
  error: unknown,
  server: ServerAddress,
  language: Language,
): FailureExplanation => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  if (!failure) throw error
  return explainFailure(failure, server, language)
}
