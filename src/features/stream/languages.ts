import { invalidField } from '../../platform/errors.ts'

/** The tag as everyone writes it: `en-us` is `en-US`. */
export const canonicalLanguage = (tag: string, path = 'language'): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] as string
  } catch {
    throw invalidField(path, 'must be a language tag such as en or pt-BR')
  }
}

/**
 * Which of the languages that there are is meant: the wanted one, or one of its kind (`en` finds `en-GB`); with none
 * wanted, that of the instance, else the first.
 */
export const chooseLanguage = (
  there: readonly string[],
  wanted: string | undefined,
  usual: string,
): string => {
  const tag = wanted ?? usual
  const [kind = tag] = tag.split('-')
  const found =
    there.find((one) => one === tag) ??
    there.find((one) => one.startsWith(`${tag}-`)) ??
    there.find((one) => one === kind)
  return found ?? (wanted === undefined ? there[0] : undefined) ?? tag
}
