import { invalidField } from '../../platform/errors.ts'

/** Normalizes a language tag: `en-us` becomes `en-US`. */
export const canonicalLanguage = (tag: string, path = 'language'): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] as string
  } catch {
    throw invalidField(path, 'must be a language tag such as en or pt-BR')
  }
}

/**
 * Selects the requested language or a variant of it (`en` finds `en-GB`).
 * Without a request, selects the language of the instance, otherwise the first available.
 */
export const chooseLanguage = (
  there: readonly string[],
  wanted: string | undefined,
  fallback: string,
): string => {
  const tag = wanted ?? fallback
  const [kind = tag] = tag.split('-')
  const found =
    there.find((one) => one === tag) ??
    there.find((one) => one.startsWith(`${tag}-`)) ??
    there.find((one) => one === kind)
  return found ?? (wanted === undefined ? there[0] : undefined) ?? tag
}
