import { AppError, type StepFailure } from '../../../platform/errors.ts'
import type { Language } from '../../../platform/language.ts'
import { explainStep, type FailureExplanation } from '../../remote-accounts/failure.ts'
import { findProviderOfServer, findSetupUrl, providerTexts } from './autoconfig/providers.ts'
import { de } from './locales/de.ts'
import { en, type MailServerTexts } from './locales/en.ts'
import type { ServerAddress } from './ports.ts'

const TEXTS: Readonly<Record<Language, MailServerTexts>> = { en, de }

export const mailServerTexts = (language: Language): MailServerTexts => TEXTS[language]

/** The remedy for a rejected password at a known provider. Null if only the general one applies. */
const findRemedy = (host: string, language: Language): string | null => {
  const provider = findProviderOfServer(host)
  if (!provider) return null
  const { remedies } = providerTexts(language)
  const url = findSetupUrl(provider)
  if (url === null) return provider.ways[0] === 'oauth' ? remedies.oauth(provider.name) : null
  const isAppPassword = provider.ways.includes('app_password')
  return isAppPassword ? remedies.app_password(provider.name, url) : remedies.password(provider.name, url)
}

/** Explains a failed connection step to the user who can fix it. */
export const explainFailure = (
  failure: StepFailure,
  server: ServerAddress,
  language: Language,
): FailureExplanation => {
  const explained = explainStep(failure, server, TEXTS[language])
  const isRejected = failure.step === 'login' && failure.reason === 'credentials'
  const remedy = isRejected ? findRemedy(server.host, language) : null
  return remedy === null ? explained : { ...explained, remedy }
}

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

type RefusalReason = keyof MailServerTexts['refusals']

/** Reply codes of RFC 5321 and status codes of RFC 3463. The first match applies. */
const REFUSALS: readonly [RegExp, RefusalReason][] = [
  [/\b[45]\.2\.2\b/, 'mailboxFull'],
  [/\b[45]\.(?:3\.4|2\.3)\b|^552\b/, 'tooLarge'],
  [/\b[45]\.7\.(?:8|9|14)\b|^53[0458]\b/, 'signIn'],
  [/\b5\.6\.7\b/, 'internationalAddress'],
  [/\b5\.1\.[78]\b/, 'sender'],
  [/\b5\.1\.\d+\b/, 'recipient'],
  [/\b5\.7\.\d+\b/, 'policy'],
  [/^55[013]\b/, 'recipient'],
]

/** The reply of the server in its own words, followed by the action that helps. */
export const explainRefusal = (response: string, language: Language): string => {
  const reason = REFUSALS.find(([pattern]) => pattern.test(response))?.[1] ?? 'other'
  return `${/[.!?]$/.test(response) ? response : `${response}.`} ${TEXTS[language].refusals[reason]}`
}
